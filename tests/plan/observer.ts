/** Observable behavior of small plans, by brute force. */
import type { Json } from "../../src/ir/json/json.ts";
import { type Action, keyOf, type Plan, writtenValue } from "../../src/plan/plan.ts";
import { referenceIn } from "../../src/plan/references.ts";
import { valueText } from "../../src/plan/values.ts";
import { allSchedules, execute, mustPrecede, type World } from "./executor.ts";

/**
 * Returns the observation of one run: its end, the calls in order, the state. Outputs of calls are named by them, and
 * reads give the actual value.
 */
export function seen(schedule: readonly Action[], state: ReadonlyMap<string, Json>, failing: string) {
  const texts = new Map<string, string>();
  const known = new Map<string, Json>();
  const nameOf = (json: Json): string =>
    valueText(json).replaceAll(/"\$(\w+)\.output"/g, (whole, id: string) =>
      referenceIn(whole.slice(1, -1)) ? `<${texts.get(id)}>` : whole,
    );
  const world: World = {
    toolFails: ({ tool }) => tool === failing,
    leaves: () => false,
    chosen: (action, key) => {
      const effect = action.expectedEffects.findLast((one) => one.key === key);
      const written = effect?.value ?? (keyOf(action) === key ? writtenValue(action) : null);
      const reference = typeof written === "string" ? referenceIn(written) : undefined;
      // Only what a tool answers has to be made up.
      if (reference === undefined || !known.has(reference.id)) return `${texts.get(action.id)} ${key}`;
      return reference.field.length === 0 ? known.get(reference.id) : null;
    },
  };
  for (const [i, action] of schedule.entries()) {
    const read = () => execute(schedule.slice(0, i), state, world).state.get(keyOf(action) ?? "") ?? null;
    if (action.type !== "tool_call") known.set(action.id, action.type === "state_read" ? read() : null);
    const text = known.has(action.id)
      ? `value ${valueText(known.get(action.id) ?? null)}`
      : `${action.type} ${action.tool} ${nameOf(action.parameters)}`;
    texts.set(action.id, text);
  }
  const { outcomes, endedBy, state: left } = execute(schedule, state, world);
  const calls = schedule.filter(
    ({ id, type }) => type === "tool_call" && outcomes.has(id) && outcomes.get(id) !== "skipped",
  );
  return JSON.stringify({
    ended: endedBy !== undefined,
    calls: calls.map(({ id }) => texts.get(id)),
    state: endedBy === undefined ? [...left].map(([key, value]) => `${key}=${valueText(value)}`).sort() : [],
  });
}

export function allSeen(plan: Plan, state: ReadonlyMap<string, Json>, failing: string): Set<string> {
  const found = new Set<string>();
  for (const schedule of allSchedules(plan, mustPrecede(plan))) found.add(seen(schedule, state, failing));
  return found;
}
