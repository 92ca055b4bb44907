/**
 * Checks a proved guarantee on runs that stop early: a tool fails and nothing catches it, or the process dies. It
 * checks every point between two calls, with the last call made, failed with its effect, or without. Part of what
 * must be trusted.
 */
import type { AggregateExpr, Checked, Expr, RecordedRun, Relation, Tool } from "../../ir/index.ts";
import { Assumed } from "../decide/propagate.ts";
import type { Model, SolverAnswer } from "../decide/solver/port.ts";
import { type Concerns, concernsOf } from "../goals/concerns.ts";
import { addends, formulaTerm } from "../goals/formula.ts";
import { neverTogether } from "../goals/interleavings.ts";
import { isOf } from "../goals/rows.ts";
import { guess } from "../refute/concrete-search.ts";
import { replay } from "../refute/counterexample.ts";
import type { Fact } from "../symbolic/call-events.ts";
import { walk, walkUntil } from "../symbolic/symbolic-executor.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import { follow } from "../symbolic/unsupported.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { holdsBefore } from "./monotone.ts";
import { comesFirst } from "./program-order.ts";
import { breaksWhenStopped } from "./stopped-run.ts";

/** The verdict on a proved guarantee if the run stops early. */
export type Interruption =
  /** It holds wherever the run stops. */
  | { readonly kind: "safe" }
  /** It may not hold if the run stops at one of these places. */
  | { readonly kind: "open"; readonly at: readonly StoppingPoint[] };

export interface StoppingPoint {
  /** The last call that was made; undefined before the first. */
  readonly after: Fact | undefined;
  /** True if some run is known to break the guarantee here, false if it could only not be proved. */
  readonly certain: boolean;
}

export interface Proved {
  /** The whole program, whose runs are made. */
  readonly checked: Checked;
  readonly terms: Terms;
  /** Symbolic execution of the part of the program that decides the guarantee. */
  readonly walk: Progress;
  readonly formula: Expr;
  /** True if the guarantee holds without assumptions. */
  readonly always: boolean;
  /**
   * True if every prefix of a run is that of a run that completes: it has all that it needs, and every call can
   * return.
   */
  readonly goesOn: boolean;
  /** Runs that were made for other promises of the program, to which those of this one are added. */
  readonly runs: RecordedRun[];
  readonly ask: (assumptions: readonly Term[], goal: Term) => Promise<SolverAnswer>;
}

/** LIMIT: with more calls each place costs too much to look at by itself; all are looked at together. */
const mostPlaces = 200;
/** LIMIT: of runs for other promises that are looked at: one often breaks this promise too, and costs less than another. */
const mostOtherRuns = 3;
/** LIMIT: for what must be asked of the solver place by place. */
const mostQuestions = 24;

export async function interruptionOf(proved: Proved): Promise<Interruption> {
  // The run would have gone on to make a trace on which the promise holds, so it holds on the beginning of it.
  const holds = () =>
    holdsBefore(proved.formula, {
      onlyAdds: (sum) => onlyAdds(proved, sum),
      comesFirst: (tool, relation) => comesFirst(proved.checked, tool, relation),
      isApart: (these, those) =>
        neverTogether(proved.checked, isOfAny(proved, these), isOfAny(proved, those)),
    });
  if ((proved.goesOn || proved.always) && holds()) return { kind: "safe" };
  const { terms, walk: whole } = proved;
  const places = [undefined, ...whole.facts];
  if (places.length > mostPlaces) return together(proved, places);
  // In a loop over a list that is not known, and after one, nothing is looked at by itself.
  const inLoop = places.findIndex((after) => after?.loop !== undefined);
  const single = inLoop < 0 ? places : places.slice(0, inLoop);
  const found: StoppingPoint[] = places.slice(single.length).map((after) => ({ after, certain: false }));
  const open: Place[] = [];
  const saying = new Saying(proved);
  for (const group of besideOneAnother(single))
    for (const point of await amid(proved, group)) found.push(point);
  for (const after of single) {
    if (after !== undefined && after.lanes.length > 0) {
      saying.pass();
      continue;
    }
    const { assumptions, goal } = saying.at(after);
    if (goal === terms.false) found.push({ after, certain: true });
    else if (goal !== terms.true && !new Assumed(terms).holds(assumptions(), goal))
      open.push({ after, assumptions: assumptions(), goal });
  }
  if (open.length > mostQuestions) return together(proved, places);
  const runs = proved.runs.slice(-mostOtherRuns);
  for (const place of open) {
    const point = await look(proved, place, runs);
    if (point !== undefined) found.push(point);
  }
  if (found.length === 0) return { kind: "safe" };
  const position = ({ after }: StoppingPoint) => after?.position ?? -1;
  return { kind: "open", at: found.sort((a, b) => position(a) - position(b)) };
}

function isOfAny({ checked }: Proved, relations: readonly Relation[]): (tool: Tool) => boolean {
  return (tool) => relations.some((relation) => isOf(checked, relation, tool));
}

/** The calls of each execution of an outermost parallel command. */
function besideOneAnother(places: readonly (Fact | undefined)[]): readonly (readonly Fact[])[] {
  const groups = new Map<string, Fact[]>();
  for (const fact of places) {
    const [lane] = fact?.lanes ?? [];
    if (fact === undefined || lane === undefined) continue;
    const group = groups.get(lane.parallel);
    if (group === undefined) groups.set(lane.parallel, [fact]);
    else group.push(fact);
  }
  return [...groups.values()];
}

/**
 * Checks the stopping points inside a parallel command: each branch may stop anywhere, since a failing branch does
 * not stop the others. All of them form one query.
 */
async function amid(proved: Proved, group: readonly Fact[]): Promise<readonly StoppingPoint[]> {
  const { checked, terms, formula, walk: whole } = proved;
  const positions = group.map(({ position }) => position);
  const stop = terms.constant("stop@", "Int");
  const last = Math.max(...positions);
  const asked = follow(() => {
    const until = walk(whole.checked, terms, { stop, last });
    const goal = sayOf(proved, until);
    const within = terms.and(
      terms.apply("<=", terms.int(Math.min(...positions)), stop),
      terms.apply("<=", stop, terms.int(last)),
    );
    return { assumptions: [...until.assumptions, within], goal };
  });
  const open = (certain: (fact: Fact) => boolean) =>
    group.map((after) => ({ after, certain: certain(after) }));
  if (!asked.ok) return open(() => false);
  const { assumptions, goal } = asked.value;
  if (new Assumed(terms).holds(assumptions, goal)) return [];
  const answer = await proved.ask(assumptions, goal);
  if (answer.kind === "unsat") return [];
  const models = [guess(assumptions, goal, terms.effort), answer.kind === "sat" ? answer.model : undefined];
  for (const model of models)
    if (model !== undefined) proved.runs.push((await replay(checked, { model })).recorded);
  const runs = proved.runs.slice(-mostOtherRuns);
  return open((after) => runs.some((run) => breaksWhenStopped(checked, formula, run, after)));
}

/** SOUNDNESS: what is assumed of whole runs helps only if every beginning is the beginning of one. */
function onlyAdds({ checked, terms, walk: whole, goesOn }: Proved, sum: AggregateExpr): boolean {
  const assumed = new Assumed(terms);
  const assumptions = goesOn ? whole.assumptions : [];
  const zero = terms.int(0);
  return addends(checked, terms, whole, sum).every(({ present, value }) =>
    assumed.holds(assumptions, terms.implies(present, terms.apply("<=", zero, value))),
  );
}

interface Place {
  readonly after: Fact | undefined;
  readonly assumptions: readonly Term[];
  /** The term "the guarantee holds on the prefix", for the runs that get there. */
  readonly goal: Term;
}

/** Compiles the guarantee at each stopping point, in order. */
class Saying {
  readonly #proved: Proved;
  readonly #concerns: Concerns;
  /** The formula on all calls before the next point, if it is known and needed no assumptions. */
  #before: Term | undefined;

  constructor(proved: Proved) {
    this.#proved = proved;
    this.#concerns = concernsOf(proved.checked, proved.formula);
  }

  /** A call is passed over: it may make a difference to all that comes after it. */
  pass(): void {
    this.#before = undefined;
  }

  /** Returns the query "the guarantee holds on the prefix", for the runs that get there. */
  at(after: Fact | undefined): { readonly assumptions: () => readonly Term[]; readonly goal: Term } {
    const { terms, walk: whole } = this.#proved;
    const until = () => walkUntil(whole, after?.position ?? -1);
    const goalOf = (said: Term) => terms.implies(after?.guard ?? terms.true, said);
    const concerned = after !== undefined && this.#concerns(after.tool);
    if (this.#before !== undefined && !concerned) {
      const goal = goalOf(this.#before);
      // SOUNDNESS: what was made for the formula at another place is numbered as what this walk numbers may be.
      if (goal === terms.true || goal === terms.false || !until().isNumbered)
        return { assumptions: () => until().own, goal };
    }
    const { walk: stopped, own } = until();
    const said = sayOf(this.#proved, stopped);
    const isPlain = stopped.assumptions.length === own.length;
    this.#before = isPlain && !concerned ? said : undefined;
    return { assumptions: () => stopped.assumptions, goal: goalOf(said) };
  }
}

/** Compiles the guarantee over a prefix. */
function sayOf({ checked, terms, formula }: Proved, until: Progress): Term {
  return formulaTerm(checked, terms, until, formula);
}

/** All places at once: one question, and no telling them apart. */
async function together(proved: Proved, places: readonly (Fact | undefined)[]): Promise<Interruption> {
  const { terms, ask, walk: whole } = proved;
  const until = walk(whole.checked, terms, { stop: terms.constant("stop@", "Int") });
  const goal = sayOf(proved, until);
  const { assumptions } = until;
  const isSeen = new Assumed(terms).holds(assumptions, goal);
  const answer = isSeen ? undefined : await ask(assumptions, goal);
  if (answer === undefined || answer.kind === "unsat") return { kind: "safe" };
  return { kind: "open", at: places.map((after) => ({ after, certain: false })) };
}

/** @param runs those that were made for other promises, and for earlier places: most go on to the later ones */
async function look(proved: Proved, place: Place, runs: RecordedRun[]): Promise<StoppingPoint | undefined> {
  const { checked, formula } = proved;
  const { after, assumptions, goal } = place;
  const breaks = (run: RecordedRun) => breaksWhenStopped(checked, formula, run, after);
  if (runs.some(breaks)) return { after, certain: true };
  const broken = async (model: Model) => {
    const { recorded } = await replay(checked, { model });
    runs.push(recorded);
    proved.runs.push(recorded);
    return breaks(recorded);
  };
  const guessed = guess(assumptions, goal, proved.terms.effort);
  if (guessed !== undefined && (await broken(guessed))) return { after, certain: true };
  const answer = await proved.ask(assumptions, goal);
  if (answer.kind === "unsat") return undefined;
  return { after, certain: answer.kind === "sat" && (await broken(answer.model)) };
}
