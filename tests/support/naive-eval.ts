/**
 * A second evaluator of expressions: from the operators' meanings in words, in plain JavaScript, with its own
 * fractions and without a thought for speed. It shares with the evaluator nothing but values and equality.
 */
import type { Checked } from "../../src/ir/check/index.ts";
import type { CellExpr, Expr, LambdaExpr, Tool, TraceExpr } from "../../src/ir/document.ts";
import type { Type } from "../../src/ir/type.ts";
import {
  equal,
  isList,
  isNum,
  isOption,
  isRecord,
  list,
  none,
  type RecordValue,
  record,
  some,
  type Value,
} from "../../src/ir/value.ts";
import { naiveOperators } from "./naive-operators.ts";

/** Number of keys with the initial value of a fluent: more than any number. It has no arithmetic. */
export const infinite: unique symbol = Symbol("infinite");

export type NaiveValue = Value | typeof infinite;

/** Leaves an evaluation that this reference has no exact answer for. */
export class Inexact extends Error {}

/** Leaves an evaluation that met a cell of which nothing is known. */
export class UnknownCell extends Error {}

export interface NaiveEnvironment {
  readonly names: ReadonlyMap<string, NaiveValue>;
  readonly types: ReadonlyMap<Expr, Type>;
  readonly look: (expr: CellExpr | TraceExpr, environment: NaiveEnvironment) => NaiveValue;
  /** Told of both sides of every comparison. */
  readonly compared?: (a: Value, b: Value) => void;
}

export function naive(expr: Expr, environment: NaiveEnvironment): NaiveValue {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
      return expr.value;
    case "none":
      return none;
    case "var": {
      const value = environment.names.get(expr.name);
      if (value === undefined) throw new Error(`no value for ${expr.name}`);
      return value;
    }
    case "list":
      return list(expr.items.map((item) => finite(naive(item, environment))));
    case "record": {
      const entries: [string, Value][] = [];
      for (const { name, value, optional } of expr.fields) {
        const found = finite(naive(value, environment));
        if (!optional) entries.push([name, found]);
        else if (isOption(found) && found.kind === "some") entries.push([name, found.value]);
      }
      return record(entries);
    }
    case "field":
      return fieldValue(finite(naive(expr.of, environment)), expr.name, typeOf(expr.of, environment));
    case "let": {
      const value = naive(expr.value, environment);
      return naive(expr.body, bound(environment, [[expr.name, value]]));
    }
    case "op":
      return operation(expr.op, expr.args, expr, environment);
    case "lambda":
      throw new Error("a function by itself");
    default:
      return environment.look(expr, environment);
  }
}

export function naiveBool(expr: Expr, environment: NaiveEnvironment): boolean {
  const value = naive(expr, environment);
  if (typeof value !== "boolean") throw new Error("not a boolean");
  return value;
}

export function bound(
  environment: NaiveEnvironment,
  names: readonly (readonly [string, NaiveValue])[],
): NaiveEnvironment {
  return { ...environment, names: new Map([...environment.names, ...names]) };
}

export function finite(value: NaiveValue): Value {
  if (value === infinite) throw new Inexact("an infinite number");
  return value;
}

/** Reading an optional field gives an option. */
export function fieldValue(of: Value, name: string, type: Type): Value {
  if (!isRecord(of) || type.kind !== "record") throw new Error("not a record");
  const field = type.fields.find((one) => one.name === name);
  const value = of.fields[name];
  if (field?.optional) return value === undefined ? none : some(value);
  if (value === undefined) throw new Error(`no field ${name}`);
  return value;
}

/** The names that a record of these fields gives: parameters, inputs. */
export function namesOf(of: RecordValue, type: Type): [string, Value][] {
  if (type.kind !== "record") throw new Error("not a record");
  return type.fields.map(({ name }) => [name, fieldValue(of, name, type)]);
}

/** A clause of a tool for one call. */
export function naiveClause(
  checked: Checked,
  tool: Tool,
  clause: Expr,
  args: RecordValue,
  {
    result,
    read,
  }: {
    readonly result?: Value | undefined;
    /** Reads a fluent before the call. */
    readonly read?: (fluent: string, key: Value) => Value;
  },
): Value {
  const names = new Map<string, NaiveValue>(namesOf(args, { kind: "record", fields: tool.params }));
  if (result !== undefined) names.set("result", result);
  const value = naive(clause, {
    names,
    types: checked.types,
    look: (expr, environment) => {
      if (expr.kind !== "cell" || expr.at !== "now" || read === undefined)
        throw new Error("nothing to look at");
      return read(expr.fluent, finite(naive(expr.key, environment)));
    },
  });
  return finite(value);
}

function typeOf(expr: Expr, environment: NaiveEnvironment): Type {
  const type = environment.types.get(expr);
  if (type === undefined) throw new Error("an expression without a type");
  return type;
}

function operation(
  op: string,
  args: readonly Expr[],
  whole: Expr,
  environment: NaiveEnvironment,
): NaiveValue {
  const at = (i: number) => naive(args[i]!, environment);
  switch (op) {
    case "and":
      return args.every((arg) => naiveBool(arg, environment));
    case "or":
      return args.some((arg) => naiveBool(arg, environment));
    case "implies":
      return at(0) === true ? at(1) : true;
    case "if":
      return at(0) === true ? at(1) : at(2);
  }
  const operands = args.map((arg) =>
    arg.kind === "lambda" ? closure(arg, environment) : naive(arg, environment),
  );
  if (operands.includes(infinite)) return withInfinite(op, operands);
  const values = operands as (Value | NaiveFunction)[];
  if (op === "==" || op === "!=") {
    const [a, b] = values as [Value, Value];
    environment.compared?.(a, b);
    return equal(a, b) === (op === "==");
  }
  if (["<", "<=", ">", ">="].includes(op)) environment.compared?.(...(values as [Value, Value]));
  if (op === "value") {
    const [option] = values;
    if (typeof option === "function" || !isOption(option!)) throw new Error("not an option");
    return option.kind === "some" ? option.value : plainest(typeOf(whole, environment));
  }
  if (op === "json") values[0] = withRecords(values[0] as Value, typeOf(args[0]!, environment));
  const meaning = naiveOperators[op];
  if (meaning === undefined) throw new Error(`no meaning for ${op}`);
  return meaning(...(values as Value[]));
}

/** The value with a record in the place of every map. */
function withRecords(value: Value, type: Type): Value {
  if (type.kind === "option" && isOption(value))
    return value.kind === "none" ? value : some(withRecords(value.value, type.value));
  if (type.kind === "list" && isList(value))
    return list(value.map((item) => withRecords(item, type.element)));
  if (type.kind === "map" && isList(value))
    return record(
      value.map((entry) => {
        if (!isRecord(entry)) throw new Error("not an entry");
        return [entry.fields.key as string, withRecords(entry.fields.value ?? null, type.value)];
      }),
    );
  if (type.kind !== "record" || !isRecord(value)) return value;
  return record(
    Object.entries(value.fields).map(([name, part]) => {
      const field = type.fields.find((one) => one.name === name);
      return [name, field === undefined ? part : withRecords(part, field.type)];
    }),
  );
}

export type NaiveFunction = (...values: readonly Value[]) => Value;

function closure(lambda: LambdaExpr, environment: NaiveEnvironment): NaiveFunction {
  return (...values) =>
    finite(
      naive(
        lambda.body,
        bound(
          environment,
          lambda.params.map(({ name }, i) => [name, values[i]!]),
        ),
      ),
    );
}

/** An infinite number is above every number and equal to none. */
function withInfinite(op: string, operands: readonly unknown[]): NaiveValue {
  const [a, b] = operands;
  if (op === "+" && operands.every((x) => x === infinite || isNum(x as Value))) return infinite;
  if (operands.length !== 2 || a === b) throw new Inexact("an infinite number");
  const above = a === infinite;
  switch (op) {
    case "<":
    case "<=":
      return !above;
    case ">":
    case ">=":
      return above;
    case "==":
      return false;
    case "!=":
      return true;
    default:
      throw new Inexact("an infinite number");
  }
}

/** Returns `value(none)` of a type. */
function plainest(type: Type): Value {
  const simple: Partial<Record<Type["kind"], Value>> = {
    bool: false,
    int: 0n,
    real: 0n,
    string: "",
    json: null,
    list: list([]),
    map: list([]),
    option: none,
  };
  if (type.kind === "enum") return type.values[0]!;
  if (type.kind !== "record") return simple[type.kind]!;
  return record(type.fields.flatMap((f) => (f.optional ? [] : [[f.name, plainest(f.type)] as const])));
}
