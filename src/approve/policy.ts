/**
 * Approval policies: what passes or fails without a person. A rule asks what is *proved* of a program, whatever the program
 * says of itself. Rules that reject come first, and what is not decided never approves.
 * Part of what must be trusted.
 */

export interface Policy {
  readonly version: 1;
  readonly rules: readonly PolicyRule[];
}

export interface PolicyRule {
  readonly name: string;
  readonly decision: RuleDecision;
  /** Whether it is for programs of which the clauses are proved, or for those of which they are not. */
  readonly when: "whenProven" | "unlessProven";
  /** Contracts with their arguments; at least one. */
  readonly clauses: readonly string[];
  /** How much it approves in all; of rules that approve. */
  readonly limits: readonly PolicyLimit[];
  /** The only tools that a program may call to be approved by it; without it, any. Of rules that approve. */
  readonly tools?: readonly string[];
  readonly reason: string;
}

/** How much all that is approved may do together, in any stretch of time as long as `per`. */
export interface PolicyLimit {
  readonly name: string;
  /** A contract with its arguments, one of which is `?`: the number that a program needs of it. */
  readonly clause: string;
  readonly atMost: number;
  readonly per: LimitPeriod;
}

export const limitPeriods = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
export type LimitPeriod = keyof typeof limitPeriods;

/** What one program takes of a limit. */
export interface LimitCharge {
  readonly limit: string;
  readonly amount: number;
  readonly atMost: number;
  readonly windowMs: number;
}

/** The clause that says that a program needs no more than this of the limit. */
export function limitClause({ clause }: PolicyLimit, amount: number): string {
  return clause.replace("?", String(amount));
}

export type RuleDecision = "auto_approved" | "auto_rejected";

/** What was found out about one clause, or about a program as a whole. */
export type ClauseVerdict = "proved" | "refuted" | "unknown";

export interface PolicyDecision {
  /** `ask`: no rule decides, so a person does. */
  readonly decision: RuleDecision | "ask";
  /** The rule that decided. */
  readonly rule?: PolicyRule;
  /** Every rule, in the order in which they are asked. */
  readonly rules: readonly RuleFinding[];
}

export interface RuleFinding {
  readonly rule: PolicyRule;
  readonly applies: boolean;
  /** Its clauses, and those of its limits for the whole of them. */
  readonly clauses: readonly { readonly clause: string; readonly verdict: ClauseVerdict }[];
  /** The tools that the program calls and the rule does not allow. */
  readonly others: readonly string[];
}

/**
 * `program` is the verdict on what it states itself, `calls` are the tools that stand in it, reached or not;
 * `verdicts` by the text of the clause; one that is not in there is not decided.
 */
export function decide(
  { rules }: Policy,
  program: ClauseVerdict,
  calls: readonly string[],
  verdicts: ReadonlyMap<string, ClauseVerdict>,
): PolicyDecision {
  const denying = rules.filter(({ decision }) => decision === "auto_rejected");
  const allowing = rules.filter(({ decision }) => decision !== "auto_rejected");
  const found = [...denying, ...allowing].map((rule): RuleFinding => {
    const verdictOn = (clause: string) => ({ clause, verdict: verdicts.get(clause) ?? "unknown" });
    const clauses = rule.clauses.map(verdictOn);
    const limits = rule.limits.map((limit) => verdictOn(limitClause(limit, limit.atMost)));
    const isWithin = limits.every(({ verdict }) => verdict === "proved");
    const isMeant = applies(rule, program, new Set(clauses.map(({ verdict }) => verdict)));
    const others = calls.filter((tool) => rule.tools?.includes(tool) === false);
    return {
      rule,
      clauses: [...clauses, ...limits],
      others,
      applies: isMeant && isWithin && others.length === 0,
    };
  });
  const first = found.find((one) => one.applies)?.rule;
  return first === undefined
    ? { decision: "ask", rules: found }
    : { decision: first.decision, rule: first, rules: found };
}

/** SOUNDNESS: `unknown` counts as what rejects in rules that reject, and as what does not approve in rules that approve. */
function applies(
  { decision, when }: PolicyRule,
  program: ClauseVerdict,
  found: ReadonlySet<ClauseVerdict>,
): boolean {
  if (decision === "auto_rejected") {
    return when === "whenProven" ? !found.has("refuted") : found.has("refuted") || found.has("unknown");
  }
  // What is not proved to do what it says itself is not approved by what else may be proved of it.
  if (program !== "proved") return false;
  return [...found].every((verdict) => verdict === (when === "whenProven" ? "proved" : "refuted"));
}
