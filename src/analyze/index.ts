/**
 * What people read before they approve: guarantees and runs in English, made from Effect IR alone, and how far the
 * guarantees go towards what the policies of the tools ask for.
 */
export { isAbout } from "./about.ts";
export {
  type ContractInUse,
  type Coverage,
  type CoverageStatus,
  coverageOf,
  coverageStatuses,
  heldOf,
  loudestFirst,
  type PolicyInUse,
} from "./coverage/coverage.ts";
export {
  type DescribedGuarantee,
  describeCall,
  describeGuarantee,
  describeObligation,
  describeStop,
} from "./describe.ts";
export { type SentenceOptions, sentence } from "./english.ts";
export { type Finding, type LintCode, type Linted, lintCodes, type Subject } from "./lint/codes.ts";
export { lintModules } from "./lint/modules.ts";
export { lintGuarantees, lintRules } from "./lint/sets.ts";
export {
  type MayAnswer,
  type MayArgument,
  type MayCall,
  type MayChange,
  type MayDo,
  mayDo,
} from "./may-do.ts";
export {
  type BoundChange,
  type Difference,
  differ,
  type GuaranteeChange,
  isSame,
} from "./relations/difference.ts";
export { type Answer, implies, type Layer, type RelateOptions, type Witness } from "./relations/implies.ts";
export { freshPrefix, withNames } from "./relations/names.ts";
export { type NewCall, type NewValue, wordsOf } from "./relations/new-calls.ts";
export { type InSet, lookAtSet, type Relation, type RelationKind, relate } from "./relations/relate.ts";
export { type BoundKind, boundKind } from "./upper-bound.ts";
