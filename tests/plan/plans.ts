/** Plans for tests, written as data. */
import type { Json } from "../../src/ir/json/json.ts";
import { type Plan, type ReadPlan, readPlan, readState, type State } from "../../src/plan/index.ts";

export interface ActionData {
  readonly id?: string;
  readonly type?: string;
  readonly [field: string]: unknown;
}

export function readData(data: unknown): ReadPlan {
  const read = readPlan(JSON.stringify(data));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

export function planOf(...actions: readonly ActionData[]): Plan {
  return readData({ id: "test", source: "test", actions }).plan;
}

export function stateOf(data: Readonly<Record<string, unknown>>): State {
  const read = readState(JSON.stringify(data));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

export function call(id: string, tool: string, more: ActionData = {}): ActionData {
  return { id, type: "tool_call", tool, ...more };
}

export function write(id: string, key: string, value: unknown, more: ActionData = {}): ActionData {
  return { id, type: "state_write", parameters: { key, value }, ...more };
}

export function pre(key: string, operator: string, value: unknown = null) {
  return { key, operator, value };
}

/** A value as it was before it was read. */
export function plain(json: Json | undefined): unknown {
  return json === undefined
    ? undefined
    : JSON.parse(JSON.stringify(json, (_, value) => (value?.text ? Number(value.text) : value)));
}

export function plainState(state: State): Record<string, unknown> {
  return Object.fromEntries([...state].map(([key, value]) => [key, plain(value)]));
}
