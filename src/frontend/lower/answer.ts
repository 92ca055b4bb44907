/** The value that `run` returns, as the last call of the program: `foreclaim.answer({ value })`. */
import { answerLabel, answerTool, builtinTools } from "../../ir/index.ts";
import { and, op } from "../build.ts";
import type { Spot } from "../refusal.ts";
import { json, type OptionTy, optionTy, type RecordTy, tyText } from "../ty.ts";
import {
  type DataVal,
  data,
  isUndefined,
  type RelationVal,
  type ToolInfo,
  undefinedVal,
  type Val,
} from "../value.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { jsonFormOf } from "./json-form.ts";

type At = { readonly start: number; readonly end: number };

const nowhere: Spot = { file: "", start: 0, end: 0 };
const params: RecordTy = { kind: "record", fields: [{ name: "value", type: json }] };

/** The tools that Foreclaim itself has, as the front end knows tools. */
const infos: ReadonlyMap<string, ToolInfo> = new Map(
  Array.from(builtinTools, ([name, tool]) => [name, { tool, params, result: undefined, spot: nowhere }]),
);

/** The tools of both answers and notes. */
export const answerTools: readonly ToolInfo[] = [...infos.values()];

export function isAnswer(val: Val): boolean {
  return val.kind === "builtin" && val.name === "foreclaim:answer";
}

/** `answer` in a contract: what the program answers with, and its notes. */
export function answerRelation(low: Lowering): RelationVal {
  for (const info of answerTools) low.usedTools.set(info.tool.name, info);
  return {
    kind: "relation",
    relation: { kind: "label", label: answerLabel },
    row: params,
    where: [],
    hint: "a",
  };
}

/** Returns whether it is `answer`, and not only some of the answers. */
export function isAnswers(val: Val): boolean {
  return (
    val.kind === "relation" &&
    val.relation.kind === "label" &&
    val.relation.label === answerLabel &&
    val.where.length === 0
  );
}

const answered: OptionTy = optionTy(json, "undefined");

/**
 * What a `return` of `run` gives, as a JSON value, or as nothing where it is `undefined`. So returns of different shapes
 * meet as values of one type.
 */
export function answerOf(low: Lowering, val: Val, node: At): DataVal {
  const form = jsonFormOf(low, val, node);
  return form.kind === "none" ? undefinedVal : data(form, answered);
}

/** Makes the call, where there is something to answer with. */
export function emitAnswer(low: Lowering, val: Val, node: At): void {
  if (!low.isReached || isUndefined(val)) return;
  const { expr, type } = reify(low, val, node);
  if (type.kind !== "option") throw new TypeError(`\`${tyText(type)}\` is no answer`);
  const when = and(low.path, op("isSome", expr));
  if (when.kind === "bool" && !when.value) return;
  say(low, answerTool.name, op("value", expr), when, node);
}

function say(low: Lowering, tool: string, value: DataVal["expr"], when: DataVal["expr"], node: At): void {
  const info = infos.get(tool);
  if (info === undefined) throw new TypeError(`there is no \`${tool}\``);
  low.usedTools.set(tool, info);
  const guard = when.kind === "bool" ? {} : { when };
  low.emit({ kind: "call", id: "", tool, args: [{ name: "value", value }], ...guard }, node);
}
