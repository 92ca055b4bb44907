/**
 * Expressions to symbolic values: the evaluator's twin for values that are not known yet. What it cannot follow
 * becomes opaque: a value of which only its type is known, the same for the same operands.
 * SOUNDNESS: opaque stands for any value of the type, so what is proved of it holds of the real one.
 * Part of what must be trusted.
 */
import {
  type CellExpr,
  defaultOf,
  type Expr,
  fieldOf,
  type LambdaExpr,
  type OpExpr,
  type TraceExpr,
  type Type,
} from "../../ir/index.ts";
import { joined, type Lists } from "../loops/unbounded-list.ts";
import { define } from "../terms/definitions.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { compileList } from "./compile-list.ts";
import { compileMap } from "./compile-map.ts";
import { compileUnknownList } from "./compile-unbounded-list.ts";
import { noteView } from "./json-views.ts";
import { assumeFacts, knownResult } from "./operator-facts.ts";
import { equalTerm, keyOf, merge } from "./shape.ts";
import { type Distinct, fresh, known, type ShortLength, type Symbolic, scalar } from "./symbolic-value.ts";

export interface Scene {
  readonly terms: Terms;
  readonly names: Map<string, Symbolic>;
  readonly types: ReadonlyMap<Expr, Type>;
  /** Told what is true of constants by their types alone. */
  readonly constrain: (term: Term) => void;
  /** A number that was not given before. */
  readonly count: () => number;
  readonly lists: Lists;
  readonly look: Look;
  /**
   * Names the command whose expressions are compiled: loops over the same list learn of its folds. Undefined in functions
   * and formulas, which are compiled any number of times, so that their folds have no place in the program.
   */
  readonly command: string | undefined;
  /** Numbers that guarantees name, which what is found by going through a list may be within. */
  readonly bounds: readonly Term[];
  /** True for a guarantee's own formula, and for what the program must meet. */
  readonly promises?: true;
  /** Lengths of lists for finding a run. */
  readonly length?: ShortLength;
}

/** Compiles an expression over state or trace. */
export interface Look {
  (expr: CellExpr | TraceExpr, scene: Scene): Symbolic;
  /** The same forever, where it depends on what is looked at. */
  readonly kept?: () => Look;
}

export function compile(expr: Expr, scene: Scene): Symbolic {
  const { terms, names } = scene;
  terms.effort.spend(1);
  terms.effort.check();
  switch (expr.kind) {
    case "bool":
      return scalar(terms.bool(expr.value));
    case "number":
      return scalar(terms.literal(expr.value, typeof expr.value === "bigint" ? "Int" : "Real"));
    case "string":
      return scalar(terms.literal(expr.value, "String"));
    case "none":
      return { kind: "option", present: terms.false, value: undefined };
    case "var": {
      const value = names.get(expr.name);
      if (value === undefined) throw new TypeError(`the name \`${expr.name}\` has no value`);
      return value;
    }
    case "op":
      return compileOperator(expr, scene);
    case "lambda":
      throw new TypeError("a function is not a value");
    case "list":
      return {
        kind: "list",
        items: expr.items.map((item) => ({ present: terms.true, value: compile(item, scene) })),
      };
    case "record":
      return compileRecord(expr.fields, scene);
    case "field":
      return compileField(expr.of, expr.name, scene);
    case "let":
      names.set(expr.name, compile(expr.value, scene));
      return compile(expr.body, scene);
    default:
      return scene.look(expr, scene);
  }
}

/** The term of a boolean expression. */
export function compileBool(expr: Expr, scene: Scene): Term {
  return termOf(compile(expr, scene));
}

export function termOf(value: Symbolic): Term {
  if (value.kind === "scalar") return value.term;
  throw new TypeError(`a ${value.kind} is no scalar`);
}

export function compileRecord(
  args: readonly { readonly name: string; readonly value: Expr; readonly optional?: true }[],
  scene: Scene,
): Symbolic & { readonly kind: "record" } {
  const { terms } = scene;
  const fields = new Map<string, { present: Term; value: Symbolic }>();
  for (const { name, value, optional } of args) {
    const found = compile(value, scene);
    if (!optional) fields.set(name, { present: terms.true, value: found });
    else if (found.kind !== "option") throw new TypeError("an optional field takes an option");
    else if (found.value !== undefined) fields.set(name, { present: found.present, value: found.value });
  }
  return { kind: "record", fields };
}

function compileField(of: Expr, name: string, scene: Scene): Symbolic {
  const record = compile(of, scene);
  const type = typeOf(of, scene);
  if (record.kind !== "record" || type.kind !== "record") throw new TypeError("only a record has fields");
  return readField(scene.terms, record, name, fieldOf(type, name)?.optional === true);
}

export function readField(
  terms: Terms,
  record: Symbolic & { kind: "record" },
  name: string,
  optional: boolean,
): Symbolic {
  const field = record.fields.get(name);
  if (optional) return { kind: "option", present: field?.present ?? terms.false, value: field?.value };
  if (field === undefined) throw new TypeError(`a record has no \`${name}\``);
  return field.value;
}

export function typeOf(expr: Expr, scene: Scene): Type {
  const type = scene.types.get(expr);
  if (type === undefined) throw new TypeError("an expression was not checked");
  return type;
}

// ── operators ────────────────────────────────────────────────────────────────────────────────────────────

function compileOperator(expr: OpExpr, scene: Scene): Symbolic {
  const { terms } = scene;
  const lambdas: LambdaExpr[] = [];
  const operands: Symbolic[] = [];
  for (const arg of expr.args) {
    if (arg.kind === "lambda") lambdas.push(arg);
    else operands.push(compile(arg, scene));
  }
  const [first, second, third] = operands;
  switch (expr.op) {
    case "if":
      if (first && second && third) return merge(terms, termOf(first), second, third);
      break;
    case "==":
      if (first && second) return scalar(equalTerm(terms, first, second));
      break;
    case "!=":
      if (first && second) return scalar(terms.not(equalTerm(terms, first, second)));
      break;
    case "some":
      if (first) return { kind: "option", present: terms.true, value: first };
      break;
    case "isSome":
      if (first?.kind === "option") return scalar(first.present);
      break;
    case "value":
      if (first?.kind === "option") {
        const type = typeOf(expr, scene);
        return valueOr(terms, first, known(terms, defaultOf(type), type));
      }
      break;
    case "orElse":
      if (first?.kind === "option" && second) return valueOr(terms, first, second);
  }
  // Most take scalars and give one, and are seen to do so without looking for the type.
  const scalars = lambdas.length === 0 ? termsOf(operands) : undefined;
  const term = scalars && terms.applied(expr.op, scalars);
  if (term !== undefined) return scalar(term);
  const type = typeOf(expr, scene);
  if (expr.op === "++" && type.kind === "list" && operands.some(({ kind }) => kind === "opaque"))
    return joined(terms, operands, type);
  return (
    (first?.kind === "opaque" && first.type.kind === "list"
      ? compileUnknownList(
          expr,
          first,
          operands.slice(1),
          lambdas.map((lambda) => later(lambda, scene))[0],
          type,
          scene,
        )
      : compileList(
          expr.op,
          operands,
          lambdas.map((lambda) => functionOf(lambda, scene)),
          type,
          scene,
        )) ??
    compileMap(expr.op, operands, type, scene, (of) => opaque(expr, of, type, scene)) ??
    opaque(expr, operands, type, scene)
  );
}

/** The terms of scalars; undefined if one is none. */
function termsOf(operands: readonly Symbolic[]): readonly Term[] | undefined {
  const found: Term[] = [];
  for (const operand of operands) {
    if (operand.kind !== "scalar") return undefined;
    found.push(operand.term);
  }
  return found;
}

/** SOUNDNESS: names are bound again and again, and states come after one another, so what is called later has its own. */
function later(lambda: LambdaExpr, scene: Scene): (...args: readonly Symbolic[]) => Symbolic {
  const { names, look } = scene;
  return functionOf(lambda, { ...scene, names: new Map(names), look: look.kept?.() ?? look });
}

function valueOr(terms: Terms, option: Symbolic & { kind: "option" }, otherwise: Symbolic): Symbolic {
  return option.value === undefined ? otherwise : merge(terms, option.present, option.value, otherwise);
}

function functionOf(lambda: LambdaExpr, scene: Scene): (...args: readonly Symbolic[]) => Symbolic {
  const inner: Scene = { ...scene, command: undefined };
  return (...args) => {
    lambda.params.forEach((param, i) => {
      const arg = args[i];
      if (arg !== undefined) inner.names.set(param.name, arg);
    });
    return compile(lambda.body, inner);
  };
}

/** SOUNDNESS: a function as an operand may read any name, so its result is a new unknown each time it is met. */
function opaque(expr: OpExpr, operands: readonly Symbolic[], type: Type, scene: Scene): Symbolic {
  const result = knownResult(expr.op, operands, scene);
  if (result !== undefined) return result;
  const hasFunction = expr.args.some((arg) => arg.kind === "lambda");
  const instance = hasFunction ? `#${scene.count()}` : "";
  const name = `${expr.op}(${operands.map(keyOf).join(";")})${instance}`;
  const made = fresh(scene.terms, scene.terms.brief(name), type, scene.constrain, scene.length);
  const args = hasFunction ? undefined : termsOf(operands);
  // A text is made from what is looked at in its JSON, and not the other way round.
  if (!noteView(scene.lists, expr.op, operands, made) && args !== undefined)
    define(made, { op: expr.op, args, type });
  assumeFacts(expr.op, operands, made, scene);
  const distinct = distinctOf.get(expr.op);
  return made.kind === "opaque" && distinct !== undefined ? { ...made, distinct } : made;
}

/** Keys by which results of map operators are distinct: a map has a key once. */
const distinctOf: ReadonlyMap<string, Distinct> = new Map([
  ["mapKeys", ""],
  ["mapEntries", "key"],
]);
