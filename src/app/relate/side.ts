/** One side of a comparison: a program, or a guarantee as a policy would write it, with the tools that there are. */
import { dirname } from "node:path";
import type { Layer } from "../../compare/index.ts";
import { type Document, type Guarantee, ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Notices, SourceFiles } from "../files/port.ts";
import { mountedFor, mountLayers } from "../load/bundle-file-system.ts";
import { type NamedProgram, nameProgram, type ProgramForm } from "../load/form.ts";
import { compileGuarantees } from "../load/parse-guarantee.ts";
import { toolFolders } from "../load/tool-folders.ts";
import { visibleTools } from "../load/visible-tools.ts";
import { load } from "../load.ts";
import { isClause } from "./clause.ts";

export interface Side {
  readonly kind: "program" | "guarantee";
  /** As it was given. */
  readonly text: string;
  readonly document: Document;
  readonly guarantees: readonly Guarantee[];
  /** All tools that a program in its place could use. */
  readonly layer: Layer;
}

export interface SideOptions {
  readonly tools?: readonly string[] | undefined;
  /** The folder of a program that would state the guarantees. */
  readonly folder?: string | undefined;
  /** The form of the program on standard input. */
  readonly as?: ProgramForm | undefined;
}

export async function loadSide(
  fs: SourceFiles,
  text: string,
  options: SideOptions,
  notices: Notices,
): Promise<Result<Side, Failure>> {
  const { folder = ".", as } = options;
  if (!isClause(text)) {
    const named = await nameProgram(fs, text, { ...(as && { as }) });
    return named.ok ? loadFile(named.value, options, notices) : named;
  }
  const mounted = await mountLayers(fs, options.tools, folder);
  if (!mounted.ok) return mounted;
  const { fs: seen, tools } = mounted.value;
  return loadClause(seen, text, { folder, ...(tools && { tools }) });
}

async function loadClause(
  fs: SourceFiles,
  text: string,
  options: SideOptions,
): Promise<Result<Side, Failure>> {
  const folder = options.folder ?? ".";
  const visible = await visibleTools(fs, [folder], options.tools);
  if (visible.kind === "failed") return firstOf(visible.failures);
  const folders = await toolFolders(fs, folder, options.tools);
  if (!folders.ok) return folders;
  const compiled = visible.folders.map((one) => one.compiled);
  const where = { fs, folder, folders: folders.value, compiled, file: text };
  const stated = compileGuarantees(where, [text], new Set());
  if (stated.kind === "unreadable") return stated.failure;
  if (stated.kind === "invalid") return withoutFrame(firstOf(stated.failures), text);
  const { document } = stated.value;
  return ok({
    kind: "guarantee",
    text: text.trim(),
    document,
    guarantees: document.guarantees,
    layer: layerOf(visible.folders),
  });
}

async function loadFile(
  { fs: base, path, form }: NamedProgram,
  options: SideOptions,
  notices: Notices,
): Promise<Result<Side, Failure>> {
  const mounted = await mountedFor(base, path, form, options.tools);
  if (!mounted.ok) return mounted;
  const { fs, tools } = mounted.value;
  const loading = await load({ path, as: form, tools }, { fs, notices });
  if (loading.kind === "unreadable") return loading.failure;
  if (loading.kind === "invalid") return firstOf(loading.failures);
  const { document } = loading.loaded.document.checked;
  const side = { kind: "program", text: path, document, guarantees: document.guarantees } as const;
  if (!("sources" in loading.loaded.document)) return ok({ ...side, layer: document });
  const visible = await visibleTools(fs, [dirname(path)], tools);
  if (visible.kind === "failed") return firstOf(visible.failures);
  return ok({ ...side, layer: layerOf(visible.folders) });
}

function layerOf(folders: readonly { readonly compiled: Layer }[]): Layer {
  const distinct = <T extends { readonly name: string }>(all: readonly T[]) => [
    ...new Map(all.map((one) => [one.name, one])).values(),
  ];
  return {
    tools: distinct(folders.flatMap(({ compiled }) => compiled.tools)),
    fluents: distinct(folders.flatMap(({ compiled }) => compiled.fluents)),
  };
}

/** A clause has no lines to show; one of a tool module stays where it is. */
function withoutFrame(failure: Failure, text: string): Failure {
  if (failure.file !== text) return failure;
  return { ok: false, problems: failure.problems.map(({ span: _, ...problem }) => problem) };
}

function firstOf(failures: readonly Failure[]): Failure {
  return failures[0] ?? plainFailure("FC9002", "nothing was found");
}
