/**
 * Finds a counterexample about order with the fewest calls, for people to read. Not trusted: the interpreter replays
 * every run.
 */
import type { Expr, RecordedRun } from "../../ir/index.ts";
import { scriptFor } from "../decide/encode.ts";
import type { Model, Script, SolverAnswer } from "../decide/solver/port.ts";
import type { Walk } from "../symbolic/call-events.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { guess } from "./concrete-search.ts";

export interface Search {
  readonly terms: Terms;
  readonly walk: Walk;
  readonly goal: Term;
  readonly attempt: (model: Model) => Promise<{ readonly recorded: RecordedRun; readonly broken: boolean }>;
  readonly ask: (script: Script) => Promise<SolverAnswer>;
}

/** Returns true if the formula depends on the order of calls. */
export function speaksOfOrder(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const kind: Expr["kind"] | unknown = Reflect.get(node, "kind");
  return kind === "automaton" || kind === "precedes" || Object.values(node).some(speaksOfOrder);
}

/** @param found a run that breaks it */
export async function fewestCalls(search: Search, found: RecordedRun): Promise<RecordedRun> {
  const { terms, walk } = search;
  const [one, zero] = [terms.int(1), terms.int(0)];
  const calls = terms.sum(
    walk.facts.map(({ guard }) => terms.ite(guard, one, zero)),
    "Int",
  );
  let best = found;
  // Fewer than those that every run makes it cannot be.
  let least = walk.facts.filter(({ guard }) => guard === terms.true).length;
  while (least < best.trace.length) {
    const most = Math.floor((least + best.trace.length - 1) / 2);
    const shorter = await runWith(search, terms.apply("<=", calls, terms.int(most)));
    if (shorter !== undefined && shorter.trace.length < best.trace.length) best = shorter;
    else least = most + 1;
  }
  return best;
}

async function runWith(
  { terms, walk, goal, attempt, ask }: Search,
  few: Term,
): Promise<RecordedRun | undefined> {
  const assumptions = [...walk.assumptions, few];
  const guessed = guess(assumptions, goal, terms.effort);
  const tried = guessed && (await attempt(guessed));
  if (tried?.broken) return tried.recorded;
  const answer = await ask(scriptFor(assumptions, goal));
  if (answer.kind !== "sat") return undefined;
  const { recorded, broken } = await attempt(answer.model);
  return broken ? recorded : undefined;
}
