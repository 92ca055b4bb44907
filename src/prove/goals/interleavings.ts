/**
 * Goals that depend on the order of concurrent calls: automata, and counts before a call. SOUNDNESS: running totals
 * follow written order. They are used only if every interleaving starts the relevant calls in that order. If there
 * are few other orders, each is checked. Part of what must be trusted.
 */
import { bodiesOf, type Checked, type Command, commandsIn, isParallel, type Tool } from "../../ir/index.ts";
import { type Fact, NotFollowed } from "../symbolic/call-events.ts";
import { isSingle } from "../symbolic/parallel.ts";
import type { Terms } from "../terms/factory.ts";
import { isOrdered } from "./order.ts";

type Matters = (tool: Tool) => boolean;

/** Returns whether calls of these tools are started in written order, however the branches of the program interleave. */
export function inWrittenOrder(checked: Checked, matters: Matters): boolean {
  return everyPair(checked, matters, matters, (one, other) => isSingle(one) && isSingle(other));
}

/** Returns whether no call of the one kind can be under way together with one of the other kind. */
export function neverTogether(checked: Checked, these: Matters, those: Matters): boolean {
  return everyPair(checked, these, those, () => false);
}

/** Returns whether it is so of every two branches at the same time of which one makes calls of one kind, the other of the other. */
function everyPair(
  checked: Checked,
  these: Matters,
  those: Matters,
  isSo: (one: readonly Command[], other: readonly Command[]) => boolean,
): boolean {
  const { tools } = checked;
  const makes = (body: readonly Command[], kind: Matters) =>
    [...commandsIn(body)].some((command) => {
      const tool = command.kind === "call" ? tools.get(command.tool) : undefined;
      return tool !== undefined && kind(tool);
    });
  for (const branches of besideIn(checked)) {
    const [some, others] = [these, those].map((kind) => branches.map((body) => makes(body, kind)));
    const pairs = branches.flatMap((one, i) =>
      branches.flatMap((other, j) => (i !== j && some?.[i] && others?.[j] ? [[one, other] as const] : [])),
    );
    if (!pairs.every(([one, other]) => isSo(one, other))) return false;
  }
  return true;
}

type Bodies = readonly (readonly Command[])[];

const known = new WeakMap<Checked, readonly Bodies[]>();

/** Returns, for each parallel command, the bodies that run at the same time; for a loop, two iterations. */
function besideIn(checked: Checked): readonly Bodies[] {
  const before = known.get(checked);
  if (before !== undefined) return before;
  const commands = [...commandsIn(checked.document.program.body)].filter(isParallel);
  const found = commands.map((one) => (one.kind === "for" ? [one.body, one.body] : bodiesOf(one)));
  known.set(checked, found);
  return found;
}

/** LIMIT: of calls that are ordered, of orders, and of calls in all of them together. */
const mostCalls = 500;
const mostOrders = 200;
const mostSteps = 4_000;

/** All orders in which the calls can be started. Throws `NotFollowed` where there are too many. */
export function ordersOf(terms: Terms, facts: readonly Fact[], what: string): readonly (readonly Fact[])[] {
  if (facts.every(({ lanes }) => lanes.length === 0)) return [facts];
  if (facts.length > mostCalls) throw atTheSameTime(what, facts);
  const after = facts.map((fact, i) =>
    facts.flatMap((other, j) => (j < i && isOrdered(terms, other, fact) ? [j] : [])),
  );
  const orders: Fact[][] = [];
  const order: number[] = [];
  const taken = new Set<number>();
  const extend = (): void => {
    if (order.length === facts.length) {
      orders.push(order.flatMap((i) => facts[i] ?? []));
      if (orders.length > mostOrders || orders.length * facts.length > mostSteps)
        throw atTheSameTime(what, facts);
      return;
    }
    for (const [i, earlier] of after.entries()) {
      if (taken.has(i) || !earlier.every((j) => taken.has(j))) continue;
      taken.add(i);
      order.push(i);
      extend();
      order.pop();
      taken.delete(i);
    }
  };
  extend();
  return orders;
}

/** Says that several branches make calls that matter. */
export function atTheSameTime(what: string, facts: readonly Fact[]): NotFollowed {
  const fact = facts.find(({ lanes }) => lanes.length > 0) ?? facts[0];
  const tool = fact === undefined ? "" : `, \`${fact.tool.name}\` among them`;
  const where = fact?.lanes.length === 0 ? "iterations of a parallel loop" : "branches of a parallel command";
  return new NotFollowed(`${what} over calls${tool}, in several ${where}`, fact?.path ?? []);
}
