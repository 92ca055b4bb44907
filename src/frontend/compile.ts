/**
 * The doors of this room: tool modules and programs in, documents out. Nothing of them is executed.
 * Not part of what must be trusted: what was compiled is what is proved and run, byte for byte.
 */
import { posix } from "node:path";
import {
  check,
  type Document,
  type Expr,
  type Failed,
  type Field,
  type Fluent,
  isBuiltin,
  placeOf,
  type Result,
  type SourceMap,
  sha256Hex,
  type Tool,
} from "../ir/index.ts";
import { defaultFrontLimits, type FrontLimits, type SourceDiagnostic } from "./codes.ts";
import { type Covered, cover, openParams, type UsedPolicy } from "./cover.ts";
import { type CoveragePolicy, coveragePolicies } from "./coverage.ts";
import { contractDocs, type Declaration, describe } from "./describe.ts";
import { copy, finishBody } from "./finish.ts";
import { checkPromise } from "./lower/provenance.ts";
import { Places } from "./places.ts";
import { type CompiledProgram, compileBody, openFormula } from "./program.ts";
import { declareAll } from "./read/declare-all.ts";
import { type LocalFile, localFiles } from "./read/local-files.ts";
import { type Host, World } from "./read/modules.ts";
import { Problems } from "./refusal.ts";
import { checkSubset } from "./subset.ts";
import type { Module } from "./syntax.ts";
import type { ContractInfo, FluentInfo, ToolInfo } from "./value.ts";

export interface Compiled {
  readonly document: Document;
  readonly sourceMap: SourceMap;
  /** The hash of the tool modules, also in the document. */
  readonly modules: string;
  /** The policies of the modules. */
  readonly coverage: readonly CoveragePolicy[];
  /** Those that the program uses. Required contracts that it does not state stand after its own guarantees. */
  readonly used: readonly UsedPolicy[];
  /** Doc comments of contracts, by full name. */
  readonly docs: ReadonlyMap<string, string>;
  /** Every file that was read, with its text. */
  readonly sources: ReadonlyMap<string, string>;
}

export type FrontResult<T = Compiled> = Result<T, NotCompiled>;

interface NotCompiled extends Failed<SourceDiagnostic> {
  readonly sources: ReadonlyMap<string, string>;
}

export interface CompiledTools {
  readonly tools: readonly Tool[];
  readonly fluents: readonly Fluent[];
  readonly contracts: readonly CompiledContract[];
  /** All of them, in the order of the modules, for people and agents. */
  readonly declarations: readonly Declaration[];
  readonly modules: string;
  readonly coverage: readonly CoveragePolicy[];
  readonly sources: ReadonlyMap<string, string>;
}

/** A contract with its parameters left open: its formula speaks of them by name. */
export interface CompiledContract {
  readonly name: string;
  readonly params: readonly Field[];
  readonly formula: Expr;
}

/** @param called full names of tools that are called besides, for coverage policies */
export function compileProgram(
  entry: string,
  host: Host,
  limits: FrontLimits = defaultFrontLimits,
  called?: readonly string[],
): FrontResult {
  const problems = new Problems();
  const path = posix.normalize(entry);
  const world = new World(host, limits, problems, rootsOf(path, host));
  return notTooDeep(world, path, () => programOf(world, path, called));
}

function programOf(world: World, path: string, called: readonly string[] | undefined): FrontResult {
  const { problems } = world;
  const whole = { file: path, start: 0, end: 0 };
  const module = problems.attempt(() => world.load(path, false, whole), undefined);
  if (module === undefined) return failure(world);
  checkSubset(module, problems);
  const docs = contractDocs(declareAll(world));
  const program = problems.attempt(() => compileBody(world, module, called !== undefined), undefined);
  // What a wrong program uses is not known, but the policies themselves can be wrong too.
  if (program === undefined || problems.all.length > 0) coveragePolicies(world);
  const covered = program && problems.all.length === 0 ? cover(world, module, program, called) : undefined;
  const files = localFiles(world);
  if (covered === undefined || problems.all.length > 0) return failure(world, files);
  return assemble(world, covered, files, docs);
}

/** LIMIT: depth is counted where sources usually nest; wherever else they do, the stack is the bound. */
export function notTooDeep<T>(world: World, file: string, body: () => FrontResult<T>): FrontResult<T> {
  try {
    return body();
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    world.problems.add({
      code: "FC2502",
      message: "this is nested too deep",
      file,
      span: { start: 0, end: 0 },
      help: "give parts of it names of their own",
    });
    return failure(world);
  }
}

/** Tools, fluents and contracts of these modules, which must lie below the host's tools folders. */
export function compileTools(
  paths: readonly string[],
  host: Host,
  limits: FrontLimits = defaultFrontLimits,
): FrontResult<CompiledTools> {
  const problems = new Problems();
  const normal = paths.map((path) => posix.normalize(path));
  const roots = host.tools?.map((root) => posix.normalize(root).replace(/\/$/, "")) ?? [
    ...new Set(normal.map((path) => posix.dirname(path))),
  ];
  const world = new World(host, limits, problems, roots);
  for (const path of normal)
    problems.attempt(() => world.load(path, true, { file: path, start: 0, end: 0 }), undefined);
  const entities = declareAll(world);
  const contracts: CompiledContract[] = [];
  const builtin = new Map<string, Tool>();
  for (const { module, value } of entities) {
    if (value.kind === "contract")
      problems.attempt(() => contracts.push(openContract(world, module, value.contract, builtin)), 0);
  }
  const coverage = coveragePolicies(world);
  const files = localFiles(world);
  if (problems.all.length > 0) return failure(world, files);
  const tools = [...Array.from(world.tools.values(), (one) => one.tool), ...builtin.values()];
  const fluents = entities.flatMap(({ value }) => (value.kind === "fluent" ? [value.fluent.fluent] : []));
  return {
    ok: true,
    value: {
      tools,
      fluents,
      contracts,
      declarations: entities.flatMap(({ module, value, start }) => describe(module, value, start) ?? []),
      modules: modulesHash(files),
      coverage,
      sources: sourcesOf(world, files),
    },
  };
}

/** @param builtin gets the tools of Foreclaim itself that the contract speaks of */
function openContract(
  world: World,
  module: Module,
  contract: ContractInfo,
  builtin: Map<string, Tool>,
): CompiledContract {
  const { formula, low } = openFormula(world, module, contract);
  for (const { tool } of low.usedTools.values()) if (isBuiltin(tool.name)) builtin.set(tool.name, tool);
  checkPromise(formula, contract.name, contract.spot);
  return { name: contract.name, params: openParams(contract), formula: copy(formula) };
}

export function failure(world: World, files: readonly LocalFile[] = []): NotCompiled {
  return { ok: false, problems: world.problems.all, sources: sourcesOf(world, files) };
}

export function sourcesOf(world: World, files: readonly LocalFile[]): Map<string, string> {
  const modules = [...world.modules].map(([path, module]) => [path, module.source.text] as const);
  return new Map([...modules, ...files.map(({ path, text }) => [path, text] as const)]);
}

/** The folders named by the host, or every `tools` beside the program or above it. */
function rootsOf(entry: string, host: Host): string[] {
  if (host.tools !== undefined) return host.tools.map((root) => posix.normalize(root).replace(/\/$/, ""));
  const roots: string[] = [];
  for (let folder = posix.dirname(entry); ; folder = posix.dirname(folder)) {
    roots.push(posix.join(folder, "tools"));
    if (folder === posix.dirname(folder)) return roots;
  }
}

/** `fcm1-` and the SHA-256 of paths and contents of the tool modules and all that they import, in order. */
export function modulesHash(files: readonly LocalFile[]): string {
  const parts = files.map(({ label, text }) => JSON.stringify([label, text]));
  return `fcm1-${sha256Hex(parts.sort().join("\n"))}`;
}

function assemble(
  world: World,
  { program, policies: coverage, used }: Covered,
  files: readonly LocalFile[],
  docs: ReadonlyMap<string, string>,
): FrontResult {
  const tools = [...program.tools.values()].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  const fluents = fluentsOf(world, program, tools);
  const { body, spots } = finishBody(program.body, program.spots);
  const modules = modulesHash(files);
  const document: Document = {
    effectIr: 1,
    modules,
    fluents: fluents.map((one) => one.fluent),
    tools: tools.map((one) => one.tool),
    program: { inputs: program.inputs, body },
    guarantees: program.guarantees.map(({ guarantee }) => ({
      ...guarantee,
      args: guarantee.args.map(copy),
      ...(guarantee.formula ? { formula: copy(guarantee.formula) } : {}),
    })),
  };
  const sources = sourcesOf(world, files);
  const places = new Places((file) => sources.get(file) ?? "");
  tools.forEach((one, i) => {
    if (!isBuiltin(one.tool.name)) places.add(["tools", i], one.spot);
  });
  fluents.forEach((one, i) => {
    places.add(["fluents", i], one.spot);
  });
  program.guarantees.forEach((one, i) => {
    places.add(["guarantees", i], one.spot);
  });
  places.addCommands(body, spots, ["program", "body"]);
  const sourceMap = places.map();
  return checked(world, { document, sourceMap, modules, coverage, used, docs, sources }, files);
}

export function fluentsOf(world: World, program: CompiledProgram, tools: readonly ToolInfo[]): FluentInfo[] {
  const found = new Map(program.fluents);
  for (const { tool } of tools)
    for (const [name, fluent] of world.toolFluents(tool.name)) found.set(name, fluent);
  return [...found.values()].sort((a, b) => (a.fluent.name < b.fluent.name ? -1 : 1));
}

/** The checker has the last word: what it refuses is a gap of this room, told at its place in the source. */
function checked(world: World, compiled: Compiled, files: readonly LocalFile[]): FrontResult {
  const result = check(compiled.document);
  if (result.ok) return { ok: true, value: compiled };
  for (const problem of result.problems) {
    const place = placeOf(compiled.sourceMap, problem.path);
    const file = place?.name ?? "";
    const text = compiled.sources.get(file) ?? "";
    const start = place === undefined ? 0 : offset(text, place.startLine, place.startColumn);
    const end = place === undefined ? 0 : offset(text, place.endLine, place.endColumn);
    world.problems.add({
      code: "FC2599",
      message: `this could not be compiled soundly: ${problem.message}`,
      file,
      span: { start, end },
      help: problem.help ?? "write it in a simpler way",
    });
  }
  return failure(world, files);
}

function offset(text: string, line: number, column: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) at = text.indexOf("\n", at) + 1;
  return at + column - 1;
}
