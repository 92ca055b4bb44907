/**
 * Documents from files, linked against the tool modules that a TypeScript program in their place could import. Where
 * there are none, a document speaks for itself, and reports of its proof say so.
 */
import { checkWritten, type Locator, type Path, parseWritten, type WrittenDocument } from "../../ir/index.ts";
import { type Linked, type LinkProblem, linkDocument, TrustedLayer } from "../../link/index.ts";
import { type Failure, textFailure } from "../failure.ts";
import type { SourceFiles } from "../files/port.ts";
import type { Source } from "../files/source.ts";
import type { LoadedDocument } from "./documents.ts";
import { usualFolders } from "./module-files.ts";
import { toolFolders } from "./tool-folders.ts";
import { failuresOf, type LoadedProgram, Modules, type NotLoaded } from "./typescript.ts";
import { visibleTools } from "./visible-tools.ts";

/** A document that was written directly, and linked. */
export interface LinkedDocument extends LoadedProgram {
  /** Guarantees that no contract states. */
  readonly own: ReadonlySet<number>;
}

export type WrittenLoad =
  | { readonly kind: "loaded"; readonly document: LoadedDocument | LinkedDocument }
  | NotLoaded;

/** @param folder where a program would stand in its place */
export async function loadWritten(
  fs: SourceFiles,
  source: Source,
  folder: string,
  tools: readonly string[] | undefined,
): Promise<WrittenLoad> {
  const { file, text } = source;
  const parsed = parseWritten(text);
  if (!parsed.ok) return { kind: "invalid", failures: [textFailure(file, text, parsed.problems)] };
  const layer = await layerFor(fs, folder, tools);
  switch (layer.kind) {
    case "none": {
      const read = checkWritten(parsed.value);
      if (!read.ok) return { kind: "invalid", failures: [textFailure(file, text, read.problems)] };
      return { kind: "loaded", document: { ...read.value, file, text } };
    }
    case "found":
      return linkedWith(fs, source, parsed.value, layer);
    default:
      return layer;
  }
}

type Layer =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly layer: TrustedLayer; readonly roots: readonly string[] }
  | NotLoaded;

/** SOUNDNESS: folders that were named are always the layer; only where nothing is found a document stands alone. */
async function layerFor(
  fs: SourceFiles,
  folder: string,
  tools: readonly string[] | undefined,
): Promise<Layer> {
  const named = await toolFolders(fs, folder, tools);
  if (!named.ok) return { kind: "unreadable", failure: named };
  const roots = named.value ?? (await usualFolders(fs, folder));
  if (roots.length === 0 && named.value === undefined) return { kind: "none" };
  // The place of the document says nothing if folders are named, and a text may have none.
  const visible = await visibleTools(fs, [tools?.[0] ?? folder], tools);
  if (visible.kind === "failed") return toolsFailed(visible.failures);
  const layer = new TrustedLayer(visible.folders.map(({ compiled }) => compiled));
  return layer.isEmpty && named.value === undefined ? { kind: "none" } : { kind: "found", layer, roots };
}

/** Tells a file that cannot be read from a module that is wrong. */
function toolsFailed(failures: readonly Failure[]): NotLoaded {
  const [first] = failures;
  const isUnread = first?.problems.some(({ code }) => code.startsWith("FC90")) === true;
  return isUnread ? { kind: "unreadable", failure: first } : { kind: "invalid", failures };
}

function linkedWith(
  fs: SourceFiles,
  source: Source,
  written: WrittenDocument,
  { layer, roots }: Extract<Layer, { readonly kind: "found" }>,
): WrittenLoad {
  const modules = new Modules(fs);
  const host = { ...modules.host(roots), tools: roots };
  const result = linkDocument(written.document, layer, host);
  if (modules.failure !== undefined) return { kind: "unreadable", failure: modules.failure };
  switch (result.kind) {
    case "linked":
      return { kind: "loaded", document: documentOf(source, written, result.linked) };
    case "wrong":
      return { kind: "invalid", failures: [failureIn(source, written.locate, result.problems)] };
    case "modules":
      return { kind: "invalid", failures: failuresOf(result.problems, result.sources) };
  }
}

function failureIn({ file, text }: Source, locate: Locator, problems: readonly LinkProblem[]): Failure {
  const placed = problems.map((problem) => {
    const span = problem.span ?? locate(problem.path) ?? { start: 0, end: 0 };
    return { ...problem, span };
  });
  return { ok: false, file, source: text, problems: placed.sort((a, b) => a.span.start - b.span.start) };
}

/** Takes nothing of a source map that came with the document: it could place a tool in another file. */
function documentOf(
  { file, text }: Source,
  { form, document, locate }: WrittenDocument,
  { compiled, checked, own }: Linked,
): LinkedDocument {
  const { sourceMap, modules, sources, used, docs } = compiled;
  const isWritten = ([part, i]: Path): boolean =>
    part === "program" || (part === "guarantees" && Number(i) < document.guarantees.length);
  return {
    form,
    checked,
    sourceMap,
    locate: (path, part) => (isWritten(path) ? locate(path, part) : undefined),
    file,
    text,
    modules,
    sources,
    used,
    docs,
    own,
  };
}

/** Returns the comment of the contract's author; nothing for a formula of the agent's own. */
export function authorsWords(document: LoadedDocument, index: number): string | undefined {
  const name = document.checked.document.guarantees[index]?.name;
  if (name === undefined || !("docs" in document) || ownStatements(document).has(index)) return undefined;
  // SAFETY: only a compiled or linked document has the field, and it is such a map there.
  return (document as LoadedProgram).docs.get(name);
}

/** Said of each of them: a name alone can look like that of a contract. */
export const ownWords = "the agent's own statement, which is no contract of a tool module";

/** Guarantees whose formulas are the agent's own words, though there are contracts. */
export function ownStatements(document: LoadedDocument): ReadonlySet<number> {
  // SAFETY: only a linked document has the field, and it is such a set there.
  return "own" in document ? (document as LinkedDocument).own : new Set();
}
