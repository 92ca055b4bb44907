/**
 * Provenance formulas. The possible flows of each call are known from the program, so they are true or false; the
 * readers of a tool result depend on the run. Part of what must be trusted.
 */
import {
  type Asked,
  append,
  type Checked,
  type Expr,
  type FlowsExpr,
  flowOf,
  type InfluencedExpr,
  type MayReadExpr,
  type Need,
  type Needs,
  needsOf,
} from "../../ir/index.ts";
import { choose, isIn } from "../loops/unbounded-list.ts";
import { type AnyIteration, type Fact, NotFollowed, type Walk } from "../symbolic/call-events.ts";
import { compile, readField, type Scene } from "../symbolic/compile.ts";
import type { Symbolic } from "../symbolic/symbolic-value.ts";
import type { Term } from "../terms/term.ts";

const mates = new WeakMap<Fact, readonly Fact[]>();

/** The calls of one iteration of a loop over a list that is not known, to be found from each of them. */
export function asMates(facts: readonly Fact[]): readonly Fact[] {
  for (const fact of facts) mates.set(fact, facts);
  return facts;
}

/**
 * @param formula the whole formula
 * @param calls those that variables are bound to
 */
export function flowTerm(
  expr: FlowsExpr | InfluencedExpr | MayReadExpr,
  checked: Checked,
  walk: Walk,
  formula: Expr | undefined,
  calls: ReadonlyMap<string, Fact>,
  scene: Scene,
): Term {
  if (formula === undefined) throw new NotFollowed("where a value came from", []);
  const factOf = (variable: string) => {
    const fact = calls.get(variable);
    if (fact === undefined) throw new TypeError(`\`${variable}\` does not stand for a call`);
    return fact;
  };
  const call = (variable: string) => factOf(variable).id;
  const asked: Asked = { formula, types: checked.types, call };
  const flow = flowOf(checked);
  switch (expr.kind) {
    case "flows":
      return scene.terms.bool(flow.flows(expr.value, expr.from, expr, asked) !== undefined);
    case "influenced":
      return scene.terms.bool(flow.influenced(call(expr.call), expr.from) !== undefined);
    case "mayRead":
      return mayRead(expr, needsOf(flow, expr, asked), factOf, walk, scene);
  }
}

/**
 * Returns the term "each of these readers may read every call result that may be in the value". SOUNDNESS: a call of
 * any iteration stands for all of them, and so does any row, because this formula occurs only positively.
 */
function mayRead(
  expr: MayReadExpr,
  { asking, needs }: Needs,
  factOf: (variable: string) => Fact,
  walk: Walk,
  scene: Scene,
): Term {
  const { terms } = scene;
  const wanted = eachOf(compile(expr.reader, scene), scene);
  const here = asking === undefined ? undefined : factOf(asking);
  const said: Term[] = [];
  for (const need of needs) {
    for (const fact of callsOf(need, here, walk)) {
      if (need.isTextOfFailure) said.push(terms.not(terms.and(fact.guard, fact.failed)));
      for (const row of rowsOf(need, fact, here, scene)) {
        const readers = readersOf(fact, row.value, scene);
        const returned = terms.and(fact.guard, terms.not(fact.failed), row.present);
        for (const one of wanted)
          said.push(terms.implies(terms.and(returned, one.present), isIn(readers, one.value, scene)));
      }
    }
  }
  return terms.all(said);
}

interface Part {
  readonly present: Term;
  readonly value: Symbolic;
}

/** The value itself, or each element of a list; of one that is not known, any. */
function eachOf(value: Symbolic, scene: Scene): readonly Part[] {
  const { terms } = scene;
  if (value.kind === "list") return value.items;
  if (value.kind !== "opaque" || value.type.kind !== "list") return [{ present: terms.true, value }];
  const number = scene.count();
  const made = terms.constant(`reader@${number}`, "Bool");
  return [{ present: made, value: choose(value, { name: `reader ${number}`, made }, scene) }];
}

/**
 * SOUNDNESS: where it cannot be told which are of the same iteration, they are all meant. So it is where the call stands in
 * a further loop over a list that is not known: its mate is of one iteration of that loop, the same one wherever the
 * formula asks, and what is meant is every iteration, each time it asks.
 */
function callsOf({ call, shared }: Need, here: Fact | undefined, walk: Walk): readonly Fact[] {
  const isSame = ({ indices }: Fact) =>
    here !== undefined && indices.slice(0, shared).every((index, i) => index === here.indices[i]);
  const isOfAny = ({ indices }: Fact) => indices.slice(shared).some((index) => index < 0);
  const found: Fact[] = [];
  const loops = new Set<AnyIteration>();
  for (const fact of walk.facts) {
    if (fact.id !== call.id) continue;
    if (fact.loop !== undefined) loops.add(fact.loop);
    else if (shared === 0 || isSame(fact)) found.push(fact);
  }
  for (const loop of loops) {
    const together = shared > 0 && here?.loop === loop ? mates.get(here) : undefined;
    const meant = together?.filter((fact) => fact.id === call.id && isSame(fact));
    if (meant === undefined || meant.length === 0 || meant.some(isOfAny))
      append(
        found,
        loop.again().facts.filter(({ id }) => id === call.id),
      );
    else for (const fact of meant) found.push(fact);
  }
  return found;
}

/** The result, or each of its rows that matter; of those that are not known, any. */
function rowsOf(need: Need, fact: Fact, here: Fact | undefined, scene: Scene): readonly Part[] {
  const { result, tool } = fact;
  if (result === undefined) return [];
  if (tool.result?.kind !== "list") return [{ present: scene.terms.true, value: result }];
  const own = here === undefined ? undefined : ownRow(need, result, here);
  return own === undefined ? eachOf(result, scene) : [{ present: scene.terms.true, value: own }];
}

/** The element that the asking call's iteration is for. */
function ownRow({ row }: Need, result: Symbolic, here: Fact): Symbolic | undefined {
  const index = row === undefined ? undefined : here.indices[row];
  if (row === undefined || index === undefined) return undefined;
  if (index >= 0) return result.kind === "list" ? result.items[index]?.value : undefined;
  // Only loops over lists that are not known have turns.
  return here.turns[here.indices.slice(0, row).filter((one) => one < 0).length]?.element;
}

function readersOf({ tool, args, result }: Fact, row: Symbolic, scene: Scene): Symbolic {
  if (tool.readers === undefined) throw new TypeError(`\`${tool.name}\` says nothing of readers`);
  const names = new Map<string, Symbolic>([["row", row]]);
  for (const { name, optional } of tool.params)
    names.set(name, readField(scene.terms, args, name, optional === true));
  if (result !== undefined) names.set("result", result);
  return compile(tool.readers, { ...scene, names });
}
