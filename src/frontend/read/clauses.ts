/** The clauses of a tool: `requires`, `ensures`, `effects`, `cost` and its flags. */
import type { Expression, ObjectProperty } from "oxc-parser";
import type { Expr, Update } from "../../ir/document.ts";
import { and, op, variable, yes } from "../build.ts";
import { newObject } from "../lower/access.ts";
import { invoke, withoutThrow, wrapped } from "../lower/callback.ts";
import { statementOf } from "../lower/coerce.ts";
import type { Lowering } from "../lower/core.ts";
import { convert, reify } from "../lower/data.ts";
import { condition, expression } from "../lower/expression.ts";
import { bindParameters } from "../lower/function.ts";
import { refuse } from "../refusal.ts";
import { Scope } from "../scope.ts";
import { bare, type FunctionNode, type Module } from "../syntax.ts";
import { type RecordTy, real, type Ty } from "../ty.ts";
import { data, type FluentInfo, type Val } from "../value.ts";
import { functionOf, lowering } from "./declare.ts";
import { spotOf, type World } from "./modules.ts";

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

  ensured(property: ObjectProperty): Expr {
    const result = this.#result;
    if (result === undefined)
      return refuse(
        spotOf(this.#module, property),
        "FC2209",
        "a tool that returns nothing ensures nothing",
        "remove `ensures`, or give `run` a return type",
      );
    if (this.#params.fields.some(({ name }) => name === "result"))
      refuse(
        spotOf(this.#module, property),
        "FC2218",
        "an argument named `result` cannot be told from the result",
        "rename the argument",
      );
    return this.formula(property, "values", [() => data(variable("result"), result), this.args]);
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

  labels(property: ObjectProperty | undefined): readonly string[] {
    if (property === undefined) return [];
    const low = this.#start("values");
    const { expr } = reify(low, expression(low, this.#module.scope, property.value), property.value);
    const words =
      expr.kind === "list"
        ? expr.items.map((item) => (item.kind === "string" ? item.value : undefined))
        : [undefined];
    if (!words.every((word) => word !== undefined))
      return refuse(
        spotOf(this.#module, property.value),
        "FC2204",
        "`labels` is a list of constant strings",
        'write `labels: ["message"]`',
      );
    return [...new Set(words)];
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
