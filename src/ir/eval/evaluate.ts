/**
 * The evaluator of expressions, the only one, for programs, declarations and formulas alike. It is total on checked
 * expressions; only the meter can stop it. State and trace come in through `look`. Part of what must be trusted.
 */
import type { Argument, CellExpr, Expr, LambdaExpr, OpExpr, TraceExpr } from "../document.ts";
import { type Operand, operatorNamed } from "../operators/index.ts";
import { fieldOf, type Type } from "../type.ts";
import { isOption, isRecord, list, none, record, some, type Value } from "../value.ts";
import type { Meter } from "./meter.ts";
import { isPartly, type Partly, PartlyRecord, Unknown, unknownFrom } from "./partly.ts";

export type Known = Value | Partly;

export interface Environment {
  /** INVARIANT: no name hides another, so one flat map serves all scopes. */
  readonly names: Map<string, Known>;
  readonly types: ReadonlyMap<Expr, Type>;
  readonly meter: Meter;
  /** Evaluates what speaks of state or trace. */
  readonly look: (expr: CellExpr | TraceExpr, environment: Environment) => Known;
  /** Told of each operator that gives a default, since it is not defined for its operands; throws to end the evaluation. */
  readonly undefinedStep?: (expr: OpExpr) => void;
}

export function evaluate(expr: Expr, environment: Environment): Known {
  environment.meter.charge(1);
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
      return expr.value;
    case "none":
      return none;
    case "var":
      return nameOf(expr.name, environment);
    case "op":
      return applyOperator(expr, environment);
    case "lambda":
      throw new TypeError("a function is not a value");
    case "list": {
      const items = values(expr.items, environment);
      return items instanceof Unknown ? items : list(items);
    }
    case "record":
      return evaluateRecord(expr.fields, environment);
    case "field":
      return readField(evaluate(expr.of, environment), expr.name, typeOf(expr.of, environment));
    case "let":
      environment.names.set(expr.name, evaluate(expr.value, environment));
      return evaluate(expr.body, environment);
    default:
      return environment.look(expr, environment);
  }
}

/** The value of an expression that cannot depend on anything partly known. */
export function evaluateExactly(expr: Expr, environment: Environment): Value {
  const value = evaluate(expr, environment);
  if (isPartly(value)) throw new TypeError("a program expression is only partly known");
  return value;
}

/** An environment for expressions that see neither state nor trace. */
export function valuesOnly(
  types: ReadonlyMap<Expr, Type>,
  meter: Meter,
  undefinedStep?: Environment["undefinedStep"],
): Environment {
  return {
    ...(undefinedStep !== undefined && { undefinedStep }),
    names: new Map(),
    types,
    meter,
    look: (expr) => {
      throw new TypeError(`\`${expr.kind}\` cannot be evaluated without a trace`);
    },
  };
}

/** A record from named values; an optional one that is none is omitted. */
export function evaluateRecord(args: readonly Argument[], environment: Environment): Known {
  const fields: [string, Value][] = [];
  for (const { name, value, optional } of args) {
    const found = evaluate(value, environment);
    if (isPartly(found)) return unknownFrom(found);
    if (!optional) fields.push([name, found]);
    else if (isOption(found) && found.kind === "some") fields.push([name, found.value]);
  }
  return record(fields);
}

/** Reads a field; an optional one gives an option. */
export function readField(of: Known, name: string, type: Type): Known {
  if (of instanceof PartlyRecord) {
    const field = of.fields.get(name);
    return field === undefined ? new Unknown("a field is not known") : field;
  }
  if (isPartly(of)) return unknownFrom(of);
  if (type.kind !== "record" || !isRecord(of)) throw new TypeError("only a record has fields");
  const value = of.fields[name];
  if (fieldOf(type, name)?.optional) return value === undefined ? none : some(value);
  if (value === undefined) throw new TypeError(`a record has no \`${name}\``);
  return value;
}

function nameOf(name: string, environment: Environment): Known {
  const value = environment.names.get(name);
  if (value === undefined) throw new TypeError(`the name \`${name}\` has no value`);
  return value;
}

function typeOf(expr: Expr, environment: Environment): Type {
  const type = environment.types.get(expr);
  if (type === undefined) throw new TypeError("an expression was not checked");
  return type;
}

function values(exprs: readonly Expr[], environment: Environment): Value[] | Unknown {
  const found: Value[] = [];
  for (const expr of exprs) {
    const value = evaluate(expr, environment);
    if (isPartly(value)) return unknownFrom(value);
    found.push(value);
  }
  return found;
}

// ── operators ────────────────────────────────────────────────────────────────────────────────────────────

function applyOperator(expr: OpExpr, environment: Environment): Known {
  const operator = operatorNamed(expr.op);
  if (operator === undefined) throw new TypeError(`there is no operator \`${expr.op}\``);
  const { evaluate: evaluator } = operator;
  const { watch } = environment.meter;
  if (evaluator.kind === "lazy") {
    if (watch === undefined) return evaluator.apply(expr.args.map((arg) => () => evaluate(arg, environment)));
    const seen: (Known | undefined)[] = expr.args.map(() => undefined);
    const thunks = expr.args.map((arg, i) => () => {
      const value = evaluate(arg, environment);
      seen[i] = value;
      return value;
    });
    const result = evaluator.apply(thunks);
    watch(expr, seen, result);
    return result;
  }
  const operands: Operand[] = [];
  const known: Known[] = [];
  let partly: Partly | undefined;
  for (const arg of expr.args) {
    if (arg.kind === "lambda") {
      operands.push(closure(arg, environment));
      continue;
    }
    const value = evaluate(arg, environment);
    known.push(value);
    if (isPartly(value)) partly ??= value;
    else operands.push(value);
  }
  if (partly !== undefined) {
    const tellsMore = operator.partly !== undefined && known.length === expr.args.length;
    return tellsMore && operator.partly !== undefined ? operator.partly(known) : unknownFrom(partly);
  }
  if (environment.undefinedStep !== undefined && operator.isDefined?.(operands) === false)
    environment.undefinedStep(expr);
  try {
    const result = evaluator.apply(operands, new Context(expr, environment));
    watch?.(
      expr,
      operands.map((one) => (typeof one === "function" ? undefined : one)),
      result,
    );
    return result;
  } catch (thrown) {
    if (thrown instanceof PartlyAnswer) return thrown.unknown;
    throw thrown;
  }
}

/** The type is seldom asked for, and a class makes that cheaper to offer than an object with a getter of its own. */
class Context {
  readonly meter: Meter;
  readonly #expr: OpExpr;
  readonly #environment: Environment;
  constructor(expr: OpExpr, environment: Environment) {
    this.meter = environment.meter;
    this.#expr = expr;
    this.#environment = environment;
  }

  get type(): Type {
    return typeOf(this.#expr, this.#environment);
  }

  readonly operandType = (place: number): Type => {
    const operand = this.#expr.args[place];
    if (operand === undefined) throw new TypeError("an operator has no such operand");
    return typeOf(operand, this.#environment);
  };
}

/** Leaves an operator whose function met something that is only partly known. */
class PartlyAnswer extends Error {
  readonly unknown: Unknown;
  constructor(unknown: Unknown) {
    super(unknown.why);
    this.unknown = unknown;
  }
}

function closure(lambda: LambdaExpr, environment: Environment): (...args: readonly Value[]) => Value {
  return (...args) => {
    lambda.params.forEach((param, i) => {
      environment.names.set(param.name, args[i] ?? null);
    });
    const value = evaluate(lambda.body, environment);
    if (isPartly(value)) throw new PartlyAnswer(unknownFrom(value));
    return value;
  };
}
