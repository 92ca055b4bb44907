/** The person that a tool may ask in the middle of a run. */
import type { Person, QuestionPlace } from "../toolkit/index.ts";

/** The questions of one call. Its time stands still while a person reads. */
export class Questions {
  #open = 0;
  #count = 0;

  /** The person as one attempt of a call sees them. */
  of(person: Person, { key, attempt }: Omit<QuestionPlace, "number">): Person {
    const counted = async <T>(work: (place: QuestionPlace) => Promise<T>): Promise<T> => {
      this.#open++;
      this.#count++;
      try {
        return await work({ key, attempt, number: this.#count });
      } finally {
        this.#open--;
      }
    };
    return {
      approve: (question, signal) => counted((place) => person.approve(question, signal, place)),
      approveList: (question, signal) => counted((place) => person.approveList(question, signal, place)),
      ask: (question, signal) => counted((place) => person.ask(question, signal, place)),
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
