/**
 * The third door of this room: a program that was written as commands of the IR, put together with what the tool modules
 * say of everything that it names. Only its inputs, its commands and what it states are taken from it.
 * SOUNDNESS: every tool, fluent and contract formula in what comes out is of the modules, as for a TypeScript program.
 */
import { posix } from "node:path";
import { type Document, type Expr, type Guarantee, isBuiltin, type Program } from "../ir/index.ts";
import { defaultFrontLimits, type FrontLimits } from "./codes.ts";
import { type FrontResult, failure, fluentsOf, modulesHash, notTooDeep, sourcesOf } from "./compile.ts";
import { cover } from "./cover.ts";
import { contractDocs } from "./describe.ts";
import { copy } from "./finish.ts";
import { wrapped } from "./lower/callback.ts";
import { contractFormula } from "./lower/contract.ts";
import { ownTools } from "./lower/own-tools.ts";
import { checkPromise } from "./lower/provenance.ts";
import { Places } from "./places.ts";
import type { CompiledProgram } from "./program.ts";
import { lowering } from "./read/declare.ts";
import { declareAll } from "./read/declare-all.ts";
import { localFiles } from "./read/local-files.ts";
import { type Host, World } from "./read/modules.ts";
import { Problems, type Spot } from "./refusal.ts";
import { isOptional } from "./ty.ts";
import { type ContractInfo, data, type FluentInfo, type ToolInfo, undefinedVal, type Val } from "./value.ts";

export interface Written {
  readonly program: Program;
  readonly guarantees: readonly WrittenGuarantee[];
  /** Full names of the tools that it speaks of, and of the fluents. */
  readonly tools: readonly string[];
  readonly fluents: readonly string[];
  /** The files of the modules that declare all these, and the contracts. */
  readonly modules: readonly string[];
}

export interface WrittenGuarantee {
  readonly guarantee: Guarantee;
  /** For a stated contract: the values of its parameters, undefined for an omitted one. */
  readonly given?: readonly (Expr | undefined)[];
}

/**
 * INVARIANT: the caller has looked whether the modules declare what is named, and whether the arguments of
 * guarantees are constants of the types of their parameters. The document is not checked yet.
 */
export function compileWritten(
  written: Written,
  host: Host & { readonly tools: readonly string[] },
  limits: FrontLimits = defaultFrontLimits,
): FrontResult {
  const roots = host.tools.map((root) => posix.normalize(root).replace(/\/$/, ""));
  const world = new World(host, limits, new Problems(), roots);
  return notTooDeep(world, written.modules[0] ?? "", () => documentOf(world, written));
}

function documentOf(world: World, written: Written): FrontResult {
  const { problems } = world;
  for (const path of written.modules.map((one) => posix.normalize(one)))
    problems.attempt(() => world.load(path, true, { file: path, start: 0, end: 0 }), undefined);
  const declared = new Declared(world);
  const program = problems.all.length === 0 ? declared.program(written) : undefined;
  const covered = program && problems.all.length === 0 ? cover(world, undefined, program) : undefined;
  const files = localFiles(world);
  if (covered === undefined || problems.all.length > 0) return failure(world, files);
  const tools = [...covered.program.tools.values()].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  const fluents = fluentsOf(world, covered.program, tools);
  const modules = modulesHash(files);
  const document: Document = {
    effectIr: 1,
    modules,
    fluents: fluents.map((one) => one.fluent),
    tools: tools.map((one) => one.tool),
    program: written.program,
    guarantees: covered.program.guarantees.map(({ guarantee }) => copied(guarantee)),
  };
  const sources = sourcesOf(world, files);
  const places = new Places((file) => sources.get(file) ?? "");
  for (const [i, { tool, spot }] of tools.entries())
    if (!isBuiltin(tool.name)) places.add(["tools", i], spot);
  for (const [i, { spot }] of fluents.entries()) places.add(["fluents", i], spot);
  // What it states itself stands in its own text.
  for (const [i, { spot }] of covered.program.guarantees.entries())
    if (i >= written.guarantees.length) places.add(["guarantees", i], spot);
  const { policies: coverage, used } = covered;
  const { docs } = declared;
  return { ok: true, value: { document, sourceMap: places.map(), modules, coverage, used, docs, sources } };
}

function copied(guarantee: Guarantee): Guarantee {
  const { formula, args } = guarantee;
  return { ...guarantee, args: args.map(copy), ...(formula === undefined ? {} : { formula: copy(formula) }) };
}

/** Declarations of the loaded modules, by full name. */
class Declared {
  readonly #world: World;
  readonly #contracts = new Map<string, ContractInfo>();
  readonly #fluents = new Map<string, FluentInfo>();
  readonly docs: ReadonlyMap<string, string>;

  constructor(world: World) {
    this.#world = world;
    const entities = declareAll(world);
    this.docs = contractDocs(entities);
    for (const { value } of entities) {
      if (value.kind === "contract") this.#contracts.set(value.contract.name, value.contract);
      if (value.kind === "fluent") this.#fluents.set(value.fluent.fluent.name, value.fluent);
    }
  }

  program(written: Written): CompiledProgram {
    const tools = new Map<string, ToolInfo>();
    const fluents = new Map<string, FluentInfo>();
    for (const name of written.tools) {
      tools.set(name, ownTools.get(name) ?? known(this.#world.tools, name));
    }
    for (const name of written.fluents) fluents.set(name, known(this.#fluents, name));
    const guarantees = written.guarantees.flatMap(({ guarantee, given }) => {
      if (given === undefined) return [{ guarantee, spot: nowhere }];
      const contract = known(this.#contracts, guarantee.name);
      const { problems } = this.#world;
      return problems.attempt(
        () => [this.#stated(contract, guarantee, given, written.program, tools, fluents)],
        [],
      );
    });
    const { inputs, body } = written.program;
    return { inputs, body, spots: new Map(), guarantees, tools, fluents };
  }

  #stated(
    contract: ContractInfo,
    { name, args }: Guarantee,
    given: readonly (Expr | undefined)[],
    { inputs }: Program,
    tools: Map<string, ToolInfo>,
    fluents: Map<string, FluentInfo>,
  ): CompiledProgram["guarantees"][number] {
    const low = lowering(this.#world, contract.formula.module, { kind: "formula", view: "trace" });
    for (const input of inputs) low.names.take(input.name);
    low.inputs = new Set(inputs.map((input) => input.name));
    const values = given.map((arg, i) => valOf(arg, contract.params[i]));
    const said = contractFormula(low, contract, values, { ...contract.formula.node });
    if (said.kind !== "data") throw new TypeError(`\`${name}\` has no formula`);
    for (const [tool, info] of low.usedTools) tools.set(tool, info);
    for (const [fluent, info] of low.usedFluents) fluents.set(fluent, info);
    const formula = wrapped(low.buffer, said.expr);
    checkPromise(formula, name, contract.spot);
    return { guarantee: { name, args, formula }, spot: contract.spot };
  }
}

const nowhere: Spot = { file: "", start: 0, end: 0 };

function valOf(arg: Expr | undefined, param: ContractInfo["params"][number] | undefined): Val {
  if (param === undefined) throw new TypeError("more arguments than parameters");
  if (arg === undefined) return undefinedVal;
  return data(arg, isOptional(param.type) ? param.type.value : param.type);
}

function known<T>(map: ReadonlyMap<string, T>, name: string): T {
  const found = map.get(name);
  if (found === undefined) throw new TypeError(`no module declares \`${name}\``);
  return found;
}
