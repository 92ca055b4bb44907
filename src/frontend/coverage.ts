/** Coverage policies of tool modules, as plain data. */
import type { CallExpression, Expression } from "oxc-parser";
import { isConstant } from "../ir/constant.ts";
import type { Expr } from "../ir/document.ts";
import { args } from "./lower/chain.ts";
import type { Lowering } from "./lower/core.ts";
import { convert } from "./lower/data.ts";
import { expression } from "./lower/expression.ts";
import { packageWord } from "./read/constant.ts";
import { lowering, optionsOf } from "./read/declare.ts";
import { spotOf, type World } from "./read/modules.ts";
import { refuse } from "./refusal.ts";
import { bare, type Module } from "./syntax.ts";

export interface CoveragePolicy {
  /** `email.policy`. */
  readonly name: string;
  readonly label?: string;
  /** Full names of tools. */
  readonly whenUsed: readonly string[];
  readonly recommended: readonly CoverageContract[];
  readonly required: readonly CoverageContract[];
}

export interface CoverageContract {
  readonly contract: string;
  /** Absent if any arguments will do. */
  readonly args?: readonly Expr[];
}

export function coveragePolicies(world: World): CoveragePolicy[] {
  const found: CoveragePolicy[] = [];
  for (const module of world.modules.values()) {
    if (!module.trusted) continue;
    for (const statement of module.source.program.body) {
      const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      if (node?.type !== "VariableDeclaration") continue;
      for (const { id, init } of node.declarations) {
        const call = init ? bare(init) : undefined;
        if (
          id.type !== "Identifier" ||
          call?.type !== "CallExpression" ||
          packageWord(module, call) !== "coverage"
        )
          continue;
        world.problems.attempt(() => found.push(policy(world, module, `${module.name}.${id.name}`, call)), 0);
      }
    }
  }
  return found;
}

function policy(world: World, module: Module, name: string, call: CallExpression): CoveragePolicy {
  const options = optionsOf(module, call, "coverage", ["whenUsed", "recommended", "required", "label"]);
  const low = lowering(world, module, { kind: "formula", view: "trace" });
  const elements = (word: string): Expression[] => {
    const property = options.get(word);
    if (property === undefined) return [];
    const list = bare(property.value);
    if (list.type !== "ArrayExpression")
      return refuse(spotOf(module, list), "FC2201", `\`${word}\` is a list that is written out`);
    return list.elements.map((one) =>
      one === null || one.type === "SpreadElement"
        ? refuse(spotOf(module, list), "FC2201", `the elements of \`${word}\` must be written out`)
        : one,
    );
  };
  const used = elements("whenUsed").map((node) => {
    const value = expression(low, module.scope, node);
    return value.kind === "tool"
      ? value.tool.tool.name
      : refuse(spotOf(module, node), "FC2201", "`whenUsed` lists tools");
  });
  if (used.length === 0)
    refuse(spotOf(module, call), "FC2201", "a coverage policy needs `whenUsed`, the tools that it is about");
  const label = options.get("label");
  const word = label === undefined ? undefined : expression(low, module.scope, label.value);
  return {
    name,
    ...(word?.kind === "data" && word.expr.kind === "string" ? { label: word.expr.value } : {}),
    whenUsed: used,
    recommended: elements("recommended").map((node) => covered(low, module, node)),
    required: elements("required").map((node) => covered(low, module, node)),
  };
}

/** A contract, or a contract with certain arguments. */
function covered(low: Lowering, module: Module, element: Expression): CoverageContract {
  const node = bare(element);
  const callee = expression(low, module.scope, node.type === "CallExpression" ? node.callee : node);
  if (callee.kind !== "contract")
    return refuse(
      spotOf(module, node),
      "FC2211",
      "this is not a contract",
      "list contracts, with or without arguments",
    );
  const { name, params } = callee.contract;
  if (node.type !== "CallExpression") return { contract: name };
  const given = args(low, module.scope, node.arguments, node).map((arg, i) => {
    const param = params[i] ?? refuse(spotOf(module, node), "FC2213", `\`${name}\` takes fewer arguments`);
    const { expr } = convert(low, arg, param.type, node, `the argument \`${param.name}\``);
    return isConstant(expr)
      ? expr
      : refuse(spotOf(module, node), "FC2204", "the argument must be a constant");
  });
  return { contract: name, args: given };
}
