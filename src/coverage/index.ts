/** Coverage: how far the guarantees of a program go towards those that the policies of its tools require. */
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
