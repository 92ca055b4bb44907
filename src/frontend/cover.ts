/**
 * Applies coverage policies to a program: the policies that it uses, the contracts that it states, and the required
 * ones that it omits, as guarantees to be added. The program itself stays as it is.
 */
import {
  commandsIn,
  type Expr,
  type Field,
  type Fluent,
  type Guarantee,
  printExpr,
  type Tool,
} from "../ir/index.ts";
import { calledInText } from "./calls.ts";
import { type CoverageContract, type CoveragePolicy, declaredPolicies, type Listed } from "./coverage.ts";
import { copy } from "./finish.ts";
import { args } from "./lower/chain.ts";
import type { Lowering } from "./lower/core.ts";
import { type CompiledProgram, openFormula, statedAs } from "./program.ts";
import { lowering } from "./read/declare.ts";
import { declareAll } from "./read/declare-all.ts";
import { spotOf, World } from "./read/modules.ts";
import { Problems } from "./refusal.ts";
import type { Module } from "./syntax.ts";
import { isOptional, toIr } from "./ty.ts";
import type { ContractInfo } from "./value.ts";

/** A policy that the program uses, with its contracts, the required ones first. */
export interface UsedPolicy {
  readonly policy: CoveragePolicy;
  readonly contracts: readonly ListedContract[];
}

export interface ListedContract extends CoverageContract {
  readonly isRequired: boolean;
  /** Index among the guarantees of the document, if the program states it. */
  readonly stated?: number;
  /** Index among the guarantees, if Foreclaim added it. */
  readonly added?: number;
  /** Formula of a contract that the program omits. */
  readonly meaning?: Meaning;
}

/** A formula with its parameters left open, and what it speaks of. */
export interface Meaning {
  readonly params: readonly Field[];
  readonly formula: Expr;
  readonly tools: readonly Tool[];
  readonly fluents: readonly Fluent[];
}

export interface Covered {
  readonly policies: readonly CoveragePolicy[];
  readonly used: readonly UsedPolicy[];
  /** The program, with the guarantees that were added after its own. */
  readonly program: CompiledProgram;
}

/**
 * @param module the program as text; undefined if its commands are all there is of it
 * @param called tools that are called besides, by full name
 */
export function cover(
  world: World,
  module: Module | undefined,
  program: CompiledProgram,
  called: readonly string[] = [],
): Covered {
  let inText: Set<string> | undefined;
  const inBody = new Set(called);
  for (const command of commandsIn(program.body)) if (command.kind === "call") inBody.add(command.tool);
  const isUsed = ({ whenUsed }: CoveragePolicy): boolean => {
    if (whenUsed.some((tool) => inBody.has(tool))) return true;
    inText ??= module === undefined ? new Set() : calledInText(world, module);
    return whenUsed.some((tool) => inText?.has(tool) === true);
  };
  enterOthers(world, isUsed);
  const policies = declaredPolicies(world);
  const adding = new Adding(world, program);
  const used = policies
    .filter(({ policy }) => isUsed(policy))
    .map(({ policy, required, recommended }) => ({
      policy,
      contracts: [
        ...required.map((one) => adding.required(one)),
        ...recommended.map((one) => adding.recommended(one)),
      ],
    }));
  return { policies: policies.map(({ policy }) => policy), used, program: adding.program() };
}

/**
 * Loads the modules that have a policy about the program and that it does not import: otherwise to leave out an import
 * would be a way around it. The others stay out of the world, and so out of the hash.
 * SOUNDNESS: a module that cannot be read may hold such a policy, so it is a problem.
 */
function enterOthers(world: World, isUsed: (policy: CoveragePolicy) => boolean): void {
  for (const path of world.host.toolModules?.() ?? []) {
    if (world.modules.has(path) || world.rootOf(path) === undefined) continue;
    if (world.readFile(path)?.includes("coverage") !== true) continue;
    const aside = new World(world.host, world.limits, new Problems(), world.roots);
    const whole = { file: path, start: 0, end: 0 };
    aside.problems.attempt(() => aside.load(path, true, whole), undefined);
    const policies = declaredPolicies(aside);
    for (const problem of aside.problems.all) world.problems.add(problem);
    // Another folder may have a tool of the same name, which is then another tool.
    const isSame = (tool: string) => world.tools.get(tool)?.spot.file === aside.tools.get(tool)?.spot.file;
    const areUsed = policies.some(({ policy }) =>
      isUsed({ ...policy, whenUsed: policy.whenUsed.filter(isSame) }),
    );
    if (!areUsed) continue;
    world.problems.attempt(() => world.load(path, true, whole), undefined);
    declareAll(world);
  }
}

/** The guarantees of a program, and those that are added to them. */
class Adding {
  readonly #world: World;
  readonly #program: CompiledProgram;
  readonly #added: CompiledProgram["guarantees"][number][] = [];
  readonly #tools: Map<string, CompiledProgram["tools"] extends ReadonlyMap<string, infer T> ? T : never>;
  readonly #fluents: Map<string, CompiledProgram["fluents"] extends ReadonlyMap<string, infer F> ? F : never>;

  constructor(world: World, program: CompiledProgram) {
    this.#world = world;
    this.#program = program;
    this.#tools = new Map(program.tools);
    this.#fluents = new Map(program.fluents);
  }

  program(): CompiledProgram {
    if (this.#added.length === 0) return this.#program;
    const guarantees = [...this.#program.guarantees, ...this.#added];
    return { ...this.#program, guarantees, tools: this.#tools, fluents: this.#fluents };
  }

  required(listed: Listed): ListedContract {
    const base = { ...listed.said, isRequired: true };
    const stated = this.#find(this.#program.guarantees, listed);
    if (stated !== undefined) return { ...base, stated };
    const own = this.#program.guarantees.length;
    const before = this.#find(this.#added, listed);
    if (before !== undefined) return this.#withMeaning(base, own + before);
    const made = this.#world.problems.attempt(() => this.#closed(listed), undefined);
    if (made === undefined) return base;
    const { guarantee, low } = made;
    for (const [name, tool] of low.usedTools) this.#tools.set(name, tool);
    for (const [name, fluent] of low.usedFluents) this.#fluents.set(name, fluent);
    this.#added.push({ guarantee, spot: spotOf(listed.module, listed.node) });
    return this.#withMeaning(base, own + this.#added.length - 1);
  }

  /** Returns an added contract; the document contains it, with everything that it mentions. */
  #withMeaning(base: CoverageContract & { readonly isRequired: boolean }, added: number): ListedContract {
    const formula = this.#added[added - this.#program.guarantees.length]?.guarantee.formula;
    if (formula === undefined) return { ...base, added };
    return { ...base, added, meaning: { params: [], formula: copy(formula), tools: [], fluents: [] } };
  }

  recommended(listed: Listed): ListedContract {
    const base = { ...listed.said, isRequired: false };
    const stated = this.#find(this.#program.guarantees, listed);
    if (stated !== undefined) return { ...base, stated };
    const meaning = this.#world.problems.attempt(() => this.#meaning(listed), undefined);
    return meaning === undefined ? base : { ...base, meaning };
  }

  #meaning(listed: Listed): Meaning {
    const isOpen = listed.said.args === undefined;
    if (isOpen) {
      const { formula, low } = openFormula(this.#world, listed.module, listed.contract);
      return { params: openParams(listed.contract), formula: copy(formula), ...spokenOf(low) };
    }
    const { guarantee, low } = this.#closed(listed);
    return {
      params: [],
      formula: copy(guarantee.formula ?? { kind: "bool", value: true }),
      ...spokenOf(low),
    };
  }

  #closed({ module, node, contract }: Listed): { readonly guarantee: Guarantee; readonly low: Lowering } {
    const low = lowering(this.#world, module, { kind: "formula", view: "trace" });
    for (const { name } of this.#program.inputs) low.names.take(name);
    low.inputs = new Set(this.#program.inputs.map(({ name }) => name));
    const given = node.type === "CallExpression" ? args(low, module.scope, node.arguments, node) : [];
    return { guarantee: statedAs(low, contract, given, node), low };
  }

  /** By name; with the same arguments, if the policy gives some. */
  #find(among: CompiledProgram["guarantees"], { said }: Listed): number | undefined {
    const at = among.findIndex(
      ({ guarantee: { name, args } }) =>
        name === said.contract && (said.args === undefined || sameConstants(args, said.args)),
    );
    return at === -1 ? undefined : at;
  }
}

function sameConstants(a: readonly Expr[], b: readonly Expr[]): boolean {
  return a.length === b.length && a.map(printExpr).join(", ") === b.map(printExpr).join(", ");
}

/** The parameters of a contract whose formula speaks of them by name. */
export function openParams({ params }: ContractInfo): Field[] {
  return params.map(({ name, type, optional }): Field => {
    if (isOptional(type)) return { name, type: toIr(type.value), optional: true };
    return optional ? { name, type: toIr(type), optional: true } : { name, type: toIr(type) };
  });
}

function spokenOf({ usedTools, usedFluents }: Lowering): Pick<Meaning, "tools" | "fluents"> {
  return {
    tools: Array.from(usedTools.values(), ({ tool }) => tool),
    fluents: Array.from(usedFluents.values(), ({ fluent }) => fluent),
  };
}
