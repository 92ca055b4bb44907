/**
 * Approval policies: what passes or fails without a person. A rule asks what is *proved* of a program, whatever the program
 * says of itself. Rules that reject come first, and what is not decided never approves.
 * Part of what must be trusted.
 */

export interface Policy {
  readonly version: 1;
  readonly rules: readonly PolicyRule[];
  /** The number of people who must approve a request that no rule decides; 1 if omitted. */
  readonly reviewers?: number;
  /** `refused`: a form that the host of an MCP client answers approves nothing, whatever the operator has turned on. */
  readonly forms?: "refused";
}

export interface PolicyRule {
  readonly name: string;
  readonly decision: RuleDecision;
  /** Selects programs with proved clauses, or programs with an unproved one. */
  readonly when: "whenProven" | "unlessProven";
  /** Contracts with their arguments; at least one. */
  readonly clauses: readonly string[];
  /** Total amounts that the rule approves; only for approving rules. */
  readonly limits: readonly PolicyLimit[];
  /** The only tools that a program may call to be approved by it; without it, any. Of rules that approve. */
  readonly tools?: readonly string[];
  /** `allowed`: a clause counts if it is proved of runs that end. Without it, it must hold wherever a run may stop. */
  readonly stops?: "allowed";
  readonly reason: string;
}

/** A rate limit on all approvals together, in any window of length `per`. */
export interface PolicyLimit {
  readonly name: string;
  /** A contract with its arguments, one of which is `?`: the number that a program needs of it, an upper bound. */
  readonly clause: string;
  readonly atMost: number;
  readonly per: LimitPeriod;
}

export const limitPeriods = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
export type LimitPeriod = keyof typeof limitPeriods;

/** The charge of one program against a limit. */
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

/** The verdict on one clause, or on a program as a whole. */
export type ClauseVerdict = "proved" | "refuted" | "unknown";

/** The verdict on one clause, with what is left of it when the run stops early. */
export interface FoundClause {
  readonly verdict: ClauseVerdict;
  /** Null if it is not proved, or the stopping points were not looked at: then it is not known to hold at any. */
  readonly interruption: { readonly safe: boolean; readonly text: string | null } | null;
}

export interface ClauseFinding extends FoundClause {
  readonly clause: string;
}

export interface PolicyDecision {
  /** `ask`: no rule decides, so a person does. */
  readonly decision: RuleDecision | "ask";
  /** The rule that decided. */
  readonly rule?: PolicyRule;
  /** Every rule, in the order in which they are asked. */
  readonly rules: readonly RuleFinding[];
}

/** A clause as one rule takes it. */
export interface AskedClause extends ClauseFinding {
  /** True if the rule may rely on the clause; null if the rule does not need it proved. */
  readonly counts: boolean | null;
}

export interface RuleFinding {
  readonly rule: PolicyRule;
  readonly applies: boolean;
  /** Its clauses, and those of its limits for the whole of them. */
  readonly clauses: readonly AskedClause[];
  /** Contracts that coverage requires and that may not hold where a run stops; of rules that approve. */
  readonly required: readonly AskedClause[];
  /** The tools that the program calls and the rule does not allow. */
  readonly others: readonly string[];
}

/** A program, as far as rules ask about it. */
export interface ProgramFindings {
  /** The verdict on what it states itself. */
  readonly verdict: ClauseVerdict;
  /** The tools that stand in it, reached or not. */
  readonly calls: readonly string[];
  /** The contracts that coverage requires of it. */
  readonly required: readonly ClauseFinding[];
  /** By the text of the clause; one that is not in there is not decided. */
  readonly clauses: ReadonlyMap<string, FoundClause>;
}

export function decide({ rules }: Policy, program: ProgramFindings): PolicyDecision {
  const denying = rules.filter(({ decision }) => decision === "auto_rejected");
  const allowing = rules.filter(({ decision }) => decision !== "auto_rejected");
  const found = [...denying, ...allowing].map((rule) => findingOf(rule, program));
  const first = found.find((one) => one.applies)?.rule;
  return first === undefined
    ? { decision: "ask", rules: found }
    : { decision: first.decision, rule: first, rules: found };
}

/**
 * Returns true if a rule may rely on a clause. SOUNDNESS: a call can fail and end the run, so a clause that is proved
 * for whole runs says nothing about a partial run.
 */
export function counts(
  { stops }: Pick<PolicyRule, "stops">,
  { verdict, interruption }: FoundClause,
): boolean {
  return verdict === "proved" && (stops === "allowed" || interruption?.safe === true);
}

function findingOf(rule: PolicyRule, program: ProgramFindings): RuleFinding {
  const approves = rule.decision === "auto_approved";
  const asked = (one: ClauseFinding): AskedClause => ({ ...one, counts: counts(rule, one) });
  const foundFor = (clause: string): ClauseFinding => {
    const { verdict, interruption } = program.clauses.get(clause) ?? undecided;
    return { clause, verdict, interruption };
  };
  const clauses = rule.clauses.map(foundFor);
  const limits = rule.limits.map((limit) => asked(foundFor(limitClause(limit, limit.atMost))));
  const required = approves ? program.required.map(asked) : [];
  const others = program.calls.filter((tool) => rule.tools?.includes(tool) === false);
  const isWithin = [...limits, ...required].every((one) => one.counts === true) && others.length === 0;
  const isMeant = approves ? isApproved(rule, program.verdict, clauses) : isRejected(rule, clauses);
  const asksForProof = approves === (rule.when === "whenProven");
  return {
    rule,
    clauses: [...clauses.map((one) => (asksForProof ? asked(one) : { ...one, counts: null })), ...limits],
    required: required.filter(isOpen),
    others,
    applies: isMeant && isWithin,
  };
}

/** Returns true if the clause is not shown to hold at every stopping point. */
function isOpen({ interruption }: FoundClause): boolean {
  return interruption?.safe !== true;
}

/** A clause that a rule asks for and that is proved of runs that end, but may not hold where a run stops early. */
export interface OpenClause {
  readonly rule: string;
  readonly clause: string;
  /** The stopping point at which the clause may fail. */
  readonly text: string;
  /** True if the rule relies on the clause anyway. */
  readonly counts: boolean;
}

/** LIMIT: of clauses that a person is told of. */
const mostOpen = 100;

export function openClauses({ rules }: PolicyDecision): OpenClause[] {
  const found = rules.flatMap(({ rule, clauses, required }) =>
    [...clauses, ...required].flatMap((one) =>
      one.counts === null || one.verdict !== "proved" || !isOpen(one)
        ? []
        : [{ rule: rule.name, clause: one.clause, text: stopText(one), counts: one.counts }],
    ),
  );
  return found.slice(0, mostOpen);
}

/** Describes the stopping points at which a proved clause may fail. */
export function stopText({ interruption }: FoundClause): string {
  return interruption?.text ?? "if the run stops early, this is not shown to hold";
}

const undecided: FoundClause = { verdict: "unknown", interruption: null };

/** SOUNDNESS: a clause that is not decided, or that may not hold where a run stops, rejects. */
function isRejected(rule: PolicyRule, clauses: readonly ClauseFinding[]): boolean {
  return rule.when === "whenProven"
    ? clauses.every(({ verdict }) => verdict !== "refuted")
    : clauses.some((one) => !counts(rule, one));
}

/** SOUNDNESS: a clause that is not decided, or that may not hold where a run stops, approves nothing. */
function isApproved(rule: PolicyRule, program: ClauseVerdict, clauses: readonly ClauseFinding[]): boolean {
  // A program that is not proved to keep what it states itself is not approved by what else is proved of it.
  if (program !== "proved") return false;
  return clauses.every((one) => (rule.when === "whenProven" ? counts(rule, one) : one.verdict === "refuted"));
}
