/** Asks the rules of a policy about one program: proves its clauses of it, next to what it states itself. */
import { isDeepStrictEqual } from "node:util";
import {
  type ClauseFinding,
  type ClauseVerdict,
  counts,
  decide,
  type FoundClause,
  type LimitCharge,
  limitClause,
  limitPeriods,
  type Policy,
  type PolicyDecision,
  type PolicyLimit,
  type PolicyRule,
} from "../../approve/index.ts";
import { freshPrefix, withNames } from "../../compare/index.ts";
import { isAbout } from "../../explain/index.ts";
import {
  type Checked,
  type Command,
  check,
  commandsIn,
  type Document,
  type Fluent,
  ok,
  type Result,
  type Tool,
} from "../../ir/index.ts";
import type { GuaranteeProof, ProveOptions } from "../../prove/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { LoadedProgram } from "../load/typescript.ts";
import type { Runnable } from "../load.ts";
import { type ProveHow, proveLoaded, withProver } from "../prove.ts";
import { interruptionView } from "../report/notes.ts";
import { SourceMap } from "../report/source-map.ts";
import { verdictOf } from "../report/verdict.ts";
import { guaranteeText } from "../report/wording.ts";
import type { Clauses } from "./load-policy.ts";

export interface AppliedPolicy extends PolicyDecision {
  /** The verdict on the program's own guarantees. */
  readonly verdict: ClauseVerdict;
  /** Tools that do something, that the program calls, and that the rule that decided neither names nor is about. */
  readonly unmentioned: readonly string[];
  /** The amounts that the program takes of the limits of that rule. */
  readonly charges: readonly LimitCharge[];
}

/** Proves the clauses of a policy of a program, and finds the rule that decides. */
export async function applyPolicy(
  policy: Policy,
  clauses: Clauses,
  { document }: Runnable,
  how: ProveHow,
): Promise<Result<AppliedPolicy, Failure>> {
  const applied = await withProver(how, (options) =>
    appliedTo(policy, clauses, document, {
      ...options,
      asking: (question) => how.asking?.("proof", question),
    }),
  );
  return applied.ok ? applied.value : applied;
}

async function appliedTo(
  policy: Policy,
  clauses: Clauses,
  program: LoadedProgram,
  options: ProveOptions,
): Promise<Result<AppliedPolicy, Failure>> {
  const { document } = program.checked;
  const whole = joinedWith(document, clauses.all);
  if (!whole.ok) return whole;
  const proof = await proveLoaded(program, options, whole.value);
  const own = proof.guarantees.slice(0, document.guarantees.length);
  const asked = [...clauses.all.keys()].map((clause, i) => ({
    clause,
    found: proof.guarantees[document.guarantees.length + i],
  }));
  const found = verdictOf({ ...proof, guarantees: own });
  const verdict = found === "invalid" ? "unknown" : found;
  const places = new SourceMap(program);
  // Commands of a plan on its own state are no calls of tools that a policy could speak of.
  const calls = [...called(document.program.body)].filter(
    (tool) => program.plan?.lowered.innerTools.has(tool) !== true,
  );
  const decision = decide(policy, {
    verdict,
    calls,
    required: requiredOf(program, own, places),
    clauses: new Map(asked.map(({ clause, found: one }) => [clause, foundClause(one, places)])),
  });
  const about = asked
    .filter(({ clause }) => decision.rule?.clauses.includes(clause))
    .map(({ found: one }) => isAbout(whole.value, one?.guarantee.formula));
  const unmentioned = calls
    .filter((tool) => whole.value.tools.get(tool)?.reads !== true)
    .filter((tool) => decision.rule?.tools?.includes(tool) !== true && !about.some((isIt) => isIt(tool)))
    .sort();
  const charges: LimitCharge[] = [];
  for (const limit of decision.rule?.limits ?? []) {
    const amount = await needed(limit, decision.rule ?? {}, clauses, program, options);
    if (!amount.ok) return amount;
    const { name, atMost, per } = limit;
    charges.push({ limit: name, amount: amount.value, atMost, windowMs: limitPeriods[per] });
  }
  return ok({
    ...decision,
    verdict,
    charges,
    unmentioned: decision.rule === undefined ? [] : unmentioned,
  });
}

function foundClause(proof: GuaranteeProof | undefined, places: SourceMap): FoundClause {
  const { verdict, interruption } = proof ?? {};
  return {
    verdict: verdict?.kind ?? "unknown",
    interruption: interruption === undefined ? null : interruptionView(interruption, places),
  };
}

/** The contracts that coverage requires, stated by the program or added to it. */
function requiredOf(
  { used, checked }: LoadedProgram,
  own: readonly GuaranteeProof[],
  places: SourceMap,
): ClauseFinding[] {
  const required = used.flatMap(({ contracts }) => contracts.filter(({ isRequired }) => isRequired));
  const found = new Map<string, ClauseFinding>();
  for (const { contract, stated, added } of required) {
    const proof = own[stated ?? added ?? -1];
    const clause = proof === undefined ? contract : guaranteeText(checked, proof.guarantee).stated;
    found.set(clause, { clause, ...foundClause(proof, places) });
  }
  return [...found.values()];
}

/**
 * The least that the program is proved to need of a limit.
 * SOUNDNESS: the clause counts for the whole limit, or the rule would not apply; every smaller number is one for which
 * it was proved to count. A number for which it is not proved is never taken.
 */
async function needed(
  limit: PolicyLimit,
  rule: Pick<PolicyRule, "stops">,
  { compile }: Clauses,
  program: LoadedProgram,
  options: ProveOptions,
): Promise<Result<number, Failure>> {
  const { document } = program.checked;
  const places = new SourceMap(program);
  let [low, high] = [0, limit.atMost];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const clause = limitClause(limit, middle);
    const compiled = compile(clause);
    if (!compiled.ok) return compiled;
    const whole = joinedWith({ ...document, guarantees: [] }, new Map([[clause, compiled.value]]));
    if (!whole.ok) return whole;
    const [found] = (await proveLoaded(program, options, whole.value)).guarantees;
    if (counts(rule, foundClause(found, places))) high = middle;
    else low = middle + 1;
  }
  return ok(high);
}

/** The program, with every clause as one more guarantee, and with what those speak of. */
function joinedWith(document: Document, clauses: Clauses["all"]): Result<Checked, Failure> {
  const documents = [document, ...Array.from(clauses.values(), (clause) => clause.document)];
  const tools = joined(documents.flatMap((one) => one.tools));
  const fluents = joined(documents.flatMap((one) => one.fluents));
  if (!tools.ok) return tools;
  if (!fluents.ok) return fluents;
  // SOUNDNESS: a verdict is found by its place, so each clause has one.
  if ([...clauses.values()].some((clause) => clause.document.guarantees.length !== 1))
    throw new TypeError("a clause is one guarantee");
  // A variable of a clause may have the name of an input of the program.
  const prefix = freshPrefix(documents);
  const guarantees = documents.flatMap((one) =>
    one === document ? one.guarantees : one.guarantees.map((clause) => withNames(clause, prefix)),
  );
  const checked = check({ ...document, tools: tools.value, fluents: fluents.value, guarantees });
  if (checked.ok) return ok(checked.value);
  return plainFailure("FC9001", `the policy does not fit: ${checked.problems[0]?.message}`);
}

/** SOUNDNESS: a clause must speak of the very tool that the program calls, not of another of that name. */
function joined<T extends Tool | Fluent>(declared: readonly T[]): Result<readonly T[], Failure> {
  const byName = new Map<string, T>();
  for (const one of declared) {
    const known = byName.get(one.name);
    if (known === undefined) byName.set(one.name, one);
    else if (!isDeepStrictEqual(known, one)) {
      const message = `the program and the policy mean different things by \`${one.name}\``;
      return plainFailure("FC9001", message, "name the folders of tool modules with --tools");
    }
  }
  return ok([...byName.values()]);
}

function called(body: readonly Command[]): Set<string> {
  const found = new Set<string>();
  for (const command of commandsIn(body)) if (command.kind === "call") found.add(command.tool);
  return found;
}
