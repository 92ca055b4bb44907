/** A proof as an editor shows it: plain data between the process that proves and the one that speaks to the editor. */

/** Counted from 0; characters in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A place in a file, by its absolute path. */
export interface Spot {
  readonly file: string;
  readonly range: Range;
}

/** A guarantee, or what a tool requires of a call. */
export interface Claim {
  readonly kind: "guarantee" | "obligation";
  readonly verdict: "proved" | "refuted" | "unknown";
  /** The claim in English. */
  readonly sentence: string;
  /** Absent where no text has it. */
  readonly spot?: Spot;
  /** True if a tool module requires it and the program does not state it. */
  readonly isAdded: boolean;
  /** The comment of its author, which nobody verifies. */
  readonly note?: string;
  readonly how?: string;
  readonly why?: string;
  /** The run that violates it, call by call. */
  readonly steps: readonly Step[];
}

export interface Step {
  readonly text: string;
  readonly spot?: Spot;
}

/** A problem of a text that does not compile. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly spot?: Spot;
}

export interface EditorProof {
  readonly verdict: "proved" | "refuted" | "unknown" | "invalid";
  readonly claims: readonly Claim[];
  readonly problems: readonly Problem[];
  /** Contracts that the tools in use require and the program does not state. */
  readonly required: readonly string[];
  /** Contracts that they recommend and the program does not state. */
  readonly recommended: readonly string[];
  /** All files that it was compiled from. */
  readonly files: readonly string[];
}

/** A program to prove, with the texts of open documents in place of the files. */
export interface Job {
  readonly file: string;
  readonly texts: readonly (readonly [file: string, text: string])[];
  readonly tools: readonly string[] | null;
  /** For each question to the solver. */
  readonly timeoutMs: number;
}

export type ToWorker = { readonly kind: "prove"; readonly job: Job };
export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "proved"; readonly proof: EditorProof };

/** The name of the hidden command that proves. */
export const workerCommand = "lsp-worker";
