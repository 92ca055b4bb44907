/** `automaton({ states, start, on, error })`: the order of calls, as the states that they lead through. */
import type { Node } from "oxc-parser";
import { looksBeyond, type Transition, variablesOf } from "../../ir/index.ts";
import { bool } from "../ty.ts";
import { data, isUndefined, type Val } from "../value.ts";
import { arrayItems } from "./access.ts";
import type { Lowering } from "./core.ts";
import { asRelation, bindRow, inTrace } from "./relation.ts";

const example =
  'write `automaton({ states: ["idle", "asked"], start: "idle", on: [{ from: "idle", call: bank.ask, to: "asked" }, …], error: "bad" })`';

export function automaton(low: Lowering, args: readonly Val[], node: Node): Val {
  inTrace(low, node);
  const [given] = args;
  const options =
    args.length === 1 ? fieldsOf(low, given, ["states", "start", "on", "error"], node) : undefined;
  if (options === undefined) return low.refuse(node, "FC2314", "`automaton` takes one object", example);
  const states = statesOf(low, options.get("states"), "`states`", node);
  const error = statesOf(low, options.get("error"), "`error`", node, "or one");
  for (const state of error) states.add(state);
  const start = stateIn(low, states, options.get("start"), "`start`", node);
  const listed = options.get("on");
  const items = listed === undefined ? undefined : arrayItems(low, listed);
  if (items === undefined)
    return low.refuse(node, "FC2314", "`on` is a list of transitions that is written out", example);
  const written = writtenOut(node);
  const on = items.flatMap((item, i) => transitionsOf(low, item, states, written?.[i] ?? node));
  checkReached(low, start, on, node);
  if (error.has(start))
    low.refuse(node, "FC2225", "the automaton starts in an error state, so this never holds", example);
  if (error.size === 0)
    low.refuse(node, "FC2225", "an automaton without an error state rules nothing out", example);
  return data({ kind: "automaton", states: [...states], start, on, error: [...error] }, bool);
}

/** The transitions as they stand in the source, if each of them stands there. */
function writtenOut(node: Node): readonly Node[] | undefined {
  const [given] = node.type === "CallExpression" ? node.arguments : [];
  if (given?.type !== "ObjectExpression") return undefined;
  for (const property of given.properties) {
    if (property.type !== "Property" || property.key.type !== "Identifier" || property.key.name !== "on")
      continue;
    if (property.value.type !== "ArrayExpression") return undefined;
    const { elements } = property.value;
    const nodes = elements.filter((one) => one !== null && one.type !== "SpreadElement");
    return nodes.length === elements.length ? nodes : undefined;
  }
  return undefined;
}

/** The fields of an object whose fields are known; undefined if it is something else. */
function fieldsOf(
  low: Lowering,
  val: Val | undefined,
  allowed: readonly string[],
  node: Node,
): ReadonlyMap<string, Val> | undefined {
  if (val?.kind !== "ref" || val.shape.kind !== "object") return undefined;
  const found = new Map<string, Val>();
  for (const [name, slot] of val.shape.fields) {
    if (!allowed.includes(name))
      low.refuse(
        node,
        "FC2011",
        `there is no option \`${name}\` here`,
        `there is ${allowed.map((one) => `\`${one}\``).join(", ")}`,
      );
    found.set(name, low.read(slot));
  }
  return found;
}

/** Constant strings: several, or one that stands alone where that is allowed. */
function statesOf(
  low: Lowering,
  val: Val | undefined,
  what: string,
  node: Node,
  count: "several" | "or one" | "one" = "several",
): Set<string> {
  const alone = val !== undefined && count !== "several" ? textIn(val) : undefined;
  if (alone !== undefined) return new Set([alone]);
  const items = val === undefined || count === "one" ? undefined : arrayItems(low, val);
  const texts = items?.map(textIn);
  if (texts === undefined || !texts.every((one) => one !== undefined))
    return low.refuse(
      node,
      "FC2204",
      `${what} of an automaton ${count === "one" ? "is a constant string" : "is a list of constant strings"}`,
      example,
    );
  const found = new Set<string>();
  for (const one of texts) {
    if (found.has(one)) low.refuse(node, "FC2225", `the state \`${one}\` is given twice`);
    found.add(one);
  }
  return found;
}

function textIn(val: Val): string | undefined {
  return val.kind === "data" && val.expr.kind === "string" ? val.expr.value : undefined;
}

function stateIn(
  low: Lowering,
  states: ReadonlySet<string>,
  val: Val | undefined,
  what: string,
  node: Node,
): string {
  const [state = ""] = statesOf(low, val, what, node, "one");
  return known(low, states, state, node);
}

function known(low: Lowering, states: ReadonlySet<string>, state: string, node: Node): string {
  if (states.has(state)) return state;
  const there = [...states].map((one) => `\`${one}\``).join(", ");
  return low.refuse(node, "FC2225", `the automaton has no state \`${state}\``, `it has ${there}`);
}

/** One for each state that it leads from. */
function transitionsOf(low: Lowering, val: Val, states: ReadonlySet<string>, node: Node): Transition[] {
  const options = fieldsOf(low, val, ["from", "call", "when", "to"], node);
  const call = options?.get("call");
  if (options === undefined || call === undefined)
    return low.refuse(node, "FC2314", "a transition is an object with `from`, `call` and `to`", example);
  const when = options.get("when");
  const relation = asRelation(low, call, node);
  const isCalls = relation.relation.kind === "calls" || relation.relation.kind === "label";
  if (!isCalls)
    low.refuse(
      node,
      "FC2216",
      "an automaton reads calls, and rows that a tool returned are none",
      "use the tool's calls",
    );
  const chosen =
    when === undefined || isUndefined(when) ? relation : { ...relation, where: [...relation.where, when] };
  const around = new Set(low.rows);
  const { over } = bindRow(low, chosen, when, node);
  const outer =
    over.where === undefined ? [] : [...variablesOf(over.where)].filter((name) => around.has(name));
  if (over.where !== undefined && (outer.length > 0 || looksBeyond(over.where, "names")))
    low.refuse(
      node,
      "FC2224",
      "a transition reads its call alone, and this one reads something else of the run",
      "use the arguments of the call, constants and the contract's parameters",
    );
  const to = stateIn(low, states, options.get("to"), "`to`", node);
  const from = statesOf(low, options.get("from"), "`from`", node, "or one");
  return [...from].map((state) => ({ from: known(low, states, state, node), over, to }));
}

/** A transition that no run can take is most likely one whose state is misspelt. */
function checkReached(low: Lowering, start: string, on: readonly Transition[], node: Node): void {
  const reached = new Set([start]);
  for (const state of reached) for (const { from, to } of on) if (from === state) reached.add(to);
  const never = on.find(({ from }) => !reached.has(from));
  if (never !== undefined)
    low.refuse(
      node,
      "FC2225",
      `no transition leads to the state \`${never.from}\`, so none leads on from it`,
      "lead to it, or leave that transition out",
    );
}
