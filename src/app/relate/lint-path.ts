/** Lints a tool module, a folder of them, an approval policy or a program, each against all tools there are. */
import { dirname } from "node:path";
import type { RelateOptions } from "../../compare/index.ts";
import type { CompiledTools } from "../../frontend/index.ts";
import { ok, printExpr, printName, type Result } from "../../ir/index.ts";
import { type Finding, lintGuarantees, lintModules, lintRules } from "../../lint/index.ts";
import { compileClauses, folderOf, loadPolicy } from "../decide/load-policy.ts";
import { type Failure, firstFailure, plainFailure } from "../failure.ts";
import { posix, shown } from "../files/paths.ts";
import type { Notices, SourceFiles } from "../files/port.ts";
import { isJson, isTypeScript } from "../load/form.ts";
import { usualFolders } from "../load/module-files.ts";
import { loadProgram } from "../load/typescript.ts";
import { type VisibleFolder, visibleTools } from "../load/visible-tools.ts";
import { SourceMap } from "../report/source-map.ts";
import { joinedLayer } from "./layer.ts";
import { type Placed, type PlacedFindings, placedFindings } from "./placed.ts";

export async function lintPath(
  fs: SourceFiles,
  path: string,
  tools: readonly string[] | undefined,
  options: RelateOptions,
  notices: Notices,
): Promise<Result<PlacedFindings, Failure>> {
  if (isJson(path)) return lintPolicy(fs, path, tools, options);
  const isFile = isTypeScript(path);
  const roots = tools?.map(posix) ?? (await usualFolders(fs, isFile ? dirname(path) : path));
  const own = posix(path).replace(/\/$/, "");
  const isBelow = roots.some((root) => own === root || own.startsWith(`${root.replace(/\/$/, "")}/`));
  if (isFile && !isBelow) return lintProgram(fs, path, tools, options);
  if (!isFile && /\.\w+$/.test(path)) {
    const help = "give a tool module or a program (.ts), a folder, or an approval policy (.json)";
    return plainFailure("FC9001", `\`${path}\` is not what can be linted`, help);
  }
  await notices.clear();
  return lintTools(fs, path, tools, isBelow ? own : undefined, options);
}

async function lintTools(
  fs: SourceFiles,
  path: string,
  tools: readonly string[] | undefined,
  only: string | undefined,
  options: RelateOptions,
): Promise<Result<PlacedFindings, Failure>> {
  const from = isTypeScript(path) ? dirname(path) : path;
  const visible = await visibleTools(fs, [from], tools);
  if (visible.kind === "failed") return visible.failures[0] ?? plainFailure("FC9002", "nothing was found");
  const layer = joinedLayer(visible.folders.map(({ compiled }) => compiled));
  if (!layer.ok) return layer;
  const isAsked = (file: string) => only === undefined || file === only || file.startsWith(`${only}/`);
  const all = visible.folders.map(({ compiled }) => compiled);
  const places = new Declarations(visible.folders);
  const modules = {
    ...layer.value,
    contracts: all.flatMap(({ contracts }) => contracts),
    coverage: all.flatMap(({ coverage }) => coverage),
  };
  const wanted = (name: string) => {
    const file = places.of(name)?.file;
    return file !== undefined && isAsked(file);
  };
  const linted = await lintModules(modules, wanted, options);
  return ok(
    placedFindings(linted, ({ about }) => {
      const place = "name" in about ? places.of(about.name) : undefined;
      return place && { ...place, file: shown(place.file) };
    }),
  );
}

/** Finds declarations by name, in their modules. */
class Declarations {
  readonly #compiled: readonly CompiledTools[];

  constructor(folders: readonly VisibleFolder[]) {
    this.#compiled = folders.map(({ compiled }) => compiled);
  }

  of(name: string): Placed | undefined {
    const short = name.slice(name.lastIndexOf(".") + 1);
    for (const { declarations, sources } of this.#compiled) {
      const declared = declarations.find((one) => one.name === name);
      const file = declared?.file ?? this.#moduleOf(name, sources);
      const text = file && sources.get(file);
      if (file === undefined || text === undefined) continue;
      const found = new RegExp(`\\bconst\\s+(${escaped(short)})\\b`).exec(text);
      const start = found === null ? declared?.span.start : found.index + found[0].length - short.length;
      if (start === undefined) continue;
      return { file, text, span: { start, end: found === null ? start + 1 : start + short.length } };
    }
    return undefined;
  }

  /** Finds a coverage policy, which is no declaration: the module of its name that has such a constant. */
  #moduleOf(name: string, sources: ReadonlyMap<string, string>): string | undefined {
    const at = name.lastIndexOf(".");
    const [module, short] = [name.slice(0, at), name.slice(at + 1)];
    const isIt = new RegExp(`\\bconst\\s+${escaped(short)}\\s*=\\s*coverage\\b`);
    return [...sources].find(
      ([file, text]) =>
        isIt.test(text) && file.replace(/(\/index)?\.[cm]?ts$/, "").endsWith(module.replaceAll(".", "/")),
    )?.[0];
  }
}

function escaped(text: string): string {
  return text.replace(/[$]/g, "\\$&");
}

async function lintProgram(
  fs: SourceFiles,
  path: string,
  tools: readonly string[] | undefined,
  options: RelateOptions,
): Promise<Result<PlacedFindings, Failure>> {
  const load = await loadProgram(fs, path, tools);
  if (load.kind === "unreadable") return load.failure;
  if (load.kind === "invalid") return firstFailure(load.failures);
  const visible = await visibleTools(fs, [dirname(path)], tools);
  if (visible.kind === "failed") return visible.failures[0] ?? plainFailure("FC9002", "nothing was found");
  const { document } = load;
  const layer = joinedLayer([...visible.folders.map(({ compiled }) => compiled), document.checked.document]);
  if (!layer.ok) return layer;
  const added = new Set(
    document.used.flatMap(({ contracts }) => contracts.flatMap((one) => one.added ?? [])),
  );
  const { guarantees } = document.checked.document;
  const stated = guarantees.flatMap(({ name, args, formula }, i) =>
    added.has(i) || formula === undefined
      ? []
      : [{ text: `${printName(name)}(${args.map(printExpr).join(", ")})`, formula, place: i }],
  );
  const linted = await lintGuarantees(stated, layer.value, options);
  const places = new SourceMap(document);
  return ok(
    placedFindings(linted, ({ about }: Finding) => {
      if (about.kind !== "guarantee") return undefined;
      const place = places.at(["guarantees", stated[about.index]?.place ?? 0]);
      return place && { file: place.file, text: place.text, span: place };
    }),
  );
}

async function lintPolicy(
  fs: SourceFiles,
  path: string,
  tools: readonly string[] | undefined,
  options: RelateOptions,
): Promise<Result<PlacedFindings, Failure>> {
  const policy = await loadPolicy(fs, path);
  if (!policy.ok) return policy;
  const clauses = await compileClauses(fs, policy.value, folderOf(path), tools);
  if (!clauses.ok) return clauses;
  const visible = await visibleTools(fs, [folderOf(path)], tools);
  if (visible.kind === "failed") return visible.failures[0] ?? plainFailure("FC9002", "nothing was found");
  const layer = joinedLayer(visible.folders.map(({ compiled }) => compiled));
  if (!layer.ok) return layer;
  const { rules } = policy.value.policy;
  const linted = await lintRules(
    rules.map(({ name, decision, when, clauses: texts }) => ({
      name,
      decision,
      when,
      clauses: texts.flatMap((text) => {
        const formula = clauses.value.all.get(text)?.document.guarantees[0]?.formula;
        return formula === undefined ? [] : [{ text, formula }];
      }),
    })),
    layer.value,
    options,
  );
  const { file, text, locate } = policy.value;
  return ok(
    placedFindings(linted, ({ about }) => {
      if (about.kind !== "rule") return undefined;
      const rule = ["rules", about.index] as const;
      const when = rules[about.index]?.when ?? "whenProven";
      const span = locate(about.clause === undefined ? [...rule, "name"] : [...rule, when, about.clause]);
      return { file, text, ...(span && { span }) };
    }),
  );
}
