/** The clauses of a tool: `requires`, `ensures`, `effects`, `cost` and its flags. */
import type { Expression, ObjectProperty } from "oxc-parser";
import type { Argument, Expr, Source, Update } from "../../ir/index.ts";
import { and, op, recordExpr, variable, yes } from "../build.ts";
import { arrayItems, newObject } from "../lower/access.ts";
import { invoke, withoutThrow, wrapped } from "../lower/callback.ts";
import { refined } from "../lower/cast.ts";
import { statementOf } from "../lower/coerce.ts";
import type { Lowering } from "../lower/core.ts";
import { convert, reify } from "../lower/data.ts";
import { condition, expression } from "../lower/expression.ts";
import { bindParameters } from "../lower/function.ts";
import { plainSource } from "../lower/provenance.ts";
import { refuse } from "../refusal.ts";
import { Scope } from "../scope.ts";
import { bare, type FunctionNode, type Module } from "../syntax.ts";
import { isOptional, listTy, type RecordTy, real, string, type Ty, type TyField } from "../ty.ts";
import { data, type FluentInfo, type Val } from "../value.ts";
import { functionOf, lowering } from "./declare.ts";
import { spotOf, type World } from "./modules.ts";

/** A parameter that may be missing is an option. */
const asArgument = ({ name, type }: TyField): Argument => ({
  name,
  value: variable(name),
  ...(isOptional(type) ? { optional: true as const } : {}),
});

/** The clauses of one tool, each compiled on its own. */
export class Clauses {
  readonly #world: World;
  readonly #module: Module;
  readonly #params: RecordTy;
  readonly #result: Ty | undefined;
  readonly #lowerings: Lowering[] = [];

  constructor(world: World, module: Module, params: RecordTy, result: Ty | undefined) {
    this.#world = world;
    this.#module = module;
    this.#params = params;
    this.#result = result;
  }

  fluents(): FluentInfo[] {
    return this.#lowerings.flatMap((low) => [...low.usedFluents.values()]);
  }

  /** The arguments, as an object of the parameters. */
  readonly args = (low: Lowering): Val =>
    newObject(
      low,
      this.#params.fields.map(({ name, type }) => [name, data(variable(name), type)]),
    );

  #start(view: "values" | "state"): Lowering {
    const low = lowering(this.#world, this.#module, { kind: "formula", view });
    for (const { name } of this.#params.fields) low.names.take(name);
    low.names.take("result");
    this.#lowerings.push(low);
    return low;
  }

  #given(property: ObjectProperty, low: Lowering, args: readonly ((low: Lowering) => Val)[]): Val {
    const callback = expression(low, this.#module.scope, property.value);
    const given = args.map((arg) => arg(low));
    return withoutThrow(low, property.value, () => invoke(low, callback, given, property.value));
  }

  formula(
    property: ObjectProperty,
    view: "values" | "state",
    args: readonly ((low: Lowering) => Val)[],
  ): Expr {
    const low = this.#start(view);
    const value = this.#given(property, low, args);
    return wrapped(low.buffer, statementOf(low, value, property.value, "this clause"));
  }

  /** Returns refinements of the parameter types beyond the types of the IR: literal numbers. */
  typesOfParams(): Expr {
    const low = this.#start("values");
    return refined(low, recordExpr(this.#params.fields.map(asArgument)), this.#params, "numbers");
  }

  /** Returns refinements of the result type beyond the types of the IR. */
  typeOfResult(code: FunctionNode): Expr {
    const low = this.#start("values");
    const said = this.#result === undefined ? yes : refined(low, variable("result"), this.#result, "all");
    if (!(said.kind === "bool" && said.value)) this.#noResultArgument(code);
    return said;
  }

  ensured(property: ObjectProperty): Expr {
    const result = this.#result;
    if (result === undefined)
      return refuse(
        spotOf(this.#module, property),
        "FC2209",
        "a tool that returns nothing ensures nothing",
        "remove `ensures`, or give `run` a return type",
      );
    this.#noResultArgument(property);
    return this.formula(property, "values", [() => data(variable("result"), result), this.args]);
  }

  #noResultArgument(node: { readonly start: number; readonly end: number }): void {
    if (this.#params.fields.some(({ name }) => name === "result"))
      refuse(
        spotOf(this.#module, node),
        "FC2218",
        "an argument named `result` is indistinguishable from the result",
        "rename the argument",
      );
  }

  number(property: ObjectProperty): Expr {
    const low = this.#start("values");
    return wrapped(
      low.buffer,
      convert(low, this.#given(property, low, [this.args]), real, property.value, "the cost").expr,
    );
  }

  constant(property: ObjectProperty | undefined): unknown {
    if (property === undefined) return undefined;
    const low = this.#start("values");
    const value = reify(low, expression(low, this.#module.scope, property.value), property.value);
    if (value.expr.kind === "bool" || value.expr.kind === "string") return value.expr.value;
    return refuse(
      spotOf(this.#module, property.value),
      "FC2204",
      "a constant must stand here",
      "write `true`, `false` or a string",
    );
  }

  /** Constant strings, each once. */
  strings(property: ObjectProperty | undefined, word: "labels" | "stores"): readonly string[] | undefined {
    if (property === undefined) return undefined;
    const low = this.#start("values");
    const { expr } = reify(low, expression(low, this.#module.scope, property.value), property.value);
    const words =
      expr.kind === "list"
        ? expr.items.map((item) => (item.kind === "string" ? item.value : undefined))
        : [undefined];
    if (!words.every((one) => one !== undefined))
      return refuse(
        spotOf(this.#module, property.value),
        "FC2204",
        `\`${word}\` is a list of constant strings`,
        `write \`${word}: ["${word === "labels" ? "message" : "mail"}"]\``,
      );
    return [...new Set(words)];
  }

  /** `"untrusted"`, or a list of sources. */
  sources(property: ObjectProperty): readonly Source[] {
    const spot = spotOf(this.#module, property.value);
    if (this.#result === undefined)
      return refuse(spot, "FC2209", "a tool that returns nothing endorses nothing", "remove `endorses`");
    const low = this.#start("values");
    low.namesSources = true;
    const value = expression(low, this.#module.scope, property.value);
    const found = new Map<string, Source>();
    for (const item of arrayItems(low, value) ?? [value]) {
      const isUntrusted =
        item.kind === "data" && item.expr.kind === "string" && item.expr.value === "untrusted";
      const source = isUntrusted ? ({ kind: "untrusted" } as const) : plainSource(low, item, property.value);
      if (source.kind === "input" && source.input !== undefined)
        refuse(
          spot,
          "FC2223",
          "a tool does not know the inputs of a program by name",
          "write `input()`, for all inputs",
        );
      found.set(JSON.stringify(source), source);
    }
    return [...found.values()];
  }

  /** Compiles `readers`; for a list, the readers of each element. */
  readers(property: ObjectProperty): Expr {
    const result = this.#result;
    const spot = spotOf(this.#module, property);
    if (result === undefined)
      return refuse(
        spot,
        "FC2209",
        "a tool that returns nothing has nothing to read",
        "remove `readers`, or give `run` a return type",
      );
    const [name, type] = result.kind === "list" ? ["row", result.element] : ["result", result];
    if (this.#params.fields.some((one) => one.name === name))
      refuse(
        spot,
        "FC2218",
        `an argument named \`${name}\` is indistinguishable from the result of the tool`,
        "rename the argument",
      );
    const low = this.#start("values");
    low.names.take(name);
    const given = this.#given(property, low, [() => data(variable(name), type), this.args]);
    const { expr } = convert(low, given, listTy(string), property.value, "who may read it");
    return wrapped(low.buffer, expr);
  }

  updates(property: ObjectProperty): readonly Update[] {
    const low = this.#start("state");
    const code = functionOf(this.#module, property.value);
    const scope = new Scope(this.#module.scope);
    bindParameters(low, code, scope, [this.args(low)]);
    const found: Update[] = [];
    const body = code.body?.type === "BlockStatement" ? onlyReturn(this.#module, code) : code.body;
    if (body === null || body === undefined) return [];
    // SAFETY: a body that is no block is the expression of an arrow function.
    collect(low, scope, bare(body as Expression), yes, found);
    if (low.buffer.length > 0)
      refuse(spotOf(this.#module, property.value), "FC2217", "these effects are too long", "split them up");
    return found;
  }
}

function onlyReturn(module: Module, code: FunctionNode): Expression {
  const body = code.body?.type === "BlockStatement" ? code.body.body : [];
  const [only] = body;
  if (body.length === 1 && only?.type === "ReturnStatement" && only.argument) return only.argument;
  return refuse(
    spotOf(module, code),
    "FC2217",
    "`effects` gives one list of changes",
    "write `effects: ({ door }) => [doorLocked.set(door, true)]`",
  );
}

/** Changes in a list, where parts of it may depend on conditions. */
function collect(low: Lowering, scope: Scope, node: Expression, when: Expr, found: Update[]): void {
  switch (node.type) {
    case "ArrayExpression":
      for (const element of node.elements) {
        if (element === null) low.refuse(node, "FC2217", "the list of effects has a gap");
        collect(low, scope, bare(element.type === "SpreadElement" ? element.argument : element), when, found);
      }
      return;
    case "ConditionalExpression": {
      const test = condition(low, scope, node.test);
      for (const [side, holds] of [
        [node.consequent, test],
        [node.alternate, op("not", test)],
      ] as const) {
        // The path lets what the condition checked be used.
        low.path = and(when, holds);
        if (low.isReached) collect(low, scope, bare(side), low.path, found);
        low.path = when;
      }
      return;
    }
    default: {
      const value = expression(low, scope, node);
      if (value.kind !== "update")
        low.refuse(
          node,
          "FC2217",
          "this is not a change of a fluent",
          "write `fluent.set(key, value)`, and conditions as `...(when ? [change] : [])`",
        );
      const { fluent, key, value: set } = value;
      found.push(when.kind === "bool" ? { fluent, key, value: set } : { fluent, key, value: set, when });
    }
  }
}
