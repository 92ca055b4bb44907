/**
 * Evaluates a tool's declaration for one call: its conditions, its cost, its updates. Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import type { Expr, Tool } from "../document.ts";
import type { Num } from "../number.ts";
import { recordOf } from "../type.ts";
import { isNum, type RecordValue, type Value } from "../value.ts";
import { type Environment, evaluate, type Known, readField } from "./evaluate.ts";
import type { Meter } from "./meter.ts";
import { isPartly, type Unknown, unknownFrom } from "./partly.ts";
import type { State, Write } from "./state.ts";

/** The names a tool's clauses see: its parameters, the state before the call, and afterwards the result. */
export function callEnvironment(
  checked: Checked,
  tool: Tool,
  args: RecordValue,
  state: State,
  meter: Meter,
  result?: Value,
): Environment {
  const type = recordOf(tool.params);
  const names = new Map<string, Known>();
  for (const { name } of tool.params) names.set(name, readField(args, name, type));
  if (result !== undefined) names.set("result", result);
  return {
    names,
    types: checked.types,
    meter,
    look: (expr, environment) => {
      if (expr.kind !== "cell") throw new TypeError(`\`${expr.kind}\` cannot stand in a tool`);
      return state.read(expr.fluent, evaluate(expr.key, environment));
    },
  };
}

/** The first condition that is not known to hold, and why. */
export function firstBroken(
  conditions: readonly Expr[],
  environment: Environment,
): { readonly condition: Expr; readonly why: "false" | Unknown } | undefined {
  for (const condition of conditions) {
    const value = evaluate(condition, environment);
    if (value !== true) return { condition, why: isPartly(value) ? unknownFrom(value) : "false" };
  }
  return undefined;
}

/** The writes of a call, in order, worked out in the state before it. */
export function writesOf(tool: Tool, environment: Environment): Write[] {
  const writes: Write[] = [];
  for (const [update, { fluent, key, value, when }] of tool.sets.entries()) {
    const happens = when === undefined ? true : evaluate(when, environment);
    if (happens === false) continue;
    const at = evaluate(key, environment);
    const to = evaluate(value, environment);
    writes.push({
      update,
      fluent,
      key: isPartly(at) ? unknownFrom(at) : at,
      // SOUNDNESS: a write that may or may not happen leaves the cell unknown.
      value: isPartly(happens) ? unknownFrom(happens) : isPartly(to) ? unknownFrom(to) : to,
    });
  }
  return writes;
}

/** Returns the cost of the call; zero without a declared cost. */
export function costOf(tool: Tool, environment: Environment): Num {
  if (tool.cost === undefined) return 0n;
  const cost = evaluate(tool.cost, environment);
  if (isPartly(cost) || !isNum(cost)) throw new TypeError("a cost is a number");
  return cost;
}
