/** Findings about contracts, guarantees and rules that are vacuous, redundant or contradictory. */
export { type Finding, type LintCode, type Linted, lintCodes, type Subject } from "./codes.ts";
export { lintModules } from "./modules.ts";
export { lintGuarantees, lintRules } from "./sets.ts";
