/**
 * The types of expressions. `infer` finds the type of an expression; `expect` makes sure that it fits one, which
 * lets a string literal be a value of an enum. Both report every problem and answer undefined for what has no type.
 * Part of what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";
import type { Argument, Expr } from "../document.ts";
import { printType } from "../text/printer.ts";
import {
  bool,
  enumHas,
  type Field,
  fieldOf,
  int,
  isSubtype,
  join,
  listOf,
  never,
  optionOf,
  readType,
  real,
  recordOf,
  string,
  type Type,
} from "../type.ts";
import type { Context, View } from "./context.ts";
import { inferTrace } from "./formula.ts";
import { inferOperator } from "./operator.ts";
import type { Scope } from "./scope.ts";

export interface Place {
  readonly context: Context;
  readonly scope: Scope;
  readonly view: View;
}

export function infer(place: Place, expr: Expr, trail: Trail): Type | undefined {
  const type = place.context.node(trail, () => inferKind(place, expr, trail));
  return type === undefined ? undefined : place.context.typed(expr, type, trail);
}

/** Reports a problem unless the expression is of the type; true if it is. */
export function expect(place: Place, expr: Expr, type: Type, trail: Trail, what: string): boolean {
  if (isLiteralFor(expr, type)) {
    const fits = place.context.node(trail, () => expectLiteral(place, expr, type, trail, what)) === true;
    if (fits) place.context.typed(expr, type, trail);
    return fits;
  }
  const found = infer(place, expr, trail);
  if (found === undefined || isSubtype(found, type)) return found !== undefined;
  place.context.problem(
    "FC1301",
    trail,
    `${what} must be \`${printType(type)}\` and is \`${printType(found)}\``,
    coercion(found, type),
  );
  return false;
}

function inferKind(place: Place, expr: Expr, trail: Trail): Type | undefined {
  const { context, scope } = place;
  switch (expr.kind) {
    case "bool":
      return bool;
    case "number":
      return typeof expr.value === "bigint" ? int : real;
    case "string":
      return string;
    case "none":
      return optionOf(never);
    case "var": {
      const binding = scope.get(expr.name);
      if (binding === undefined)
        context.unknown("FC1201", "name", expr.name, scope.names(), trail.at("name"));
      else context.readable(scope, expr.name, trail.at("name"));
      return binding?.type;
    }
    case "op":
      return inferOperator(place, expr, trail);
    case "lambda":
      context.problem(
        "FC1308",
        trail,
        "a function can only stand as an operand of an operator that takes one",
      );
      return undefined;
    case "list":
      return inferList(place, expr.items, trail.at("items"));
    case "record":
      return inferRecord(place, expr.fields, trail.at("fields"));
    case "field":
      return inferField(place, expr.of, expr.name, trail);
    case "let":
      return scope.inside(() => {
        const type = infer(place, expr.value, trail.at("value"));
        if (type === undefined) return undefined;
        context.declare(scope, expr.name, { type }, trail.at("name"));
        return infer(place, expr.body, trail.at("body"));
      });
    default:
      return inferTrace(place, expr, trail);
  }
}

function inferList(place: Place, items: readonly Expr[], trail: Trail): Type | undefined {
  let element: Type | undefined = never;
  items.forEach((item, i) => {
    const type = infer(place, item, trail.at(i));
    if (element === undefined || type === undefined) {
      element = undefined;
      return;
    }
    const wider: Type | undefined = join(element, type);
    if (wider === undefined) {
      place.context.problem(
        "FC1304",
        trail.at(i),
        `this element is \`${printType(type)}\`, the ones before it are \`${printType(element)}\``,
      );
    }
    element = wider;
  });
  return element === undefined ? undefined : listOf(element);
}

function inferRecord(place: Place, args: readonly Argument[], trail: Trail): Type | undefined {
  const fields: Field[] = [];
  const seen = new Set<string>();
  let whole = true;
  args.forEach(({ name, value, optional }, i) => {
    const at = trail.at(i);
    place.context.name(name, at.at("name"));
    if (seen.has(name))
      place.context.problem("FC1209", at.at("name"), `the field \`${name}\` is given twice`);
    seen.add(name);
    const type = optional
      ? inferOption(place, value, at.at("value"), name)
      : infer(place, value, at.at("value"));
    if (type === undefined) whole = false;
    else fields.push(optional ? { name, type, optional } : { name, type });
  });
  return whole ? recordOf(fields) : undefined;
}

/** The type inside the option that `name?: value` takes. */
function inferOption(place: Place, value: Expr, trail: Trail, name: string): Type | undefined {
  const type = infer(place, value, trail);
  if (type === undefined || type.kind === "never") return type;
  if (type.kind === "option") return type.value;
  place.context.problem(
    "FC1301",
    trail,
    `\`${name}?\` takes an option and is \`${printType(type)}\``,
    `write \`${name}: …\` for a value that is there`,
  );
  return undefined;
}

function inferField(place: Place, of: Expr, name: string, trail: Trail): Type | undefined {
  const type = infer(place, of, trail.at("of"));
  // Below an empty list nothing is ever evaluated, so anything may be said there.
  if (type === undefined || type.kind === "never") return type;
  if (type.kind !== "record") {
    const help = type.kind === "option" ? "take its value first, with `value(…)` or `orElse(…)`" : undefined;
    place.context.problem(
      "FC1301",
      trail.at("of"),
      `only a record has fields, and this is \`${printType(type)}\``,
      help,
    );
    return undefined;
  }
  const field = fieldOf(type, name);
  if (field !== undefined) return readType(field);
  const known = type.fields.map((one) => one.name);
  place.context.unknown("FC1217", "field", name, known, trail.at("name"));
  return undefined;
}

// ── literals that take their type from where they stand ──────────────────────────────────────────────────

function isLiteralFor(expr: Expr, type: Type): boolean {
  if (expr.kind === "string") return type.kind === "enum";
  if (expr.kind === "list") return type.kind === "list";
  if (expr.kind === "record") return type.kind === "record";
  return (
    expr.kind === "op" &&
    (expr.op === "if" || expr.op === "some") &&
    expr.args.length === (expr.op === "if" ? 3 : 1)
  );
}

function expectLiteral(place: Place, expr: Expr, type: Type, trail: Trail, what: string): boolean {
  if (expr.kind === "string" && type.kind === "enum") {
    if (enumHas(type, expr.value)) return true;
    place.context.unknown("FC1310", "enum value", expr.value, type.values, trail);
    return false;
  }
  if (expr.kind === "list" && type.kind === "list") {
    return all(expr.items, (item, i) =>
      expect(place, item, type.element, trail.at("items", i), "this element"),
    );
  }
  if (expr.kind === "record" && type.kind === "record") {
    return checkArguments(place, expr.fields, type.fields, trail.at("fields"), trail, "field");
  }
  if (expr.kind !== "op") return false;
  const operand = (i: number) => trail.at("args", i);
  const [first, second, third] = expr.args;
  if (expr.op === "some" && first !== undefined) {
    if (type.kind === "option") return expect(place, first, type.value, operand(0), what);
    place.context.problem(
      "FC1301",
      trail,
      `${what} must be \`${printType(type)}\` and is an option`,
      coercion(optionOf(type), type),
    );
    return false;
  }
  if (first === undefined || second === undefined || third === undefined) return false;
  const condition = expect(place, first, bool, operand(0), "the condition");
  const yes = expect(place, second, type, operand(1), what);
  return expect(place, third, type, operand(2), what) && yes && condition;
}

/** Named values against declared fields: the arguments of a call, or a record where its type is known. */
export function checkArguments(
  place: Place,
  args: readonly Argument[],
  fields: readonly Field[],
  trail: Trail,
  whole: Trail,
  word: "argument" | "field",
): boolean {
  const { context } = place;
  const declared = fieldIndex(fields);
  const given = new Set<string>();
  const before = context.problems.length;
  const fits = all(args, ({ name, value, optional }, i) => {
    const at = trail.at(i);
    const field = declared.get(name);
    if (given.has(name)) context.problem("FC1209", at.at("name"), `the ${word} \`${name}\` is given twice`);
    given.add(name);
    if (field === undefined) {
      context.unknown(word === "argument" ? "FC1216" : "FC1217", word, name, declared.keys(), at.at("name"));
      infer(place, value, at.at("value"));
      return false;
    }
    if (optional && !field.optional) {
      context.problem("FC1301", at, `the ${word} \`${name}\` is required, and \`${name}?\` may omit it`);
    }
    const type = optional ? optionOf(field.type) : field.type;
    return expect(place, value, type, at.at("value"), `the ${word} \`${name}\``);
  });
  for (const field of fields) {
    if (field.optional || given.has(field.name)) continue;
    context.problem(
      "FC1215",
      whole,
      `the ${word} \`${field.name}\` is missing`,
      `add \`${field.name}: …\`, a \`${printType(field.type)}\``,
    );
  }
  return fits && context.problems.length === before;
}

const indexes = new WeakMap<readonly Field[], Map<string, Field>>();

/** Built once for each tool, not once for each call of it. */
function fieldIndex(fields: readonly Field[]): Map<string, Field> {
  let index = indexes.get(fields);
  if (index === undefined) {
    index = new Map(fields.map((field) => [field.name, field]));
    indexes.set(fields, index);
  }
  return index;
}

/** Like `every`, but looks at all of them, so that every problem is reported. */
function all<T>(items: readonly T[], fits: (item: T, i: number) => boolean): boolean {
  return items.reduce((sofar, item, i) => fits(item, i) && sofar, true);
}

function coercion(found: Type, wanted: Type): string | undefined {
  if (found.kind === "option" && isSubtype(found.value, wanted))
    return "take its value with `value(…)` or `orElse(…)`";
  if (found.kind === "real" && wanted.kind === "int")
    return "make it an integer with `floor`, `ceil`, `round` or `truncate`";
  if (wanted.kind === "option" && isSubtype(found, wanted.value)) return "wrap it with `some(…)`";
  if (wanted.kind === "json") return "make it opaque with `json(…)`";
  return undefined;
}
