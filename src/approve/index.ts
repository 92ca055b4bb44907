/** What decides whether a proved program may run. */
export {
  type ClauseVerdict,
  decide,
  type Policy,
  type PolicyDecision,
  type PolicyRule,
  type RuleDecision,
  type RuleFinding,
} from "./policy.ts";
export { policyLimits, type ReadPolicy, readPolicy } from "./read-policy.ts";
