/**
 * Recorded check results, used during replay. Replay does not repeat some checks: a function that is missing or timed
 * out, and a rule that Unicode tables of another version may decide differently. Part of what must be trusted.
 */
import type { Why } from "../reasons.ts";

export interface Written {
  /** Why checks were violated then, by their names. Each answer of a function is taken once. */
  readonly answers: Map<string, Why>;
  /** True if the entry was decided with other Unicode tables than this process has, or with unknown ones. */
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

/** Returns the recorded answer without consuming it. */
export function lookedUp(rule: string): Why | undefined {
  return written?.answers.get(nameOfCheck(rule));
}

/**
 * Returns the recorded answer of that function, and consumes it. An emergency then judges the state before, where the
 * invariant must have held; so the second lookup finds nothing.
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
