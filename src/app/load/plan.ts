/** Plans and states from files, with problems that know their place in them. */
import type { CompiledTools } from "../../frontend/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import {
  car,
  type Finding,
  type ReadPlan,
  readPlan,
  readState,
  type State,
  ToolBook,
} from "../../plan/index.ts";
import { type Failure, plainFailure, textFailure } from "../failure.ts";
import type { SourceFiles } from "../files/port.ts";
import { readSource, type Source } from "../files/source.ts";
import { visibleTools } from "./visible-tools.ts";

export interface LoadedPlan extends ReadPlan, Source {}

export async function loadPlan(
  fs: SourceFiles,
  path: string,
  compat: "car" | undefined,
): Promise<Result<LoadedPlan, Failure>> {
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const { file, text } = source.value;
  const read = readPlan(text);
  if (!read.ok) return textFailure(file, text, read.problems);
  const refusal = compat === "car" ? car.refusal(read.value.plan) : undefined;
  if (refusal !== undefined) return plainFailure("FC9001", refusal);
  return ok({ ...read.value, file, text });
}

export async function loadState(fs: SourceFiles, path: string): Promise<Result<State, Failure>> {
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const { file, text } = source.value;
  const read = readState(text);
  return read.ok ? ok(read.value) : textFailure(file, text, read.problems);
}

/** Loads the declarations of the modules below these folders. */
export async function loadBook(
  fs: SourceFiles,
  folders: readonly string[],
): Promise<Result<ToolBook, Failure>> {
  const found = await visibleTools(fs, ["."], folders);
  if (found.kind === "failed") return found.failures[0] ?? plainFailure("FC9002", "no tools");
  return bookOf(found.folders.map(({ compiled }) => compiled));
}

export function bookOf(compiled: readonly CompiledTools[]): Result<ToolBook, Failure> {
  const book = ToolBook.from({
    tools: compiled.flatMap(({ tools }) => tools),
    fluents: compiled.flatMap(({ fluents }) => fluents),
  });
  if (book.ok) return ok(book.value);
  return { ok: false, problems: book.problems.map(({ span: _, ...problem }) => problem) };
}

/** For commands that cannot do anything with a plan that does not hang together. */
export function brokenFailure({ file, text, locate }: LoadedPlan, findings: readonly Finding[]): Failure {
  const problems = findings.map(({ code, message, path, part, help }) => {
    const span = locate(path, part);
    return { code, message, path, ...(span && { span }), ...(help !== undefined && { help }) };
  });
  return { ok: false, file, source: text, problems };
}
