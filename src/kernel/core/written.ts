/**
 * What an entry says of the checks, while it is done again. Some answers are not asked for once more: of a function that is
 * not at hand or gave no answer in time, and of a rule that tables of Unicode decide, if they may be others than then.
 * Part of what must be trusted.
 */
import type { Why } from "../reasons.ts";

export interface Written {
  /** Why checks were violated then, by their names. Each answer of a function is taken once. */
  readonly answers: Map<string, Why>;
  /** Whether it was decided with other tables of Unicode than those of this process, or nobody knows with which. */
  readonly otherTables: boolean;
  /** Told of a rule whose answer of then stands, though it would be another one now. */
  readonly differs?: (rule: string) => void;
}

let written: Written | undefined;

/** Does something that was done before. */
export function withWritten<T>(entry: Written, body: () => T): T {
  written = entry;
  try {
    return body();
  } finally {
    written = undefined;
  }
}

export function isWritten(): boolean {
  return written !== undefined;
}

export function nameOfCheck(rule: string): string {
  return `invariant ${rule}`;
}

/** What was answered then, without taking it. */
export function lookedUp(rule: string): Why | undefined {
  return written?.answers.get(nameOfCheck(rule));
}

/**
 * What the function of that name answered then. In an emergency the state before is asked about next, and there the
 * invariant must have held; so there is nothing the second time.
 */
export function answerThen(rule: string): Why | undefined {
  const answer = lookedUp(rule);
  written?.answers.delete(nameOfCheck(rule));
  return answer;
}

/** The answer that counts for a rule that tables decide: that of then, if it is another one and the tables may be. */
export function settled(rule: string, now: Why | undefined): Why | undefined {
  if (written === undefined || !written.otherTables) return now;
  const then = lookedUp(rule);
  if ((then === undefined) === (now === undefined)) return now === undefined ? undefined : then;
  written.differs?.(rule);
  return then;
}
