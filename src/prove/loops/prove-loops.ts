/**
 * Programs that loop over lists that are not known before the run: what is said of them is proved by induction, and
 * refuted by runs with short lists.
 * Part of what must be trusted.
 */
import {
  bodiesOf,
  type Checked,
  type Command,
  commandsIn,
  type Expr,
  exprsIn,
  type Guarantee,
  isLoop,
  referencesIn,
  type Tool,
} from "../../ir/index.ts";
import { Budget, Clock } from "../decide/budget.ts";

import { isSame, Prover } from "../decide/prover.ts";
import type { Script } from "../decide/solver/port.ts";
import { isAnswerable } from "../goals/answerable.ts";
import { holdsBefore } from "../prefix/monotone.ts";
import type { Hunt } from "../refute/guided/open-claims.ts";
import { speaksOfOrder } from "../refute/shortest.ts";
import { sliceAt, sliceFor } from "../slice/slice.ts";
import { NotFollowed, type Obligation } from "../symbolic/call-events.ts";
import { walk } from "../symbolic/symbolic-executor.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import type { ShortLength } from "../symbolic/symbolic-value.ts";
import { follow, followLater, notFollowed } from "../symbolic/unsupported.ts";
import { Terms } from "../terms/factory.ts";
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
/** LIMIT: of what follows from a bound that a guarantee names: how long lists are, how many lengths, how deep loops are in loops. */
const mostCountedElements = 1_000;
const mostCountedLengths = 4;
const deepestCounted = 3;
/** LIMIT: of calls in a run with such lists, and how long they are where the solver is asked. */
const mostCountedCalls = 2_500;
const longestAsked = 12;
/** LIMIT: of the solver's steps for one question: those that decide something take few, and one that does not must leave some. */
const mostResources = 80_000;
/** LIMIT: the same for what guards a proof: without its answer the proof is none. */
const mostGuardResources = 250_000;
/**
 * LIMIT: shares of the work that a claim may take: likely runs, the first proof, and runs that the solver is asked for.
 * None of them takes what another one needs; the second proof has what they leave.
 */
const shareOfLikely = 0.06;
const shareOfProof = 0.7;
const shareOfRuns = 0.2;
/** LIMIT: of what is seen of a claim without the solver, on the whole program. */
const mostSteps = 300_000;

/**
 * @param walked the walk of the whole program, in which nothing is assumed of the loops
 * @param hunt the search for runs on the interpreter; without one, none is looked for there
 */
export async function proveLoops(
  checked: Checked,
  terms: Terms,
  walked: Progress,
  options: ProveOptions,
  hunt: Hunt | undefined,
): Promise<Proof> {
  const clock = new Clock(options.limits);
  const whole = new Whole(checked, terms, walked, options);
  const claims = [...walked.obligations, ...checked.document.guarantees];
  const parts = new Parts(checked, options, clock, hunt && { hunt, claims });
  const obligations: ObligationProof[] = [];
  for (const obligation of walked.obligations) {
    const verdict =
      (await whole.obligation(obligation)) ?? (await parts.obligation(obligation, walked.obligations));
    obligations.push({ obligation, verdict });
  }
  const unhindered = obligations.every(({ verdict }) => verdict.kind === "proved");
  const guarantees: GuaranteeProof[] = [];
  for (const guarantee of checked.document.guarantees) {
    const proof =
      (await whole.guarantee(guarantee, unhindered)) ??
      (await whole.stopped(await parts.guarantee(guarantee, whole.goesOn(unhindered)), unhindered));
    const verdict = placed(proof.verdict, walked, guarantee);
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
  { guarantees, obligations }: Proof,
  options: ProveOptions,
): Promise<ReadonlyMap<Guarantee | Obligation, Verdict>> {
  const parts = new Parts(checked, options, new Clock(options.limits));
  const open = [
    ...obligations.flatMap(({ obligation, verdict }) => (verdict.kind === "unknown" ? [obligation] : [])),
    ...guarantees.flatMap(({ guarantee, verdict }) => (verdict.kind === "unknown" ? [guarantee] : [])),
  ];
  const refuted = new Map<Guarantee | Obligation, Verdict>();
  for (const about of open) {
    const verdict = await parts.refutation(about);
    if (verdict !== undefined) refuted.set(about, verdict);
  }
  return refuted;
}

/** Decides goals over the whole program without the solver, with no loop invariants: the cheapest way. */
class Whole {
  readonly #prover: Prover;
  readonly #isAnswerable: boolean;
  readonly #terms: Terms;
  readonly #walked: Progress;
  readonly #stops: ProveOptions["stops"];

  constructor(checked: Checked, terms: Terms, walked: Progress, options: ProveOptions) {
    this.#prover = new Prover(checked, terms, walked, options, { length: "any", looksOnly: true });
    this.#isAnswerable = isAnswerable(walked.facts);
    this.#terms = terms;
    this.#walked = walked;
    this.#stops = options.stops;
  }

  goesOn(unhindered: boolean): boolean {
    return unhindered && this.#isAnswerable;
  }

  async obligation(obligation: Obligation): Promise<Verdict | undefined> {
    this.#terms.effort.allow(mostSteps);
    const { verdict } = await this.#prover.obligation(obligation);
    return verdict.kind === "proved" ? verdict : undefined;
  }

  async guarantee(guarantee: Guarantee, unhindered: boolean): Promise<GuaranteeProof | undefined> {
    this.#terms.effort.allow(mostSteps);
    const proof = await this.#prover.guarantee(guarantee, unhindered);
    return proof.verdict.kind === "proved" ? proof : undefined;
  }

  /**
   * Checks the stopping points of the whole program. SOUNDNESS: a run that stops at a call that was cut is a run of
   * the part that stops at a call before it, or in the loop around it. So a guarantee that holds at every stopping
   * point of the part holds at every one of the program.
   */
  async stopped(proof: GuaranteeProof, unhindered: boolean): Promise<GuaranteeProof> {
    const { guarantee, interruption, verdict } = proof;
    if (interruption === undefined || interruption.kind === "safe" || this.#stops === "omitted") return proof;
    this.#terms.effort.allow(mostSteps);
    const ofWhole = await this.#prover.interruption(guarantee, unhindered, false);
    // SOUNDNESS: what is proved only of runs that end does not follow of those that stop.
    if (ofWhole.kind === "open") return { guarantee, verdict, interruption: ofWhole };
    const at = [undefined, ...this.#walked.facts].map((after) => ({ after, certain: false }));
    return { guarantee, verdict, interruption: { kind: "open", at } };
  }
}

/** Decides each claim on the part of the program that it depends on, with a budget of its own. */
class Parts {
  readonly #checked: Checked;
  readonly #options: ProveOptions;
  readonly #clock: Clock;
  readonly #hunted: Hunted | undefined;
  /** Those of obligations, by their part: what must hold at neighboring commands is shown by the same invariants. */
  readonly #shared = new Map<string, Loops>();

  constructor(checked: Checked, options: ProveOptions, clock: Clock, hunted?: Hunted) {
    this.#checked = checked;
    this.#options = options;
    this.#clock = clock;
    this.#hunted = hunted;
  }

  async obligation(obligation: Obligation, among: readonly Obligation[]): Promise<Verdict> {
    const loops = this.#of(obligation);
    return loops.within(await loops.obligation(obligation, among));
  }

  async guarantee(guarantee: Guarantee, unhindered: boolean): Promise<GuaranteeProof> {
    const loops = this.#of(guarantee);
    const proof = await loops.guarantee(guarantee, unhindered);
    const verdict = loops.within(proof.verdict);
    return verdict === proof.verdict ? proof : { guarantee, verdict };
  }

  async refutation(about: Guarantee | Obligation): Promise<Verdict | undefined> {
    const loops = this.#of(about);
    const verdict = await loops.refutation(about);
    return verdict === undefined || "condition" in about ? verdict : loops.fewest(about, verdict);
  }

  #of(about: Guarantee | Obligation): Loops {
    const isObligation = "condition" in about;
    const slice = isObligation ? sliceAt(this.#checked, about.path) : sliceFor(this.#checked, about);
    const known = isObligation ? this.#shared.get(slice.key) : undefined;
    const loops = known ?? new Loops(this.#checked, slice.checked, this.#options, this.#clock, this.#hunted);
    if (isObligation) this.#shared.set(slice.key, loops);
    loops.next();
    return loops;
  }
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
  /** True if what texts are made of could show more of the loops. */
  readonly isRough: boolean;
  readonly prover: Prover;
}

interface Way {
  /** True if every `while` is assumed to terminate. */
  readonly ends?: true;
  /** True if invariants are shown without what texts are made of. */
  readonly isPlain?: true;
}

type ShownProof = GuaranteeProof & { readonly by?: Induced };

/** The same obligation in another walk of the same program, or of a part of it: by how many alike come before it. */
function counterpart(walked: Progress, obligation: Obligation, among: readonly Obligation[]): Obligation {
  const place = among.filter((one) => isSame(one, obligation)).indexOf(obligation);
  const here = walked.obligations.filter((one) => isSame(one, obligation));
  const found = here[place];
  if (found === undefined)
    throw new NotFollowed("an obligation that another walk does not meet", obligation.path);
  return found;
}

/** The search for runs on the interpreter, and all claims that it may be asked about. */
interface Hunted {
  readonly hunt: Hunt;
  readonly claims: readonly (Guarantee | Obligation)[];
}

class Loops {
  readonly #options: ProveOptions;
  readonly #budget: Budget;
  /** The whole program, on which runs are made, and the part of it that is walked. */
  readonly #whole: Checked;
  readonly #part: Checked;
  readonly #terms = new Terms();
  /** By what is counted and summed along the way. */
  readonly #walks = new Map<string, Induced>();
  readonly #short = new Map<string, Prover | undefined>();
  readonly #hunted: Hunted | undefined;

  constructor(whole: Checked, part: Checked, options: ProveOptions, clock: Clock, hunted?: Hunted) {
    this.#hunted = hunted;
    this.#whole = whole;
    this.#part = part;
    this.#budget = new Budget(options.solver, this.#terms.effort, options.limits, clock);
    const resources = Math.min(options.limits.resources, mostResources);
    const guardResources = Math.min(options.limits.resources, mostGuardResources);
    const limits = { ...options.limits, resources, guardResources };
    this.#options = { ...options, solver: this.#budget.solver, limits };
  }

  /** Another claim is looked at. */
  next(): void {
    this.#budget.next();
  }

  /** SOUNDNESS: where the work was not enough for every question, one of those that guard a proof may be left open. */
  within(verdict: Verdict): Verdict {
    const { spent } = this.#budget;
    return spent === undefined || verdict.kind === "refuted" ? verdict : notFollowed(`not decided: ${spent}`);
  }

  /** A run that breaks it, by likely values alone. */
  #likely(
    about: Guarantee | Obligation,
    lengths: readonly ShortLength[] = likelyLengths,
  ): Promise<Verdict | undefined> {
    return this.#budget.atMost(shareOfLikely, () => this.#likelyWith(about, lengths));
  }

  async #likelyWith(
    about: Guarantee | Obligation,
    lengths: readonly ShortLength[],
  ): Promise<Verdict | undefined> {
    if (this.#options.likely !== undefined) return undefined;
    for (const length of lengths) {
      if (this.#budget.isSpent) return undefined;
      const found = await this.#shortRuns(length)?.likely([about]);
      for (const [, verdict] of found ?? []) return verdict;
    }
    return undefined;
  }

  /** A run on the interpreter that breaks it, if one is found soon. */
  async #soon(about: Guarantee | Obligation): Promise<Verdict | undefined> {
    return this.#hunted?.hunt.soon(about, this.#hunted.claims);
  }

  /** A run that breaks it, if there is one with short lists. */
  async refutation(about: Guarantee | Obligation): Promise<Verdict | undefined> {
    const seen = await this.#likely(about);
    if (seen !== undefined || this.#budget.isSpent) return seen;
    if ("condition" in about) return this.#refuted(about, (one) => one.anyObligation(about));
    return this.#refuted(about, async (one) => (await one.guarantee(about)).verdict, mixedFor(about));
  }

  /** @param among all obligations of the walk that it is of */
  async obligation(obligation: Obligation, among: readonly Obligation[]): Promise<Verdict> {
    const seen = (await this.#likely(obligation)) ?? this.#hunted?.hunt.known(obligation);
    if (seen !== undefined) return seen;
    const shown = (way: Way) =>
      followLater(async () => {
        const { walked, prover, isRough } = await this.#induced([], way);
        return { isRough, ...(await prover.obligation(counterpart(walked, obligation, among))) };
      });
    const { found, verdict } = await this.#budget.atMost(shareOfProof, async () => {
      const found = await shown({ isPlain: true });
      return { found, verdict: this.within(found.ok ? found.value.verdict : notFollowed(found.why)) };
    });
    if (verdict.kind === "proved") return verdict;
    const soon = await this.#soon(obligation);
    if (soon !== undefined) return soon;
    const refuted = await this.#refuted(obligation, (one) => one.anyObligation(obligation));
    if (refuted !== undefined || !found.ok || !found.value.isRough || this.#budget.isSpent)
      return refuted ?? verdict;
    const exact = await shown({});
    return exact.ok && exact.value.verdict.kind === "proved" ? exact.value.verdict : verdict;
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
    // The fewest calls of the whole program, which is what a reader sees.
    const prover = lists && this.#shortRuns(lists, this.#whole);
    return prover === undefined || this.#budget.isSpent ? verdict : prover.fewest(guarantee, verdict);
  }

  /** Proves a guarantee by induction, without what texts are made of, and with it only where that may help. */
  async #shown(guarantee: Guarantee, unhindered: boolean, way: Way): Promise<ShownProof> {
    const totals = guarantee.formula === undefined ? [] : totalsIn(this.#part, guarantee.formula);
    const found = await followLater(() => this.#induced(totals, way));
    if (!found.ok) return { guarantee, verdict: notFollowed(found.why) };
    const proof = await found.value.prover.guarantee(guarantee, unhindered);
    return { ...proof, by: found.value };
  }

  async #shownAnyWay(guarantee: Guarantee, unhindered: boolean, way: Way): Promise<ShownProof> {
    const first = await this.#shown(guarantee, unhindered, { ...way, isPlain: true });
    if (first.verdict.kind === "proved" || !first.by?.isRough || this.#budget.isSpent) return first;
    const second = await this.#shown(guarantee, unhindered, way);
    return second.verdict.kind === "proved" ? second : first;
  }

  async #decided(guarantee: Guarantee, unhindered: boolean): Promise<GuaranteeProof> {
    const seen = (await this.#likely(guarantee)) ?? this.#hunted?.hunt.known(guarantee);
    if (seen !== undefined) return { guarantee, verdict: seen };
    const { by, ...first } = await this.#budget.atMost(shareOfProof, async () => {
      const shown = await this.#shown(guarantee, unhindered, { isPlain: true });
      const verdict = this.within(shown.verdict);
      return verdict === shown.verdict ? shown : { guarantee, verdict, ...(shown.by && { by: shown.by }) };
    });
    if (first.verdict.kind === "proved") return first;
    const soon = await this.#soon(guarantee);
    if (soon !== undefined) return { guarantee, verdict: soon };
    const refuted = await this.#refuted(
      guarantee,
      async (one) => (await one.guarantee(guarantee)).verdict,
      mixedFor(guarantee),
    );
    if (refuted !== undefined) return { guarantee, verdict: refuted };
    if (!by?.isRough || this.#budget.isSpent) return first;
    const { by: _, ...second } = await this.#shown(guarantee, unhindered, {});
    return second.verdict.kind === "proved" ? second : first;
  }

  /**
   * Proved of runs that end, where a loop of unknown turns may keep others from it.
   * SOUNDNESS: what a beginning of a run can break already is shown of the runs that do not end too.
   */
  async #ifItEnds(guarantee: Guarantee, open: GuaranteeProof, unhindered: boolean): Promise<GuaranteeProof> {
    const { formula } = guarantee;
    if (formula === undefined || open.verdict.kind !== "unknown" || this.#budget.isSpent) return open;
    if (!hasTurns(this.#part) || isOfEveryState(formula)) return open;
    const parts = conjunctsOf(formula);
    const early = parts.filter((part) => holdsBefore(part, anything));
    if (early.length === parts.length) return open;
    for (const part of early) {
      const { verdict } = await this.#shownAnyWay({ ...guarantee, formula: part }, unhindered, {});
      if (verdict.kind !== "proved") return open;
    }
    const { by, ...proof } = await this.#shownAnyWay(guarantee, unhindered, { ends: true });
    if (by === undefined || proof.verdict.kind !== "proved" || !(await by.prover.isMet(guarantee)))
      return open;
    const at = [undefined, ...by.walked.facts].map((after) => ({ after, certain: false }));
    return proof.interruption === undefined ? proof : { ...proof, interruption: { kind: "open", at } };
  }

  /** The walk with what was shown of its loops. */
  async #induced(totals: readonly Total[], { ends, isPlain }: Way): Promise<Induced> {
    const names = totals.map(({ id }) => id).join("\n");
    const key = `${names}${isPlain ? "\nplain" : ""}${ends ? "\nends" : ""}`;
    const known = this.#walks.get(key);
    if (known !== undefined) return known;
    const { solver, limits } = this.#options;
    const { walked, isRough } = await induce(this.#part, this.#terms, {
      ask: async (script: Script, share = 1) =>
        (await solver()).check(script, { ...limits, resources: Math.ceil(share * limits.resources) }),
      ghosts: ghostsFor(this.#part, this.#terms, totals),
      isSpent: () => this.#budget.isSpent,
      ...(ends && { ends }),
      ...(isPlain && { isPlain }),
    });
    const lists = { length: "any" } as const;
    const prover = new Prover(this.#whole, this.#terms, walked, this.#options, lists, totals);
    const found = { walked, isRough, prover };
    this.#walks.set(key, found);
    return found;
  }

  #refuted(
    about: Guarantee | Obligation,
    look: (one: Prover) => Promise<Verdict | undefined>,
    mixed: readonly ShortLength[] = [mixedLengths],
  ): Promise<Verdict | undefined> {
    return this.#budget.atMost(shareOfRuns, () => this.#refutedWith(about, look, mixed));
  }

  async #refutedWith(
    about: Guarantee | Obligation,
    look: (one: Prover) => Promise<Verdict | undefined>,
    mixed: readonly ShortLength[],
  ): Promise<Verdict | undefined> {
    if (this.#options.likely !== undefined) return undefined;
    const long = await this.#likely(about, this.#lengthsThatCount(about));
    if (long !== undefined) return long;
    const counting = this.#lengthsThatCount(about).filter(
      (length) => typeof length !== "number" || length <= longestAsked,
    );
    for (const length of [...askedLengths, ...mixed, ...counting]) {
      if (this.#budget.isSpent) return undefined;
      const prover = this.#shortRuns(length);
      const verdict = prover && (await look(prover));
      if (verdict?.kind === "refuted") return verdict;
      // What is too hard with shorter lists is not easier with longer ones.
      if (verdict?.kind === "unknown") return undefined;
    }
    return undefined;
  }

  /** Returns list lengths that can break a bound of the guarantee, if each element counts, also in nested loops. */
  #lengthsThatCount(about: Guarantee | Obligation): readonly ShortLength[] {
    if ("condition" in about) return [];
    const depth = Math.min(deepestCounted, deepestLoop(this.#part.document.program.body));
    const known = new Set<number>();
    for (const expr of exprsIn(about.formula)) {
      if (expr.kind !== "number" || typeof expr.value !== "bigint") continue;
      const bound = Number(expr.value);
      if (bound < likelyLengths.length - 1 || bound > mostCountedElements) continue;
      for (let d = depth; d >= 1; d--) known.add(Math.ceil((bound + 1) ** (1 / d)));
    }
    const few = [...known].filter((length) => !likelyLengths.includes(length)).sort((a, b) => a - b);
    const lengths = few.slice(0, mostCountedLengths);
    const [upTo] = lengths;
    // Where loops are in loops, one list may have to be shorter than another.
    return depth > 1 && upTo !== undefined && upTo <= longestAsked ? [...lengths, { upTo }] : lengths;
  }

  #shortRuns(length: ShortLength, of: Checked = this.#part): Prover | undefined {
    const lists = typeof length === "number" ? `${length}` : `up to ${length.upTo}`;
    const key = of === this.#part ? lists : `${lists} of the whole`;
    if (!this.#short.has(key)) {
      const most = typeof length === "number" && length > longestAsked ? { mostCalls: mostCountedCalls } : {};
      const found = follow(() => walk(of, this.#terms, { length, ...most }));
      const prover = found.ok && new Prover(this.#whole, this.#terms, found.value, this.#options, { length });
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

/** Returns the maximum nesting depth of loops. */
function deepestLoop(body: readonly Command[]): number {
  return Math.max(
    0,
    ...body.map((command) => {
      const inside = Math.max(0, ...bodiesOf(command).map(deepestLoop));
      return isLoop(command) ? inside + 1 : inside;
    }),
  );
}

/** Returns the length of the longest list. */
function longestIn(node: unknown): number {
  if (typeof node !== "object" || node === null) return 0;
  const parts = Object.values(node).map(longestIn);
  return Math.max(0, ...parts, ...(Array.isArray(node) ? [node.length] : []));
}
