/** The decision of a policy, as data. */
import type { AskedClause } from "../../approve/index.ts";
import type { PlainJson } from "../../ir/index.ts";
import type { AppliedPolicy } from "../decide/apply-policy.ts";

export function policyReport(file: string, applied: AppliedPolicy): PlainJson {
  const { verdict, decision, rule, unmentioned, charges, rules } = applied;
  return {
    ok: true,
    file,
    verdict,
    decision,
    rule: rule?.name ?? null,
    reason: rule?.reason ?? null,
    unmentioned,
    charges: charges.map((one) => ({ ...one })),
    rules: rules.map((one) => ({
      name: one.rule.name,
      decision: one.rule.decision,
      applies: one.applies,
      stops: one.rule.stops ?? null,
      clauses: one.clauses.map(clauseToJson),
      required: one.required.map(clauseToJson),
      others: one.others,
    })),
  };
}

function clauseToJson({ clause, verdict, interruption, counts }: AskedClause): PlainJson {
  return { clause, verdict, interruption: interruption && { ...interruption }, counts };
}
