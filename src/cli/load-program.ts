/** TypeScript programs from files, compiled to documents. Nothing of them, or of tool modules, is executed. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Compiled, compileProgram, type SourceDiagnostic } from "../frontend/index.ts";
import { check, type Locator, placeOf } from "../ir/index.ts";
import { type Attempt, attained, type Failure, failedAttempt, plainFailure } from "./failure.ts";
import type { LoadedDocument } from "./load.ts";

/** A document that was compiled, with the hash of the tool modules it speaks of. */
export interface LoadedProgram extends LoadedDocument {
  readonly modules: string;
}

export function isProgram(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

/** LIMIT: a module is written by hand; none is longer. */
const mostBytes = 4 * 1024 * 1024;

export function loadProgram(path: string, tools: readonly string[] | undefined): Attempt<LoadedProgram> {
  const folders = tools ?? configuredTools(path);
  if (typeof folders === "string") return failedAttempt(plainFailure("FC9001", folders));
  const host = { readFile: readText, ...(folders && { tools: folders.map((one) => posix(resolve(one))) }) };
  const compiled = compileProgram(posix(resolve(path)), host);
  if (!compiled.ok) return failedAttempt(failureOf(compiled.problems, compiled.sources));
  return attained(documentOf(path, compiled.value));
}

function documentOf(path: string, { document, sourceMap, modules, sources }: Compiled): LoadedProgram {
  const checked = check(document);
  if (!checked.ok) throw new TypeError(`a compiled document does not check: ${checked.problems[0]?.message}`);
  const entry = posix(resolve(path));
  const text = sources.get(entry) ?? "";
  const starts = lineStarts(text);
  const offset = (line: number, column: number) => (starts[line - 1] ?? text.length) + column - 1;
  const locate: Locator = (at) => {
    const place = placeOf(sourceMap, at);
    if (place === undefined || place.name !== entry) return undefined;
    const { startLine, startColumn, endLine, endColumn } = place;
    return { start: offset(startLine, startColumn), end: offset(endLine, endColumn) };
  };
  return { form: "text", checked: checked.value, sourceMap, locate, file: path, text, modules };
}

/** The problems of one file, the first that has some: the others often follow from them. */
function failureOf(problems: readonly SourceDiagnostic[], sources: ReadonlyMap<string, string>): Failure {
  const file = problems[0]?.file ?? "";
  const here = problems.filter((problem) => problem.file === file);
  return {
    file: shown(file),
    source: sources.get(file) ?? "",
    problems: here.map((problem) => ({ ...problem, path: [] })),
  };
}

/** As a person would name it from here. */
function shown(file: string): string {
  const near = relative(process.cwd(), file);
  return near === "" || near.startsWith("..") ? file : near;
}

/** The folders that the nearest `foreclaim.json` names; undefined without one, words if it makes no sense. */
function configuredTools(path: string): readonly string[] | undefined | string {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const file = join(folder, "foreclaim.json");
    const text = readText(file);
    if (text !== undefined) return toolsIn(file, text, folder);
    if (folder === dirname(folder)) return undefined;
  }
}

function toolsIn(file: string, text: string, folder: string): readonly string[] | undefined | string {
  const wrong = `\`${shown(file)}\` must be an object such as {"tools": ["./tools"]}`;
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    return `\`${shown(file)}\` is not JSON`;
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) return wrong;
  const tools: unknown = Reflect.get(config, "tools");
  const unknown = Object.keys(config).find((name) => name !== "tools");
  if (unknown !== undefined) return `\`${shown(file)}\` has an unknown field \`${unknown}\``;
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return wrong;
  const names = tools.filter((one): one is string => typeof one === "string");
  return names.length === tools.length ? names.map((name) => resolve(folder, name)) : wrong;
}

function readText(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    if (size > mostBytes) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch {
    return undefined;
  }
}

function posix(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
