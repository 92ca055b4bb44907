/**
 * LIMIT: every bound of the kernel, in one place. What lies beyond one is refused, never cut or rounded.
 * Part of what must be trusted.
 */
export const limits = {
  /** Code units of a key, an id, a name or an idempotency key. */
  nameLength: 512,
  /** Code units of one string value. */
  stringLength: 100_000,
  /** Nesting of one value. */
  depth: 64,
  /** Parts of one value: itself, every item, field and part of them, and every 64 code units of their texts. */
  nodes: 20_000,
  /** Bits of a number, and of each half of one that is no integer. */
  numberBits: 1_024,
  /** Bytes of the first entry, which holds the policy and the initial state. */
  openingBytes: 16 * 1024 * 1024,
  effects: 1_000,
  /** Keys of the initial state. */
  keys: 1_000_000,
  budgets: 64,
  rules: 1_000,
  emergencies: 64,
  /** Tools of which the calls are counted. */
  tools: 10_000,
  /** Reservations without an outcome. */
  pending: 10_000,
  /** Attestations of one action. */
  attestations: 64,
  /** Principals that a policy declares, and children of one principal by delegation. */
  principals: 256,
  /** Principals that a kernel remembers, those included that exist by delegation alone. */
  knownPrincipals: 10_000,
  /** Longest lease of a reservation, and largest jump of the clock that is believed: 366 days. */
  jumpMs: 366 * 24 * 60 * 60 * 1_000,
  /** Refusals of one principal that are recorded in a window, their code units, and the window; the rest is counted. */
  refusals: 10_000,
  refusedUnits: 64 * 1024 * 1024,
  refusalsMs: 60_000,
  /** Idempotency keys that are remembered; forgetting one would let an action happen twice. */
  idempotencyKeys: 1_000_000,
  /** Number of recent steps that can be rolled back. */
  undoSteps: 10_000,
  /** Times of steps that are kept for time windows. */
  windowSteps: 100_000,
  /** The longest time limit of a function in a worker. */
  functionMs: 60_000,
  /** Units of work of one expression. */
  expressionSteps: 100_000,
} as const;
