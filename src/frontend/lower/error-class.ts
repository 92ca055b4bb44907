/**
 * Classes of errors: `class NotFound extends Error { … }`. An object of one is an error with the name of its class and
 * fields of its own. Its constructor calls `super(message)` and sets fields, and does nothing else.
 */
import type { Class, Expression, MethodDefinition, Node, Statement } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { and, boolean, op, text } from "../build.ts";
import { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import { bool, string } from "../ty.ts";
import { type ClassVal, type DataVal, data, type ErrorVal, undefinedVal, type Val } from "../value.ts";
import { nameOf } from "./caught.ts";
import { refuseDefault } from "./class.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { expression } from "./expression.ts";
import { bindParameters } from "./function.ts";

const help =
  'write `class Name extends Error { constructor(message: string) { super(message); this.name = "Name"; } }`';

/** Returns true if it extends `Error` itself. */
export function isErrorClass({ superClass }: Class): boolean {
  return superClass?.type === "Identifier" && superClass.name === "Error";
}

/** The first part of such a class that is not part of the language. */
export function wrongInErrorClass(
  node: Class,
): { readonly at: Node; readonly message: string; readonly help: string } | undefined {
  const message =
    "a class of errors has fields and a constructor that calls `super` and sets fields, and nothing else";
  for (const one of node.body.body) {
    if (one.type === "PropertyDefinition" && !one.static && !one.computed && one.key.type === "Identifier")
      continue;
    if (one.type !== "MethodDefinition" || one.kind !== "constructor") return { at: one, message, help };
    const statements = one.value.body?.body ?? [];
    const wrong = statements.find(
      (part) => part.type !== "ExpressionStatement" || !isSetting(part.expression),
    );
    if (wrong !== undefined) return { at: wrong, message, help };
    const [first] = statements;
    if (first?.type !== "ExpressionStatement" || !isSuper(first.expression))
      return { at: one, message, help };
  }
  return undefined;
}

function isSetting(node: Expression): boolean {
  return isSuper(node) || fieldSet(node) !== undefined || isHousekeeping(node);
}

function isSuper(node: Expression): boolean {
  const inner = bare(node);
  return inner.type === "CallExpression" && inner.callee.type === "Super";
}

/** `Object.setPrototypeOf(this, …)` and `Error.captureStackTrace(…)`, which change nothing that a program can see. */
function isHousekeeping(node: Expression): boolean {
  const inner = bare(node);
  if (inner.type !== "CallExpression" || inner.callee.type !== "MemberExpression") return false;
  const { object, property } = inner.callee;
  const full =
    object.type === "Identifier" && property.type === "Identifier" ? `${object.name}.${property.name}` : "";
  return full === "Object.setPrototypeOf" || full === "Error.captureStackTrace";
}

/** `this.field = value`. */
function fieldSet(node: Expression): { readonly name: string; readonly value: Expression } | undefined {
  const inner = bare(node);
  if (inner.type !== "AssignmentExpression" || inner.operator !== "=") return undefined;
  const { left } = inner;
  if (left.type !== "MemberExpression" || left.computed || left.object.type !== "ThisExpression")
    return undefined;
  return left.property.type === "Identifier" ? { name: left.property.name, value: inner.right } : undefined;
}

/** `new Name(…)`. */
export function newError(low: Lowering, of: ClassVal, args: readonly Val[], node: Node): ErrorVal {
  const maker = of.node.body.body.find(
    (one): one is MethodDefinition => one.type === "MethodDefinition" && one.kind === "constructor",
  );
  const scope = new Scope(of.scope);
  const fields = new Map<string, Val>();
  let message: Val = maker === undefined ? (args[0] ?? emptyText) : emptyText;
  let name: Val = data(text("Error"), string);
  const set = (field: string, value: Val): void => {
    if (field === "name") name = value;
    else if (field === "message") message = value;
    else fields.set(field, value);
  };
  const { module } = low;
  low.module = of.module;
  try {
    if (maker !== undefined) bindParameters(low, maker.value, scope, args);
    for (const statement of maker?.value.body?.body ?? []) {
      const given = superArgument(statement);
      if (given !== undefined) {
        message = given === null ? emptyText : expression(low, scope, given);
        for (const [field, value] of initialFields(low, of, maker, args)) set(field, value);
        continue;
      }
      const change = statement.type === "ExpressionStatement" ? fieldSet(statement.expression) : undefined;
      if (change !== undefined) set(change.name, expression(low, scope, change.value));
    }
    if (maker === undefined)
      for (const [field, value] of initialFields(low, of, maker, args)) set(field, value);
  } finally {
    low.module = module;
  }
  const title = reify(low, name, node).expr;
  const known = title.kind === "string" ? title.value : title;
  return {
    kind: "error",
    name: known,
    message: data(textOf(low, message, node), string),
    of: low.errorTag(of),
    fields,
  };
}

const emptyText: DataVal = data(text(""), string);

/** The message that is given to `super`; null if none is, and undefined for another statement. */
function superArgument(statement: Statement): Expression | null | undefined {
  if (statement.type !== "ExpressionStatement" || !isSuper(statement.expression)) return undefined;
  const call = bare(statement.expression);
  const [first] = call.type === "CallExpression" ? call.arguments : [];
  return first === undefined || first.type === "SpreadElement" ? null : first;
}

/** Fields with their first values, then parameters that are fields: as JavaScript has them after `super`. */
function initialFields(
  low: Lowering,
  of: ClassVal,
  maker: MethodDefinition | undefined,
  args: readonly Val[],
): [string, Val][] {
  // They see what stands around the class, and no parameter of its constructor.
  const scope = new Scope(of.scope);
  const own = of.node.body.body.flatMap((one): [string, Val][] =>
    one.type === "PropertyDefinition" && one.key.type === "Identifier" && one.value
      ? [[one.key.name, expression(low, scope, one.value)]]
      : [],
  );
  const given = (maker?.value.params ?? []).flatMap((param, i): [string, Val][] => {
    if (param.type !== "TSParameterProperty") return [];
    const inner = param.parameter;
    if (inner.type === "AssignmentPattern") refuseDefault(low, param);
    return inner.type === "Identifier" ? [[inner.name, args[i] ?? undefinedVal]] : [];
  });
  return [...given, ...own];
}

/** The class that it is an object of, as a text of its own; an empty one for errors of JavaScript. */
export function classTag({ of }: ErrorVal): Expr {
  return of === undefined ? text("") : typeof of === "string" ? text(of) : of;
}

/** `error instanceof Name`. */
export function isOfClass(low: Lowering, error: ErrorVal, of: ClassVal): DataVal {
  const name = low.errorTag(of);
  const tag = classTag(error);
  return data(tag.kind === "string" ? boolean(tag.value === name) : op("==", tag, text(name)), bool);
}

/** `error instanceof TypeError`: not of a class of the program. */
export function isBuiltinError(error: ErrorVal, wanted: string): DataVal {
  const tag = classTag(error);
  const isPlain = tag.kind === "string" ? boolean(tag.value === "") : op("==", tag, text(""));
  const name = nameOf(error);
  const isNamed = name.kind === "string" ? boolean(name.value === wanted) : op("==", name, text(wanted));
  return data(and(isPlain, isNamed), bool);
}
