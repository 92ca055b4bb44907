/** The order of actions by the contract, pair by pair: who has to wait for whom. */
import type { Action, Plan } from "../../../src/plan/plan.ts";
import { argsOf, models } from "./tools.ts";
import { referredIn } from "./values.ts";

/** For each action those that have to end before it begins. The plan must hang together. */
export function waitsFor({ actions }: Plan, isDeclared: boolean): ReadonlySet<number>[] {
  const numbers = new Map(actions.map(({ id }, i) => [id, i]));
  const named = actions.map((action) => namedBy(action).map((id) => numbers.get(id) ?? -1));
  const row = rowOf(named);
  const uses = actions.map((action) => ({
    reads: keysRead(action, isDeclared),
    writes: keysWritten(action, isDeclared),
  }));
  const waits = named.map((from) => new Set(from));
  for (const [place, i] of row.entries()) {
    for (const earlier of row.slice(0, place)) {
      const [a, b] = [uses[earlier], uses[i]];
      if (a === undefined || b === undefined) continue;
      const meet = (some: readonly string[], others: readonly string[]) =>
        some.some((key) => others.includes(key));
      if (meet(a.writes, b.reads) || meet(a.writes, b.writes) || meet(a.reads, b.writes))
        waits[i]?.add(earlier);
    }
  }
  return waits;
}

function namedBy({ dependencies, parameters, expectedEffects }: Action): string[] {
  return [
    ...dependencies,
    ...referredIn(parameters),
    ...expectedEffects.flatMap(({ value }) => referredIn(value)),
  ];
}

/** Again and again the first of the list that waits for nobody outside the row. */
function rowOf(named: readonly (readonly number[])[]): number[] {
  const row: number[] = [];
  while (row.length < named.length) {
    const next = named.findIndex((from, i) => !row.includes(i) && from.every((one) => row.includes(one)));
    if (next < 0) throw new Error("the plan does not hang together");
    row.push(next);
  }
  return row;
}

function keysRead(action: Action, isDeclared: boolean): string[] {
  const { type, parameters, preconditions, stateDependencies, readSet } = action;
  const own = type === "state_read" || type === "assertion" ? [parameters.key] : [];
  return [
    ...preconditions.map(({ key }) => key),
    ...stateDependencies,
    ...readSet,
    ...own.flatMap((key) => (typeof key === "string" ? [key] : [])),
    ...(isDeclared && type === "tool_call" ? cellsRead(action) : []),
  ];
}

export function keysWritten(action: Action, isDeclared: boolean): string[] {
  const { type, parameters, expectedEffects, writeSet } = action;
  return [
    ...(type === "state_write" && typeof parameters.key === "string" ? [parameters.key] : []),
    ...expectedEffects.map(({ key }) => key),
    ...writeSet,
    ...(isDeclared && type === "tool_call" ? cellsWritten(action) : []),
  ];
}

function cellsRead({ tool = "", parameters }: Action): readonly string[] {
  return models[tool]?.reads(argsOf(parameters)) ?? [];
}

function cellsWritten({ tool = "", parameters }: Action): readonly string[] {
  return (models[tool]?.changes(argsOf(parameters), () => 0n) ?? []).map(({ key }) => key);
}
