/** The value that `run` returns, as the last call of the program: `foreclaim.answer({ value })`. */
import { answerLabel, answerTool, type Expr, noteTool } from "../../ir/index.ts";
import { and, listExpr, op, text } from "../build.ts";
import { isNothing, json, type OptionTy, optionTy, type RecordTy, sameTy, type Ty, tyText } from "../ty.ts";
import { type DataVal, data, isUndefined, type RelationVal, undefinedVal, type Val } from "../value.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { concatenate } from "./expression.ts";
import { held, jsonFormOf, orElse } from "./json-form.ts";
import { answerTools, emitOwn } from "./own-tools.ts";

type At = { readonly start: number; readonly end: number };

const params: RecordTy = { kind: "record", fields: [{ name: "value", type: json }] };

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

const perhaps: OptionTy = optionTy(json, "undefined");

/**
 * Returns the value of a `return` of `run` as JSON, or nothing for `undefined`. So returns of different shapes merge
 * as one type.
 */
export function answerOf(low: Lowering, val: Val, node: At): DataVal {
  if (isUndefined(val)) return undefinedVal;
  if (node !== low.answering) low.answers.add(node);
  if (val.kind === "data" && (val.type.kind === "json" || sameTy(val.type, perhaps))) return val;
  const form = jsonFormOf(low, val, node);
  if (form.kind === "none") return undefinedVal;
  const inside = form.kind === "op" && form.op === "some" ? form.args[0] : undefined;
  return inside === undefined ? data(form, perhaps) : data(inside, json);
}

/** Makes the call, where there is something to answer with. */
export function emitAnswer(low: Lowering, val: Val, node: At): void {
  if (!low.isReached || isUndefined(val)) return;
  const { expr, type } = reify(low, val, node);
  const isSure = type.kind === "json";
  if (!isSure && !sameTy(type, perhaps)) throw new TypeError(`\`${tyText(type)}\` is no answer`);
  const when = isSure ? low.path : and(low.path, op("isSome", expr));
  if (when.kind === "bool" && !when.value) return;
  const [only] = low.answers;
  const at = only !== undefined && low.answers.size === 1 ? only : node;
  say(low, answerTool.name, isSure ? expr : held(expr), when, at);
}

const noting = ["log", "info", "warn", "error", "debug", "table"];

/**
 * `console.log(…)` and its like, as a call of `foreclaim.note`: its arguments with a space between them. Where one is an
 * object or a list, the note is the list of its arguments, and that one is written as JSON when it is told.
 */
export function note(low: Lowering, name: string, args: readonly Val[], node: At): Val {
  if (!noting.includes(name))
    return low.refuse(
      node,
      "FC2309",
      `\`console.${name}\` is not part of the language`,
      `there is ${noting.map((one) => `\`${one}\``).join(", ")}`,
    );
  if (args.some((arg) => arg.kind === "items"))
    return low.refuse(
      node,
      "FC2314",
      "a list of unknown length cannot be spread into arguments",
      "pass the list itself",
    );
  const parts = args.map((arg) => notePart(low, arg, node));
  if (!low.isReached) return undefinedVal;
  const isText = parts.every(({ kind }) => kind === "text");
  const texts = parts.flatMap(({ expr }, i) => (i === 0 ? [expr] : [text(" "), expr]));
  const list = listExpr(parts.map(({ kind, expr }) => (kind === "text" ? op("json", expr) : expr)));
  if (low.mode.kind === "program") low.tasks.called(low);
  say(low, noteTool.name, op("json", isText ? concatenate(texts) : list), low.path, node);
  return undefinedVal;
}

/** Returns Node's print form: a text, or the JSON form of an object or a list. */
function notePart(
  low: Lowering,
  arg: Val,
  node: At,
): { readonly kind: "text" | "json"; readonly expr: Expr } {
  if (arg.kind === "error")
    return { kind: "text", expr: concatenate([text(`${arg.name}: `), textOf(low, arg.message, node)]) };
  const asJson = () => orElse(jsonFormOf(low, arg, node), op("json", text("undefined")));
  if (arg.kind === "ref") return { kind: "json", expr: asJson() };
  const { expr, type } = reify(low, arg, node);
  if (type.kind === "bigint") return { kind: "text", expr: concatenate([op("textOf", expr), text("n")]) };
  return isScalar(type)
    ? { kind: "text", expr: textOf(low, data(expr, type), node) }
    : { kind: "json", expr: asJson() };
}

function isScalar(type: Ty): boolean {
  if (type.kind === "option") return isNothing(type) || isScalar(type.value);
  return ["never", "bool", "int", "real", "string", "enum"].includes(type.kind);
}

function say(low: Lowering, tool: string, value: DataVal["expr"], when: DataVal["expr"], node: At): void {
  emitOwn(low, tool, [{ name: "value", value }], when, node);
}
