/**
 * Random well-typed expressions, by type: asked for a type, `infer` writes an expression whose inferred type is that
 * type or a smaller one, and says which; `expect` writes one for a place where the checker knows the type already.
 * Operators come from the table by their signatures, so a new one is used without a change here.
 */
import { instantiate, matches, matchSignature } from "../../../src/ir/check/signature.ts";
import type {
  Argument,
  Expr,
  Fluent,
  LambdaExpr,
  LambdaParam,
  Moment,
  Tool,
} from "../../../src/ir/document.ts";
import {
  type Operator,
  operators,
  type Signature,
  type TypePattern,
} from "../../../src/ir/operators/index.ts";
import { printType } from "../../../src/ir/text/printer.ts";
import {
  bool,
  type Field,
  hasNoValue,
  int,
  isSubtype,
  join,
  listOf,
  mapOf,
  never,
  optionOf,
  type RecordType,
  readType,
  real,
  recordOf,
  string,
  type Type,
} from "../../../src/ir/type.ts";
import { isList, isNum, isOption, isRecord, type Value } from "../../../src/ir/value.ts";
import type { Chance } from "./chance.ts";
import { resultType, writeTrace } from "./formulas.ts";
import { isWritable, someType, someValue } from "./types.ts";

export interface Typed {
  readonly expr: Expr;
  /** The type that the checker will infer. */
  readonly type: Type;
}

export interface Variable {
  readonly name: string;
  readonly type: Type;
  /** For a variable bound to calls: of which tools. */
  readonly calls?: readonly Tool[];
  /** For a variable bound to cells: of which fluent. */
  readonly cells?: Fluent;
}

export interface Scope {
  readonly variables: readonly Variable[];
  /** As in the checker: what may be looked at besides the names. */
  readonly view: "values" | "state" | "trace" | "always";
  /** Names of what runs at the same time: taken, and not to be read. */
  readonly closed?: readonly string[];
}

export interface Declared {
  readonly fluents: readonly Fluent[];
  readonly tools: readonly Tool[];
  readonly inputs: readonly Field[];
}

export function bind(scope: Scope, ...variables: readonly Variable[]): Scope {
  return { ...scope, variables: [...scope.variables, ...variables] };
}

const names = ["x", "y", "z", "n", "k", "item", "acc", "t", "u", "row", "w1", "w2", "w3", "w4"];
const oddNames = ["a b", "for", "rows", "max", "__proto__", "x.y", "\u00e9", "count", "now", "label"];

/** A name that is not in sight: names never hide one another, but may be used again elsewhere. */
export function freshName(chance: Chance, scope: Scope, ...taken: readonly string[]): string {
  const used = new Set([...scope.variables.map(({ name }) => name), ...(scope.closed ?? []), ...taken]);
  const free = (chance.odds(6) ? oddNames : names).filter((name) => !used.has(name));
  if (free.length > 0) return chance.pick(free);
  let i = 1;
  while (used.has(`v${i}`)) i++;
  return `v${i}`;
}

export class Writer {
  readonly chance: Chance;
  readonly declared: Declared;

  constructor(chance: Chance, declared: Declared) {
    this.chance = chance;
    this.declared = declared;
  }

  /** `fuel`: how deep it may still go. */
  infer(want: Type, scope: Scope, fuel: number): Typed {
    const { chance } = this;
    if (fuel <= 0) return this.#leaf(want, scope);
    const production = chance.weighted([
      [4, () => this.#leaf(want, scope)],
      [8, () => this.#operation(want, scope, fuel)],
      [1, () => this.#let(want, scope, fuel)],
      [scope.view === "values" ? 0 : 4, () => this.#cell(want, scope, fuel)],
      [scope.view === "values" || scope.view === "state" ? 0 : 9, () => writeTrace(this, want, scope, fuel)],
    ]);
    return production() ?? this.#leaf(want, scope);
  }

  expect(want: Type, scope: Scope, fuel: number): Expr {
    const { chance } = this;
    if (want.kind === "enum" && chance.odds(60)) return { kind: "string", value: chance.pick(want.values) };
    if (fuel <= 0 || chance.odds(50)) return this.infer(want, scope, fuel).expr;
    if (chance.odds(15)) {
      const args = [bool, want, want].map((type) => this.expect(type, scope, fuel - 1));
      return { kind: "op", op: "if", args };
    }
    switch (want.kind) {
      case "list":
        return { kind: "list", items: chance.times(0, 3, () => this.expect(want.element, scope, fuel - 1)) };
      case "record":
        return { kind: "record", fields: this.arguments(want.fields, scope, fuel - 1) };
      case "option":
        if (chance.odds(30)) return { kind: "none" };
        return { kind: "op", op: "some", args: [this.expect(want.value, scope, fuel - 1)] };
      default:
        return this.infer(want, scope, fuel).expr;
    }
  }

  /** This operator, applied to anything it takes. */
  application(operator: Operator, scope: Scope, fuel: number): Typed {
    const signature = this.chance.pick(operator.signatures);
    const typed = this.#apply({ operator, signature, wanted: new Map() }, scope, fuel);
    return typed ?? this.application(operator, scope, fuel);
  }

  /** Values for declared fields: the arguments of a call, or a record where its type is known. */
  arguments(fields: readonly Field[], scope: Scope, fuel: number): Argument[] {
    const { chance } = this;
    const args: Argument[] = [];
    for (const { name, type, optional } of fields) {
      if (optional && chance.odds(30)) continue;
      if (optional && chance.odds(50)) {
        args.push({ name, value: this.expect(optionOf(type), scope, fuel), optional });
      } else args.push({ name, value: this.expect(type, scope, fuel) });
    }
    // Named values may come in any order.
    return chance.odds(20) ? args.reverse() : args;
  }

  /** A type to talk about: of something in sight, of what some operator gives, or any. */
  someType(scope: Scope): Type {
    const { chance } = this;
    const calls =
      scope.view === "trace" ? scope.variables.flatMap((one) => (one.calls ? [one.calls] : [])) : [];
    if (calls.length > 0 && chance.odds(25)) {
      const result = resultType(chance.pick(calls));
      if (result !== undefined && isWritable(result)) return optionOf(result);
    }
    if (scope.variables.length > 0 && chance.odds(50)) {
      const { type } = chance.pick(scope.variables);
      const inner = type.kind === "list" ? type.element : type.kind === "option" ? type.value : type;
      const chosen = chance.odds(50) ? type : inner;
      if (isWritable(chosen)) return chosen;
    }
    return chance.odds(60) ? someType(chance, 2, false) : this.operatorType();
  }

  /** A type that few operators give. */
  operatorType(): Type {
    return this.#wish(this.chance.pick(compoundResults), new Map(), { view: "values", variables: [] });
  }

  /** A type whose values can be written out. */
  plainType(): Type {
    const type = someType(this.chance, 1, false);
    return isPlain(type) ? type : string;
  }

  // ── leaves ─────────────────────────────────────────────────────────────────────────────────────────────

  #leaf(want: Type, scope: Scope): Typed {
    const { chance } = this;
    const paths = pathsOf(scope).filter(({ type }) => isSubtype(type, want));
    if (paths.length === 0 || chance.odds(25)) return this.#literal(want);
    const { expr, type } = chance.pick(paths);
    // No expression object stands in two places.
    return { expr: structuredClone(expr), type };
  }

  #literal(want: Type): Typed {
    const { chance } = this;
    switch (want.kind) {
      case "enum":
        return firstOf(want);
      case "json":
        return { expr: { kind: "op", op: "json", args: [this.#literal(this.plainType()).expr] }, type: want };
      case "list": {
        const items = chance.times(0, 3, () => this.#literal(want.element));
        return { expr: { kind: "list", items: items.map(({ expr }) => expr) }, type: listOf(joined(items)) };
      }
      case "option": {
        if (chance.odds(25)) return { expr: { kind: "none" }, type: optionOf(never) };
        const { expr, type } = this.#literal(want.value);
        return { expr: { kind: "op", op: "some", args: [expr] }, type: optionOf(type) };
      }
      case "map": {
        const entries = chance.times(0, 3, () => this.#literal(want.value));
        const items = entries.map(({ expr }) => ({
          kind: "record" as const,
          fields: [
            { name: "key", value: literalOf(someValue(chance, string)) },
            { name: "value", value: expr },
          ],
        }));
        return {
          expr: { kind: "op", op: "mapOf", args: [{ kind: "list", items }] },
          type: mapOf(joined(entries)),
        };
      }
      case "record":
        return this.#recordLiteral(want);
      default: {
        const value = someValue(chance, want);
        return {
          expr: literalOf(value),
          type: want.kind === "real" && typeof value === "bigint" ? int : want,
        };
      }
    }
  }

  #recordLiteral(want: RecordType): Typed {
    const { chance } = this;
    const args: Argument[] = [];
    const fields: Field[] = [];
    for (const { name, type, optional } of want.fields) {
      if (optional && chance.odds(25)) continue;
      if (optional && chance.odds(60)) {
        const value = this.#literal(optionOf(type));
        if (value.type.kind !== "option") throw new TypeError("an option was asked for");
        args.push({ name, value: value.expr, optional });
        fields.push({ name, type: value.type.value, optional });
      } else {
        const value = this.#literal(type);
        args.push({ name, value: value.expr });
        fields.push({ name, type: value.type });
      }
    }
    return { expr: { kind: "record", fields: args }, type: recordOf(fields) };
  }

  // ── names and state ────────────────────────────────────────────────────────────────────────────────────

  #let(want: Type, scope: Scope, fuel: number): Typed {
    const value = this.infer(this.someType(scope), scope, fuel - 1);
    const name = freshName(this.chance, scope);
    const body = this.infer(want, bind(scope, { name, type: value.type }), fuel - 1);
    return { expr: { kind: "let", name, value: value.expr, body: body.expr }, type: body.type };
  }

  #cell(want: Type, scope: Scope, fuel: number): Typed | undefined {
    const { chance } = this;
    const fitting = this.declared.fluents.filter((fluent) => isSubtype(fluent.value, want));
    if (fitting.length === 0) return undefined;
    const fluent = chance.pick(fitting);
    const key = this.expect(fluent.key, scope, fuel - 1);
    return { expr: { kind: "cell", at: this.moment(scope), fluent: fluent.name, key }, type: fluent.value };
  }

  moment({ view }: Scope): Moment {
    if (view === "state") return "now";
    if (view === "always") return this.chance.odds(80) ? "now" : "initial";
    return this.chance.odds(70) ? "final" : "initial";
  }

  // ── operators ──────────────────────────────────────────────────────────────────────────────────────────

  #operation(want: Type, scope: Scope, fuel: number): Typed | undefined {
    const { chance } = this;
    const fitting = waysTo(want);
    if (fitting.length === 0) return undefined;
    // Those that can give anything would crowd out those that give only this.
    const exact = fitting.filter((ways) => ways.some(({ signature }) => isRare(signature.result, want)));
    const chosen = chance.pick(exact.length > 0 && chance.odds(50) ? exact : fitting);
    const { operator, signature, wanted } = chance.pick(chosen);
    const typed = this.#apply({ operator, signature, wanted: new Map(wanted) }, scope, fuel - 1);
    // An operand that has no value, below an empty list, is taken for what the first signature takes.
    return typed !== undefined && isSubtype(typed.type, want) ? typed : undefined;
  }

  #apply({ operator, signature, wanted }: Way, scope: Scope, fuel: number): Typed | undefined {
    const { chance } = this;
    const patterns = [...signature.params];
    const last = patterns.at(-1);
    if (signature.variadic && last !== undefined) patterns.push(...chance.times(0, 2, () => last));
    const operands = patterns.map((pattern, i): Typed | undefined =>
      pattern.kind === "function"
        ? undefined
        : (writtenWord(operator, i) ??
          this.#fittingText(operator, i) ??
          withinReach(operator, i, this.#operand(operator, this.#wish(pattern, wanted, scope), scope, fuel))),
    );
    const match = matchSignature(
      operator.signatures,
      operands.map((operand) => operand?.type),
    );
    if (match === undefined) {
      const given = operands.map((operand) =>
        operand === undefined ? "a function" : printType(operand.type),
      );
      throw new TypeError(`\`${operator.name}\` does not take ${given.join(", ")}`);
    }
    const args = operands.map((operand, i): Expr => {
      if (operand !== undefined) return operand.expr;
      const pattern = match.signature.params[i];
      if (pattern?.kind !== "function") throw new TypeError("a function was expected");
      const lambda = this.#lambda(pattern, match.bindings.types, wanted, scope, fuel);
      for (const at of pattern.annotated ?? []) {
        const slot = pattern.params[at];
        if (slot?.kind !== "variable") throw new TypeError("a variable was expected");
        match.bindings.types.set(slot.name, lambda.params[at]?.type ?? never);
        match.bindings.fixed.add(slot.name);
      }
      if (!matches(pattern.result, lambda.type, match.bindings))
        throw new TypeError("a function does not give what was asked for");
      return lambda.expr;
    });
    const type = operator.resultOf?.(args) ?? instantiate(match.signature.result, match.bindings);
    // What gives nothing at all is refused, as `value(none)`.
    if (hasNoValue(type) && operands.every((operand) => operand === undefined || !hasNoValue(operand.type)))
      return undefined;
    const isEquality = operator.name === "==" || operator.name === "!=";
    return {
      expr: { kind: "op", op: operator.name, args: isEquality ? this.#sameEnum(args, operands) : args },
      type,
    };
  }

  /** For what means something only for some texts; an operand that must be written out is nothing else. */
  #fittingText({ name, written }: Operator, operand: number): Typed | undefined {
    const known = fittingTexts[name]?.[operand];
    if (known === undefined || (written?.operand !== operand && this.chance.odds(40))) return undefined;
    return { expr: { kind: "string", value: this.chance.pick(known) }, type: string };
  }

  #operand(operator: Operator, want: Type, scope: Scope, fuel: number): Typed {
    // Lists stay short: loops go over them, and loops of loops.
    if (operator.name !== "range") return this.infer(want, scope, fuel);
    const few: Expr = { kind: "number", value: BigInt(this.chance.int(0, 4)) };
    if (this.chance.odds(50)) return { expr: few, type: int };
    return { expr: { kind: "op", op: "min", args: [few, this.infer(int, scope, fuel).expr] }, type: int };
  }

  /** A type for the operand; a variable that the result does not decide is anything. */
  #wish(pattern: TypePattern, wanted: Map<string, Type>, scope: Scope): Type {
    switch (pattern.kind) {
      case "variable": {
        const known = wanted.get(pattern.name);
        if (known !== undefined) return known;
        const chosen = this.someType(scope);
        wanted.set(pattern.name, chosen);
        return chosen;
      }
      case "listOf":
        return listOf(this.#wish(pattern.element, wanted, scope));
      case "optionOf":
        return optionOf(this.#wish(pattern.value, wanted, scope));
      case "mapOf":
        return mapOf(this.#wish(pattern.value, wanted, scope));
      case "recordOf":
        return recordOf(
          pattern.fields.map(([name, field]) => ({ name, type: this.#wish(field, wanted, scope) })),
        );
      case "function":
        throw new TypeError("a function is no value");
      default:
        return pattern;
    }
  }

  #lambda(
    pattern: TypePattern & { readonly kind: "function" },
    found: ReadonlyMap<string, Type>,
    wanted: Map<string, Type>,
    scope: Scope,
    fuel: number,
  ): { readonly expr: LambdaExpr; readonly params: readonly LambdaParam[]; readonly type: Type } {
    const { chance } = this;
    const params: LambdaParam[] = [];
    const variables: Variable[] = [];
    pattern.params.forEach((slot, i) => {
      const given = instantiate(slot, { types: new Map(found), fixed: new Set() });
      const name = freshName(chance, scope, ...params.map((param) => param.name));
      const mustSay = pattern.annotated?.includes(i) === true;
      const said = mustSay
        ? this.#wish(slot, wanted, scope)
        : chance.odds(80) && given.kind === "int"
          ? real
          : given;
      const says = mustSay || (isWritable(said) && chance.odds(25));
      params.push(says ? { name, type: said } : { name });
      variables.push({ name, type: says ? said : given });
    });
    const body = this.infer(this.#wish(pattern.result, wanted, scope), bind(scope, ...variables), fuel);
    return { expr: { kind: "lambda", params, body: body.expr }, params, type: body.type };
  }

  /** A word that is not in the other operand's enum would be refused. */
  #sameEnum(args: readonly Expr[], operands: readonly (Typed | undefined)[]): Expr[] {
    return args.map((arg, i) => {
      const other = operands[1 - i]?.type;
      if (arg.kind !== "string" || other?.kind !== "enum" || other.values.includes(arg.value)) return arg;
      return { kind: "string", value: this.chance.pick(other.values) };
    });
  }
}

const someExpressions = [
  "/a/",
  "/(a)|b/g",
  "/^[a-z]*$/m",
  "/\\s+/g",
  "/(?:)/",
  "/([a-z])([0-9])?/gi",
  "/\\b\\w/",
  "/(?<x>.)(?=b)/gs",
  "/\\W*?$/",
  "/[^a]/u",
];
const someDates = ["2024-03-01", "2024-02-29T10:00:00Z", "1999-12-31T23:59:59.999Z", "", "soon", "Aug"];
const someNumbers = ["12", " -3.5 ", "1e3", "0x1f", "", "a1", "7px", "-0", ".5", "1_000"];
const someTemplates = ["-", "[$&]", "$1$2", "$$", "$'", ""];

/** By operator, texts for each of its operands. */
const fittingTexts: Readonly<Record<string, readonly (readonly string[] | undefined)[]>> = {
  matches: [undefined, ["", "a", "^a", "b$", "^[a-z]*$", "\\s", "^.?$", "(?:a|b)+", "^\\W{0,2}$", "[^a]"]],
  hasMatch: [undefined, someExpressions],
  firstMatch: [undefined, someExpressions],
  allMatches: [undefined, someExpressions],
  replaceMatch: [undefined, someExpressions, someTemplates],
  replaceMatches: [undefined, someExpressions],
  splitByMatch: [undefined, someExpressions],
  substituteFirst: [undefined, undefined, someTemplates],
  substituteAll: [undefined, undefined, someTemplates],
  numberOf: [someNumbers],
  floatOf: [someNumbers],
  integerOf: [someNumbers],
  timeOfText: [someDates],
  pathInside: [
    ["/a", "/a/b", "/a/../b", "/ab", "a", "/", "a/./b", "../a", "/a//b/..", "/a\\b", "c:/a", "/a/%2e"],
    ["/a", "/", "a", ".", "/a/", "..", "/a/.."],
  ],
  urlInside: [
    [
      "http://a.b",
      "HTTP://A.b:80/x",
      "http://a.b/x/../y",
      "http://a.b@c/x",
      "http://a.b/x/%2e%2e",
      "http://1.1/",
    ],
    ["http://a.b", "http://a.b/x", "http://a.b:80/", "https://a.b", "a.b", "http://1.1/"],
  ],
};

const compound = ["optionOf", "listOf", "option", "list", "record"];

/** Compound result types of operators, each once; scalars are common enough. */
const compoundResults = [
  ...new Map(
    [...operators.values()]
      .flatMap(({ signatures }) => signatures.map(({ result }) => result))
      .filter(({ kind }) => compound.includes(kind))
      .map((result) => [JSON.stringify(result), result]),
  ).values(),
];

/** Gives this type and no smaller one, and hardly ever is asked to: options, lists and records of something in particular. */
function isRare(result: TypePattern, want: Type): boolean {
  if (result.kind === "listOf") return result.element.kind === "recordOf" || result.element.kind === "string";
  return (
    (result.kind === "option" || result.kind === "list" || result.kind === "record") &&
    isSubtype(want, result)
  );
}

interface Way {
  readonly operator: Operator;
  readonly signature: Signature;
  /** Required bindings of its type variables. */
  readonly wanted: Map<string, Type>;
}

const knownWays = new Map<string, readonly (readonly Way[])[]>();

/** Every operator that can give the type, each with the signatures that do. */
function waysTo(want: Type): readonly (readonly Way[])[] {
  const key = isWritable(want) ? printType(want) : undefined;
  const known = key === undefined ? undefined : knownWays.get(key);
  if (known !== undefined) return known;
  const ways = [...operators.values()].map((operator) =>
    operator.signatures.flatMap((signature) => {
      const wanted = new Map<string, Type>();
      return canGive(signature.result, want, wanted) ? [{ operator, signature, wanted }] : [];
    }),
  );
  const found = ways.filter((one) => one.length > 0);
  if (key !== undefined) knownWays.set(key, found);
  return found;
}

/** Returns true if the pattern can give a subtype of the wanted type; binds its variables. */
function canGive(pattern: TypePattern, want: Type, wanted: Map<string, Type>): boolean {
  switch (pattern.kind) {
    case "variable":
      // Only what can be written down, since a function may have to say it.
      if (!isWritable(want)) return false;
      wanted.set(pattern.name, want);
      return true;
    case "listOf":
      return want.kind === "list" && canGive(pattern.element, want.element, wanted);
    case "optionOf":
      return want.kind === "option" && canGive(pattern.value, want.value, wanted);
    case "mapOf":
      return want.kind === "map" && canGive(pattern.value, want.value, wanted);
    case "recordOf": {
      if (want.kind !== "record" || want.fields.length !== pattern.fields.length) return false;
      return pattern.fields.every(([name, field]) => {
        const there = want.fields.find((one) => one.name === name);
        return there !== undefined && canGive(field, there.type, wanted);
      });
    }
    case "function":
      return false;
    default:
      return isSubtype(pattern, want);
  }
}

/** Everything in sight, with the fields of records and what options hold. */
function pathsOf(scope: Scope): Typed[] {
  const found: Typed[] = [];
  const visit = (path: Typed, depth: number) => {
    found.push(path);
    if (depth === 0) return;
    const { expr, type } = path;
    if (type.kind === "option" && !hasNoValue(type.value)) {
      visit({ expr: { kind: "op", op: "value", args: [expr] }, type: type.value }, depth - 1);
    }
    if (type.kind !== "record") return;
    for (const field of type.fields) {
      visit({ expr: { kind: "field", of: expr, name: field.name }, type: readType(field) }, depth - 1);
    }
  };
  for (const { name, type } of scope.variables) visit({ expr: { kind: "var", name }, type }, 2);
  return found;
}

function joined(items: readonly Typed[]): Type {
  return items.reduce<Type>((sofar, { type }) => {
    const wider = join(sofar, type);
    if (wider === undefined) throw new TypeError("literals of one type have no common type");
    return wider;
  }, never);
}

/** The first value of an enum, where a word would be taken for a string. */
function firstOf(type: Type): Typed {
  const none: Expr = {
    kind: "op",
    op: "map",
    args: [
      { kind: "list", items: [] },
      { kind: "lambda", params: [{ name: "word", type }], body: { kind: "var", name: "word" } },
    ],
  };
  const first: Expr = { kind: "op", op: "at", args: [none, { kind: "number", value: 0n }] };
  return { expr: { kind: "op", op: "value", args: [first] }, type };
}

/** A word for an operand that the type of the result is made of, another one at each place. */
function writtenWord({ resultOf }: Operator, operand: number): Typed | undefined {
  if (resultOf === undefined || operand === 0) return undefined;
  return { expr: { kind: "string", value: ["a", "b", "", "c"][operand % 4] ?? "" }, type: string };
}

/** A text as long as a number says must stay within the limits of the run, also where it is made longer again. */
function withinReach(operator: Operator, i: number, operand: Typed): Typed {
  if (i !== 1 || !["repeatText", "padStart", "padEnd"].includes(operator.name)) return operand;
  const most: Expr = { kind: "number", value: 3n };
  return { ...operand, expr: { kind: "op", op: "min", args: [operand.expr, most] } };
}

/** A value written out, but for `json`. */
export function literalOf(value: Value): Expr {
  if (typeof value === "boolean") return { kind: "bool", value };
  if (typeof value === "string") return { kind: "string", value };
  if (value === null) throw new TypeError("null cannot be written out");
  if (isNum(value)) return { kind: "number", value };
  if (isList(value)) return { kind: "list", items: value.map(literalOf) };
  if (isOption(value)) {
    return value.kind === "none"
      ? { kind: "none" }
      : { kind: "op", op: "some", args: [literalOf(value.value)] };
  }
  if (!isRecord(value)) throw new TypeError("no such value");
  const fields = Object.entries(value.fields).map(([name, field]) => ({ name, value: literalOf(field) }));
  return { kind: "record", fields };
}

/** A type whose values can all be written out. */
export function isPlain(type: Type): boolean {
  switch (type.kind) {
    case "json":
    case "map":
    case "never":
      return false;
    case "list":
      return isPlain(type.element);
    case "option":
      return isPlain(type.value);
    case "record":
      return type.fields.every((field) => isPlain(field.type));
    default:
      return true;
  }
}
