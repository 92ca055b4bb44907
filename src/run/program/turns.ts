/**
 * Keeps the reservations of a run and its outcomes apart in time. A call is reserved for a version of the state; an outcome
 * of the run's own that is kept in between would make that version a past one. Reservations go together, and so do
 * outcomes, so that the kernel commits what is asked for in one moment in one transaction.
 */
type Kind = "reserve" | "settle";

export class Turns {
  #kind: Kind | undefined;
  #underway = 0;
  readonly #waiting: { readonly kind: Kind; readonly begin: () => void }[] = [];

  async take<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    await this.#enter(kind);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(kind: Kind): Promise<void> {
    const isFree = this.#underway === 0 || (this.#kind === kind && this.#waiting.length === 0);
    if (isFree) {
      this.#begin(kind);
      return Promise.resolve();
    }
    return new Promise((begin) => this.#waiting.push({ kind, begin }));
  }

  #begin(kind: Kind): void {
    this.#kind = kind;
    this.#underway++;
  }

  /** First come, first served, together with those of the same kind that come right after. */
  #leave(): void {
    this.#underway--;
    if (this.#underway > 0) return;
    const kind = this.#waiting[0]?.kind;
    while (kind !== undefined && this.#waiting[0]?.kind === kind) {
      this.#begin(kind);
      this.#waiting.shift()?.begin();
    }
  }
}
