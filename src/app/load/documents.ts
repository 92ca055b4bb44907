/** Documents, inputs and recorded runs from files; with problems that know their place in those files. */
import {
  defaultLimits,
  type Json,
  type Locator,
  ok,
  type Path,
  type ReadDocument,
  type RecordedRun,
  type RecordValue,
  type Result,
  readDocument,
  readInputs,
  readJson,
  recordedRunFromJson,
  withSpans,
} from "../../ir/index.ts";
import { type Failure, textFailure } from "../failure.ts";
import type { Notices, SourceFiles } from "../files/port.ts";
import { readSource, type Source } from "../files/source.ts";

export interface LoadedDocument extends ReadDocument, Source {}

export interface LoadedJson extends Source {
  readonly value: Json;
  readonly locate: Locator;
}

export interface LoadedRun extends LoadedJson {
  readonly run: RecordedRun;
}

export async function loadDocument(
  fs: SourceFiles,
  path: string,
  notices: Notices,
): Promise<Result<LoadedDocument, Failure>> {
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const { file, text } = source.value;
  await notices.reading(file, text.length);
  const read = readDocument(text);
  await notices.clear();
  return read.ok ? ok({ ...read.value, file, text }) : textFailure(file, text, read.problems);
}

export async function loadJson(fs: SourceFiles, path: string): Promise<Result<LoadedJson, Failure>> {
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const { file, text } = source.value;
  // A value of a trace is nested deeper than the value it stands for.
  const read = readJson(text, { ...defaultLimits, depth: 3 * defaultLimits.depth + 10 });
  return read.ok ? ok({ ...read.value, file, text }) : textFailure(file, text, read.problems);
}

export async function loadInputs(
  fs: SourceFiles,
  path: string,
  { checked }: LoadedDocument,
): Promise<Result<RecordValue, Failure>> {
  const json = await loadJson(fs, path);
  if (!json.ok) return json;
  return placed(json.value, readInputs(checked, json.value.value));
}

export async function loadRun(
  fs: SourceFiles,
  path: string,
  { checked }: LoadedDocument,
): Promise<Result<LoadedRun, Failure>> {
  const json = await loadJson(fs, path);
  if (!json.ok) return json;
  const run = placed(json.value, recordedRunFromJson(checked, json.value.value));
  return run.ok ? ok({ ...json.value, run: run.value }) : run;
}

/** The result, or its problems with their places in the file. */
export function placed<T>(json: LoadedJson, result: Result<T>): Result<T, Failure> {
  if (result.ok) return ok(result.value);
  return textFailure(json.file, json.text, withSpans(result.problems, json.locate));
}

/** A problem that is about a place of the JSON text. */
export function problemAt(
  json: LoadedJson,
  problem: { readonly code: string; readonly message: string; readonly help?: string },
  path: Path,
): Failure {
  const span = json.locate(path);
  return {
    ok: false,
    file: json.file,
    source: json.text,
    problems: [{ ...problem, path, ...(span && { span }) }],
  };
}
