/**
 * Execution details of a lowered plan: retries, preconditions and compensation, which the Effect IR does not state.
 * All are derived from the plan, whose digest is in the document.
 */
import {
  fromJs,
  isRecord,
  type Json,
  quoted,
  type RecordValue,
  recordOf,
  type Tool,
  type Value,
} from "../../ir/index.ts";
import {
  type CallExecution,
  type Cells,
  type Compensation,
  type Execution,
  type InnerCall,
  type InnerDone,
  type InnerFailed,
  type RunProblem,
  toJson,
} from "../../run/index.ts";
import { kernelName } from "../digest.ts";
import { isOwn, type LoweredCall, type Source } from "../lower/body.ts";
import type { Lowered } from "../lower/lower.ts";
import type { Action, Plan, State } from "../plan.ts";
import { readState } from "../read.ts";
import { partOf, resolve } from "../references.ts";
import { assertionAsk, stateAsks } from "../strict/access-sets.ts";
import { readiedOther, resolvedAction, unmetAsk } from "../strict/readied.ts";
import type { ToolBook } from "../strict/tool-book.ts";
import { verify } from "../strict/verify.ts";

export function executionOf(plan: Plan, lowered: Lowered, book: ToolBook): Execution {
  const tries = triesIn(plan, lowered);
  const calls = new Map<string, CallExecution>();
  for (const [id, call] of lowered.calls) {
    const action = plan.actions[call.action];
    if (action !== undefined) calls.set(id, callOf(plan, action, call, book, tries));
  }
  return { calls, innerTools: lowered.innerTools, objections: (kernel) => objections(plan, book, kernel) };
}

function callOf(
  plan: Plan,
  action: Action,
  call: LoweredCall,
  book: ToolBook,
  tries: ReadonlyMap<string, readonly string[]>,
): CallExecution {
  const { id, failureBehavior, timeoutMs } = action;
  const isSkip = failureBehavior === "skip";
  if (call.parts !== undefined) return { inner: lookAt(action, call), ends: true };
  if (call.isNeed === true) return { inner: need(action, call), ...(!isSkip && { ends: true }) };
  if (call.value !== undefined) return { inner: putTogether(action, call), ...(!isSkip && { ends: true }) };
  if (action.type !== "tool_call")
    return { inner: { isPure: false, work: stateWork(action, call) }, ...(!isSkip && { ends: true }) };
  const asks = stateAsks(action);
  const compensation = compensationOf(plan, action, book, tries);
  return {
    of: kernelName(id),
    attempt: call.attempt,
    ...(!call.isLast && { again: true }),
    ...(call.isLast && !isSkip && { ends: true }),
    ...(isSkip && { optional: true }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(asks.length > 0 && { unmet: (_, cells) => unmetAsk(action, asks, cells)?.message }),
    ...(compensation && { compensation }),
  };
}

// ── what the run carries out itself ──────────────────────────────────────────────────────────────────────

/** A parameter that was put together from outputs, or that has no expression. */
function putTogether(action: Action, { value, sources }: LoweredCall): InnerCall {
  const { template, type } = value ?? { template: null, type: { kind: "json" } as const };
  const work = (args: RecordValue): InnerDone | InnerFailed => {
    const outputs = outputsIn(action, sources, args);
    if ("unmet" in outputs) return outputs;
    const found = resolve(template, outputs.found);
    if (found.kind === "missing") return missing(action, found.reference);
    const read = fromJs(found.value, type);
    if (read.ok) return { effects: [], result: found.value };
    return { unmet: `a parameter of ${quoted(action.id)} does not fit: ${read.problems[0]?.message ?? ""}` };
  };
  return { isPure: true, work };
}

/** A `state_write`, a `state_read` or an `assertion`. */
function stateWork(action: Action, { sources }: LoweredCall): InnerCall["work"] {
  const asks = stateAsks(action);
  return (args, cells) => {
    const outputs = outputsIn(action, sources, args);
    if ("unmet" in outputs) return outputs;
    const resolved = resolvedAction(action, outputs.found);
    if ("kind" in resolved) return { unmet: resolved.message };
    const against = unmetAsk(action, asks, cells) ?? unmetAsk(action, assertionAsk(resolved), cells);
    if (against !== undefined) return { unmet: against.message };
    const { effects, output } = readiedOther(resolved, cells);
    return { effects, result: action.type === "state_read" ? output : undefined };
  };
}

/** Fails if an output is not there that the action needs. */
function need(action: Action, { sources }: LoweredCall): InnerCall {
  const work = (args: RecordValue): InnerDone | InnerFailed => {
    const outputs = outputsIn(action, sources, args);
    return "unmet" in outputs ? outputs : { effects: [], result: undefined };
  };
  return { isPure: true, work };
}

/** Ends the run if a result lacks what others refer to. */
function lookAt(action: Action, { parts = [], sources }: LoweredCall): InnerCall {
  const { id, tool = "" } = action;
  const work = (args: RecordValue): InnerDone | InnerFailed => {
    const outputs = outputsIn(action, sources, args);
    // A skipped action has no output, and those that refer to it find that.
    if ("unmet" in outputs) return outputs.isFatal === true ? outputs : { effects: [], result: undefined };
    const lack = parts.find((part) => partOf(outputs.found.get(id), part) === undefined);
    if (lack === undefined) return { effects: [], result: undefined };
    const what = `${quoted(tool)} gave no ${quoted(lack.join("."))} for ${quoted(id)}`;
    return { unmet: `${what}, and another action refers to it`, isFatal: true };
  };
  return { isPure: true, work };
}

/** The outputs that are referred to. */
function outputsIn(
  action: Action,
  sources: readonly Source[],
  args: RecordValue,
): { readonly found: ReadonlyMap<string, Json> } | InnerFailed {
  const found = new Map<string, Json>();
  for (const { id, from, has } of sources) {
    if (has !== undefined && args.fields[has] !== true) return missing(action, `$${id}.output`);
    const given = from === undefined ? null : args.fields[from];
    const output = given === undefined ? undefined : toJson(given);
    if (output === undefined) return { unmet: `the output of ${quoted(id)} cannot be stored`, isFatal: true };
    found.set(id, output);
  }
  return { found };
}

function missing({ id }: Action, reference: string): InnerFailed {
  return { unmet: `${quoted(id)} refers to ${quoted(reference)}, and there is no such output` };
}

// ── compensation ─────────────────────────────────────────────────────────────────────────────────────────

/** The names of the calls that are tries of an action, by its id. */
function triesIn({ actions }: Plan, { calls }: Lowered): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [name, call] of calls) {
    const id = actions[call.action]?.id;
    if (id === undefined || !isOwn(call)) continue;
    found.set(id, [...(found.get(id) ?? []), name]);
  }
  return found;
}

function compensationOf(
  { actions }: Plan,
  { id, compensation }: Action,
  book: ToolBook,
  tries: ReadonlyMap<string, readonly string[]>,
): Compensation | undefined {
  if (compensation === undefined) return undefined;
  const by =
    compensation.type === "tool" ? compensation : actions.find((one) => one.id === compensation.actionId);
  const tool = by?.tool === undefined ? undefined : book.tool(by.tool);
  if (by === undefined || tool === undefined) return undefined;
  const { parameters } = by;
  return {
    tool,
    args: (results) => {
      const found = resolve(parameters, outputsOf(results, tries));
      if (found.kind === "missing") return `there is no output for ${quoted(found.reference)}`;
      return argumentsOf(tool, found.value, id);
    },
  };
}

function argumentsOf(tool: Tool, parameters: Json, id: string): RecordValue | string {
  const read = fromJs(parameters, recordOf(tool.params));
  if (read.ok && isRecord(read.value)) return read.value;
  const why = read.ok ? "" : (read.problems[0]?.message ?? "");
  return `what compensates ${quoted(id)} does not fit ${quoted(tool.name)}: ${why}`;
}

function outputsOf(
  results: ReadonlyMap<string, Value | undefined>,
  tries: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, Json> {
  const outputs = new Map<string, Json>();
  for (const [id, names] of tries) {
    const name = names.find((one) => results.has(one));
    if (name === undefined) continue;
    const result = results.get(name);
    const output = result === undefined ? null : toJson(result);
    if (output !== undefined) outputs.set(id, output);
  }
  return outputs;
}

// ── before it begins ─────────────────────────────────────────────────────────────────────────────────────

/** Why the plan can go wrong from the state at hand: then it is not begun. */
function objections(plan: Plan, book: ToolBook, kernel: Cells): RunProblem[] {
  const { valid, findings } = verify(plan, { state: stateOf(kernel), book });
  if (valid) return [];
  const errors = findings.filter(({ severity }) => severity === "error");
  return errors.map(({ code, message, help }) => ({
    code,
    message,
    path: [],
    ...(help !== undefined && { help }),
  }));
}

/** Returns the kernel's state in the form that verification takes. */
export function stateOf(kernel: Cells): State {
  const state = new Map<string, Json>();
  for (const key of kernel.view().keys()) {
    const text = kernel.cell(key);
    const read = text === undefined ? undefined : readState(`{"value":${text}}`);
    const value = read?.ok ? read.value.get("value") : undefined;
    if (value !== undefined) state.set(key, value);
  }
  return state;
}
