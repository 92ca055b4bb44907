/**
 * Documents from files, linked against the tool modules that a TypeScript program in their place could import. Where
 * there are none, a document speaks for itself, and whoever shows what was proved of it says so.
 */
import { dirname } from "node:path";
import { checkWritten, type Locator, type Path, parseWritten, type WrittenDocument } from "../ir/index.ts";
import { type Linked, type LinkProblem, linkDocument, TrustedLayer } from "../link/index.ts";
import { toolFolders } from "./config.ts";
import { type Failure, type FailureProblem, plainFailure, textFailure } from "./failure.ts";
import type { LoadedDocument } from "./load.ts";
import { failuresOf, type LoadedProgram, loadProgram, Modules, type ProgramLoad } from "./load-program.ts";
import { formOfText, type ProgramForm } from "./named-program.ts";
import { readSource, type Source } from "./source.ts";
import type { Terminal } from "./terminal.ts";
import { usualFolders } from "./tools/module-files.ts";
import { visibleTools } from "./tools/visible.ts";

/** A document that was written directly, and linked. */
export interface LinkedDocument extends LoadedProgram {
  /** Guarantees that no contract states. */
  readonly own: ReadonlySet<number>;
}

export type WrittenLoad =
  | { readonly kind: "loaded"; readonly document: LoadedDocument | LinkedDocument }
  | Exclude<ProgramLoad, { readonly kind: "loaded" }>;

/** @param folder where a program would stand in its place */
export async function loadWritten(
  terminal: Terminal,
  source: Source,
  folder: string,
  tools: readonly string[] | undefined,
): Promise<WrittenLoad> {
  const { file, text } = source;
  const parsed = parseWritten(text);
  if (!parsed.ok) return { kind: "invalid", failures: [textFailure(file, text, parsed.problems)] };
  const layer = await layerFor(terminal, folder, tools);
  switch (layer.kind) {
    case "none": {
      const read = checkWritten(parsed.value);
      if (!read.ok) return { kind: "invalid", failures: [textFailure(file, text, read.problems)] };
      return { kind: "loaded", document: { ...read.value, file, text } };
    }
    case "found":
      return linkedWith(terminal, source, parsed.value, layer);
    default:
      return layer;
  }
}

/** What can be approved and run: a TypeScript program, a plan, or a document with tool modules behind it. */
export async function loadRunnable(
  terminal: Terminal,
  path: string,
  tools: readonly string[] | undefined,
  form: ProgramForm = isDocument(path) ? "eir" : "ts",
  stated?: readonly string[],
): Promise<ProgramLoad> {
  if (form === "ts" && stated === undefined) return loadProgram(terminal, path, tools);
  const source = await readSource(terminal, path);
  if (!source.ok) return { kind: "unreadable", failure: source.failure };
  if (form === "plan" || (form === "eir" && formOfText(source.value.text) === "plan")) {
    const { loadPlanSubject } = await import("./plan/plan-subject.ts");
    return loadPlanSubject(terminal, path, tools, stated ?? []);
  }
  if (stated !== undefined) {
    const message = `\`${path}\` is no plan, and says itself what it guarantees`;
    return { kind: "unreadable", failure: plainFailure("FC9001", message, "leave out `--guarantee`") };
  }
  const load = await loadWritten(terminal, source.value, dirname(path), tools);
  if (load.kind !== "loaded") return load;
  const { document } = load;
  if ("sources" in document) return { kind: "loaded", document };
  const message = `\`${path}\` says itself what its tools do, so it can be proved and not be approved or run`;
  const help = "name the folder of trusted tool modules with --tools, or put it beside or above the document";
  return { kind: "unreadable", failure: { problems: [{ code: "FC2610", message, path: [], help }] } };
}

export function isDocument(path: string): boolean {
  return /\.(eir|json)$/.test(path);
}

/** Of a text that nobody gave the name of a file; no TypeScript program begins like that. */
export function looksLikeDocument(text: string): boolean {
  return /^\uFEFF?(?:\s|\/\/[^\n\r]*[\n\r])*(?:\{|effect-ir\b)/.test(text);
}

type Layer =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly layer: TrustedLayer; readonly roots: readonly string[] }
  | Exclude<ProgramLoad, { readonly kind: "loaded" }>;

/** SOUNDNESS: folders that were named are always the layer; only where nothing is found a document stands alone. */
async function layerFor(
  terminal: Terminal,
  folder: string,
  tools: readonly string[] | undefined,
): Promise<Layer> {
  const named = await toolFolders(terminal, folder, tools);
  if (!named.ok) return { kind: "unreadable", failure: named.failure };
  const roots = named.value ?? (await usualFolders(terminal, folder));
  if (roots.length === 0 && named.value === undefined) return { kind: "none" };
  // Where they are named, the place of the document says nothing, and a text may have none.
  const visible = await visibleTools(terminal, [tools?.[0] ?? folder], tools);
  if (visible.kind === "failed") return toolsFailed(visible.failures);
  const layer = new TrustedLayer(visible.folders.map(({ compiled }) => compiled));
  return layer.isEmpty && named.value === undefined ? { kind: "none" } : { kind: "found", layer, roots };
}

/** What could not be read is no fault of a module. */
function toolsFailed(failures: readonly Failure[]): Exclude<ProgramLoad, { readonly kind: "loaded" }> {
  const [first] = failures;
  const isUnread = first?.problems.some(({ code }) => code.startsWith("FC90")) === true;
  return isUnread ? { kind: "unreadable", failure: first } : { kind: "invalid", failures };
}

function linkedWith(
  terminal: Terminal,
  source: Source,
  written: WrittenDocument,
  { layer, roots }: Extract<Layer, { readonly kind: "found" }>,
): WrittenLoad {
  const modules = new Modules(terminal);
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
  const placed = problems.map(
    (problem): FailureProblem & { readonly span: { start: number; end: number } } => {
      const span = problem.span ?? locate(problem.path) ?? { start: 0, end: 0 };
      return { ...problem, span };
    },
  );
  return { file, source: text, problems: placed.sort((a, b) => a.span.start - b.span.start) };
}

/** Of a source map that came with the document nothing is taken: it could say of a tool that it is another file's. */
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

/** What the author of its contract wrote above it; nothing for a statement that is no contract's. */
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
