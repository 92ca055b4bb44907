/**
 * LIMIT: every bound that protects against hostile documents and values, in one place.
 * Part of what must be trusted: a bound that is too high costs time, one that is missing costs everything.
 */
export interface Limits {
  /** Code units of a text or JSON document. */
  readonly textLength: number;
  /** Nesting of types, expressions, commands and values. */
  readonly depth: number;
  /** Nodes of a document: commands, expressions, types, fields and declarations together. */
  readonly nodes: number;
  /** Code units of one name. */
  readonly nameLength: number;
  /** Code units of one string value. */
  readonly stringLength: number;
  /** Elements of one list value. */
  readonly listLength: number;
  /** Bits of an integer, and of each half of a rational. */
  readonly numberBits: number;
  /** Places of one pattern, when its counts are written out. */
  readonly patternSize: number;
  /** Units of work in one run or evaluation; big operands cost more than one. */
  readonly steps: number;
}

export const defaultLimits: Limits = {
  textLength: 128 * 1024 * 1024,
  depth: 400,
  nodes: 8_000_000,
  nameLength: 256,
  stringLength: 1_000_000,
  listLength: 1_000_000,
  numberBits: 16_384,
  patternSize: 1_000,
  steps: 50_000_000,
};

/** LIMIT: the turns of a `while` that says no other number. A run that would make another one is interrupted. */
export const defaultTurns = 10_000;
