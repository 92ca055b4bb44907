/** Relations between guarantees over all traces: implied, equivalent, contradictory; and the difference of two programs. */
export { decided } from "./decided.ts";
export { type BoundChange, type Difference, differ, type GuaranteeChange, isSame } from "./difference.ts";
export { type Answer, implies, type RelateOptions } from "./implies.ts";
export { readsState } from "./kinds.ts";
export type { Layer } from "./layer.ts";
export { allOf, anyOf, negated, no } from "./logic.ts";
export { freshPrefix, inlined, normal, openNames, withNames } from "./names.ts";
export { type NewCall, type NewValue, wordsOf } from "./new-calls.ts";
export {
  type InSet,
  impliesAll,
  lookAtSet,
  type OpenInSet,
  type Relation,
  type RelationKind,
  relate,
} from "./relate.ts";
export { type BoundKind, boundKind } from "./upper-bound.ts";
export type { Witness } from "./witness.ts";
