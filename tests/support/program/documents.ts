/** Random well-typed documents: declarations, a program that does something, and guarantees about it. */
import { clockTool, pauseTool, randomTool } from "../../../src/ir/builtin.ts";
import type {
  CallCommand,
  Carry,
  Command,
  Document,
  Expr,
  Fluent,
  ForCommand,
  Guarantee,
  Source,
  Tool,
  Update,
  WhileCommand,
} from "../../../src/ir/document.ts";
import {
  bool,
  int,
  isSubtype,
  listOf,
  optionOf,
  readType,
  real,
  string,
  type Type,
} from "../../../src/ir/type.ts";
import type { Chance } from "./chance.ts";
import { bind, freshName, isPlain, literalOf, type Scope, type Variable, Writer } from "./expressions.ts";
import { writeTrace } from "./formulas.ts";
import { withoutMisplaced } from "./provenance.ts";
import { someFields, someKeyType, someType, someValue } from "./types.ts";

const toolNames = [
  "bank.pay",
  "bank.balance",
  "mail.send",
  "home.lock",
  "list",
  "odd name.x",
  "rows",
  "a.b.c.for",
];
const fluentNames = ["home.locked", "count", "seen.all", "odd name.y", "final"];
const paramNames = ["to", "amount", "id", "key", "value", "odd name", "when", "__proto__"];
const labels = ["payment", "risky", "odd label"];

/** Sizes of a document. */
export interface Size {
  readonly fluents: number;
  readonly tools: number;
  readonly commands: number;
  readonly guarantees: number;
  /** Depth of expressions. */
  readonly fuel: number;
  /** Calls in a hundred with a `catch`. */
  readonly catching: number;
  /** Probability of branches, and of loops with concurrent iterations. */
  readonly parallel: number;
  /** Probability of each tool of Foreclaim's own: the clock, chance, a pause. */
  readonly readings: number;
}

export const usualSize: Size = {
  fluents: 3,
  tools: 4,
  commands: 7,
  guarantees: 3,
  fuel: 3,
  catching: 35,
  parallel: 0,
  readings: 0,
};

export function someDocument(chance: Chance, size: Size): Document {
  const fluents = distinctNames(chance, size.fluents, fluentNames, 0).map((name) => someFluent(chance, name));
  const declared = distinctNames(chance, size.tools, toolNames, 1).map((name) =>
    someTool(chance, name, fluents, size),
  );
  const tools = [...declared, ...[clockTool, randomTool, pauseTool].filter(() => chance.odds(size.readings))];
  const inputs = someFields(chance, 2, true, ["x", "y", "limit", "users", "k", "odd input"]);
  const writer = new Writer(chance, { fluents, tools, inputs });
  const scope: Scope = {
    view: "values",
    variables: inputs.map((field) => ({ name: field.name, type: readType(field) })),
  };
  const body = new Commands(writer, size).body(
    scope,
    chance.int(Math.min(2, size.commands), size.commands),
    2,
  ).commands;
  const guarantees = chance.times(1, size.guarantees, (i) => someGuarantee(writer, scope, size, i));
  const document = { effectIr: 1 as const, fluents, tools, program: { inputs, body }, guarantees };
  return chance.odds(10) ? { ...document, modules: "sha256-0123" } : document;
}

function distinctNames(chance: Chance, max: number, names: readonly string[], min: number): string[] {
  return [...new Set(chance.times(Math.min(min, max), max, () => chance.pick(names)))];
}

function someFluent(chance: Chance, name: string): Fluent {
  const fluent = { name, key: someKeyType(chance), value: someType(chance, chance.odds(70) ? 0 : 2, false) };
  if (!isPlain(fluent.value) || chance.odds(20)) return fluent;
  return { ...fluent, initial: literalOf(someValue(chance, fluent.value)) };
}

function someTool(chance: Chance, name: string, fluents: readonly Fluent[], size: Size): Tool {
  const params = someFields(chance, 1, true, paramNames);
  const result = chance.odds(70) ? someResult(chance) : undefined;
  const writer = new Writer(chance, { fluents, tools: [], inputs: [] });
  const variables = params.map((field): Variable => ({ name: field.name, type: readType(field) }));
  const state: Scope = { view: "state", variables };
  const values: Scope = { view: "values", variables };
  const fuel = size.fuel - 1;
  const tool: Tool = {
    name,
    params,
    ...(result === undefined ? {} : { result }),
    labels: labels.filter(() => chance.odds(30)),
    requires: chance.times(0, chance.odds(40) ? 2 : 0, () => likely(writer, state, fuel)),
    ensures: chance.odds(50) ? [] : chance.times(1, 2, () => someEnsures(writer, values, result, fuel)),
    sets:
      fluents.length === 0
        ? []
        : chance.times(0, 2, () => someUpdate(writer, state, chance.pick(fluents), fuel)),
    ...(chance.odds(40) ? { cost: someCost(writer, values, fuel) } : {}),
    ...(chance.odds(20) ? { stores: ["mail", "drive"].filter(() => chance.odds(50)) } : {}),
    ...(result !== undefined && chance.odds(10) ? { endorses: [someEndorsed(chance)] } : {}),
    ...(result !== undefined && chance.odds(10)
      ? { readers: someReaders(writer, values, result, fuel) }
      : {}),
  };
  const flags = { reads: true, idempotent: true, untrusted: true, undoable: true } as const;
  return { ...tool, ...Object.fromEntries(Object.entries(flags).filter(() => chance.odds(15))) };
}

/** Lists are what loops and rows need. */
function someResult(chance: Chance): Type {
  return chance.odds(35) ? listOf(someType(chance, 1, true)) : someType(chance, 2, true);
}

/** A condition that is more often true than not, so that runs go on for a while. */
function likely(writer: Writer, scope: Scope, fuel: number): Expr {
  const { chance } = writer;
  const condition = writer.expect(bool, scope, fuel);
  if (chance.odds(25)) return condition;
  const number = () => writer.infer(real, scope, 0).expr;
  const bound: Expr = {
    kind: "op",
    op: chance.pick([">", ">=", "!="]),
    args: [number(), { kind: "number", value: BigInt(chance.int(-20, -4)) }],
  };
  return { kind: "op", op: "or", args: chance.odds(50) ? [condition, bound] : [bound, condition] };
}

/** Generates an `ensures` that often has a result. */
function someEnsures(writer: Writer, scope: Scope, result: Type | undefined, fuel: number): Expr {
  const { chance } = writer;
  if (result === undefined) return likely(writer, scope, fuel);
  const inner = bind(scope, { name: "result", type: result });
  const self: Expr = { kind: "var", name: "result" };
  const literal = (value: number): Expr => ({ kind: "number", value: BigInt(value) });
  if (isSubtype(result, real) && chance.odds(70)) {
    return { kind: "op", op: chance.pick([">=", ">", "!="]), args: [self, literal(chance.int(-3, 2))] };
  }
  if (result.kind === "list" && chance.odds(70)) {
    const args = [{ kind: "op", op: "length", args: [self] } as const, literal(chance.int(1, 3))];
    return { kind: "op", op: "<=", args };
  }
  if (result.kind === "option" && chance.odds(50)) return { kind: "op", op: "isSome", args: [self] };
  return likely(writer, inner, fuel);
}

function someEndorsed(chance: Chance): Source {
  return chance.odds(50) ? { kind: "untrusted" } : { kind: "input" };
}

/** Generates readers; for a list, of one element. */
function someReaders(writer: Writer, scope: Scope, result: Type, fuel: number): Expr {
  const held =
    result.kind === "list" ? { name: "row", type: result.element } : { name: "result", type: result };
  return writer.expect(listOf(string), bind(scope, held), fuel);
}

/** Not below zero most of the time. */
function someCost(writer: Writer, scope: Scope, fuel: number): Expr {
  const cost = writer.infer(real, scope, fuel).expr;
  return writer.chance.odds(10) ? cost : { kind: "op", op: "abs", args: [cost] };
}

function someUpdate(writer: Writer, scope: Scope, fluent: Fluent, fuel: number): Update {
  const update = {
    fluent: fluent.name,
    key: writer.expect(fluent.key, scope, fuel),
    value: writer.expect(fluent.value, scope, fuel),
  };
  return writer.chance.odds(30) ? { ...update, when: writer.expect(bool, scope, fuel) } : update;
}

function someGuarantee(writer: Writer, scope: Scope, size: Size, i: number): Guarantee {
  const { chance } = writer;
  const args = chance.times(0, 2, () => literalOf(someValue(chance, writer.plainType())));
  const guarantee = { name: chance.pick([`policy.rule${i}`, "odd name.g", "g"]), args };
  if (chance.odds(4)) return guarantee;
  const inTrace: Scope = { ...scope, view: "trace" };
  const formula = chance.odds(80) ? writeTrace(writer, bool, inTrace, size.fuel + 1)?.expr : undefined;
  return {
    ...guarantee,
    formula: withoutMisplaced(formula ?? writer.expect(bool, inTrace, size.fuel + 1)),
  };
}

// ── commands ─────────────────────────────────────────────────────────────────────────────────────────────

interface Written {
  readonly commands: readonly Command[];
  /** With what the commands declared. */
  readonly scope: Scope;
}

class Commands {
  readonly #writer: Writer;
  readonly #size: Size;
  readonly #ids = new Set<string>();

  constructor(writer: Writer, size: Size) {
    this.#writer = writer;
    this.#size = size;
  }

  body(scope: Scope, count: number, loops: number): Written {
    const commands: Command[] = [];
    let inner = scope;
    for (let i = 0; i < count; i++) {
      const written = this.#command(inner, loops);
      commands.push(...written.commands);
      inner = written.scope;
    }
    return { commands, scope: inner };
  }

  #command(scope: Scope, loops: number): Written {
    const { chance, declared } = this.#writer;
    return chance.weighted([
      [4, () => this.#let(scope)],
      [declared.tools.length > 0 ? 10 : 0, () => this.#call(scope)],
      [loops > 0 ? 4 : 0, () => this.#loop(scope, loops)],
      [loops > 0 ? 1 : 0, () => this.#turns(scope, loops)],
      [loops > 0 ? this.#size.parallel : 0, () => this.#parallel(scope, loops)],
      [1, () => this.#require(scope)],
    ])();
  }

  /** A branch reads nothing of another, and all that was declared is there afterward. */
  #parallel(scope: Scope, loops: number): Written {
    const { chance } = this.#writer;
    const branches: (readonly Command[])[] = [];
    let all = scope;
    for (const count of chance.times(2, 3, () => chance.int(0, 2))) {
      const others = all.variables.slice(scope.variables.length);
      const closed = [...(scope.closed ?? []), ...others.map(({ name }) => name)];
      const { commands, scope: after } = this.body({ ...scope, closed }, count, loops - 1);
      branches.push(commands);
      all = bind(all, ...after.variables.slice(scope.variables.length));
    }
    return { commands: [{ kind: "parallel", branches }], scope: all };
  }

  #let(scope: Scope): Written {
    const { chance } = this.#writer;
    const type = chance.odds(60) ? this.#writer.operatorType() : this.#writer.someType(scope);
    const value = this.#writer.infer(type, scope, this.#size.fuel);
    const name = freshName(chance, scope);
    return {
      commands: [{ kind: "let", name, value: value.expr }],
      scope: bind(scope, { name, type: value.type }),
    };
  }

  #require(scope: Scope): Written {
    const { chance } = this.#writer;
    const condition = likely(this.#writer, scope, this.#size.fuel - 1);
    const command = {
      kind: "require" as const,
      condition,
      why: chance.pick(["", "it must hold", 'a "reason"']),
    };
    const when = chance.odds(30) ? { when: this.#writer.expect(bool, scope, this.#size.fuel - 1) } : {};
    return { commands: [{ ...command, ...when }], scope };
  }

  #call(scope: Scope): Written {
    const writer = this.#writer;
    const { chance } = writer;
    const tool = chance.pick(writer.declared.tools);
    const args = writer.arguments(tool.params, scope, this.#size.fuel - 1);
    const guard = chance.odds(40) ? { when: this.#guard(tool, args, scope) } : {};
    let inner = scope;
    const declare = (name: string, type: Type) => {
      inner = bind(inner, { name, type });
      return name;
    };
    const caught = chance.odds(this.#size.catching);
    const maybe = caught || guard.when !== undefined;
    const bound =
      tool.result !== undefined && chance.odds(80)
        ? { bind: declare(freshName(chance, inner), maybe ? optionOf(tool.result) : tool.result) }
        : {};
    const caughtAs = caught ? { catch: declare(freshName(chance, inner), bool) } : {};
    const said = caught && chance.odds(30) ? { reason: declare(freshName(chance, inner), string) } : {};
    const call: CallCommand = {
      kind: "call",
      id: this.#id(),
      tool: tool.name,
      args,
      ...bound,
      ...guard,
      ...caughtAs,
      ...said,
    };
    return { commands: [call], scope: inner };
  }

  /** Any condition, or one of those that the tool requires, said of the arguments. */
  #guard(tool: Tool, args: readonly { readonly name: string; readonly value: Expr }[], scope: Scope): Expr {
    const { chance } = this.#writer;
    const required = tool.requires.filter(isSubstitutable);
    const values = new Map(args.map(({ name, value }) => [name, value]));
    const sayable = tool.params.every((param) => {
      const value = values.get(param.name);
      return value !== undefined && !param.optional && isOfType(value, param.type, scope);
    });
    if (required.length === 0 || !sayable || chance.odds(30))
      return this.#writer.expect(bool, scope, this.#size.fuel - 1);
    return substituted(chance.pick(required), values);
  }

  #id(): string {
    const { chance } = this.#writer;
    const number = `c${this.#ids.size + 1}`;
    const wanted = chance.odds(80) ? number : chance.pick(["pay", "first call", "c01", "c2"]);
    const id = this.#ids.has(wanted) ? `${number}x` : wanted;
    this.#ids.add(id);
    return id;
  }

  #loop(scope: Scope, loops: number): Written {
    const { chance } = this.#writer;
    const list = this.#list(scope);
    const carried = this.#carried(scope);
    const names = carried.map(({ name }) => name);
    const outer = bind(scope, ...carried);
    const parallel = chance.odds(12 * this.#size.parallel) ? { parallel: true as const } : {};
    const hidden: Scope = { ...scope, closed: [...(scope.closed ?? []), ...names] };
    const visible = parallel.parallel ? hidden : outer;
    const element = freshName(chance, outer);
    const index = chance.odds(40) ? { index: freshName(chance, outer, element) } : {};
    const inner = bind(
      visible,
      { name: element, type: list.element },
      ...(index.index === undefined ? [] : [{ name: index.index, type: int }]),
    );
    const body = this.body(inner, chance.int(1, 3), loops - 1);
    const after = parallel.parallel ? bind(body.scope, ...carried) : body.scope;
    const carry = carried.map((one): Carry => ({ ...one, next: this.#next(one.type, after) }));
    const max = chance.odds(30) ? { max: chance.int(1, 5) } : {};
    const command: ForCommand = {
      kind: "for",
      var: element,
      ...index,
      list: list.expr,
      ...max,
      ...parallel,
      carry,
      body: body.commands,
    };
    return { commands: [command], scope: outer };
  }

  /** Mostly counts down from a small number; without that a small `max` ends it. */
  #turns(scope: Scope, loops: number): Written {
    const { chance } = this.#writer;
    const carried = this.#carried(scope);
    const isCounted = chance.odds(75);
    const left = freshName(chance, scope, ...carried.map(({ name }) => name));
    const number = (value: number): Expr => ({ kind: "number", value: BigInt(value) });
    const self = (): Expr => ({ kind: "var", name: left });
    const next: Expr = { kind: "op", op: "-", args: [self(), number(1)] };
    const counter: Carry = { name: left, type: int, init: number(chance.int(0, 3)), next };
    const outer = bind(scope, ...carried, ...(isCounted ? [counter] : []));
    const any = this.#writer.expect(bool, outer, this.#size.fuel - 1);
    const goesOn: Expr = { kind: "op", op: ">", args: [self(), number(0)] };
    const counted: Expr = chance.odds(60) ? goesOn : { kind: "op", op: "and", args: [goesOn, any] };
    const index = chance.odds(40) ? { index: freshName(chance, outer) } : {};
    const inner = index.index === undefined ? outer : bind(outer, { name: index.index, type: int });
    const body = this.body(inner, chance.int(1, 3), loops - 1);
    const carry = carried.map((one): Carry => ({ ...one, next: this.#next(one.type, body.scope) }));
    const command: WhileCommand = {
      kind: "while",
      condition: isCounted ? counted : any,
      ...index,
      ...(isCounted && chance.odds(70) ? {} : { max: chance.int(1, 4) }),
      carry: isCounted ? [...carry, counter] : carry,
      body: body.commands,
    };
    return { commands: [command], scope: outer };
  }

  /** Values that a loop hands on, with what they are at first. */
  #carried(scope: Scope): Omit<Carry, "next">[] {
    const { chance } = this.#writer;
    const types = chance.times(0, 2, () => someType(chance, 1, false));
    const inits = types.map((type) => this.#writer.expect(type, scope, this.#size.fuel - 1));
    const names: string[] = [];
    return inits.flatMap((init, i) => {
      const type = types[i];
      if (type === undefined) return [];
      const name = freshName(chance, scope, ...names);
      names.push(name);
      return [{ name, type, init }];
    });
  }

  #next(type: Type, scope: Scope): Expr {
    if (type.kind !== "list") return this.#writer.expect(type, scope, this.#size.fuel - 1);
    // A list that grows with its own length in every iteration would be all that the run does.
    const next = this.#writer.infer(type, scope, this.#size.fuel - 1);
    return next.type.kind === "list" && next.expr.kind !== "list" ? firstOf(next.expr) : next.expr;
  }

  /** LIMIT: a short one, since there are loops of loops and each of them makes calls. */
  #list(scope: Scope): { readonly expr: Expr; readonly element: Type } {
    const { chance } = this.#writer;
    const lists = scope.variables.filter(({ type }) => type.kind === "list");
    if (lists.length > 0 && chance.odds(60)) {
      const { name, type } = chance.pick(lists);
      const expr: Expr = { kind: "var", name };
      if (type.kind === "list") return { expr: firstOf(expr), element: type.element };
    }
    const { expr, type } = this.#writer.infer(
      listOf(this.#writer.someType(scope)),
      scope,
      this.#size.fuel - 1,
    );
    // Below an empty list there are expressions that have no value at all.
    if (type.kind === "never") return { expr: { kind: "list", items: [] }, element: type };
    if (type.kind !== "list") throw new TypeError("a list was asked for");
    return { expr: expr.kind === "list" ? expr : firstOf(expr), element: type.element };
  }
}

function firstOf(list: Expr): Expr {
  const number = (value: bigint): Expr => ({ kind: "number", value });
  return { kind: "op", op: "slice", args: [list, number(0n), number(3n)] };
}

/** Without names of its own and without state, so that it can be said elsewhere. */
function isSubstitutable(expr: Expr): boolean {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
    case "var":
      return true;
    case "op":
      return expr.args.every(isSubstitutable);
    case "field":
      return isSubstitutable(expr.of);
    default:
      return false;
  }
}

/** Returns true if the expression has exactly this type, without annotation. */
function isOfType(expr: Expr, type: Type, scope: Scope): boolean {
  if (expr.kind === "bool" || expr.kind === "number") return true;
  if (expr.kind !== "var") return false;
  const found = scope.variables.find(({ name }) => name === expr.name);
  return found !== undefined && isSubtype(found.type, type) && isSubtype(type, found.type);
}

function substituted(expr: Expr, values: ReadonlyMap<string, Expr>): Expr {
  switch (expr.kind) {
    case "var":
      return structuredClone(values.get(expr.name) ?? expr);
    case "op":
      return { ...expr, args: expr.args.map((arg) => substituted(arg, values)) };
    case "field":
      return { ...expr, of: substituted(expr.of, values) };
    default:
      return structuredClone(expr);
  }
}
