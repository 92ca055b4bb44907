/** Calls: what a tool needs, what it sets, what it answers. Part of what must be trusted. */
import { isBuiltin, type Tool } from "../../ir/index.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import type { Fact } from "./call-events.ts";
import { compile, compileBool, readField, type Scene, termOf } from "./compile.ts";
import type { SymbolicWrite } from "./fluent-state.ts";
import { merge } from "./shape.ts";
import { type Progress, resultName } from "./symbolic-state.ts";
import type { RecordSymbolic, Symbolic } from "./symbolic-value.ts";

export type Called = Pick<Fact, "id" | "indices" | "tool" | "args" | "guard" | "caught" | "path">;

export function makeCall(progress: Progress, call: Called): Fact {
  const { terms } = progress;
  progress.interfere();
  const { id, indices, tool, args, guard, caught, path } = call;
  const name = resultName(call);
  const mayFail = isBuiltin(tool.name) ? terms.false : caught ? guard : progress.isLast();
  const failed =
    mayFail === terms.false
      ? terms.false
      : terms.and(guard, mayFail, terms.constant(`failed@${name}`, "Bool"));
  const happened = happens(terms, guard, failed, name);
  const result = tool.result && progress.fresh(name, tool.result);
  const ensures: Term[] = [];
  const position = progress.facts.length;
  const { loop, turns, lanes, totals } = progress.at;
  const made: Fact = {
    position,
    id,
    indices,
    tool,
    args,
    guard,
    caught,
    path,
    turns,
    lanes,
    totals,
    failed,
    happened,
    result,
    ensures,
    ...progress.here,
  };
  const fact: Fact = loop === undefined ? made : { ...made, loop };
  const before = toolScene(progress, id, tool, args, undefined);
  if (tool.requires.length > 0) {
    const required = tool.requires.map((condition) => terms.implies(guard, compileBool(condition, before)));
    required.forEach((goal, i) => {
      const condition = tool.requires[i];
      progress.oblige({ kind: "requires", goal, condition, fact, path });
    });
  }
  obligeCost(progress, fact, before);
  progress.make(fact);
  write(progress, fact, before);
  assumeEnsures(progress, fact, ensures);
  progress.add(fact);
  return fact;
}

/**
 * The call again, as the last one of a run: whether it failed is open, also where the program does not go on then.
 * SOUNDNESS: what it requires and what it answers does not depend on that, and is taken from the whole walk. What it
 * ensures is assumed only where it did not fail, and there the state after it is that of the whole walk.
 */
export function makeLastCall(progress: Progress, whole: Progress, last: Fact): void {
  const { terms } = progress;
  const { tool, args, guard, caught, position } = last;
  const isKnown = caught || isBuiltin(tool.name);
  const failed = isKnown
    ? last.failed
    : terms.and(guard, terms.constant(`failed@${resultName(last)}`, "Bool"));
  for (const { fact, goal } of whole.obligations) if (fact === last) progress.assume(goal);
  const isSame = failed === last.failed;
  const { turns, totals } = progress.at;
  const happened = isSame ? last.happened : happens(terms, guard, failed, resultName(last));
  const fact: Fact = { ...last, failed, happened, turns, totals };
  progress.make(fact);
  const after = isSame ? whole.stateAfter(position) : undefined;
  if (after !== undefined) progress.reach(after, guard);
  else write(progress, fact, toolScene(progress, fact.id, tool, args, undefined));
  const answered = terms.and(guard, terms.not(failed));
  for (const ensured of last.ensures) progress.assume(terms.implies(answered, ensured));
}

function happens(terms: Terms, guard: Term, failed: Term, name: string): Term {
  if (failed === terms.false) return guard;
  return terms.and(guard, terms.or(terms.not(failed), terms.constant(`took@${name}`, "Bool")));
}

function obligeCost(progress: Progress, fact: Fact, before: Scene): void {
  const { terms } = progress;
  const { cost } = fact.tool;
  if (cost === undefined) return;
  const enough = terms.apply("<=", terms.int(0), termOf(compile(cost, before)));
  const goal = terms.implies(fact.guard, enough);
  progress.oblige({ kind: "cost", goal, condition: cost, fact, path: fact.path });
}

/** SOUNDNESS: only of a call that was reached and did not fail; its `requires` is an assumption of its own. */
function assumeEnsures(
  progress: Progress,
  { id, tool, args, result, guard, failed }: Fact,
  ensures: Term[],
): void {
  const { terms } = progress;
  const answered = terms.and(guard, terms.not(failed));
  if (tool.ensures.length === 0) return;
  const after = toolScene(progress, id, tool, args, result);
  for (const condition of tool.ensures) {
    const term = compileBool(condition, after);
    ensures.push(term);
    progress.assume(terms.implies(answered, term));
  }
}

/** The names that a tool's clauses see. */
function toolScene(
  progress: Progress,
  call: string,
  tool: Tool,
  args: RecordSymbolic,
  result: Symbolic | undefined,
): Scene {
  const { state } = progress.at;
  const scene = progress.newScene((expr, inner) => {
    if (expr.kind !== "cell") throw new TypeError("a tool does not speak of the trace");
    return state.read(expr.fluent, termOf(compile(expr.key, inner)));
  }, call);
  for (const { name, optional } of tool.params) {
    scene.names.set(name, readField(progress.terms, args, name, optional === true));
  }
  if (result !== undefined) scene.names.set("result", result);
  return scene;
}

/** All of a call's writes read the state before it. One that failed leaves an unknown value at its keys. */
function write(progress: Progress, { tool, guard, failed, id, indices }: Fact, before: Scene): void {
  if (tool.sets.length === 0) {
    progress.reach(progress.at.state, guard, false);
    return;
  }
  const { terms, checked } = progress;
  const writes = tool.sets.map(({ fluent, key, value, when }, i) => {
    const happens = when === undefined ? guard : terms.and(guard, compileBool(when, before));
    const type = checked.fluents.get(fluent)?.value;
    if (type === undefined) throw new TypeError(`there is no fluent \`${fluent}\``);
    const written = compile(value, before);
    const lost =
      failed === terms.false ? written : progress.fresh(`lost@${i}@${resultName({ id, indices })}`, type);
    const held: SymbolicWrite = {
      guard: happens,
      key: termOf(compile(key, before)),
      value: merge(terms, failed, lost, written),
    };
    return [fluent, held] as const;
  });
  let { state } = progress.at;
  for (const [fluent, held] of writes) {
    const { key, guard: happens, value: after } = held;
    if (progress.ghosts.length > 0)
      progress.count({ fluent, key, happens, before: state.read(fluent, key), after });
    progress.wrote(fluent, held);
    state = state.after(fluent, held);
  }
  progress.reach(state, guard);
}
