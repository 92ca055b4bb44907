/** TypeScript programs from files, compiled to documents. Nothing of them, or of tool modules, is executed. */

import { dirname } from "node:path";
import {
  type Compiled,
  compileProgram,
  type Host,
  type SourceDiagnostic,
  type UsedPolicy,
} from "../../frontend/index.ts";
import { append, check, type Locator, ok, placeOf, type Result } from "../../ir/index.ts";
import type { Lowered, Plan, PlanWarning, ToolBook } from "../../plan/index.ts";
import type { ToolPlace } from "../../run/index.ts";
import type { Failure } from "../failure.ts";
import { posix, shown } from "../files/paths.ts";
import type { SourceFiles } from "../files/port.ts";
import { readSource, textOf } from "../files/source.ts";
import type { LoadedDocument } from "./documents.ts";
import { modulesIn, usualFolders, usualRoots, wrongLink } from "./module-files.ts";
import { isAbsent, toolFolders } from "./tool-folders.ts";

/** A document that was compiled, with the hash of the tool modules it speaks of. */
export interface LoadedProgram extends LoadedDocument {
  readonly modules: string;
  /** Every file that was read, by the name that the source map knows it by. */
  readonly sources: ReadonlyMap<string, string>;
  /** Coverage policies of the tools that it calls. */
  readonly used: readonly UsedPolicy[];
  /** Comments of the contracts' authors, by full name. */
  readonly docs: ReadonlyMap<string, string>;
  /** Set for a plan. */
  readonly plan?: LoweredPlan;
}

/** A plan that was lowered, with what a proof and a run need of it besides its document. */
export interface LoweredPlan {
  readonly plan: Plan;
  readonly warnings: readonly PlanWarning[];
  readonly lowered: Lowered;
  readonly book: ToolBook;
  /** The files that declare its tools. */
  readonly places: readonly ToolPlace[];
  /** The files that declare its fluents. */
  readonly fluents: readonly ToolPlace[];
  /** The guarantees that were stated beside it. */
  readonly stated: readonly string[];
}

export type ProgramLoad = { readonly kind: "loaded"; readonly document: LoadedProgram } | NotLoaded;

export type NotLoaded =
  /** It does not compile. The problems of each file, the file with the cause first. */
  | { readonly kind: "invalid"; readonly failures: readonly Failure[] }
  /** Nothing is known of the program: a file or a folder could not be read. */
  | { readonly kind: "unreadable"; readonly failure: Failure };

/** LIMIT: a module is written by hand; none is longer. */
const mostBytes = 4 * 1024 * 1024;

export async function loadProgram(
  fs: SourceFiles,
  path: string,
  tools: readonly string[] | undefined,
): Promise<ProgramLoad> {
  const folders = await toolFolders(fs, dirname(path), tools);
  if (!folders.ok) return { kind: "unreadable", failure: folders };
  const source = await readSource(fs, path, mostBytes);
  if (!source.ok) return { kind: "unreadable", failure: source };
  const entry = posix(path);
  const modules = new Modules(fs, new Map([[entry, withoutMark(source.value.text)]]));
  const host = modules.host(folders.value, entry);
  const first = compileProgram(entry, host);
  if (modules.failure !== undefined) return { kind: "unreadable", failure: modules.failure };
  const others = first.ok ? await otherModules(fs, modules, folders.value, entry, first.value) : none;
  if (!others.ok) return { kind: "unreadable", failure: others };
  const isAlone = others.value.length === 0;
  const compiled = isAlone ? first : compileProgram(entry, { ...host, toolModules: () => others.value });
  if (modules.failure !== undefined) return { kind: "unreadable", failure: modules.failure };
  if (!compiled.ok)
    return { kind: "invalid", failures: failuresOf(compiled.problems, modules.texts(), path) };
  return { kind: "loaded", document: documentOf(path, compiled.value) };
}

const none: Result<readonly string[], Failure> = ok([]);

/**
 * Modules that the program does not import and that may have a coverage policy about it, below the folders that were
 * named, or, where none were, below those that it imports from.
 */
async function otherModules(
  fs: SourceFiles,
  modules: Modules,
  named: readonly string[] | undefined,
  entry: string,
  { sources }: Compiled,
): Promise<Result<readonly string[], Failure>> {
  const read = [...sources.keys()];
  const usual = (folder: string) => read.some((path) => path.startsWith(`${folder}/`));
  const folders = named ?? (await usualFolders(fs, dirname(entry))).filter(usual);
  const found: string[] = [];
  for (const folder of folders) {
    const files = await modulesIn(fs, folder);
    if (!files.ok) return files;
    append(
      found,
      files.value.filter((path) => !sources.has(path) && modules.mayHavePolicy(path)),
    );
    if (modules.failure !== undefined) return modules.failure;
  }
  return ok(found);
}

/** The files of modules, as the front end asks for them. */
export class Modules {
  /** A module that is there and cannot be read; to go on as if it were not there would be wrong. */
  failure: Failure | undefined;
  readonly #fs: SourceFiles;
  readonly #texts: Map<string, string | undefined>;
  #roots: readonly string[] = [];

  constructor(fs: SourceFiles, known: ReadonlyMap<string, string> = new Map()) {
    this.#fs = fs;
    this.#texts = new Map(known);
  }

  /** @param entry the program whose usual folders are meant where none are named */
  host(tools: readonly string[] | undefined, entry?: string): Host {
    this.#roots = tools ?? (entry === undefined ? [] : usualRoots(entry));
    return { readFile: (path) => this.#text(path), ...(tools && { tools }) };
  }

  /** SOUNDNESS: a file that cannot be read may, so it is a failure; one whose bytes do not say the words has none. */
  mayHavePolicy(path: string): boolean {
    const read = this.#fs.readFileNow(path, mostBytes);
    // Whatever the bytes are, those of these words stay what they are.
    const raw = read.kind === "bytes" ? new TextDecoder("latin1").decode(read.bytes) : undefined;
    if (raw !== undefined && !(raw.includes("coverage") && raw.includes("foreclaim"))) return false;
    return this.#text(path) !== undefined;
  }

  /** Every file that was read, also those that are not TypeScript. */
  texts(): ReadonlyMap<string, string> {
    const read = [...this.#texts].flatMap(([path, text]) =>
      text === undefined ? [] : [[path, text] as const],
    );
    return new Map(read);
  }

  #text(path: string): string | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#read(path));
    return this.#texts.get(path);
  }

  #read(path: string): string | undefined {
    const read = this.#fs.readFileNow(path, mostBytes);
    // The front end also tries names that are folders, as `mail` for `mail/index.ts`.
    if (read.kind === "failed" && (isAbsent(read.code) || read.code === "EISDIR")) return undefined;
    const astray = wrongLink(this.#fs, this.#roots, path);
    const source = astray === undefined ? textOf(shown(path), read, mostBytes) : astray;
    if (source.ok) return withoutMark(source.value.text);
    this.failure ??= source;
    return undefined;
  }
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function documentOf(
  path: string,
  { document, sourceMap, modules, sources, used, docs }: Compiled,
): LoadedProgram {
  const checked = check(document);
  if (!checked.ok) throw new TypeError(`a compiled document does not check: ${checked.problems[0]?.message}`);
  const entry = posix(path);
  const text = sources.get(entry) ?? "";
  const locate: Locator = (at) => {
    const place = placeOf(sourceMap, at);
    if (place === undefined || place.name !== entry) return undefined;
    const { startLine, startColumn, endLine, endColumn } = place;
    return { start: offsetIn(text, startLine, startColumn), end: offsetIn(text, endLine, endColumn) };
  };
  const program = { form: "text", checked: checked.value, sourceMap, locate, file: path, text } as const;
  return { ...program, modules, sources, used, docs };
}

/** The front end counts the lines that a line feed ends. */
export function offsetIn(text: string, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i++) {
    const end = text.indexOf("\n", start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}

/** By file, in the order in which they were found: what follows from a cause comes after it. */
export function failuresOf(
  problems: readonly SourceDiagnostic[],
  sources: ReadonlyMap<string, string>,
  entry?: string,
): Failure[] {
  const byFile = new Map<string, SourceDiagnostic[]>();
  for (const problem of problems) byFile.set(problem.file, [...(byFile.get(problem.file) ?? []), problem]);
  return Array.from(
    byFile,
    ([file, here]): Failure => ({
      ok: false,
      // The program is called what the user called it.
      file: entry !== undefined && posix(entry) === file ? entry : shown(file),
      source: sources.get(file) ?? "",
      problems: here.map((problem) => ({ ...problem, path: [] })).sort((a, b) => a.span.start - b.span.start),
    }),
  );
}
