/** Expressions that depend on nothing: what they are. */
import {
  defaultLimits,
  type Expr,
  evaluateExactly,
  LimitReached,
  Meter,
  type Type,
  type Value,
  valuesOnly,
} from "../ir/index.ts";

const nothing: ReadonlyMap<string, Value> = new Map();

/**
 * The value of an expression of constants and operators, if it is short to find.
 * @param names those that have a value
 */
export function constantOf(
  types: ReadonlyMap<Expr, Type>,
  expr: Expr,
  names: ReadonlyMap<string, Value> = nothing,
): Value | undefined {
  if (!isClosed(expr, names)) return undefined;
  const environment = valuesOnly(types, new Meter(defaultLimits));
  for (const [name, value] of names) environment.names.set(name, value);
  try {
    return evaluateExactly(expr, environment);
  } catch (thrown) {
    if (thrown instanceof LimitReached) return undefined;
    throw thrown;
  }
}

/** Only constants and operators: no name of a row, an input or a function. */
function isClosed(expr: Expr, names: ReadonlyMap<string, Value>): boolean {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
      return true;
    case "var":
      return names.has(expr.name);
    case "list":
      return expr.items.every((item) => isClosed(item, names));
    case "record":
      return expr.fields.every(({ value }) => isClosed(value, names));
    case "field":
      return isClosed(expr.of, names);
    case "op":
      return expr.args.every((arg) => isClosed(arg, names));
    default:
      return false;
  }
}
