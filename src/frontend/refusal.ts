/** Carries a problem from its place: thrown inside this room, and returned as data by its entry points. */
import type { Span } from "../ir/index.ts";
import type { FrontCode, SourceDiagnostic } from "./codes.ts";

/** A position in the sources. */
export interface Spot {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Without a diagnostic: the cause was reported already. */
export class Refusal extends Error {
  readonly diagnostic: SourceDiagnostic | undefined;
  constructor(diagnostic: SourceDiagnostic | undefined) {
    super(diagnostic?.message ?? "already reported");
    this.name = "Refusal";
    this.diagnostic = diagnostic;
  }
}

export function refuse(spot: Spot, code: FrontCode, message: string, help?: string): never {
  const span: Span = { start: spot.start, end: spot.end };
  throw new Refusal({ code, message, file: spot.file, span, ...(help === undefined ? {} : { help }) });
}

/** LIMIT: a source that is wrong everywhere need not be told so more often than this. */
const maxProblems = 100;

export class Problems {
  readonly all: SourceDiagnostic[] = [];
  readonly #seen = new Set<string>();

  add(diagnostic: SourceDiagnostic | undefined): void {
    if (diagnostic === undefined || this.all.length >= maxProblems) return;
    // A helper that is written out twice has its problem once.
    const key = keyOf(diagnostic);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.all.push(diagnostic);
  }

  /** To try something out: `forget(mark())` leaves no trace of what was found in between. */
  mark(): number {
    return this.all.length;
  }

  forget(mark: number): void {
    for (const diagnostic of this.all.splice(mark)) this.#seen.delete(keyOf(diagnostic));
  }

  /** Runs `body`; a refusal becomes a problem, and `otherwise` the answer. */
  attempt<T>(body: () => T, otherwise: T): T {
    try {
      return body();
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      this.add(thrown.diagnostic);
      return otherwise;
    }
  }
}

function keyOf({ code, file, span }: SourceDiagnostic): string {
  return `${code} ${file} ${span.start} ${span.end}`;
}
