/** Counts what a test came upon, so that none is passed by looking at nothing. */
import { expect } from "vitest";
import { atLeast } from "../../support/runs.ts";

export class Counts {
  readonly #counts = new Map<string, number>();

  readonly note = (what: string): void => {
    this.#counts.set(what, this.of(what) + 1);
  };

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  /** Prints all, and asks for more than so many of each. */
  expect(least: Readonly<Record<string, number>>): void {
    process.stdout.write(`${[...this.#counts].map(([what, count]) => `${count} ${what}`).join(", ")}\n`);
    for (const [what, number] of Object.entries(least))
      expect(this.of(what), what).toBeGreaterThan(atLeast(number));
  }
}
