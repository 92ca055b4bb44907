/**
 * An action at the moment it is reached: what it asks for, what its tool receives and costs, and what it will change.
 * With a book of tool modules, what the plan claims of a tool changes nothing.
 */
import {
  compare,
  decimalText,
  evaluate,
  fromJs,
  isJsonObject,
  isNum,
  isPartly,
  type Json,
  printExpr,
  quoted,
  type Tool,
} from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import { markOf, toJson, unknownKey } from "../../run/index.ts";
import type { PlanCode } from "../codes.ts";
import { type Action, keyOf } from "../plan.ts";
import { type Outputs, resolve } from "../references.ts";
import { conditionText, holds } from "../strict/conditions.ts";
import { type Happening, type Happenings, happenings, timesOf } from "../strict/happenings.ts";
import { settingsOf, unmarkable } from "../strict/keepable.ts";
import { type CallModel, guarded, type ReadKey, receivedBy, type ToolBook } from "../strict/tool-book.ts";
import { type Ask, assertionAsk, stateAsks } from "../strict/uses.ts";
import { sameValue } from "../values.ts";
import type { PlanTool } from "./options.ts";
import { cellOf, keptOutput, plainJs, possibleIn, whyUnknown } from "./values.ts";

export type Effect =
  | { readonly key: string; readonly op: "set"; readonly value: Json }
  | { readonly key: string; readonly op: "delete" };

export interface Ready {
  /** Of a tool call, for the trace and for the tool. */
  readonly args: Json;
  readonly passed: unknown;
  readonly effects: readonly Effect[];
  readonly cost: unknown;
  /** Tries after the first that may be made. */
  readonly retries: number;
  /** What may be set besides, if it has happened up to so many times. */
  readonly again: (times: number) => readonly Effect[];
  /** What becomes of what the tool gave: an output, if it can be kept, or a promise that is broken. */
  readonly judge: (given: unknown) => Judged;
}

export type Judged =
  | { readonly kind: "kept"; readonly output: Json | undefined }
  | { readonly kind: "broken"; readonly message: string };

export type Readied =
  | { readonly kind: "ready"; readonly ready: Ready }
  | { readonly kind: "unmet"; readonly code: PlanCode; readonly message: string };

export interface Surroundings {
  /** The state. */
  readonly kernel: Pick<Kernel, "cell">;
  readonly outputs: Outputs;
  readonly tools: ReadonlyMap<string, PlanTool>;
  readonly book: ToolBook | undefined;
  readonly believeClaims: boolean;
  /** Whether there is a budget that costs could be charged to. */
  readonly charges: boolean;
}

export function readied(action: Action, around: Surroundings): Readied {
  const { kernel, outputs } = around;
  const against = unmetOf(action, stateAsks(action), kernel);
  if (against !== undefined) return against;
  const parameters = resolve(action.parameters, outputs);
  if (parameters.kind === "missing") return noOutput(action, parameters.reference);
  if (!isJsonObject(parameters.value)) throw new TypeError("parameters are an object");
  const effects = claimed(action, outputs);
  if (effects.kind === "missing") return noOutput(action, effects.reference);
  const resolved: Action = { ...action, parameters: parameters.value, expectedEffects: effects.effects };
  const asserted = unmetOf(action, assertionAsk(resolved), kernel);
  if (asserted !== undefined) return asserted;
  return action.type === "tool_call"
    ? markable(readiedCall(resolved, around), action)
    : readiedOther(resolved, around);
}

/** SOUNDNESS: no call is made of which the run could not say afterwards that it may have happened. */
function markable(found: Readied, { id }: Action): Readied {
  const why = found.kind === "ready" ? unmarkable(found.ready.effects) : undefined;
  return why === undefined ? found : unmet(`what ${quoted(id)} sets cannot be marked: ${why}`);
}

/** The first of the conditions that does not hold, whatever the state may be. */
function unmetOf(action: Action, asks: readonly Ask[], kernel: Surroundings["kernel"]): Readied | undefined {
  for (const ask of asks) {
    const possible = possibleIn(kernel, ask.key);
    if (possible !== "anything" && possible.every((cell) => holds(ask, cell))) {
      if (ask.from !== "read" || possible.length === 1) continue;
    }
    if (possible === "anything" || possible.length > 1) {
      const why = `nobody knows what ${quoted(ask.key)} holds: ${whyUnknown(kernel, ask.key)}`;
      return unmet(`${quoted(action.id)} asks for ${quoted(conditionText(ask))}, and ${why}`);
    }
    const is = kernel.cell(ask.key);
    const found = is === undefined ? "is absent" : `is ${quoted(shortened(is))}`;
    return unmet(
      `${quoted(action.id)} asks for ${quoted(conditionText(ask))}, and ${quoted(ask.key)} ${found}`,
    );
  }
  return undefined;
}

/** With what its references stand for. */
function readiedOther(action: Action, { kernel }: Surroundings): Readied {
  const key = keyOf(action) ?? "";
  const output = action.type === "state_read" ? (cellOf(kernel, key) ?? null) : null;
  return {
    kind: "ready",
    ready: {
      args: action.parameters,
      passed: undefined,
      effects: settings(settingsOf(action), kernel),
      cost: undefined,
      retries: 0,
      again: () => [],
      judge: () => ({ kind: "kept", output }),
    },
  };
}

function readiedCall(action: Action, around: Surroundings): Readied {
  const { tool: name = "", parameters, expectedEffects, maxRetries } = action;
  const { kernel, book, tools, believeClaims, charges } = around;
  if (book !== undefined) return declaredCall(action, book, around);
  const passed = plainJs(parameters);
  if (!passed.ok) return unmet(`${quoted(name)} cannot receive a number of ${quoted(action.id)} exactly`);
  const cost = charges ? costSaid(tools.get(name), passed.value) : undefined;
  if (cost instanceof Error)
    return unmet(`what ${quoted(action.id)} would cost cannot be told: ${cost.message}`);
  return {
    kind: "ready",
    ready: {
      args: parameters,
      passed: passed.value,
      effects: settings(believeClaims ? expectedEffects : [], kernel),
      cost,
      retries: maxRetries,
      // A claim says what is there afterwards, however often it happened.
      again: () => [],
      judge: (given) => ({ kind: "kept", output: keptOutput(given) }),
    },
  };
}

/** What it throws is a reason not to call it. */
function costSaid(tool: PlanTool | undefined, args: unknown): unknown {
  try {
    return tool?.cost?.(args);
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error("no reason given");
  }
}

// ── tools of modules ─────────────────────────────────────────────────────────────────────────────────────

function declaredCall(action: Action, book: ToolBook, { kernel, charges, tools }: Surroundings): Readied {
  const { id, tool: name = "", parameters, maxRetries } = action;
  // What was resolved is data, also if it looks like a reference.
  const model = book.read({ tool: name, parameters }, () => false);
  if (model.kind !== "modelled") {
    const why = model.kind === "misfit" ? model.message : model.kind;
    return unmet(`the parameters of ${quoted(id)} do not fit ${quoted(name)}: ${why}`);
  }
  const { call } = model;
  const read: ReadKey = (key) => {
    const possible = possibleIn(kernel, key);
    return possible === "anything" || possible.length > 1 ? "unknown" : { cell: possible[0] };
  };
  const isSafe = isRepeatableTool(name, { book, tools }) === true;
  const found = happenings(book, call, read, isSafe ? 1 : timesOf(action, call.tool));
  const [first] = found.each;
  const [requirement] = first.unmet;
  if (requirement !== undefined) {
    const verb = requirement.kind === "fails" ? "does not hold" : "is not known to hold";
    return unmet(`${quoted(name)} requires ${quoted(requirement.text)}, which ${verb} for ${quoted(id)}`);
  }
  const passed = receivedBy(call.tool, parameters);
  if (!passed.ok) {
    const why = passed.problems[0]?.message ?? "";
    return unmet(`${quoted(name)} cannot receive its arguments exactly: ${why}`);
  }
  const effects = changesOf(call, first, read, kernel);
  if (effects === undefined) return unmet(`what ${quoted(id)} would change cannot be worked out exactly`);
  const cost = charges ? costOf(call, book, read) : undefined;
  if (cost === false) return unmet(`what ${quoted(id)} would cost is not a decimal number from 0`);
  return {
    kind: "ready",
    ready: {
      args: parameters,
      passed: passed.value,
      effects,
      cost,
      retries: isSafe ? maxRetries : mostRetries(call, found, maxRetries),
      again: (times) => changesAgain(call, found, times),
      judge: (given) => judged(call, book, read, given),
    },
  };
}

/** SOUNDNESS: no tool is called without what it requires, also when it is tried again after it may have happened. */
function mostRetries({ tool }: CallModel, { each: [, ...others], isCut }: Happenings, asked: number): number {
  const bad = others.findIndex(({ unmet: found }) => found.length > 0);
  if (bad >= 0) return Math.min(asked, bad);
  return isCut && tool.requires.length > 0 ? Math.min(asked, others.length) : asked;
}

/** What may be there besides, if a call has happened more than once: values, or marks where nothing is known. */
function changesAgain(
  { tool, writes }: CallModel,
  { each: [first, ...others], isCut }: Happenings,
  times: number,
): readonly Effect[] {
  const found: Effect[] = [];
  const isBeyond = isCut && times > others.length + 1;
  const mark = (key: string): Effect => ({
    key: unknownKey(key),
    op: "set",
    value: markOf("call tried again", tool.name),
  });
  for (const key of new Set(writes)) {
    const values = [first.cells.get(key)];
    for (const { cells } of others.slice(0, times - 1)) {
      const value = cells.get(key);
      if (value === undefined && cells.has(key)) found.push(mark(key));
      if (value === undefined || values.some((one) => one !== undefined && sameValue(one, value))) continue;
      values.push(value);
      found.push({ key, op: "set", value });
    }
    if (isBeyond && values.length > 1) found.push(mark(key));
  }
  return found;
}

function changesOf(
  call: CallModel,
  { updates }: Happening,
  read: ReadKey,
  kernel: Pick<Kernel, "cell">,
): Ready["effects"] | undefined {
  const [settled, marks] = [new Map<string, Json>(), new Map<string, Effect>()];
  const isUncertain = call.reads.some((key) => read(key) === "unknown");
  for (const [i, { happens, value }] of updates.entries()) {
    if (happens === "never") continue;
    const key = call.writes[i];
    if (key === undefined) return undefined;
    if (happens === "always" && value !== undefined) {
      settled.set(key, value);
      marks.delete(key);
    } else if (isUncertain) {
      // It depends on what nobody knows.
      marks.set(key, {
        key: unknownKey(key),
        op: "set",
        value: markOf("set from the unknown", call.tool.name),
      });
    } else return undefined;
  }
  const known = Array.from(settled, ([key, value]) => ({ key, value })).filter(({ key }) => !marks.has(key));
  return [...settings(known, kernel), ...marks.values()];
}

/** What is set is known again. */
function settings(
  settled: readonly { readonly key: string; readonly value: Json }[],
  kernel: Pick<Kernel, "cell">,
): Ready["effects"] {
  const marked = new Set(settled.map(({ key }) => unknownKey(key)));
  return [
    ...settled.map(({ key, value }) => ({ key, op: "set", value }) as const),
    ...[...marked]
      .filter((key) => kernel.cell(key) !== undefined)
      .map((key) => ({ key, op: "delete" }) as const),
  ];
}

/** Undefined if the tool has none, false if it has no such cost. */
function costOf(
  { tool, arguments: names }: CallModel,
  book: ToolBook,
  read: ReadKey,
): string | false | undefined {
  const { cost } = tool;
  if (cost === undefined) return undefined;
  const amount = guarded(() => evaluate(cost, book.environment(names, read)));
  if (isPartly(amount) || !isNum(amount) || compare(amount, 0n) < 0) return false;
  return decimalText(amount) ?? false;
}

/** SOUNDNESS: as in a run of a program, a result that is not of its type or breaks `ensures` is not taken. */
function judged(
  { tool, arguments: names }: CallModel,
  book: ToolBook,
  read: ReadKey,
  given: unknown,
): Judged {
  if (tool.result === undefined) return { kind: "kept", output: null };
  const result = fromJs(given, tool.result);
  if (!result.ok) {
    const [problem] = result.problems;
    const at =
      problem === undefined || problem.path.length === 0
        ? ""
        : ` at ${quoted(problem.path.slice(0, 8).join("."))}`;
    return {
      kind: "broken",
      message: `${quoted(tool.name)} returned a wrong value${at}: ${problem?.message ?? ""}`,
    };
  }
  const environment = book.environment(new Map([...names, ["result", result.value]]), read);
  const broken = tool.ensures.find((one) => guarded(() => evaluate(one, environment)) !== true);
  if (broken !== undefined) {
    const text = quoted(printExpr(broken));
    return {
      kind: "broken",
      message: `${quoted(tool.name)} ensures ${text}, which does not hold for what it returned`,
    };
  }
  const output = toJson(result.value);
  return { kind: "kept", output: output === undefined ? undefined : keptOutput(output) };
}

/** Whether calling it again does no harm, by the word of whoever is trusted most. */
export function isRepeatable(action: Action, { book, tools }: Pick<Surroundings, "book" | "tools">): boolean {
  if (action.type !== "tool_call") return true;
  const name = action.tool ?? "";
  return isRepeatableTool(name, { book, tools }) ?? action.idempotent;
}

/** Undefined if nobody but the plan says anything. */
export function isRepeatableTool(
  name: string,
  { book, tools }: Pick<Surroundings, "book" | "tools">,
): boolean | undefined {
  const given = tools.get(name);
  if (given?.usesKey === true) return true;
  const declared: Tool | undefined = book?.tool(name);
  if (declared !== undefined) return declared.idempotent === true || declared.reads === true;
  return given?.idempotent;
}

// ── common ───────────────────────────────────────────────────────────────────────────────────────────────

type Claimed =
  | { readonly kind: "effects"; readonly effects: readonly { readonly key: string; readonly value: Json }[] }
  | { readonly kind: "missing"; readonly reference: string };

function claimed({ expectedEffects }: Action, outputs: Outputs): Claimed {
  const effects: { key: string; value: Json }[] = [];
  for (const { key, value } of expectedEffects) {
    const found = resolve(value, outputs);
    if (found.kind === "missing") return found;
    effects.push({ key, value: found.value });
  }
  return { kind: "effects", effects };
}

function unmet(message: string): Readied {
  return { kind: "unmet", code: "FC3311", message };
}

function noOutput({ id }: Action, reference: string): Readied {
  return unmet(`${quoted(id)} refers to ${quoted(reference)}, and there is no such output`);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
