/** Solvers: one port, the backends behind it, and the literals that scripts are made of. */
export { boolLiteral, intLiteral, literal, realLiteral, stringLiteral } from "./literals.ts";
export { nativeSolver } from "./native.ts";
export type { PoolOptions } from "./pool.ts";
export {
  type Model,
  type Scalar,
  type Script,
  type Solver,
  type SolverAnswer,
  type SolverLimits,
  SolverUnavailable,
  type Sort,
  type UnknownReason,
  type Wanted,
} from "./port.ts";
export { z3Wasm } from "./z3-wasm.ts";
