/** Obligations of documents by a program that was extracted from a proof. */
export { Beyond } from "./beyond.ts";
export { documentText } from "./document-text.ts";
export { extracted } from "./model.ts";
export { scriptOf } from "./smt.ts";
export { atom, items, parseTree, type Tree, whole } from "./text.ts";
export { valueText } from "./values.ts";
export {
  type NotCovered,
  type Opinion,
  type Verified,
  verifiedObligations,
  verifyDocument,
} from "./verify.ts";
