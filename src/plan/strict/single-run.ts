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
import type { CallModel, ReadKey, ToolBook } from "./tool-book.ts";
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

/** What tool modules say of the calls. */
export interface ToldTools {
  readonly book: ToolBook;
  readonly calls: ReadonlyMap<number, CallModel>;
}

/** Undefined if what a tool module says does not tell how the run goes. */
export function runOnce(
  { actions }: Plan,
  order: readonly number[],
  world: MadeUpWorld,
  tools?: ToldTools,
): SingleRun | undefined {
  const state = new Map(world.state);
  const outputs = new Map<string, Json>();
  const answered = new Set<string>();
  const calls: string[] = [];
  for (const i of order) {
    const action = actions[i];
    if (action === undefined) continue;
    const isReady =
      asksOf(action).every((ask) => holds(ask, state.get(ask.key))) &&
      action.references.every((id) => outputs.has(id));
    // What a declared tool answers is of its type and meets what it ensures, which a made-up answer does not.
    if (tools !== undefined && isReady && action.references.some((id) => answered.has(id))) return undefined;
    const modelled = isReady ? tools?.calls.get(i) : undefined;
    const required = modelled && tools?.book.unmet(modelled, reader(state));
    if (required?.some(({ kind }) => kind === "open")) return undefined;
    const isMet = isReady && (required === undefined || required.length === 0);
    const call = isMet && action.type === "tool_call" ? callText(action, outputs) : "";
    if (call !== "") calls.push(call);
    if (!isMet || world.failing.has(call)) {
      if (action.failureBehavior === "skip") continue;
      return { endedBy: action.id, calls, state };
    }
    if (action.type === "tool_call") answered.add(action.id);
    if (modelled === undefined) perform(action, call, state, outputs, world);
    else if (tools === undefined || !performModelled(action, call, state, tools.book, modelled))
      return undefined;
    else outputs.set(action.id, answerTo(call, world.fields));
  }
  return { endedBy: undefined, calls, state };
}

function reader(state: ReadonlyMap<string, Json>): ReadKey {
  return (key) => ({ cell: state.get(key) });
}

/** What the tool sets, in place of what the action claims. False if it is not known what that is. */
function performModelled(
  action: Action,
  call: string,
  state: Map<string, Json>,
  book: ToolBook,
  modelled: CallModel,
): boolean {
  const updates = book.updates(modelled, reader(state));
  for (const name of action.writeSet) state.set(name, `what ${call} leaves in ${name}`);
  for (const [at, { happens, value }] of updates.entries()) {
    if (happens === "never") continue;
    if (happens === "maybe" || value === undefined) return false;
    state.set(modelled.writes[at] ?? "", value);
  }
  return true;
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
