/**
 * Data properties for values of calls, results, rows and inputs, and the property that an expression reads. A
 * property is a path of fields that ends at a boolean, a number or a string; a list of those has its elements as
 * values.
 */
import {
  bool,
  defaultOf,
  type Expr,
  type Field,
  isOption,
  isPartly,
  readField,
  type Type,
  type Value,
} from "../ir/index.ts";
import { type Name, named } from "./names.ts";

/** Owner of the values. */
export type Root = "arg" | "result" | "row" | "input";

export interface Leaf {
  readonly property: Name;
  readonly type: Type;
  /** True if the value may be absent. */
  readonly optional: boolean;
  /** True if the values are elements of a list. */
  readonly many: boolean;
}

/** The properties that values of the fields have. */
export function leavesOfFields(
  root: Root,
  fields: readonly Field[],
  steps: readonly string[] = [],
  optional = false,
): Leaf[] {
  return fields.flatMap((field) => {
    const type: Type = field.optional ? { kind: "option", value: field.type } : field.type;
    return leavesOf(root, type, [...steps, field.name], optional);
  });
}

export function leavesOf(root: Root, type: Type, steps: readonly string[], optional: boolean): Leaf[] {
  switch (type.kind) {
    case "bool":
    case "int":
    case "real":
    case "string":
    case "enum":
      return [{ property: propertyOf(root, steps), type, optional, many: false }];
    case "record":
      return leavesOfFields(root, type.fields, steps, optional);
    case "option": {
      // Of two options around one value, it is there if both are.
      const inner = leavesOf(root, type.value, steps, true);
      if (isScalar(type.value) || type.value.kind === "option") return inner;
      return [{ property: givenOf(root, steps), type: bool, optional: true, many: false }, ...inner];
    }
    case "list":
      return isScalar(type.element)
        ? [{ property: elementsOf(root, steps), type: type.element, optional: true, many: true }]
        : [];
    case "map":
    case "json":
    case "never":
      return [];
  }
}

export function propertyOf(root: Root, steps: readonly string[]): Name {
  return named(root, ...steps);
}

export function elementsOf(root: Root, steps: readonly string[]): Name {
  return named("elements", root, ...steps);
}

/** True for an optional list, record or JSON value that is there; of one that is not, it has no value. */
export function givenOf(root: Root, steps: readonly string[]): Name {
  return named("given", root, ...steps);
}

export function isScalar({ kind }: Type): boolean {
  return kind === "bool" || kind === "int" || kind === "real" || kind === "string" || kind === "enum";
}

/** The property that an expression reads. */
export interface Read {
  /** Subject of the value: the current row, or the run. */
  readonly of: "row" | "run";
  readonly root: Root;
  readonly steps: readonly string[];
  /** Value if a step of the path is absent; undefined if none can be. */
  readonly instead?: Value;
}

export interface Reading {
  readonly types: ReadonlyMap<Expr, Type>;
  /** The inputs of the program. */
  readonly inputs: ReadonlySet<string>;
  /** The variable of the row that is spoken of, and whose values it has. */
  readonly row?: { readonly name: string; readonly root: Root };
  /** The value of an expression that depends on nothing. */
  readonly constant: (expr: Expr) => Value | undefined;
}

/** Undefined if it is more than a value that is looked up. */
export function readOf(expr: Expr, reading: Reading): Read | undefined {
  const { row, inputs, types } = reading;
  switch (expr.kind) {
    case "var":
      if (expr.name === row?.name) return { of: "row", root: row.root, steps: [] };
      return inputs.has(expr.name) ? { of: "run", root: "input", steps: [expr.name] } : undefined;
    case "result":
      return expr.call === row?.name ? { of: "row", root: "result", steps: [] } : undefined;
    case "field": {
      const of = readOf(expr.of, reading);
      const type = types.get(expr.of);
      if (of === undefined || type === undefined) return undefined;
      const steps = [...of.steps, expr.name];
      if (of.instead === undefined) return { ...of, steps };
      const instead = readField(of.instead, expr.name, type);
      return isPartly(instead) ? undefined : { ...of, steps, instead };
    }
    case "op": {
      const [option, other] = expr.args;
      const of =
        option && (expr.op === "value" || expr.op === "orElse") ? readOf(option, reading) : undefined;
      const type = types.get(expr);
      if (of === undefined || type === undefined || type.kind === "never") return undefined;
      const instead = expr.op === "value" ? defaultOf(type) : other && reading.constant(other);
      if (instead === undefined || (of.instead !== undefined && !isNone(of.instead))) return undefined;
      return { ...of, instead };
    }
    default:
      return undefined;
  }
}

function isNone(value: Value): boolean {
  return isOption(value) && value.kind === "none";
}

/** The property that it reads, if there is one for its type: a value, or an option of one. */
export function leafRead(
  expr: Expr,
  read: Read,
  reading: Reading,
): { readonly isOption: boolean } | undefined {
  const type = reading.types.get(expr);
  if (type === undefined) return undefined;
  if (isScalar(type)) return { isOption: false };
  const isPlain = read.instead === undefined || isNone(read.instead);
  return type.kind === "option" && isScalar(type.value) && isPlain ? { isOption: true } : undefined;
}
