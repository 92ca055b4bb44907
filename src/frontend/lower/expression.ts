/** Expressions: each gives what the compiler knows of its value, and emits what must happen on the way, in order. */

import type { Expression, LogicalExpression, Node, TemplateLiteral, TSType } from "oxc-parser";
import { append, type Expr } from "../../ir/index.ts";
import { boolean, no, not, num, op, text, yes } from "../build.ts";
import type { Scope } from "../scope.ts";
import { objectionTo } from "../subset.ts";
import { bare, insteadOf } from "../syntax.ts";
import {
  bigint,
  bool,
  isMaybeInfinite,
  isNothing,
  isNumber,
  isOptional,
  isText,
  isUnreal,
  mapTy,
  type RecordTy,
  sameTy,
  string,
  type Ty,
} from "../ty.ts";
import { type DataVal, data, nullVal, undefinedVal, type Val } from "../value.ts";
import { castAs } from "./alternatives.ts";
import { writtenType } from "./annotation.ts";
import { arithmetic, compare } from "./arithmetic.ts";
import { assignment, update } from "./assign.ts";
import { atOnce } from "./at-once.ts";
import { downcast } from "./cast.ts";
import { isErrorOf } from "./caught.ts";
import { chain } from "./chain.ts";
import { thisObject } from "./class.ts";
import { isPresent, looseEqual, strictEqual, textOf, truthy, withoutAbsent, withoutFalse } from "./coerce.ts";
import { deletedField, hasField } from "./computed-field.ts";
import { construct } from "./construct.ts";
import type { Lowering } from "./core.ts";
import { asTupleOf, hinted, present, reify } from "./data.ts";
import { asDict, dictDelete, dictHas, keyText, mapOfVal } from "./dict.ts";
import { isOfClass } from "./error-class.ts";
import { yielded } from "./generator.ts";
import { opposite } from "./infinite.ts";
import { isJson, isJsonVal, jsonHas, jsonTypeName } from "./json.ts";
import { lookUp } from "./lookup.ts";
import { branch } from "./merge.ts";
import { slug } from "./names.ts";
import { overNumbers } from "./not-a-number.ts";
import { exactNumber, numberFrom } from "./number-text.ts";
import { arrayLiteral, objectLiteral } from "./object.ts";
import { isMutable } from "./own.ts";
import { checkPromised } from "./promise-method.ts";
import { regexLiteral } from "./regex.ts";
import { waitForAll } from "./tasks.ts";

/** `hint`: a name for what has none, such as an arrow function. */
export function expression(low: Lowering, scope: Scope, node: Expression, hint = ""): Val {
  return low.deeper(node, () => lower(low, scope, node, hint));
}

function lower(low: Lowering, scope: Scope, node: Expression, hint: string): Val {
  switch (node.type) {
    case "Literal":
      return literal(low, node);
    case "Identifier":
      return lookUp(low, scope, node);
    case "ThisExpression":
      return thisObject(low, scope, node);
    case "TemplateLiteral":
      return template(low, scope, node);
    case "ArrayExpression":
      return arrayLiteral(low, scope, node);
    case "ObjectExpression":
      return objectLiteral(low, scope, node);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return { kind: "function", node, scope, module: low.module, name: hint || nameOfFunction(node) };
    case "UnaryExpression":
      return unary(low, scope, node);
    case "BinaryExpression":
      return binary(low, scope, node);
    case "LogicalExpression":
      return logical(low, scope, node);
    case "ConditionalExpression": {
      const test = condition(low, scope, node.test);
      const name = slug(low.sourceOf(node.test), "chosen");
      return branch(
        low,
        test,
        node,
        name,
        () => expression(low, scope, node.consequent),
        () => expression(low, scope, node.alternate),
      );
    }
    case "AssignmentExpression":
      return assignment(low, scope, node);
    case "UpdateExpression":
      return update(low, scope, node);
    case "AwaitExpression": {
      const given = atOnce(low, node.argument, () => expression(low, scope, node.argument));
      checkPromised(low, node.argument, given);
      return waitFor(low, given, node);
    }
    case "CallExpression":
    case "MemberExpression":
      return chain(low, scope, node);
    case "ChainExpression":
      return chain(low, scope, node.expression);
    case "TSNonNullExpression": {
      const value = expression(low, scope, node.expression);
      return value.kind === "data" ? presentDeep(low, value, node) : value;
    }
    case "YieldExpression":
      return yielded(low, scope, node);
    case "NewExpression":
      return construct(low, scope, node);
    case "SequenceExpression": {
      let last: Val = undefinedVal;
      for (const part of node.expressions) last = expression(low, scope, part);
      return last;
    }
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return asserted(low, scope, node, hint);
    case "TSInstantiationExpression":
    case "ParenthesizedExpression":
      return expression(low, scope, bare(node), hint);
    default:
      return low.refuse(node, ...(objectionTo(node) ?? notAnExpression));
  }
}

/** `as T`, `<T>x` and `satisfies T`: checked where the value may be something else. */
function asserted(
  low: Lowering,
  scope: Scope,
  node: Extract<Expression, { type: "TSAsExpression" | "TSSatisfiesExpression" | "TSTypeAssertion" }>,
  hint: string,
): Val {
  const value = expression(low, scope, node.expression, hint);
  if (node.type === "TSAsExpression" && isConst(node.typeAnnotation)) return asConstant(low, value);
  const type = writtenType(low, node.typeAnnotation);
  const isByKeys = type?.kind === "record" && isRecord(node.typeAnnotation);
  const dict = isByKeys ? asFilledLater(low, value, type) : undefined;
  if (dict !== undefined) return dict;
  // A function that tells what a value is looks at it, and would not throw where it is something else.
  if (isJsonVal(value) && low.stack.at(-1)?.node.returnType?.typeAnnotation.type === "TSTypePredicate")
    return value;
  const known = isParsed(node.expression)
    ? ownData(hinted(low, value, type, node))
    : hinted(low, value, type, node);
  if (known !== value || type === undefined || value.kind !== "data" || node.type === "TSSatisfiesExpression")
    return known;
  return downcast(low, value, type, node) ?? value;
}

function isRecord(type: TSType): boolean {
  return (
    type.type === "TSTypeReference" && type.typeName.type === "Identifier" && type.typeName.name === "Record"
  );
}

/** `{} as Record<"a" | "b", T>`: which of the fields it gets, and in which order, is only known in the run. */
function asFilledLater(low: Lowering, val: Val, { fields }: RecordTy): Val | undefined {
  const [first] = fields;
  if (val.kind !== "ref" || val.shape.kind !== "object" || val.shape.of || val.shape.fields.size > 0)
    return undefined;
  if (first === undefined || isOptional(first.type)) return undefined;
  if (!fields.every(({ type }) => sameTy(type, first.type))) return undefined;
  return asDict(low, val, mapTy(first.type));
}

function isConst(type: TSType): boolean {
  return (
    type.type === "TSTypeReference" && type.typeName.type === "Identifier" && type.typeName.name === "const"
  );
}

/** `[…] as const`: of words that are written out, one of them; otherwise an array of this length. */
function asConstant(low: Lowering, val: Val): Val {
  const held = val.kind === "ref" && val.shape.kind === "array" ? low.state.get(val.shape.slot) : undefined;
  if (val.kind !== "ref" || val.shape.kind !== "array" || held?.kind !== "items") return val;
  const words = held.items.map((item) =>
    item.kind === "data" && item.expr.kind === "string" ? item.expr.value : undefined,
  );
  const known = words.filter((word) => word !== undefined);
  if (known.length < words.length || words.length === 0) return asTupleOf(low, val);
  const type: Ty = { kind: "enum", values: [...new Set(known)] };
  low.state.set(val.shape.slot, { kind: "items", items: known.map((word) => data(text(word), type)) });
  return val;
}

/** `JSON.parse(…)`, which makes new objects. */
function isParsed(node: Expression): boolean {
  const call = bare(node);
  if (call.type !== "CallExpression") return false;
  const callee = bare(call.callee);
  return (
    callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" &&
    callee.object.name === "JSON" &&
    !callee.computed &&
    callee.property.name === "parse"
  );
}

function ownData(val: Val): Val {
  return val.kind === "data" && isMutable(val.type) && val.place === undefined
    ? { ...val, hold: "own" }
    : val;
}

function presentDeep(low: Lowering, value: DataVal, node: Node): DataVal {
  const once = present(low, value, node, `\`${low.sourceOf(node)}\``);
  return once === value ? value : presentDeep(low, once, node);
}

function nameOfFunction(node: {
  readonly type: string;
  readonly id?: { readonly name: string } | null;
}): string {
  return node.id?.name ?? "this function";
}

const notAnExpression = [
  "FC2301",
  "this construct is not part of the language",
  "write it with `if`, loops, functions, objects and arrays",
] as const;

function literal(low: Lowering, node: Extract<Expression, { type: "Literal" }>): Val {
  if ("regex" in node) return regexLiteral(low, node, node.regex.pattern, node.regex.flags);
  if ("bigint" in node) return data(num(BigInt(node.bigint)), bigint);
  const { value } = node;
  if (typeof value === "string") return data(text(value), string);
  if (typeof value === "boolean") return data(boolean(value), bool);
  if (typeof value === "number") {
    // A number enters as the exact value of its shortest decimal form.
    return exactNumber(value) ?? low.refuse(node, "FC2108", "this number is too big to be exact");
  }
  return nullVal;
}

function template(low: Lowering, scope: Scope, node: TemplateLiteral): Val {
  const parts: Expr[] = [];
  node.quasis.forEach((quasi, i) => {
    const { cooked } = quasi.value;
    if (cooked === null || cooked === undefined)
      low.refuse(quasi, "FC2001", "this template has a bad escape");
    if (cooked !== "") parts.push(text(cooked));
    const hole = node.expressions[i];
    if (hole !== undefined) parts.push(textOf(low, expression(low, scope, hole), hole));
  });
  return data(concatenate(parts), string);
}

/** LIMIT: a text that is put together from itself again and again is left to the run, which has a limit for it. */
function isShort(...parts: readonly string[]): boolean {
  return parts.reduce((sum, part) => sum + part.length, 0) <= 10_000;
}

export function concatenate(parts: readonly Expr[]): Expr {
  const flat: Expr[] = [];
  for (const part of parts) {
    const last = flat.at(-1);
    if (part.kind === "string" && last?.kind === "string" && isShort(last.value, part.value))
      flat[flat.length - 1] = text(last.value + part.value);
    else if (part.kind === "op" && part.op === "++") append(flat, part.args);
    else if (!(part.kind === "string" && part.value === "")) flat.push(part);
  }
  const [first] = flat;
  if (first === undefined) return text("");
  return flat.length === 1 ? first : { kind: "op", op: "++", args: flat };
}

export function waitFor(
  low: Lowering,
  val: Val,
  node: { readonly start: number; readonly end: number },
): Val {
  if (val.kind === "promise" && val.many)
    return low.refuse(node, "FC2311", "`await` does not wait for the promises in a list", waitForAll);
  if (val.kind === "promise" && val.isSettled)
    return low.refuse(
      node,
      "FC2311",
      "this waits for what is made for `Promise.allSettled`",
      "write `await Promise.allSettled([…])`, and await nothing of it alone",
    );
  low.tasks.wait(low, val, node);
  return awaited(val);
}

/** A promise's value. Anything else is its own. */
export function awaited(val: Val): Val {
  return val.kind === "promise" ? awaited(val.of()) : val;
}

function unary(low: Lowering, scope: Scope, node: Extract<Expression, { type: "UnaryExpression" }>): Val {
  const { operator, argument } = node;
  if (operator === "!") return data(negated(low, scope, argument), bool);
  if (operator === "void") {
    if (expression(low, scope, argument).kind === "promise")
      low.refuse(node, "FC2311", "this call is not awaited", "write `await` before it");
    return undefinedVal;
  }
  if (operator === "delete") return deleted(low, scope, argument, node);
  if (operator === "typeof") return typeName(low, expression(low, scope, argument), node);
  if (operator !== "-" && operator !== "+")
    return low.refuse(
      node,
      "FC2317",
      `\`${operator}\` is not part of the language`,
      "use arithmetic, or build a new object without the field",
    );
  const operand = expression(low, scope, argument);
  if (operator === "+") {
    if (operand.kind === "data" && operand.type.kind === "bigint")
      low.refuse(node, "FC2317", "`+` does not take a `bigint`");
    return numberFrom(low, "Number", operand, undefined, argument);
  }
  if (operand.kind === "data" && isMaybeInfinite(operand.type)) return opposite(low, operand, argument);
  return overNumbers(low, [operand], argument, ([value]) => data(op("negate", value.expr), value.type));
}

/** A number, where one is needed. */
export function number(
  low: Lowering,
  val: Val,
  node: { readonly start: number; readonly end: number },
): DataVal {
  const given = reify(low, val, node);
  if (isJson(given.type)) return castAs(low, given, "number", node);
  const found = present(low, given, node, `\`${low.sourceOf(node)}\``);
  if (isNumber(found.type) || found.type.kind === "bigint") return found;
  return low.refuse(
    node,
    "FC2108",
    `a number is needed here, and \`${low.sourceOf(node)}\` is none`,
    "convert it explicitly, or fix the types",
  );
}

function typeName(low: Lowering, val: Val, node: Node): Val {
  if (val.kind === "function" || val.kind === "tool") return data(text("function"), string);
  if (val.kind === "ref") return data(text("object"), string);
  const { expr, type } = reify(low, val, node);
  if (type.kind === "json") return data(jsonTypeName(expr), string);
  const names: Readonly<Record<string, string>> = {
    bool: "boolean",
    int: "number",
    real: "number",
    bigint: "bigint",
    string: "string",
    enum: "string",
    list: "object",
    map: "object",
    record: "object",
    date: "object",
    regex: "object",
  };
  const name = names[type.kind];
  if (name !== undefined) return data(text(name), string);
  if (type.kind !== "option")
    return low.refuse(node, "FC2317", "`typeof` of an unknown value is not part of the language");
  if (type.kind === "option" && isUnreal(type.absent)) return data(text("number"), string);
  const absent = text(type.absent === "null" ? "object" : "undefined");
  if (isNothing(type)) return data(absent, string);
  const held = typeName(low, data(op("value", expr), type.value), node);
  return data(op("if", op("isSome", expr), reify(low, held, node).expr, absent), string);
}

function binary(low: Lowering, scope: Scope, node: Extract<Expression, { type: "BinaryExpression" }>): Val {
  const { operator } = node;
  if (node.left.type === "PrivateIdentifier")
    return low.refuse(node, "FC2304", "private names are not part of the language");
  const left = expression(low, scope, node.left);
  const right = expression(low, scope, node.right);
  if (operator === "instanceof") return instanceOf(low, left, right, node);
  if (operator === "in")
    return isJsonVal(right) ? jsonHas(low, left, right, node) : isIn(low, left, right, node);
  switch (operator) {
    case "==":
    case "!=": {
      const equal = looseEqual(low, left, right, node);
      return data(operator === "==" ? equal : not(equal), bool);
    }
    case "===":
    case "!==": {
      const perKey = compare(low, operator === "===" ? "==" : "!=", left, right, node);
      if (perKey !== undefined) return perKey;
      const equal = strictEqual(low, left, right, node);
      return data(operator === "===" ? equal : not(equal), bool);
    }
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compare(low, operator, left, right, node) ?? undefinedVal;
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
    case "**":
      return arithmetic(low, operator, left, right, node, node.left, node.right);
    default:
      return low.refuse(node, "FC2317", `\`${operator}\` is not part of the language`, insteadOf(operator));
  }
}

/** `key in object`. */
function isIn(low: Lowering, key: Val, of: Val, node: Node): Val {
  const map = mapOfVal(low, of.kind === "data" ? present(low, of, node, "what is looked into") : of);
  if (map !== undefined) return dictHas(low, map, keyText(low, key, node), false, node);
  return hasField(low, of, reify(low, key, node), node, false);
}

/** `delete object[key]`. */
function deleted(low: Lowering, scope: Scope, argument: Expression, node: Node): Val {
  const inner = bare(argument);
  if (inner.type !== "MemberExpression" || inner.object.type === "Super")
    return low.refuse(node, "FC2317", "only a key of an object can be deleted");
  const of = expression(low, scope, inner.object);
  const map = mapOfVal(low, of.kind === "data" ? present(low, of, node, "what is changed") : of);
  if (map === undefined) return deletedField(low, of, inner, node);
  const key = inner.computed
    ? keyText(low, expression(low, scope, inner.property), inner.property)
    : text(inner.property.name);
  dictDelete(low, map, key, node);
  return data(yes, bool);
}

/** Only errors that the program made itself are known to be errors. */
function instanceOf(low: Lowering, left: Val, right: Val, node: Node): Val {
  if (left.kind === "poison") return reify(low, left, node);
  if (left.kind === "error" && right.kind === "builtin") return isErrorOf(left, right.name);
  if (left.kind === "error" && right.kind === "class") return isOfClass(low, left, right);
  return low.refuse(node, "FC2317", "`instanceof` only distinguishes errors", "look at a field instead");
}

function negated(low: Lowering, scope: Scope, node: Expression): Expr {
  const said = condition(low, scope, node);
  // A comparison is meant for every key, and its negation would only say that some key breaks it.
  if (said.kind === "perKey")
    low.refuse(
      node,
      "FC2210",
      "a comparison for each key cannot be negated",
      "write the opposite comparison: `<=` instead of `!(… > …)`",
    );
  return not(said);
}

/** Lowers a condition. The right side of `&&` or `||` happens only when reached. */
export function condition(low: Lowering, scope: Scope, node: Expression): Expr {
  return low.deeper(node, () => conditionOf(low, scope, bare(node)));
}

function conditionOf(low: Lowering, scope: Scope, inner: Expression): Expr {
  if (inner.type === "LogicalExpression" && inner.operator !== "??") {
    const left = condition(low, scope, inner.left);
    const right = () => data(condition(low, scope, inner.right), bool);
    const name = slug(low.sourceOf(inner.left), "first");
    const both = inner.operator === "&&";
    const rest = both
      ? branch(low, left, inner, name, right, () => data(no, bool))
      : branch(low, left, inner, name, () => data(yes, bool), right);
    return reify(low, rest, inner).expr;
  }
  if (inner.type === "UnaryExpression" && inner.operator === "!") return negated(low, scope, inner.argument);
  return truthy(low, expression(low, scope, inner), inner);
}

function logical(low: Lowering, scope: Scope, node: LogicalExpression): Val {
  const set = bare(node.right);
  // `map[key] ?? (map[key] = [])` is `map[key] ??= []`.
  if (
    node.operator !== "&&" &&
    set.type === "AssignmentExpression" &&
    set.operator === "=" &&
    set.left.type === "MemberExpression" &&
    isRepeatable(node.left) &&
    low.sourceOf(set.left) === low.sourceOf(node.left)
  )
    return assignment(low, scope, { ...set, operator: node.operator === "??" ? "??=" : "||=" });
  const left = expression(low, scope, node.left);
  const name = slug(low.sourceOf(node.left), "first");
  const right = () => expression(low, scope, node.right);
  if (node.operator === "??") {
    if (left.kind !== "data")
      return left.kind === "poison" || left.kind === "promise" ? reify(low, left, node) : left;
    return branch(low, isPresent(left), node, `${name}_given`, () => withoutAbsent(left), right);
  }
  const test = truthy(low, left, node.left);
  if (node.operator === "||") return branch(low, test, node, name, () => truePart(left), right);
  return branch(low, test, node, name, right, () => falsePart(left));
}

/** Names, fields and keys only: evaluating it twice does the same as once. */
function isRepeatable(node: Expression): boolean {
  if (node.type === "Identifier" || node.type === "Literal") return true;
  if (node.type !== "MemberExpression" || node.object.type === "Super" || !isRepeatable(node.object))
    return false;
  return !node.computed || isRepeatable(node.property);
}

function truePart(val: Val): Val {
  if (val.kind !== "data") return val;
  return val.type.kind === "bool" ? data(yes, bool) : withoutFalse(val);
}

/** Returns the value of an expression that is falsy. */
function falsePart(val: Val): Val {
  if (val.kind !== "data") return val;
  const { type } = val;
  if (type.kind === "bool") return data(no, bool);
  if (isNumber(type) || type.kind === "bigint") return data(num(0n), type);
  if (isText(type)) return data(text(""), string);
  const solid = type.kind === "option" && ["record", "list", "map"].includes(type.value.kind);
  if (solid) return type.absent === "undefined" ? undefinedVal : nullVal;
  return val;
}
