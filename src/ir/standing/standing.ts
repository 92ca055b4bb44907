/**
 * Standing guarantees: formulas of a checked document that are told after every call of a session or a run, at a cost that
 * does not grow with the number of calls. The value is the one that `judge` finds on the calls so far, or unknown; a call
 * that has not ended counts as a failed one, which may or may not have had its effect.
 * Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import type { Expr } from "../document.ts";
import { callEnvironment, writesOf } from "../eval/clauses.ts";
import type { Known } from "../eval/evaluate.ts";
import { judge, type Verdict } from "../eval/formula.ts";
import { LimitReached, Meter } from "../eval/meter.ts";
import { isPartly, Unknown, unknownFrom } from "../eval/partly.ts";
import { type Cell, State, type Write } from "../eval/state.ts";
import type { Outcome, TraceEntry } from "../eval/trace.ts";
import { defaultLimits } from "../limits.ts";
import type { RecordValue } from "../value.ts";
import { AlwaysLeaf } from "./always.ts";
import type { Leaf, StandingCall, Watched } from "./call.ts";
import { type LeafPlan, NotStanding, planFor } from "./compile.ts";
import { EarlierCalls } from "./earlier-calls.ts";
import { AggregateLeaf, AutomatonLeaf, GroupLeaf, QuantifierLeaf } from "./leaves.ts";
import { type Look, Scope } from "./scope.ts";

export interface StandingOptions {
  readonly inputs: RecordValue;
  readonly initial?: readonly Cell[];
}

/** A call that may be made, looked at by all formulas. */
export interface LookedAt {
  readonly call: StandingCall;
  /** Returns the verdict if the call is made now, for success and failure. */
  readonly verdict: (formula: Expr) => Verdict;
}

interface Watching extends LookedAt {
  /** The number of starts and ends before it was looked at. */
  readonly moment: number;
  readonly watched: readonly (readonly [Formula, readonly Difference[]])[];
}

type Difference = Pick<Watched, "begin" | "end" | "cancel">;

export class Standing {
  readonly #checked: Checked;
  readonly #formulas = new Map<Expr, Formula>();
  readonly #refused = new Map<Expr, string>();
  readonly #state: State;
  readonly #underWay = new Map<number, Watching>();
  /** Calls that this monitor itself has checked. */
  readonly #made = new WeakSet<object>();
  #next = 0;
  #moment = 0;

  constructor(checked: Checked, formulas: Iterable<Expr>, { inputs, initial = [] }: StandingOptions) {
    this.#checked = checked;
    this.#state = State.initial(checked, initial);
    const first = State.initial(checked, initial);
    for (const formula of formulas) {
      const plan = planFor(checked, formula);
      if (plan instanceof NotStanding) this.#refused.set(formula, plan.why);
      else {
        const atFirst = judge(checked, formula, { inputs, initial, trace: [] });
        const kept = new Formula(checked, formula, plan, { inputs, initial, first, state: this.#state });
        if (atFirst.kind === "holds") this.#formulas.set(formula, kept);
        else this.#refused.set(formula, whyNotAtFirst(atFirst));
      }
    }
  }

  /** The state as the calls that have ended left it. */
  get state(): State {
    return this.#state;
  }

  /** Why the formula has no standing value; undefined if it has one. */
  whyNot(formula: Expr): string | undefined {
    return this.#refused.get(formula);
  }

  /** Looks at a call that may be made. Nothing changes. */
  look(entry: Pick<TraceEntry, "tool" | "args">): LookedAt {
    return this.#watch(entry);
  }

  /** Begins a call, and returns its position. One that was looked at is looked at again if others began or ended since. */
  begin(entry: Pick<TraceEntry, "tool" | "args"> | LookedAt): number {
    const { tool, args } = "call" in entry ? entry.call : entry;
    const watching = this.#isCurrent(entry) ? entry : this.#watch({ tool, args });
    this.#next++;
    this.#moment++;
    for (const [formula, differences] of watching.watched)
      formula.within(() => {
        for (const one of differences) one.begin();
      });
    this.#underWay.set(watching.call.position, watching);
    return watching.call.position;
  }

  #isCurrent(entry: object): entry is Watching {
    return this.#made.has(entry) && "moment" in entry && entry.moment === this.#moment;
  }

  end(position: number, outcome: Outcome): void {
    const watching = this.#underWay.get(position);
    if (watching === undefined) throw new TypeError("a call ends that was not begun");
    this.#underWay.delete(position);
    this.#moment++;
    for (const write of watching.call.writes) {
      if (outcome.kind === "returned") this.#state.write(write);
      else this.#state.writeMaybe(write);
    }
    for (const [formula, differences] of watching.watched)
      formula.within(() => {
        for (const one of differences) one.end(outcome);
      });
  }

  /** Cancels a call that was begun and not made. */
  cancel(position: number): void {
    const watching = this.#underWay.get(position);
    if (watching === undefined) return;
    this.#underWay.delete(position);
    this.#moment++;
    for (const [formula, differences] of watching.watched)
      formula.within(() => {
        for (const one of differences) one.cancel();
      });
  }

  /** SOUNDNESS: what cannot be worked out may be anything, anywhere in the fluents that the tool sets. */
  #writes(name: string, args: RecordValue): readonly Write[] {
    const tool = this.#checked.tools.get(name);
    if (tool === undefined || tool.sets.length === 0) return [];
    try {
      const meter = new Meter(defaultLimits);
      return writesOf(tool, callEnvironment(this.#checked, tool, args, this.#state, meter));
    } catch (thrown) {
      if (!(thrown instanceof LimitReached)) throw thrown;
      const lost = new Unknown(thrown.message);
      return tool.sets.map(({ fluent }, update) => ({ update, fluent, key: lost, value: lost }));
    }
  }

  #watch({ tool: name, args }: Pick<TraceEntry, "tool" | "args">): Watching {
    const writes = this.#writes(name, args);
    const call: StandingCall = { position: this.#next, tool: name, args, writes };
    const verdicts = new Map<Expr, Verdict>();
    const watched: [Formula, readonly Difference[]][] = [];
    for (const [expr, formula] of this.#formulas) {
      const { verdict, differences } = formula.look(call);
      verdicts.set(expr, verdict);
      if (differences.length > 0) watched.push([formula, differences]);
    }
    const unknown: Verdict = { kind: "unknown", why: "it has no standing value" };
    const moment = this.#moment;
    const watching: Watching = { call, watched, moment, verdict: (expr) => verdicts.get(expr) ?? unknown };
    this.#made.add(watching);
    return watching;
  }
}

function whyNotAtFirst(verdict: Verdict): string {
  return verdict.kind === "unknown"
    ? `it is not known whether it holds before the first call: ${verdict.why}`
    : "it does not hold before the first call: it asks for something to be done, and a session can end at any call";
}

interface FormulaOptions extends StandingOptions {
  /** Before the first call. */
  readonly first: State;
  /** As it is now. */
  readonly state: State;
}

/** One formula, with the values of its parts. */
class Formula {
  readonly #formula: Expr;
  readonly #scope: Scope;
  readonly #leaves = new Map<Expr, Leaf>();
  readonly #asked: readonly EarlierCalls[];
  /** Set while a call is looked at: the value of a part as it would be with the call. */
  #supposed: ReadonlyMap<Expr, Known> | undefined;
  #lost: Verdict | undefined;

  constructor(
    checked: Checked,
    formula: Expr,
    plan: { readonly leaves: readonly LeafPlan[]; readonly questions: readonly EarlierCalls["question"][] },
    { inputs, initial = [], first, state }: FormulaOptions,
  ) {
    const asked = new Map<Expr, EarlierCalls>();
    const look: Look = (expr, environment) =>
      asked.get(expr)?.answer(environment) ?? this.#supposed?.get(expr) ?? this.#leaves.get(expr)?.value;
    this.#formula = formula;
    this.#scope = new Scope(checked, inputs, first, look);
    for (const question of plan.questions) asked.set(question.expr, new EarlierCalls(question, this.#scope));
    this.#asked = [...asked.values()];
    for (const one of plan.leaves)
      this.#leaves.set(one.expr, this.#leafFor(checked, one, { inputs, initial, state }));
  }

  #leafFor(
    checked: Checked,
    plan: LeafPlan,
    { inputs, initial = [], state }: Omit<FormulaOptions, "first">,
  ): Leaf {
    const scope = this.#scope;
    if (plan.kind === "always") {
      const first = judge(checked, plan.expr, { inputs, initial, trace: [] });
      const value = first.kind === "unknown" ? new Unknown(first.why) : first.kind === "holds";
      return new AlwaysLeaf(plan.parts, scope, state, value);
    }
    const { expr } = plan;
    switch (expr.kind) {
      case "quantifier":
        return new QuantifierLeaf(expr, scope);
      case "aggregate":
        return new AggregateLeaf(expr, scope);
      case "perKey":
      case "distinct":
        return new GroupLeaf(expr, scope);
      case "automaton":
        return new AutomatonLeaf(expr, scope);
    }
  }

  look(call: StandingCall): { readonly verdict: Verdict; readonly differences: readonly Difference[] } {
    if (this.#lost !== undefined) return { verdict: this.#lost, differences: [] };
    const differences: Difference[] = [];
    const supposed = new Map<Expr, Known>();
    try {
      for (const [expr, leaf] of this.#leaves) {
        const watched = leaf.look(call);
        if (watched === undefined) continue;
        differences.push(watched);
        supposed.set(expr, watched.value);
      }
      for (const one of this.#asked) {
        const watched = one.look(call);
        if (watched !== undefined) differences.push(watched);
      }
      this.#supposed = supposed;
      return { verdict: verdictOf(this.#scope.evaluate(this.#formula)), differences };
    } catch (thrown) {
      if (!(thrown instanceof LimitReached)) throw thrown;
      const lost = { kind: "unknown", why: thrown.message } as const;
      const begin = () => {
        this.#lost = lost;
      };
      return { verdict: lost, differences: [{ begin, end: () => {}, cancel: () => {} }] };
    } finally {
      this.#supposed = undefined;
    }
  }

  /** SOUNDNESS: once a limit was reached, something was not kept, and nothing is told any more. */
  within(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof LimitReached)) throw thrown;
      this.#lost = { kind: "unknown", why: thrown.message };
    }
  }
}

function verdictOf(value: Known): Verdict {
  if (typeof value === "boolean") return { kind: value ? "holds" : "violated" };
  return { kind: "unknown", why: isPartly(value) ? unknownFrom(value).why : "it is no formula" };
}
