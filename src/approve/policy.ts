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
  readonly reason: string;
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
  readonly clauses: readonly { readonly clause: string; readonly verdict: ClauseVerdict }[];
}

/** `verdicts` by the text of the clause; one that is not in there is not decided. */
export function decide(
  { rules }: Policy,
  program: ClauseVerdict,
  verdicts: ReadonlyMap<string, ClauseVerdict>,
): PolicyDecision {
  const denying = rules.filter(({ decision }) => decision === "auto_rejected");
  const allowing = rules.filter(({ decision }) => decision !== "auto_rejected");
  const found = [...denying, ...allowing].map((rule): RuleFinding => {
    const clauses = rule.clauses.map((clause) => ({ clause, verdict: verdicts.get(clause) ?? "unknown" }));
    return { rule, clauses, applies: applies(rule, program, new Set(clauses.map(({ verdict }) => verdict))) };
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
