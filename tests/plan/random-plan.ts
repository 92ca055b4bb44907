/** Random plans that are valid, made by taking away from a random plan what makes it invalid. Quick, from one seed. */
import { verify } from "../../src/plan/index.ts";
import { type ActionData, readData, stateOf } from "./plans.ts";

type Chance = () => number;

export interface RandomPlan {
  readonly actions: readonly ActionData[];
  readonly state: Readonly<Record<string, unknown>>;
}

const keys = ["x", "y", "z", "u"];
const values: readonly unknown[] = [0, 1, 2, true, "a", ["a"], null];
const operators = ["eq", "neq", "gt", "lt", "gte", "lte", "exists", "not_exists", "contains"];

function pick<T>(from: readonly T[], chance: Chance): T {
  return from[Math.floor(chance() * from.length)]!;
}

/** Undefined if it could not be made valid in a few steps. */
export function validPlan(chance: Chance, most = 6): RandomPlan | undefined {
  const state: Record<string, unknown> = {};
  for (const key of keys) if (chance() < 0.6) state[key] = pick(values, chance);
  let actions = Array.from({ length: 1 + Math.floor(chance() * most) }, (_, i) => anyAction(i, chance));
  for (let step = 0; step < 12; step++) {
    const { valid, findings } = verify(readData({ actions }).plan, { state: stateOf(state) });
    if (valid) return { actions, state };
    const errors = findings.filter(({ severity }) => severity === "error");
    actions = actions.map((action, i) => {
      const here = errors.filter(({ path }) => path[1] === i);
      return here.length === 0
        ? action
        : mended(
            action,
            here.map(({ path }) => path),
          );
    });
  }
  return undefined;
}

function mended(action: ActionData, paths: readonly (readonly (string | number)[])[]): ActionData {
  const without = (list: unknown, field: string) =>
    (list as readonly unknown[]).filter((_, j) => !paths.some((path) => path[2] === field && path[3] === j));
  const kept = {
    ...action,
    preconditions: without(action.preconditions, "preconditions"),
    state_dependencies: without(action.state_dependencies, "state_dependencies"),
  };
  if (!paths.some((path) => path[2] === "parameters")) return kept;
  return action.type === "tool_call"
    ? { ...kept, parameters: { p: 1 } }
    : { ...kept, type: "state_write", parameters: { key: "x", value: 1 } };
}

function anyAction(i: number, chance: Chance): ActionData {
  const often = <T>(share: number, make: () => T): T[] => (chance() < share ? [make()] : []);
  const key = () => pick(keys, chance);
  const reference = () =>
    i > 0 && chance() < 0.25 ? `$a${Math.floor(chance() * i)}.output` : pick(values, chance);
  const condition = () => ({ key: key(), operator: pick(operators, chance), value: pick(values, chance) });
  const common = {
    id: `a${i}`,
    preconditions: [...often(0.5, condition), ...often(0.2, condition)],
    state_dependencies: often(0.2, key),
    dependencies: i > 0 ? often(0.15, () => `a${Math.floor(chance() * i)}`) : [],
    read_set: often(0.15, key),
    write_set: [],
    failure_behavior: pick(["abort", "retry", "skip", "skip"], chance),
    max_retries: Math.floor(chance() * 3),
  };
  const kind = chance();
  if (kind < 0.45) {
    const effects = Object.fromEntries(
      often(0.6, () => [key(), chance() < 0.2 ? reference() : pick(values, chance)]),
    );
    return {
      ...common,
      type: "tool_call",
      tool: `t${i}`,
      parameters: { p: reference() },
      expected_effects: effects,
    };
  }
  if (kind < 0.75) return { ...common, type: "state_write", parameters: { key: key(), value: reference() } };
  if (kind < 0.9) return { ...common, type: "state_read", parameters: { key: key() } };
  return { ...common, type: "assertion", parameters: condition() };
}
