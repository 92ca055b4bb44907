/**
 * One run of a plan, made up: from a given state, with tools of which each call fails or answers as its tool and
 * parameters say. Of all schedules it takes the row; where nothing ends the plan, the others make the same calls and leave
 * the same state, and where something ends it, all of them end.
 */
import { isJsonArray, isJsonObject, type Json } from "../../ir/json/json.ts";
import type { Action, Plan, State } from "../plan.ts";
import { keyOf, writtenValue } from "../plan.ts";
import { referenceIn } from "../references.ts";
import { valueText } from "../values.ts";
import { holds } from "./conditions.ts";
import { asksOf } from "./uses.ts";

export interface MadeUpWorld {
  readonly state: State;
  /** The calls that fail, as texts of tool and parameters. */
  readonly failing: ReadonlySet<string>;
  /** Parts of outputs that somebody refers to; a tool answers with an object that has all of them. */
  readonly fields: readonly (readonly string[])[];
}

export interface SingleRun {
  /** The action that ended the plan. */
  readonly endedBy: string | undefined;
  readonly calls: readonly string[];
  readonly state: State;
}

export function runOnce({ actions }: Plan, order: readonly number[], world: MadeUpWorld): SingleRun {
  const state = new Map(world.state);
  const outputs = new Map<string, Json>();
  const calls: string[] = [];
  for (const i of order) {
    const action = actions[i];
    if (action === undefined) continue;
    const isMet =
      asksOf(action).every((ask) => holds(ask, state.get(ask.key))) &&
      action.references.every((id) => outputs.has(id));
    const call = isMet && action.type === "tool_call" ? callText(action, outputs) : "";
    if (call !== "") calls.push(call);
    if (!isMet || world.failing.has(call)) {
      if (action.failureBehavior === "skip") continue;
      return { endedBy: action.id, calls, state };
    }
    perform(action, call, state, outputs, world);
  }
  return { endedBy: undefined, calls, state };
}

function callText({ tool = "", parameters }: Action, outputs: ReadonlyMap<string, Json>): string {
  return `${tool} ${valueText(resolved(parameters, outputs))}`;
}

function perform(
  action: Action,
  call: string,
  state: Map<string, Json>,
  outputs: Map<string, Json>,
  world: MadeUpWorld,
): void {
  const key = keyOf(action) ?? "";
  const read = state.get(key) ?? null;
  for (const name of action.writeSet) state.set(name, `what ${call} leaves in ${name}`);
  if (action.type === "state_write") state.set(key, resolved(writtenValue(action), outputs));
  for (const effect of action.expectedEffects) state.set(effect.key, resolved(effect.value, outputs));
  switch (action.type) {
    case "tool_call":
      outputs.set(action.id, answerTo(call, world.fields));
      return;
    case "state_read":
      outputs.set(action.id, read);
      return;
    case "state_write":
    case "assertion":
      outputs.set(action.id, null);
      return;
  }
}

function answerTo(call: string, fields: MadeUpWorld["fields"]): Json {
  if (fields.length === 0) return `answer to ${call}`;
  const answer: Record<string, Json> = Object.create(null);
  answer[""] = `answer to ${call}`;
  for (const path of fields) answer[path.join(".")] = `${path.join(".")} of the answer to ${call}`;
  return answer;
}

/** The value with what its references stand for. */
function resolved(json: Json, outputs: ReadonlyMap<string, Json>): Json {
  if (typeof json === "string") {
    const reference = referenceIn(json);
    if (reference === undefined) return json;
    const output = outputs.get(reference.id) ?? null;
    if (reference.field.length === 0) return output;
    // Only tools answer with parts; a part of anything else is nothing.
    return isJsonObject(output) ? (output[reference.field.join(".")] ?? null) : null;
  }
  if (isJsonArray(json)) return json.map((item) => resolved(item, outputs));
  if (!isJsonObject(json)) return json;
  const object: Record<string, Json> = Object.create(null);
  for (const [name, part] of Object.entries(json)) object[name] = resolved(part, outputs);
  return object;
}
