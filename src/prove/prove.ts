/**
 * Proves what a checked document guarantees, for all inputs and all tool results that meet `ensures`, or finds a run
 * that breaks it, or says why neither. Cheapest first: what folds to true needs no solver.
 * Part of what must be trusted.
 */
import { createHash } from "node:crypto";
import type { Checked } from "../ir/check/index.ts";
import type { Guarantee } from "../ir/document.ts";
import { judge, type RecordedRun } from "../ir/eval/formula.ts";
import { LimitReached } from "../ir/eval/meter.ts";
import { hasAnswer } from "./answerable.ts";
import { replay } from "./counterexample.ts";
import { consistencyScript, scriptFor } from "./encode.ts";
import { Terms } from "./factory.ts";
import { type Fact, NotFollowed, type Obligation, obligationCodes, type Walk } from "./facts.ts";
import { formulaTerm } from "./formula.ts";
import { Assumed } from "./ground.ts";
import { guess } from "./guess.ts";
import { type Interruption, interruptionOf, type Proved } from "./interruption.ts";
import type { Model, Script, Solver, SolverAnswer, SolverLimits } from "./solver/port.ts";
import type { Term } from "./term.ts";
import { type Walker, walk } from "./walk.ts";

export interface ProveOptions {
  /** Asked only for what is not decided without; never called means never loaded. */
  readonly solver: () => Promise<Solver>;
  readonly limits: SolverLimits;
  /** Told of every question before the solver is asked. */
  readonly asking?: (question: Question) => void;
}

/** What the solver is asked. */
export interface Question {
  readonly about: Guarantee | Obligation;
  /** Whether it is the promise itself, that the assumptions do not contradict themselves, or a stopping point. */
  readonly purpose: "goal" | "consistency" | "interruption";
  readonly script: string;
}

/** What a verdict of a solver rests on. */
export interface Evidence {
  readonly solver: string;
  readonly version: string;
  readonly limits: SolverLimits;
  /** The SHA-256 of the SMT-LIB script. */
  readonly script: string;
}

export type Verdict =
  | { readonly kind: "proved"; readonly by: "ground" }
  | { readonly kind: "proved"; readonly by: "smt"; readonly evidence: Evidence }
  /** With a run that breaks it, tried on the interpreter. */
  | { readonly kind: "refuted"; readonly run: RecordedRun; readonly why: string }
  | { readonly kind: "unknown"; readonly why: string; readonly candidate?: RecordedRun };

export type { Interruption, StoppingPoint } from "./interruption.ts";

export interface GuaranteeProof {
  readonly guarantee: Guarantee;
  readonly verdict: Verdict;
  /** Of what is proved. */
  readonly interruption?: Interruption;
}

export interface ObligationProof {
  readonly obligation: Obligation;
  readonly verdict: Verdict;
}

export interface Proof {
  readonly guarantees: readonly GuaranteeProof[];
  readonly obligations: readonly ObligationProof[];
  /** What the program does, unless it could not be followed. */
  readonly walk?: Walk;
}

export async function prove(checked: Checked, options: ProveOptions): Promise<Proof> {
  const terms = new Terms();
  const walked = follow(() => walk(checked, terms));
  if (!walked.ok) {
    const guarantees = checked.document.guarantees.map((guarantee) => ({
      guarantee,
      verdict: notFollowed(walked.why),
    }));
    return { guarantees, obligations: [] };
  }
  const prover = new Prover(checked, terms, walked.value, options);
  const obligations = [];
  for (const obligation of walked.value.obligations) {
    obligations.push(await prover.obligation(obligation));
  }
  const guarantees = [];
  for (const guarantee of checked.document.guarantees) {
    guarantees.push(await prover.guarantee(guarantee));
  }
  return { guarantees, obligations, walk: walked.value };
}

/** Makes the run that a model speaks of, and says whether it breaks what is claimed. */
type Attempt = (model: Model) => Promise<{
  readonly recorded: RecordedRun;
  readonly broken: boolean;
  readonly why: string;
}>;

class Prover {
  readonly #checked: Checked;
  readonly #terms: Terms;
  readonly #walk: Walker;
  readonly #options: ProveOptions;
  readonly #assumed: Assumed;
  /** INVARIANT: obligations are decided before guarantees. */
  #unhindered = true;
  #dead: Promise<readonly Fact[]> | undefined;
  /** What is wrong with the first so many assumptions. */
  readonly #vacuous = new Map<number, string | undefined>();

  constructor(checked: Checked, terms: Terms, walked: Walker, options: ProveOptions) {
    this.#checked = checked;
    this.#terms = terms;
    this.#walk = walked;
    this.#options = options;
    this.#assumed = new Assumed(terms);
  }

  async obligation(obligation: Obligation): Promise<ObligationProof> {
    const assumptions = this.#walk.assumptions.slice(0, obligation.after);
    const verdict = await this.#decide(obligation, assumptions, obligation.goal, async (model) => {
      const { run, recorded } = await replay(this.#checked, model);
      const stopped = run.outcome.kind === "stopped" ? run.outcome.problem : undefined;
      const isIt =
        stopped?.code === obligationCodes[obligation.kind] && samePath(stopped.path, obligation.path);
      return { recorded, broken: isIt, why: stopped?.message ?? "the run completes" };
    });
    if (verdict.kind !== "proved") this.#unhindered = false;
    return { obligation, verdict };
  }

  async guarantee(guarantee: Guarantee): Promise<GuaranteeProof> {
    const { formula } = guarantee;
    if (formula === undefined)
      return { guarantee, verdict: notFollowed("its formula is the trusted contract's, which is not here") };
    const goal = follow(() => formulaTerm(this.#checked, this.#terms, this.#walk, formula));
    if (!goal.ok) return { guarantee, verdict: notFollowed(goal.why) };
    const verdict = await this.#decide(guarantee, this.#walk.assumptions, goal.value, async (model) => {
      const { run, recorded } = await replay(this.#checked, model);
      const found = judge(this.#checked, formula, recorded);
      const broken = run.outcome.kind === "completed" && found.kind === "violated";
      const why = broken ? "the run breaks it" : "the solver's run does not break it when it is made";
      return { recorded, broken, why };
    });
    if (verdict.kind !== "proved") return { guarantee, verdict };
    const proved: Proved = {
      checked: this.#checked,
      terms: this.#terms,
      walk: this.#walk,
      formula,
      always: goal.value === this.#terms.true,
      unhindered: this.#unhindered,
      ask: async (assumptions, stopped) => {
        const script = scriptFor(assumptions, stopped);
        return this.#ask({ about: guarantee, purpose: "interruption", script: script.text }, script);
      },
    };
    const interruption = await orOpen(this.#walk, () => interruptionOf(proved));
    return { guarantee, verdict, interruption };
  }

  /** SOUNDNESS: behind a call that has no answer everything follows, and that is no proof of anything. */
  async #decide(
    about: Guarantee | Obligation,
    assumptions: readonly Term[],
    goal: Term,
    attempt: Attempt,
  ): Promise<Verdict> {
    const verdict = await this.#decideFrom(about, assumptions, goal, attempt);
    if (verdict.kind !== "proved" || goal === this.#terms.true) return verdict;
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
    if (this.#assumed.holds(assumptions, goal)) return { kind: "proved", by: "ground" };
    const guessed = guess(assumptions, goal);
    const tried = guessed && (await attempt(guessed));
    if (tried?.broken) return { kind: "refuted", run: tried.recorded, why: tried.why };
    const script = scriptFor(assumptions, goal);
    const answer = await this.#ask({ about, purpose: "goal", script: script.text }, script);
    switch (answer.kind) {
      case "unsat": {
        const why = await this.#whyVacuous(about, assumptions);
        return why === undefined
          ? { kind: "proved", by: "smt", evidence: await this.#evidence(script) }
          : { kind: "unknown", why };
      }
      case "unknown":
        return { kind: "unknown", why: `not decided: ${answer.reason}` };
      case "sat": {
        const { recorded, broken, why } = await attempt(answer.model);
        return broken
          ? { kind: "refuted", run: recorded, why }
          : { kind: "unknown", why, candidate: recorded };
      }
    }
  }

  /** SOUNDNESS: from assumptions that no run meets everything follows, and that is no proof of anything. */
  async #whyVacuous(
    about: Guarantee | Obligation,
    assumptions: readonly Term[],
  ): Promise<string | undefined> {
    const { length } = assumptions;
    if (!this.#vacuous.has(length)) {
      const can = await this.#canBe(about, assumptions);
      const why =
        can === "no" ? "what is assumed contradicts itself, so anything would follow from it" : inDoubt;
      this.#vacuous.set(length, can === "yes" ? undefined : why);
    }
    return this.#vacuous.get(length);
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
      const reached = [...this.#walk.assumptions.slice(0, fact.after), fact.guard];
      if ((await this.#canBe(about, [...reached, ...fact.ensures])) === "yes") continue;
      if ((await this.#canBe(about, reached)) !== "no") found.push(fact);
    }
    return found;
  }

  async #canBe(
    about: Guarantee | Obligation,
    conditions: readonly Term[],
  ): Promise<"yes" | "no" | "undecided"> {
    if (guess(conditions, this.#terms.false) !== undefined) return "yes";
    const script = consistencyScript(conditions);
    const answer = await this.#ask({ about, purpose: "consistency", script: script.text }, script);
    return answer.kind === "sat" ? "yes" : answer.kind === "unsat" ? "no" : "undecided";
  }

  async #ask(question: Question, script: Script): Promise<SolverAnswer> {
    this.#options.asking?.(question);
    const solver = await this.#options.solver();
    return solver.check(script, this.#options.limits);
  }

  async #evidence(script: Script): Promise<Evidence> {
    const solver = await this.#options.solver();
    const digest = createHash("sha256").update(script.text).digest("hex");
    const { limits } = this.#options;
    return { solver: solver.name, version: await solver.version(), limits, script: digest };
  }
}

/** Where it cannot be told, every place is open. */
async function orOpen(places: Walk, work: () => Promise<Interruption>): Promise<Interruption> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof NotFollowed || thrown instanceof LimitReached)) throw thrown;
    return { kind: "open", at: [undefined, ...places.facts].map((after) => ({ after, certain: false })) };
  }
}

type Followed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

function follow<T>(work: () => T): Followed<T> {
  try {
    return { ok: true, value: work() };
  } catch (thrown) {
    if (thrown instanceof NotFollowed) return { ok: false, why: `${thrown.message} is not followed yet` };
    if (thrown instanceof LimitReached) return { ok: false, why: thrown.message };
    throw thrown;
  }
}

const inDoubt = "not decided: whether what is assumed contradicts itself";

function nothingBehind({ tool }: Fact): string {
  return `no answer of \`${tool.name}\` is known that meets what it ensures; without one a run stops there, and anything would follow behind it`;
}

function notFollowed(why: string): Verdict {
  return { kind: "unknown", why };
}

function samePath(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  return a.length === b.length && a.every((step, i) => step === b[i]);
}
