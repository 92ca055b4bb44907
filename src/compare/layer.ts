/** The tools that what is said can depend on, and what is known of a call of one, whatever the program. */

import { type Expr, type Fluent, referencesIn, type Tool } from "../ir/index.ts";
import { readsState } from "./kinds.ts";
import { normal } from "./names.ts";

/** All tools and fluents that programs can use. */
export interface Layer {
  readonly tools: readonly Tool[];
  readonly fluents: readonly Fluent[];
}

/**
 * The tools whose calls can make a difference to the formulas.
 * SOUNDNESS: a call of another tool changes no relation and no fluent of which the formulas speak, nor one that decides
 * whether a tool of these may be called or what it sets; so a trace is judged as it is without that call.
 */
export function relevant({ tools, fluents }: Layer, formulas: readonly Expr[]): Layer {
  const found = new Set<Tool>();
  const read = new Set<string>();
  let waiting: readonly Expr[] = formulas;
  while (waiting.length > 0) {
    const spoken = waiting.map((one) => referencesIn(one));
    for (const one of spoken) for (const name of one.fluents) read.add(name);
    const more = tools.filter(
      (tool) =>
        !found.has(tool) &&
        (spoken.some(
          (one) => one.tools.has(tool.name) || tool.labels.some((label) => one.labels.has(label)),
        ) ||
          tool.sets.some(({ fluent }) => read.has(fluent))),
    );
    for (const tool of more) found.add(tool);
    waiting = more.flatMap(({ requires, sets, cost }) => [
      ...requires,
      ...(cost === undefined ? [] : [cost]),
      ...sets.flatMap(({ key, value, when }) => (when === undefined ? [key, value] : [key, value, when])),
    ]);
  }
  const set = new Set([...found].flatMap(({ sets }) => sets.map(({ fluent }) => fluent)));
  return {
    tools: tools.filter((tool) => found.has(tool)),
    fluents: fluents.filter(({ name }) => read.has(name) || set.has(name)),
  };
}

/** Returns the requirements of a call that depend on its arguments alone; nothing else is known of it in every state. */
export function neededOf({ requires, cost }: Tool, args: ReadonlyMap<string, Expr>): Expr[] {
  const all = cost === undefined ? requires : [...requires, notNegative(cost)];
  return all.filter((one) => !readsState(one)).map((one) => normal(one, args));
}

/** Returns the requirements of a call on the state. */
export function neededOfState({ requires, cost }: Tool): {
  readonly requires: readonly Expr[];
  readonly cost?: Expr;
} {
  const left = requires.filter(readsState);
  return cost !== undefined && readsState(cost) ? { requires: left, cost } : { requires: left };
}

function notNegative(cost: Expr): Expr {
  return { kind: "op", op: ">=", args: [cost, { kind: "number", value: 0n }] };
}
