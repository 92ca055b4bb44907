/** Coverage policies of tool modules, as plain data. What is wrong with one is an error, never a policy less. */
import type { CallExpression, Expression, Node } from "oxc-parser";
import { type Expr, isConstant, printExpr } from "../ir/index.ts";
import { isAnswers } from "./lower/answer.ts";
import { args } from "./lower/chain.ts";
import { byParameter } from "./lower/contract.ts";
import type { Lowering } from "./lower/core.ts";
import { convert } from "./lower/data.ts";
import { expression } from "./lower/expression.ts";
import { childNodes } from "./lower/iterate.ts";
import { answerTools } from "./lower/own-tools.ts";
import { packageWord } from "./read/constant.ts";
import { lowering, optionsOf } from "./read/declare.ts";
import { spotOf, type World } from "./read/modules.ts";
import { refuse } from "./refusal.ts";
import { bare, type Module, type Source } from "./syntax.ts";
import type { ContractInfo } from "./value.ts";

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
  /** Absent if any arguments will do, or it takes none. */
  readonly args?: readonly Expr[];
}

/** A policy with its contracts as they stand in the source, to be compiled. */
export interface DeclaredPolicy {
  readonly policy: CoveragePolicy;
  readonly recommended: readonly Listed[];
  readonly required: readonly Listed[];
}

export interface Listed {
  readonly said: CoverageContract;
  readonly contract: ContractInfo;
  readonly module: Module;
  readonly node: Expression;
}

export function coveragePolicies(world: World): CoveragePolicy[] {
  return declaredPolicies(world).map(({ policy }) => policy);
}

export function declaredPolicies(world: World): DeclaredPolicy[] {
  const found: DeclaredPolicy[] = [];
  for (const module of world.modules.values()) {
    if (!module.trusted) continue;
    const calls = new Set<Node>();
    const labels = new Set<string>();
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
        calls.add(bare(call.callee));
        world.problems.attempt(
          () => found.push(declared(world, module, `${module.name}.${id.name}`, call, labels)),
          0,
        );
      }
    }
    world.problems.attempt(() => nothingAside(module, calls), undefined);
  }
  return found;
}

function declared(
  world: World,
  module: Module,
  name: string,
  call: CallExpression,
  labels: Set<string>,
): DeclaredPolicy {
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
  const used = new Set<string>();
  for (const node of elements("whenUsed")) {
    const value = expression(low, module.scope, node);
    if (isAnswers(value)) {
      for (const { tool } of answerTools) once(module, node, used, tool.name, "`whenUsed` lists");
      continue;
    }
    if (value.kind !== "tool") return refuse(spotOf(module, node), "FC2201", "`whenUsed` lists tools");
    once(module, node, used, value.tool.tool.name, "`whenUsed` lists");
  }
  if (used.size === 0)
    refuse(spotOf(module, call), "FC2201", "a coverage policy needs `whenUsed`, the tools that it is about");
  const label = options.get("label");
  const word = label === undefined ? undefined : expression(low, module.scope, label.value);
  const domain = word?.kind === "data" && word.expr.kind === "string" ? word.expr.value : undefined;
  if (label !== undefined && (domain === undefined || domain.trim() === ""))
    refuse(
      spotOf(module, label.value),
      "FC2204",
      "`label` is a text that is written out",
      'write `label: "email"`, or leave it out',
    );
  if (label !== undefined && domain !== undefined)
    once(module, label.value, labels, domain, "this module has a policy with the label");
  const seen = new Set<string>();
  const contracts = (list: "recommended" | "required") =>
    elements(list).map((node) => {
      const one = listed(low, module, node);
      if (list === "required") mustBeClosed(module, one);
      once(module, node, seen, contractText(one.said), "the policy lists");
      return one;
    });
  const [recommended, required] = [contracts("recommended"), contracts("required")];
  const policy = {
    name,
    ...(domain === undefined ? {} : { label: domain }),
    whenUsed: [...used],
    recommended: recommended.map(({ said }) => said),
    required: required.map(({ said }) => said),
  };
  return { policy, recommended, required };
}

/** `email.only`, or `bank.maxSpend(500)`. */
export function contractText({ contract, args }: CoverageContract): string {
  return args === undefined ? contract : `${contract}(${args.map(printExpr).join(", ")})`;
}

function once(module: Module, node: Node, seen: Set<string>, name: string, words: string): void {
  if (seen.has(name)) refuse(spotOf(module, node), "FC2221", `${words} \`${name}\` already`, "list it once");
  seen.add(name);
}

/** A contract, or a contract with certain arguments. */
function listed(low: Lowering, module: Module, element: Expression): Listed {
  const node = bare(element);
  const callee = expression(low, module.scope, node.type === "CallExpression" ? node.callee : node);
  if (callee.kind !== "contract")
    return refuse(
      spotOf(module, node),
      "FC2211",
      "this is not a contract",
      "list contracts, with or without arguments",
    );
  const { contract } = callee;
  const { name, params } = contract;
  if (node.type !== "CallExpression") return { said: { contract: name }, contract, module, node };
  const written = args(low, module.scope, node.arguments, node);
  const given = byParameter(low, contract, written).map((arg, i) => {
    const param = params[i] ?? refuse(spotOf(module, node), "FC2213", `\`${name}\` takes fewer arguments`);
    const { expr } = convert(low, arg, param.type, node, `the argument \`${param.name}\``);
    return isConstant(expr)
      ? expr
      : refuse(spotOf(module, node), "FC2204", "the argument must be a constant");
  });
  const missing = params.slice(given.length).find(({ optional }) => !optional);
  if (missing !== undefined)
    refuse(spotOf(module, node), "FC2213", `\`${name}\` needs the argument \`${missing.name}\``);
  // Without parameters there is only one way to state it.
  const said = params.length === 0 ? { contract: name } : { contract: name, args: given };
  return { said, contract, module, node };
}

/** Nobody but the author of the policy could say with which arguments it is to be enforced. */
function mustBeClosed(module: Module, { said, contract, node }: Listed): void {
  if (said.args !== undefined || contract.params.length === 0) return;
  const name = said.contract.slice(said.contract.lastIndexOf(".") + 1);
  refuse(
    spotOf(module, node),
    "FC2220",
    `\`${said.contract}\` takes arguments, so it cannot be required without them`,
    `require it with its arguments, as in \`${name}(…)\`, or recommend it`,
  );
}

/**
 * SOUNDNESS: a policy that is not seen is not enforced, so `coverage` may stand nowhere but where policies are looked
 * for. A local variable of the same name is taken for it.
 */
function nothingAside(module: Module, calls: ReadonlySet<Node>): void {
  for (const node of mentions(module)) {
    if (!calls.has(node))
      refuse(
        spotOf(module, node),
        "FC2222",
        "a coverage policy that is not an exported constant of its own would not be seen",
        "write `export const policy = coverage({ … })`, one for each policy",
      );
  }
}

const kept = new WeakMap<Source, readonly Node[]>();

/**
 * Finds every mention of the package's `coverage`. The syntax of a source never changes, so the result is memoized.
 */
function mentions({ source, scope }: Module): readonly Node[] {
  const before = kept.get(source);
  if (before !== undefined) return before;
  const names = new Set<string>();
  for (const [name, binding] of scope.names)
    if (
      binding.kind === "const" &&
      binding.value.kind === "builtin" &&
      binding.value.name === "foreclaim:coverage"
    )
      names.add(name);
  const found: Node[] = [];
  const look = (node: Node): void => {
    if (node.type === "ImportDeclaration") return;
    if (node.type === "Identifier" && names.has(node.name)) found.push(node);
    if (node.type === "MemberExpression" && !node.computed) look(node.object);
    else if (node.type === "Property" && !node.computed) look(node.value);
    else for (const part of childNodes(node)) look(part);
  };
  if (names.size > 0) look(source.program);
  kept.set(source, found);
  return found;
}
