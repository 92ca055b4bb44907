/** The person for whom the program works: what was shown to them and approved is theirs, wherever it came from. */
import { contract, type Int, tool } from "foreclaim";

const asked: string[] = [];

/** Shows a text and what it is for; fails unless the person approves it as it stands. */
export const approve = tool({
  reads: true,
  stores: [],
  endorses: "untrusted",
  ensures: (approved, { text }) => approved === text,
  run: async ({ what, text }: { what: string; text: string }): Promise<string> => {
    asked.push(`${what}: ${text}`);
    return text;
  },
});

/** Shows a number and what it is for; fails unless the person approves it as it stands. */
export const approveNumber = tool({
  reads: true,
  stores: [],
  endorses: "untrusted",
  ensures: (approved, { value }) => approved === value,
  run: async ({ what, value }: { what: string; value: number }): Promise<number> => {
    asked.push(`${what}: ${value}`);
    return value;
  },
});

/** The same for a whole number. */
export const approveWhole = tool({
  reads: true,
  stores: [],
  endorses: "untrusted",
  ensures: (approved, { value }) => approved === value,
  run: async ({ what, value }: { what: string; value: Int }): Promise<Int> => {
    asked.push(`${what}: ${value}`);
    return value;
  },
});

/** Asks a question that is answered with yes or no, beside what the answer could rest on. */
export const decide = tool({
  reads: true,
  stores: [],
  endorses: "untrusted",
  run: async ({ question, about }: { question: string; about: string }): Promise<boolean> => {
    asked.push(`${question} (${about})`);
    return false;
  },
});

/** So much has been shown to the person. */
export const questions = tool({
  reads: true,
  stores: [],
  ensures: (n) => n >= 0,
  run: async (): Promise<number> => asked.length,
});

/** The person is not asked anything. */
export const notAsked = contract(
  () => approve.none() && approveNumber.none() && approveWhole.none() && decide.none(),
);
