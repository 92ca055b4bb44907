/** The person that a tool may ask in the middle of a run. */
import type { Person } from "../toolkit/index.ts";

/** The questions of one call. Its time stands still while a person reads. */
export class Questions {
  #open = 0;
  #count = 0;

  /** The person as one call sees them. */
  of(person: Person): Person {
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      this.#open++;
      this.#count++;
      try {
        return await work();
      } finally {
        this.#open--;
      }
    };
    return {
      approve: (question, signal) => counted(() => person.approve(question, signal)),
      approveList: (question, signal) => counted(() => person.approveList(question, signal)),
      ask: (question, signal) => counted(() => person.ask(question, signal)),
    };
  }

  /** Resolves once a whole period has passed in which nobody was asked anything, or the call is over. */
  async quiet(period: () => Promise<void>, over: AbortSignal): Promise<void> {
    for (;;) {
      const before = this.#count;
      await period();
      if (over.aborted || (this.#open === 0 && this.#count === before)) return;
    }
  }
}
