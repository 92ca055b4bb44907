/**
 * Decides what is claimed of one walk: by looking, by likely values, then by the solver.
 * Part of what must be trusted.
 */
import { createHash } from "node:crypto";
import { type Checked, type Expr, type Guarantee, LimitReached, type RecordedRun } from "../../ir/index.ts";
import { anyElements, hasAnswer, isAnswerable } from "../goals/answerable.ts";
import { formulaTerm } from "../goals/formula.ts";
import type { Total } from "../loops/totals.ts";
import { type Interruption, interruptionOf, type Proved } from "../prefix/interruption.ts";
import { type Attempt, anotherRun, attempting, samePath, stopsAt, violates } from "../refute/attempt.ts";
import { guess, guessAll } from "../refute/concrete-search.ts";
import { type Replayed, replay } from "../refute/counterexample.ts";
import { plainValues } from "../refute/plain-values.ts";
import type { Schedule } from "../refute/schedules.ts";
import { fewestCalls, speaksOfOrder } from "../refute/shortest.ts";
import { assumedAt, type Fact, NotFollowed, type Obligation, type Walk } from "../symbolic/call-events.ts";
import { withJson } from "../symbolic/json-views.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import type { ShortLength } from "../symbolic/symbolic-value.ts";
import { follow, followLater, notFollowed } from "../symbolic/unsupported.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import type {
  Evidence,
  GuaranteeProof,
  ObligationProof,
  ProveOptions,
  Question,
  Verdict,
} from "../verdict.ts";
import { consistencyScript, plainScriptFor, scriptFor } from "./encode.ts";
import { Assumed } from "./propagate.ts";
import { type Model, type Script, type SolverAnswer, type SolverLimits, unknown } from "./solver/port.ts";

/** LIMIT: of what is looked at without the solver where there are loops, whose walks are many. */
const mostLooks = 2_000;
/** LIMIT: of iterations of nested loops in which an obligation is looked at. */
const mostIterations = 6;

export interface ListLengths {
  /** Length of all lists from tools and inputs: `any` if unknown, or short to find a run. */
  readonly length?: ShortLength | "any";
  /** Leaves goals unknown that need the solver. */
  readonly looksOnly?: true;
}

interface Vacuous {
  readonly assumptions: readonly Term[];
  readonly why: string | undefined;
}

interface Claim {
  readonly about: Guarantee | Obligation;
  readonly goal: Term;
  readonly after: number;
  readonly attempt: Attempt;
}

export class Prover {
  /** The whole program. The walk may be of the part that a claim depends on. */
  readonly #checked: Checked;
  readonly #terms: Terms;
  readonly #walk: Progress;
  readonly #options: ProveOptions;
  readonly #assumed: Assumed;
  /** INVARIANT: obligations are decided before guarantees. */
  #unhindered = true;
  #dead: Promise<readonly Fact[]> | undefined;
  #answerable: boolean | undefined;
  /** Contradictions among the assumptions, by their number. */
  readonly #vacuous = new Map<number, readonly Vacuous[]>();

  /** Those that were made to see whether they break a claim. */
  readonly #runs: RecordedRun[] = [];
  readonly #lists: ListLengths;
  readonly #totals: readonly Total[];

  constructor(
    checked: Checked,
    terms: Terms,
    walked: Progress,
    options: ProveOptions,
    lists: ListLengths = {},
    totals: readonly Total[] = [],
  ) {
    this.#checked = checked;
    this.#terms = terms;
    this.#walk = walked;
    this.#options = options;
    this.#lists = lists;
    this.#totals = totals;
    this.#assumed = lists.length === undefined ? new Assumed(terms) : new Assumed(terms, mostLooks);
  }

  /** A run in which it does not hold, in any iteration. */
  async anyObligation(obligation: Obligation): Promise<Verdict | undefined> {
    const alike = this.#walk.obligations.filter((one) => isSame(one, obligation));
    for (const one of alike.slice(0, mostIterations)) {
      const { verdict } = await this.obligation(one);
      if (verdict.kind === "refuted") return verdict;
    }
    return undefined;
  }

  /** Runs that break claims, by likely values alone, looked for all at once. */
  async likely(
    claims: readonly (Guarantee | Obligation)[],
  ): Promise<ReadonlyMap<Guarantee | Obligation, Verdict>> {
    const { assumptions, obligations } = this.#walk;
    const goals: Claim[] = [];
    for (const about of obligations)
      if (claims.some((one) => "condition" in one && isSame(one, about)))
        goals.push({ ...about, about, attempt: this.#runOf(about) });
    for (const about of claims) {
      if ("condition" in about) continue;
      const { formula } = about;
      if (formula === undefined) continue;
      const goal = follow(() => this.#goalOf(formula));
      if (!goal.ok) continue;
      const attempt = this.#runThatBreaks(formula);
      goals.push({ about, goal: goal.value, after: assumptions.length, attempt });
    }
    const found = new Map<Guarantee | Obligation, Verdict>();
    for (const [{ about, attempt }, model] of guessAll(assumptions, goals, this.#terms.effort)) {
      const { recorded, broken, why } = await attempt(model);
      if (broken) found.set(about, { kind: "refuted", run: recorded, why });
    }
    return found;
  }

  /** Returns the proof of an obligation whose goal is already true, as most are. */
  plainly(obligation: Obligation): ObligationProof | undefined {
    if (obligation.goal !== this.#terms.true) return undefined;
    return { obligation, verdict: { kind: "proved", by: this.#byLooking } };
  }

  async obligation(obligation: Obligation): Promise<ObligationProof> {
    const plain = this.plainly(obligation);
    if (plain !== undefined) return plain;
    const assumptions = assumedAt(this.#walk.assumptions, obligation);
    const verdict = await this.#decide(obligation, assumptions, obligation.goal, this.#runOf(obligation));
    if (verdict.kind !== "proved") this.#unhindered = false;
    return { obligation, verdict };
  }

  #runOf(obligation: Obligation): Attempt {
    return attempting(this.#checked, (...supposed) => this.#replay(...supposed), stopsAt(obligation));
  }

  #goalOf(formula: Expr): Term {
    return formulaTerm(this.#checked, this.#terms, this.#walk, formula, this.#totals);
  }

  #runThatBreaks(formula: Expr): Attempt {
    return attempting(
      this.#checked,
      (...supposed) => this.#replay(...supposed),
      violates(this.#checked, formula),
    );
  }

  /** @param unhindered whether the program has all that it needs, in every run */
  async guarantee(guarantee: Guarantee, unhindered = this.#unhindered): Promise<GuaranteeProof> {
    const { formula } = guarantee;
    if (formula === undefined)
      return { guarantee, verdict: notFollowed("its formula is the trusted contract's, which is not here") };
    const goal = follow(() => this.#goalOf(formula));
    if (!goal.ok) return { guarantee, verdict: notFollowed(goal.why) };
    const attempt = this.#runThatBreaks(formula);
    const verdict = await this.#decide(guarantee, this.#walk.assumptions, goal.value, attempt);
    if (this.#isShort) return { guarantee, verdict };
    if (verdict.kind !== "proved") return { guarantee, verdict: await this.fewest(guarantee, verdict) };
    if (this.#options.stops === "omitted") return { guarantee, verdict };
    const always = goal.value === this.#terms.true;
    return { guarantee, verdict, interruption: await this.interruption(guarantee, unhindered, always) };
  }

  /**
   * Returns what is left of a proved guarantee when a run stops early.
   * @param always whether it holds whatever is assumed
   */
  async interruption(about: Guarantee, unhindered: boolean, always: boolean): Promise<Interruption> {
    const { formula } = about;
    if (formula === undefined) throw new TypeError("what has no formula is not proved");
    const proved: Proved = {
      checked: this.#checked,
      terms: this.#terms,
      walk: this.#walk,
      formula,
      always,
      goesOn: unhindered && this.#isAnswerable,
      runs: this.#runs,
      ask: async (assumptions, stopped) => {
        const script = scriptFor(assumptions, stopped);
        return this.#ask({ about, purpose: "interruption", script: script.text }, script);
      },
    };
    return orOpen(this.#walk, () => interruptionOf(proved));
  }

  /** Returns whether there is a run of which all is true that is assumed. */
  async isMet(about: Guarantee): Promise<boolean> {
    return (await this.#canBe(about, this.#walk.assumptions)) === "yes";
  }

  get #isShort(): boolean {
    return this.#lists.length !== undefined && this.#lists.length !== "any";
  }

  /** The same of a run with the fewest calls, where the order of calls is what it speaks of. */
  async fewest(about: Guarantee, verdict: Verdict): Promise<Verdict> {
    const { formula } = about;
    if (verdict.kind !== "refuted" || formula === undefined || !speaksOfOrder(formula)) return verdict;
    // LIMIT: nothing but what a person reads depends on it, so no question follows once all have cost as much as one may.
    let left = this.#options.limits.resources;
    const ask = async (script: Script): Promise<SolverAnswer> => {
      if (left <= 0) return unknown("resources", "enough was done to find a shorter run");
      let used = left;
      const count = (resources: number) => {
        used = resources;
      };
      const question: Question = { about, purpose: "shorter", script: script.text };
      const answer = await this.#ask(question, script, { used: count });
      left -= used;
      return answer;
    };
    const found = await followLater(async () => {
      const search = {
        terms: this.#terms,
        walk: this.#walk,
        goal: this.#goalOf(formula),
        attempt: this.#runThatBreaks(formula),
        ask,
      };
      return fewestCalls(search, verdict.run);
    });
    return found.ok ? { ...verdict, run: found.value } : verdict;
  }

  get #isAnswerable(): boolean {
    this.#answerable ??= isAnswerable(this.#walk.facts);
    return this.#answerable;
  }

  get #byInduction(): boolean {
    return this.#lists.length === "any" && this.#walk.steps.length > 0;
  }

  /** The evidence for goals proved without the solver. */
  get #byLooking(): "induction" | "ground" {
    return this.#byInduction ? "induction" : "ground";
  }

  async #decide(
    about: Guarantee | Obligation,
    assumptions: readonly Term[],
    goal: Term,
    attempt: Attempt,
  ): Promise<Verdict> {
    // What is true whatever is assumed needs no more: most claims are.
    if (goal === this.#terms.true) return { kind: "proved", by: this.#byLooking };
    const found = await followLater(() => this.#decideAlive(about, assumptions, goal, attempt));
    return found.ok ? found.value : notFollowed(found.why);
  }

  /** SOUNDNESS: behind a call that has no answer everything follows, and that is no proof of anything. */
  async #decideAlive(
    about: Guarantee | Obligation,
    assumptions: readonly Term[],
    goal: Term,
    attempt: Attempt,
  ): Promise<Verdict> {
    const verdict = await this.#decideFrom(about, assumptions, goal, attempt);
    if (verdict.kind !== "proved" || goal === this.#terms.true) return verdict;
    // With lists of one length nothing is proved anyway: a run is looked for.
    if (this.#isShort) return verdict;
    const place = "fact" in about && about.fact ? about.fact.position : Number.POSITIVE_INFINITY;
    const dead = (await this.#deadEnds(about)).find(({ position }) => position < place);
    return dead === undefined ? verdict : notFollowed(nothingBehind(dead));
  }

  async #decideFrom(
    about: Guarantee | Obligation,
    assumptions: readonly Term[],
    goal: Term,
    attempt: Attempt,
  ): Promise<Verdict> {
    const { length } = this.#lists;
    if (this.#assumed.holds(assumptions, goal)) return { kind: "proved", by: this.#byLooking };
    if (this.#lists.looksOnly) return notFollowed("not seen without the solver");
    const isTried = length !== "any" && this.#options.likely === undefined;
    const guessed = isTried ? guess(assumptions, goal, this.#terms.effort) : undefined;
    const tried = guessed && (await attempt(guessed));
    if (tried?.broken) return { kind: "refuted", run: tried.recorded, why: tried.why };
    const easier = this.#isShort ? undefined : plainScriptFor(assumptions, goal);
    const isSeen =
      easier !== undefined &&
      (await this.#ask({ about, purpose: "goal", script: easier.text }, easier)).kind === "unsat";
    const script = isSeen ? easier : scriptFor(assumptions, goal);
    const answer: SolverAnswer = isSeen
      ? { kind: "unsat" }
      : await this.#ask({ about, purpose: "goal", script: script.text }, script);
    switch (answer.kind) {
      case "unsat": {
        const why = await this.#whyVacuous(about, assumptions);
        return why === undefined
          ? {
              kind: "proved",
              by: this.#byInduction ? "induction" : "smt",
              evidence: await this.#evidence(script),
            }
          : { kind: "unknown", why };
      }
      case "unknown":
        return { kind: "unknown", why: `not decided: ${answer.reason}` };
      case "sat": {
        if (length === "any")
          return {
            kind: "unknown",
            why: "it could not be shown for lists of every length, and no short list breaks it",
          };
        const { recorded, broken, why, unreal } = await attempt(answer.model);
        if (broken) return { kind: "refuted", run: recorded, why };
        if (unreal === undefined) return { kind: "unknown", why, candidate: recorded };
        const real = await anotherRun(attempt, answer.model, () => {
          const plain = plainValues(this.#terms, this.#walk, assumptions, goal);
          const other = plain && scriptFor([...assumptions, ...plain], goal);
          return other && this.#ask({ about, purpose: "goal", script: other.text }, other);
        });
        return real === undefined ? { kind: "unknown", why } : { kind: "refuted", ...real };
      }
    }
  }

  /** SOUNDNESS: from assumptions that no run meets everything follows, and that is no proof of anything. */
  async #whyVacuous(
    about: Guarantee | Obligation,
    assumptions: readonly Term[],
  ): Promise<string | undefined> {
    const { length } = assumptions;
    const seen = this.#vacuous.get(length) ?? [];
    const known = seen.find((one) => one.assumptions.every((term, i) => term === assumptions[i]));
    if (known !== undefined) return known.why;
    const can = await this.#canBe(about, assumptions);
    const doubt =
      can === "no" ? "what is assumed contradicts itself, so anything would follow from it" : inDoubt;
    const why = can === "yes" ? undefined : doubt;
    this.#vacuous.set(length, [...seen, { assumptions: [...assumptions], why }]);
    return why;
  }

  /** The calls that can be reached and not be answered. */
  #deadEnds(about: Guarantee | Obligation): Promise<readonly Fact[]> {
    this.#dead ??= this.#findDeadEnds(about);
    return this.#dead;
  }

  async #findDeadEnds(about: Guarantee | Obligation): Promise<readonly Fact[]> {
    const found: Fact[] = [];
    for (const fact of this.#walk.facts) {
      if (hasAnswer(fact)) continue;
      const reached = [...assumedAt(this.#walk.assumptions, fact), fact.guard];
      const answered = [...reached, ...fact.ensures, ...anyElements(this.#walk, fact)];
      if ((await this.#canBe(about, answered)) === "yes") continue;
      if ((await this.#canBe(about, reached)) !== "no") found.push(fact);
    }
    return found;
  }

  async #canBe(
    about: Guarantee | Obligation,
    conditions: readonly Term[],
  ): Promise<"yes" | "no" | "undecided"> {
    if (guess(conditions, this.#terms.false, this.#terms.effort) !== undefined) return "yes";
    const script = consistencyScript(conditions);
    const { resources, guardResources = resources } = this.#options.limits;
    const limits = { resources: guardResources };
    const answer = await this.#ask({ about, purpose: "consistency", script: script.text }, script, limits);
    return answer.kind === "sat" ? "yes" : answer.kind === "unsat" ? "no" : "undecided";
  }

  async #ask(question: Question, script: Script, limits: Partial<SolverLimits> = {}): Promise<SolverAnswer> {
    this.#options.asking?.(question);
    const solver = await this.#options.solver();
    return solver.check(script, { ...this.#options.limits, ...limits });
  }

  async #replay(model: Model, schedule?: Schedule): Promise<Replayed> {
    const { length } = this.#lists;
    const made = await replay(this.#checked, {
      ...withJson(this.#walk.at.scene.lists, model),
      length: typeof length === "number" ? length : undefined,
      schedule,
    });
    if (schedule === undefined) this.#runs.push(made.recorded);
    return made;
  }

  async #evidence(script: Script): Promise<Evidence> {
    const solver = await this.#options.solver();
    const digest = createHash("sha256").update(script.text).digest("hex");
    const { limits } = this.#options;
    return { solver: solver.name, version: await solver.version(), limits, script: digest };
  }
}

/** Treats every stopping point as open if the analysis fails. */
async function orOpen(places: Walk, work: () => Promise<Interruption>): Promise<Interruption> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof NotFollowed || thrown instanceof LimitReached)) throw thrown;
    return { kind: "open", at: [undefined, ...places.facts].map((after) => ({ after, certain: false })) };
  }
}

const inDoubt = "not decided: whether what is assumed contradicts itself";

function nothingBehind({ tool }: Fact): string {
  return `no answer of \`${tool.name}\` is known that meets what it ensures; without one a run stops there, and anything would follow behind it`;
}

/** Returns true if both are of one program point, perhaps in different iterations. */
export function isSame(a: Obligation, b: Obligation): boolean {
  return a.kind === b.kind && a.condition === b.condition && samePath(a.path, b.path);
}
