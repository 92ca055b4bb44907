/**
 * Expressions of the Effect IR as terms: one function by cases. An operator on known values is evaluated by the IR; on
 * others it is what its entry in the operator table says in SMT-LIB, and without that a function of which nothing is known.
 * Part of what must be trusted.
 */
import {
  type Argument,
  bool,
  type CellExpr,
  type Checked,
  defaultOf,
  type Expr,
  fieldOf,
  int,
  isPartly,
  type LambdaExpr,
  looksBeyond,
  Meter,
  type OpExpr,
  operatorNamed,
  real,
  string,
  type TraceExpr,
  Trail,
  type Type,
} from "../ir/index.ts";
import { NotPlain, type Sort, type Term, Terms } from "./encode.ts";
import { type Lambda, listOperator } from "./known-list.ts";
import {
  equalPlain,
  known,
  knownValue,
  merge,
  type Part,
  type Plain,
  plain,
  shaped,
  sortOf,
  termOf,
} from "./symbolic-value.ts";
import { Lists, manyOperator } from "./unbounded-list.ts";

/** INVARIANT: no name hides another, so one flat map serves all scopes. */
export type Names = Map<string, Plain>;

/** Compiles an expression over state or trace. */
export type Look = (expr: CellExpr | TraceExpr, names: Names) => Plain;

const typeOfSort: Readonly<Record<Sort, Type>> = {
  Bool: bool,
  Int: int,
  Real: real,
  String: string,
  Thing: { kind: "json" },
};
/** Operators that take reals only. */
const onReals: ReadonlySet<string> = new Set([
  "/",
  "floor",
  "ceil",
  "round",
  "truncate",
  "isInteger",
  "textOf",
]);

/** LIMIT: of expressions, however often each is met. */
const mostSteps = 5_000_000;

export class Expressions {
  readonly terms = new Terms();
  readonly lists = new Lists(this);
  /** Facts that hold in every run that reaches this point. */
  readonly assumptions: Term[] = [];
  /** The command or the guarantee that is translated. */
  place = Trail.root;
  readonly #types: ReadonlyMap<Expr, Type>;
  readonly #more: ReadonlyMap<Expr, Type>[] = [];
  /** Terms that the code compares with arbitrary keys. */
  readonly #watched = new Map<string, Map<string, Term>>();
  readonly #meter = new Meter();
  #steps = 0;

  constructor({ types }: Checked) {
    this.#types = types;
  }

  assume(term: Term): void {
    if (term.value !== true) this.assumptions.push(term);
  }

  /** SOUNDNESS: a construct without a plain translation is never omitted. */
  refuse(what: string): never {
    throw new NotPlain(what, this.place.path());
  }

  /** Collects the terms that are compared with a constant while `say` runs. */
  watching<T>(constant: Term, say: () => T): { readonly said: T; readonly compared: readonly Term[] } {
    const compared = new Map<string, Term>();
    this.#watched.set(constant.text, compared);
    const said = say();
    this.#watched.delete(constant.text);
    return { said, compared: [...compared.values()] };
  }

  /** Any value of the type. */
  any(type: Type, doubt?: string): Plain {
    return this.#shaped(type, (_, sort) => this.terms.constant(sort, doubt));
  }

  /** Any value of the type that is the same for equal operands. */
  unknown(key: string, operands: readonly Term[], type: Type, doubt?: string): Plain {
    return this.#shaped(type, (path, sort) => this.terms.unknown(`${key} ${path}`, operands, sort, doubt));
  }

  /** Creates a symbolic value of a type, and assumes the facts that the type implies. */
  #shaped(type: Type, leaf: (path: string, sort: Sort) => Term): Plain {
    const { terms } = this;
    return shaped(terms, type, (path, sort, of) => {
      const term = leaf(path, sort);
      if (of.kind === "enum")
        this.assume(terms.any(of.values.map((value) => terms.equal(term, terms.literal(value, "String")))));
      return term;
    });
  }

  bool(expr: Expr, names: Names, look: Look): Term {
    return termOf(this.value(expr, names, look));
  }

  /** The types of expressions that are not of the document. */
  learn(types: ReadonlyMap<Expr, Type>): void {
    this.#more.push(types);
  }

  typeOf(expr: Expr): Type {
    const type = this.#types.get(expr) ?? this.#more.find((types) => types.has(expr))?.get(expr);
    if (type === undefined) throw new TypeError("an expression was not checked");
    return type;
  }

  value(expr: Expr, names: Names, look: Look): Plain {
    const { terms } = this;
    if (++this.#steps > mostSteps) this.refuse("an expression that takes too many steps to unroll");
    switch (expr.kind) {
      case "bool":
        return plain(terms.bool(expr.value));
      case "number":
        return plain(terms.literal(expr.value, typeof expr.value === "bigint" ? "Int" : "Real"));
      case "string":
        return plain(terms.literal(expr.value, "String"));
      case "none":
        return { kind: "option", present: terms.false };
      case "var": {
        const value = names.get(expr.name);
        if (value === undefined) throw new TypeError(`the name \`${expr.name}\` has no value`);
        return value;
      }
      case "op":
        return this.#operator(expr, names, look);
      case "lambda":
        throw new TypeError("a function is not a value");
      case "list": {
        const items = expr.items.map((item) => ({
          present: terms.true,
          value: this.value(item, names, look),
        }));
        return { kind: "list", items };
      }
      case "record":
        return this.record(expr.fields, names, look);
      case "field": {
        const type = this.typeOf(expr.of);
        const optional = type.kind === "record" && fieldOf(type, expr.name)?.optional === true;
        return this.field(this.value(expr.of, names, look), expr.name, optional);
      }
      case "let":
        names.set(expr.name, this.value(expr.value, names, look));
        return this.value(expr.body, names, look);
      default:
        return look(expr, names);
    }
  }

  record(args: readonly Argument[], names: Names, look: Look): Plain & { readonly kind: "record" } {
    const fields = new Map<string, Part>();
    for (const { name, value, optional } of args) {
      const found = this.value(value, names, look);
      if (!optional) fields.set(name, { present: this.terms.true, value: found });
      else if (found.kind !== "option") throw new TypeError("an optional field takes an option");
      else if (found.value !== undefined) fields.set(name, { present: found.present, value: found.value });
    }
    return { kind: "record", fields };
  }

  field(of: Plain, name: string, optional: boolean): Plain {
    if (of.kind !== "record") throw new TypeError("only a record has fields");
    const field = of.fields.get(name);
    if (optional) return { kind: "option", present: field?.present ?? this.terms.false, value: field?.value };
    if (field === undefined) throw new TypeError(`a record has no \`${name}\``);
    return field.value;
  }

  // ── operators ──────────────────────────────────────────────────────────────────────────────────────────

  #operator(expr: OpExpr, names: Names, look: Look): Plain {
    const type = this.typeOf(expr);
    const functions: Lambda[] = [];
    const operands: Plain[] = [];
    for (const arg of expr.args) {
      if (arg.kind === "lambda") functions.push(this.#function(arg, names, look));
      else operands.push(this.value(arg, names, look));
    }
    if (functions.length === 0) {
      const found = this.#logic(expr.op, operands, type) ?? this.#evaluated(expr.op, operands, type);
      if (found !== undefined) return found;
      if (operands.every(isScalar) && sortOf(type) !== undefined && sortOf(type) !== "Thing")
        return plain(this.#printed(expr.op, operands.map(termOf), type));
    }
    const written = listOperator(this, expr.op, operands, functions);
    if (written !== undefined) return written;
    const opaque = () => this.#opaque(expr.op, operands, functions, type);
    const lasting = expr.args.flatMap((arg) =>
      arg.kind === "lambda" ? (this.#lasting(arg, names) ?? []) : [],
    );
    if (lasting.length < functions.length) return opaque();
    return manyOperator(this.lists, expr.op, operands, lasting, opaque) ?? opaque();
  }

  #function(lambda: LambdaExpr, names: Names, look: Look): Lambda {
    return (...args) => {
      lambda.params.forEach((param, i) => {
        const arg = args[i];
        if (arg !== undefined) names.set(param.name, arg);
      });
      return this.value(lambda.body, names, look);
    };
  }

  /** SOUNDNESS: gives the same whenever it is asked, so it is of the names as they are now, and of no state or trace. */
  #lasting(lambda: LambdaExpr, names: Names): Lambda | undefined {
    if (looksBeyond(lambda.body, "names")) return undefined;
    const now = new Map(names);
    return (...args) => this.#function(lambda, new Map(now), atNothing)(...args);
  }

  /** Compiles operators that are defined for every type. */
  #logic(op: string, operands: readonly Plain[], type: Type): Plain | undefined {
    const { terms } = this;
    const [first, second, third] = operands;
    if (first === undefined) return undefined;
    switch (op) {
      case "and":
        return plain(terms.all(operands.map(termOf)));
      case "or":
        return plain(terms.any(operands.map(termOf)));
      case "not":
        return plain(terms.not(termOf(first)));
      case "implies":
        return second && plain(terms.implies(termOf(first), termOf(second)));
      case "if":
        return second && third && merge(terms, termOf(first), second, third);
      case "==":
        return second && plain(this.equal(first, second));
      case "!=":
        return second && plain(terms.not(this.equal(first, second)));
      case "some":
        return { kind: "option", present: terms.true, value: first };
      case "isSome":
        return first.kind === "option" ? plain(first.present) : undefined;
      case "value":
        if (first.kind !== "option") return undefined;
        return first.present.value === true && first.value !== undefined
          ? first.value
          : this.#held(first, known(terms, defaultOf(type), type));
      case "orElse":
        return first.kind === "option" && second ? this.#held(first, second) : undefined;
      default:
        return undefined;
    }
  }

  #held(option: Plain & { readonly kind: "option" }, otherwise: Plain): Plain {
    return option.value === undefined
      ? otherwise
      : merge(this.terms, option.present, option.value, otherwise);
  }

  equal(a: Plain, b: Plain): Term {
    if (a.kind === "term" && b.kind === "term") {
      this.#watched.get(a.term.text)?.set(b.term.text, b.term);
      this.#watched.get(b.term.text)?.set(a.term.text, a.term);
    }
    return equalPlain(this.terms, a, b);
  }

  /** On known values, by the IR's own evaluator. Throws `LimitReached`. */
  #evaluated(op: string, operands: readonly Plain[], type: Type): Plain | undefined {
    const evaluator = operatorNamed(op)?.evaluate;
    const values = operands.map(knownValue);
    if (evaluator?.kind !== "strict" || type.kind === "json" || type.kind === "map") return undefined;
    if (!values.every((value) => value !== undefined)) return undefined;
    const found = evaluator.apply(values, { meter: this.#meter, type });
    return isPartly(found) ? undefined : known(this.terms, found, type);
  }

  #printed(op: string, given: readonly Term[], type: Type): Term {
    const { terms } = this;
    const operands = onReals.has(op) ? given.map((one) => terms.real(one)) : terms.alike(given);
    const wanted = sortOf(type) ?? "Bool";
    const isNumber = wanted === "Int" || wanted === "Real";
    // Arithmetic on integers alone gives an integer, whatever wider type its place has.
    const sort = isNumber && wanted === "Real" && !onReals.has(op) ? (operands[0]?.sort ?? wanted) : wanted;
    const form = operatorNamed(op)?.smt;
    const opaque = () => terms.unknown(op, operands, sort, `\`${op}\``);
    const needed: Term[] = [...operands];
    const printed =
      form?.kind === "term"
        ? form.print(
            operands.map(({ text }) => text),
            operands.map((operand) => typeOfSort[operand.sort]),
            {
              literals: operands.map(({ value }) => value),
              opaque: () => {
                const made = opaque();
                needed.push(made);
                return made.text;
              },
            },
          )
        : undefined;
    return printed === undefined ? opaque() : terms.define(sort, printed, needed);
  }

  /** SOUNDNESS: a function as an operand may read any name, so what it gives is new each time it is met. */
  #opaque(op: string, operands: readonly Plain[], functions: readonly Lambda[], type: Type): Plain {
    return functions.length > 0 ? this.any(type, `\`${op}\``) : this.unknownOf(op, operands, type);
  }

  /** A function of the operands of which nothing is known. */
  unknownOf(op: string, operands: readonly Plain[], type: Type): Plain {
    const parts: Term[] = [];
    const shape = operands.map((operand) => this.#flat(operand, parts)).join(" ");
    return this.unknown(`${op} ${shape}`, parts, type, `\`${op}\``);
  }

  /** The scalars of a value, in order, and its shape. */
  #flat(value: Plain, parts: Term[]): string {
    switch (value.kind) {
      case "term":
        parts.push(value.term);
        return "_";
      case "many":
        parts.push(value.id);
        return "_";
      case "option":
        parts.push(value.present);
        return value.value === undefined ? "?" : `?${this.#flat(value.value, parts)}`;
      case "list":
        return `[${value.items.map((item) => this.#flatPart(item, parts)).join()}]`;
      case "record": {
        const fields = [...value.fields].map(
          ([name, part]) => `${name.length}:${name} ${this.#flatPart(part, parts)}`,
        );
        return `{${fields.join()}}`;
      }
    }
  }

  #flatPart({ present, value }: Part, parts: Term[]): string {
    parts.push(present);
    return this.#flat(value, parts);
  }
}

const atNothing: Look = (expr) => {
  throw new TypeError(`\`${expr.kind}\` cannot stand here`);
};

function isScalar(value: Plain): boolean {
  return value.kind === "term" && value.term.sort !== "Thing";
}
