/**
 * Programs that loop over lists that are not known before the run: what is said of them is proved by induction, and
 * refuted by runs with short lists.
 * Part of what must be trusted.
 */
import {
  type Checked,
  commandsIn,
  type Expr,
  exprsIn,
  type Guarantee,
  referencesIn,
  type Tool,
} from "../../ir/index.ts";
import { Budget } from "../decide/budget.ts";
import { isSame, Prover } from "../decide/prover.ts";
import type { Script } from "../decide/solver/port.ts";
import { holdsBefore } from "../prefix/monotone.ts";
import { speaksOfOrder } from "../refute/shortest.ts";
import type { Obligation } from "../symbolic/call-events.ts";
import { walk } from "../symbolic/symbolic-executor.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import type { ShortLength } from "../symbolic/symbolic-value.ts";
import { follow, followLater, notFollowed } from "../symbolic/unsupported.ts";
import type { Terms } from "../terms/factory.ts";
import type { GuaranteeProof, ObligationProof, Proof, ProveOptions, Verdict } from "../verdict.ts";
import { ghostsFor } from "./ghosts.ts";
import { induce } from "./houdini.ts";
import { callsIn } from "./loop-induction.ts";
import { speaksOfAutomata, type Total, totalsIn } from "./totals.ts";

/** LIMIT: how long lists are made when a run is looked for, by likely values and by the solver. */
const likelyLengths = [1, 2, 0, 3, 4];
const askedLengths = [1, 2, 3, 4];
/** LIMIT: and at last each of its own, since one list may have to be empty where another is not. */
const mixedLengths = { upTo: 2 };
/** LIMIT: the same where the order of calls is spoken of, and where an automaton may count. */
const orderedLengths = { upTo: 3 };
const countedLengths = { upTo: 6 };
/** LIMIT: and where one counts further, as far as it counts, and that once again. */
const mostCounted = 16;
/** LIMIT: a guess that takes long to check is seldom worth it. */
const shareOfGuess = 8;

/** @param walked the walk in which nothing is assumed of the loops */
export async function proveLoops(
  checked: Checked,
  terms: Terms,
  walked: Progress,
  options: ProveOptions,
): Promise<Proof> {
  const budget = new Budget(options.solver, terms.effort, options.limits);
  const loops = new Loops(checked, terms, { ...options, solver: budget.solver }, budget);
  if (options.likely === undefined) await loops.lookForRuns();
  const stated = checked.document.guarantees;
  const obligations: ObligationProof[] = [];
  for (const [i, obligation] of walked.obligations.entries()) {
    budget.next(stated.length + walked.obligations.length - i);
    obligations.push({ obligation, verdict: within(budget, await loops.obligation(obligation, i)) });
  }
  const unhindered = obligations.every(({ verdict }) => verdict.kind === "proved");
  const guarantees: GuaranteeProof[] = [];
  for (const [i, guarantee] of stated.entries()) {
    budget.next(stated.length - i);
    const proof = await loops.guarantee(guarantee, unhindered);
    const verdict = placed(within(budget, proof.verdict), walked, guarantee);
    guarantees.push(verdict === proof.verdict ? proof : { guarantee, verdict });
  }
  return { guarantees, obligations, walk: walked };
}

/**
 * Runs with short lists that break what is not decided, in a program without loops over lists that are not known: there
 * is nothing to show by induction, and no run is looked for once all of it is broken.
 */
export async function refuteWithShortLists(
  checked: Checked,
  terms: Terms,
  { guarantees, obligations }: Proof,
  options: ProveOptions,
): Promise<ReadonlyMap<Guarantee | Obligation, Verdict>> {
  const budget = new Budget(options.solver, terms.effort, options.limits);
  const loops = new Loops(checked, terms, { ...options, solver: budget.solver }, budget);
  const open = [
    ...obligations.flatMap(({ obligation, verdict }) => (verdict.kind === "unknown" ? [obligation] : [])),
    ...guarantees.flatMap(({ guarantee, verdict }) => (verdict.kind === "unknown" ? [guarantee] : [])),
  ];
  await loops.lookForRuns(open);
  const refuted = new Map<Guarantee | Obligation, Verdict>();
  for (const [i, about] of open.entries()) {
    budget.next(open.length - i);
    const verdict = await loops.refutation(about);
    if (verdict === undefined) continue;
    refuted.set(about, "condition" in about ? verdict : await loops.fewest(about, verdict));
  }
  return refuted;
}

/** SOUNDNESS: where the time was not enough for every question, one of those that guard a proof may be left open. */
function within(budget: Budget, verdict: Verdict): Verdict {
  const { spent } = budget;
  return spent === undefined || verdict.kind === "refuted" ? verdict : notFollowed(`not decided: ${spent}`);
}

/** Places an unknown verdict at the first loop whose calls the guarantee mentions. */
function placed(verdict: Verdict, { loops, checked }: Progress, { formula }: Guarantee): Verdict {
  if (verdict.kind !== "unknown" || verdict.at !== undefined || formula === undefined) return verdict;
  const { tools, labels, fluents } = referencesIn(formula);
  const isOf = (tool: Tool) =>
    tools.has(tool.name) ||
    tool.labels.some((label) => labels.has(label)) ||
    tool.sets.some(({ fluent }) => fluents.has(fluent));
  const loop = loops.find(({ command }) => callsIn(command.body, checked).some(isOf)) ?? loops[0];
  return loop === undefined ? verdict : { ...verdict, at: loop.path };
}

interface Induced {
  readonly walked: Progress;
  readonly dropped: ReadonlySet<string>;
  readonly prover: Prover;
}

async function provedWith({ prover, walked }: Induced, obligation: Obligation, position: number) {
  const here = walked.obligations[position];
  if (here === undefined || !isSame(here, obligation))
    throw new TypeError("every walk meets the same obligations");
  return (await prover.obligation(here)).verdict;
}

class Loops {
  readonly #options: ProveOptions;
  readonly #budget: Budget;
  readonly #checked: Checked;
  readonly #terms: Terms;
  /** By what is counted and summed along the way. */
  readonly #walks = new Map<string, Induced>();
  readonly #short = new Map<string, Prover | undefined>();
  /** Verdicts refuted by likely values. */
  readonly #seen = new Map<Guarantee | Obligation, Verdict>();

  constructor(checked: Checked, terms: Terms, options: ProveOptions, budget: Budget) {
    this.#checked = checked;
    this.#terms = terms;
    this.#options = options;
    this.#budget = budget;
  }

  /** @param wanted those that it is for; of all claims if it is left out */
  async lookForRuns(wanted?: readonly (Guarantee | Obligation)[]): Promise<void> {
    for (const length of likelyLengths) {
      if (this.#budget.isSpent || wanted?.every((about) => this.#seenOf(about) !== undefined)) return;
      const open = this.#checked.document.guarantees.filter((one) => !this.#seen.has(one));
      const found = await this.#shortRuns(length)?.likely(open);
      for (const [about, verdict] of found ?? []) this.#seen.set(about, verdict);
    }
  }

  #seenOf(about: Guarantee | Obligation): Verdict | undefined {
    if (!("condition" in about)) return this.#seen.get(about);
    for (const [one, verdict] of this.#seen) if ("condition" in one && isSame(one, about)) return verdict;
    return undefined;
  }

  /** A run that breaks it, if there is one with short lists. */
  async refutation(about: Guarantee | Obligation): Promise<Verdict | undefined> {
    const seen = this.#seenOf(about);
    if (seen !== undefined || this.#budget.isSpent) return seen;
    if ("condition" in about) return this.#refuted((one) => one.anyObligation(about));
    return this.#refuted(async (one) => (await one.guarantee(about)).verdict, mixedFor(about));
  }

  async obligation(obligation: Obligation, position: number): Promise<Verdict> {
    const seen = this.#seenOf(obligation);
    if (seen !== undefined) return seen;
    const { spent } = this.#budget;
    if (spent !== undefined) return notFollowed(spent);
    const induced = await followLater(() => this.#induced([]));
    const verdict = induced.ok
      ? await provedWith(induced.value, obligation, position)
      : notFollowed(induced.why);
    if (verdict.kind === "proved") return verdict;
    return (await this.#refuted((one) => one.anyObligation(obligation))) ?? verdict;
  }

  async guarantee(guarantee: Guarantee, unhindered: boolean): Promise<GuaranteeProof> {
    const found = await this.#ifItEnds(guarantee, await this.#decided(guarantee, unhindered), unhindered);
    return found.verdict.kind === "refuted"
      ? { guarantee, verdict: await this.fewest(guarantee, found.verdict) }
      : found;
  }

  /** The same of a run with the fewest calls, as far as short lists go. */
  async fewest(guarantee: Guarantee, verdict: Verdict): Promise<Verdict> {
    if (verdict.kind !== "refuted" || !speaksOfOrder(guarantee.formula)) return verdict;
    const { inputs, trace } = verdict.run;
    const longest = Math.max(longestIn(inputs), ...trace.map(({ outcome }) => longestIn(outcome)));
    const lists = lengthsFor(guarantee).find(({ upTo }) => longest <= upTo);
    const prover = lists && this.#shortRuns(lists);
    return prover === undefined || this.#budget.isSpent ? verdict : prover.fewest(guarantee, verdict);
  }

  /** Proves a guarantee by induction for all runs, including those that stay in a loop. */
  async #anyRun(guarantee: Guarantee, unhindered: boolean): Promise<GuaranteeProof> {
    const totals = guarantee.formula === undefined ? [] : totalsIn(this.#checked, guarantee.formula);
    const found = await followLater(() => this.#induced(totals));
    return found.ok
      ? found.value.prover.guarantee(guarantee, unhindered)
      : { guarantee, verdict: notFollowed(found.why) };
  }

  async #decided(guarantee: Guarantee, unhindered: boolean): Promise<GuaranteeProof> {
    const seen = this.#seenOf(guarantee);
    if (seen !== undefined) return { guarantee, verdict: seen };
    const { spent } = this.#budget;
    if (spent !== undefined) return { guarantee, verdict: notFollowed(spent) };
    const totals = guarantee.formula === undefined ? [] : totalsIn(this.#checked, guarantee.formula);
    const found = await followLater(() => this.#inducedFirst(totals));
    const first = found.ok
      ? await found.value.prover.guarantee(guarantee, unhindered)
      : { guarantee, verdict: notFollowed(found.why) };
    if (first.verdict.kind === "proved") return first;
    const refuted = await this.#refuted(
      async (one) => (await one.guarantee(guarantee)).verdict,
      mixedFor(guarantee),
    );
    if (refuted !== undefined) return { guarantee, verdict: refuted };
    const all = await followLater(() => this.#induced(totals));
    if (!all.ok || (found.ok && all.value === found.value)) return first;
    const second = await all.value.prover.guarantee(guarantee, unhindered);
    return second.verdict.kind === "proved" ? second : first;
  }

  /**
   * Proved of runs that end, where a loop of unknown turns may keep others from it.
   * SOUNDNESS: what a beginning of a run can break already is shown of the runs that do not end too.
   */
  async #ifItEnds(guarantee: Guarantee, open: GuaranteeProof, unhindered: boolean): Promise<GuaranteeProof> {
    const { formula } = guarantee;
    if (formula === undefined || open.verdict.kind !== "unknown" || this.#budget.isSpent) return open;
    if (!hasTurns(this.#checked) || isOfEveryState(formula)) return open;
    const parts = conjunctsOf(formula);
    const early = parts.filter((part) => holdsBefore(part, anything));
    if (early.length === parts.length) return open;
    for (const part of early) {
      const { verdict } = await this.#anyRun({ ...guarantee, formula: part }, unhindered);
      if (verdict.kind !== "proved") return open;
    }
    const totals = totalsIn(this.#checked, formula);
    const found = await followLater(() => this.#induced(totals, undefined, true));
    if (!found.ok) return open;
    const { prover, walked } = found.value;
    const proof = await prover.guarantee(guarantee, unhindered);
    if (proof.verdict.kind !== "proved" || !(await prover.isMet(guarantee))) return open;
    const at = [undefined, ...walked.facts].map((after) => ({ after, certain: false }));
    return proof.interruption === undefined ? proof : { ...proof, interruption: { kind: "open", at } };
  }

  /** Some of what fails with nothing counted does not with more; but most of it does, and is not tried at first. */
  async #inducedFirst(totals: readonly Total[]): Promise<Induced> {
    const before = this.#walks.get("");
    return totals.length === 0 || before === undefined
      ? this.#induced(totals)
      : this.#induced(totals, before.dropped);
  }

  /** The walk with what was shown of its loops. */
  async #induced(
    totals: readonly Total[],
    failed?: ReadonlySet<string>,
    ends: boolean = false,
  ): Promise<Induced> {
    const names = totals.map(({ id }) => id).join("\n");
    const key = `${failed === undefined ? names : `${names}\nat first`}${ends ? "\nends" : ""}`;
    const known = this.#walks.get(key);
    if (known !== undefined) return known;
    const { solver, limits } = this.#options;
    const resources = Math.max(1, Math.floor(limits.resources / shareOfGuess));
    const { walked, dropped } = await induce(this.#checked, this.#terms, {
      ask: async (script: Script) => (await solver()).check(script, { ...limits, resources }),
      ghosts: ghostsFor(this.#checked, this.#terms, totals),
      isSpent: () => this.#budget.isSpent,
      ...(ends && { ends }),
      ...(failed === undefined ? {} : { failed }),
    });
    const lists = { length: "any" } as const;
    const prover = new Prover(this.#checked, this.#terms, walked, this.#options, lists, totals);
    const found = { walked, dropped, prover };
    this.#walks.set(key, found);
    return found;
  }

  async #refuted(
    look: (one: Prover) => Promise<Verdict | undefined>,
    mixed: readonly ShortLength[] = [mixedLengths],
  ): Promise<Verdict | undefined> {
    if (this.#options.likely !== undefined) return undefined;
    for (const length of [...askedLengths, ...mixed]) {
      if (this.#budget.isSpent) return undefined;
      const prover = this.#shortRuns(length);
      const verdict = prover && (await look(prover));
      if (verdict?.kind === "refuted") return verdict;
      // What is too hard with shorter lists is not easier with longer ones.
      if (verdict?.kind === "unknown") return undefined;
    }
    return undefined;
  }

  #shortRuns(length: ShortLength): Prover | undefined {
    const key = typeof length === "number" ? `${length}` : `up to ${length.upTo}`;
    if (!this.#short.has(key)) {
      const found = follow(() => walk(this.#checked, this.#terms, { length }));
      const prover =
        found.ok && new Prover(this.#checked, this.#terms, found.value, this.#options, { length });
      this.#short.set(key, prover || undefined);
    }
    return this.#short.get(key);
  }
}

/** Taken for any program: what holds on every beginning of a trace under it may do so only in some. */
const anything = { onlyAdds: () => true, comesFirst: () => true, isApart: () => true };

function hasTurns({ document }: Checked): boolean {
  for (const { kind } of commandsIn(document.program.body)) if (kind === "while") return true;
  return false;
}

/** Returns true if the formula quantifies over every state, so that a nonterminating run may break it. */
function isOfEveryState(formula: Expr): boolean {
  for (const { kind } of exprsIn(formula)) if (kind === "always") return true;
  return false;
}

function conjunctsOf(formula: Expr): readonly Expr[] {
  return formula.kind === "op" && formula.op === "and" ? formula.args.flatMap(conjunctsOf) : [formula];
}

/** Returns larger list lengths for guarantees with automata, which may count. */
function mixedFor(guarantee: Guarantee): readonly ShortLength[] {
  return speaksOfAutomata(guarantee.formula) ? lengthsFor(guarantee) : [mixedLengths];
}

function lengthsFor({ formula }: Guarantee): readonly { readonly upTo: number }[] {
  const counted = Math.min(mostCounted, 2 * mostStates(formula));
  return [orderedLengths, countedLengths, ...(counted > countedLengths.upTo ? [{ upTo: counted }] : [])];
}

/** Returns the number of states of the largest automaton. */
function mostStates(formula: Expr | undefined): number {
  let most = 0;
  for (const expr of exprsIn(formula))
    if (expr.kind === "automaton") most = Math.max(most, expr.states.length);
  return most;
}

/** Returns the length of the longest list. */
function longestIn(node: unknown): number {
  if (typeof node !== "object" || node === null) return 0;
  const parts = Object.values(node).map(longestIn);
  return Math.max(0, ...parts, ...(Array.isArray(node) ? [node.length] : []));
}
