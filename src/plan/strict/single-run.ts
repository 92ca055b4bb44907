/**
 * One run of a plan, made up: from a given state, with tools of which each call fails or answers as its tool and
 * parameters say. Of all schedules it takes the row; where nothing ends the plan, the others make the same calls and leave
 * the same state, and where something ends it, all of them end.
 */
import { isJsonObject, type Json } from "../../ir/index.ts";
import type { Action, Plan, State } from "../plan.ts";
import { valueText, writtenText } from "../values.ts";
import { refusalOf } from "./keepable.ts";
import { type Cells, readied } from "./readied.ts";
import type { CallModel, ToolBook } from "./tool-book.ts";

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

/** Declarations of the called tools. */
export interface ToldTools {
  readonly book: ToolBook;
  readonly calls: ReadonlyMap<number, CallModel>;
}

/** Undefined if only what a declared tool returns can tell how the run goes. */
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
  const around = { cells: cellsOf(state), outputs, book: tools?.book };
  for (const i of order) {
    const action = actions[i];
    if (action === undefined) continue;
    // What a declared tool returns is of its type and meets what it ensures, which a made-up result does not.
    if (tools !== undefined && action.references.some((id) => answered.has(id))) return undefined;
    const found = readied(action, around);
    const settings = found.kind === "ready" ? found.effects : [];
    const set = settings.flatMap((one) => (one.op === "set" ? [one] : []));
    const isRefused = refusalOf(action, set, actions) !== undefined;
    const isCall = action.type === "tool_call";
    const call = found.kind === "ready" && isCall && !isRefused ? callText(action, found.args) : "";
    if (call !== "") calls.push(call);
    if (found.kind === "unmet" || isRefused || world.failing.has(call)) {
      const isFatal = found.kind === "ready" && isRefused && !isCall;
      if (action.failureBehavior === "skip" && !isFatal) continue;
      return { endedBy: action.id, calls, state };
    }
    for (const name of action.writeSet) state.set(name, `what ${call} leaves in ${name}`);
    for (const { key, value } of set) state.set(key, value);
    if (isCall) {
      answered.add(action.id);
      outputs.set(action.id, answerTo(call, world.fields));
    } else outputs.set(action.id, found.output);
  }
  return { endedBy: undefined, calls, state };
}

/** The state that a run finds. */
function cellsOf(state: ReadonlyMap<string, Json>): Cells {
  const cell = (key: string): string | undefined => {
    const value = state.get(key);
    return value === undefined ? undefined : writtenText(value);
  };
  return { cell };
}

function callText({ tool = "" }: Action, args: Json): string {
  return `${tool} ${valueText(args)}`;
}

/** Has all the parts that somebody refers to, whatever the tool. */
function answerTo(call: string, fields: MadeUpWorld["fields"]): Json {
  const [first] = fields;
  if (first === undefined) return `answer to ${call}`;
  const answer: Record<string, Json> = Object.create(null);
  answer[""] = `answer to ${call}`;
  for (const path of fields) addPart(answer, path, `${path.join(".")} of the answer to ${call}`);
  return answer;
}

function addPart(answer: Record<string, Json>, [name = "", ...rest]: readonly string[], text: string): void {
  const before = answer[name];
  const isObject = before !== undefined && isJsonObject(before);
  if (rest.length === 0 && isObject) return;
  if (rest.length === 0) answer[name] = text;
  else {
    const inner: Record<string, Json> = Object.assign(Object.create(null), isObject ? before : {});
    inner[""] = text;
    addPart(inner, rest, text);
    answer[name] = inner;
  }
}
