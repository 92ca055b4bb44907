/** The door of `coverage`: what policies require and the guarantees leave open. */
export {
  type ContractInUse,
  type Coverage,
  type CoverageStatus,
  coverageOf,
  coverageStatuses,
  heldOf,
  loudestFirst,
  type PolicyInUse,
} from "./coverage.ts";
export { Opaque } from "./opaque.ts";
