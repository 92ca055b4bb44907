/**
 * Source map of a compiled document. It travels beside the JSON form, outside the hash: moving a line of source
 * changes nothing that was proved. Part of what must be trusted.
 */
import { type Code, type Diagnostic, failed, ok, type Path, type Result, type Trail } from "./diagnostic.ts";
import type { PlainJson } from "./json/canonical.ts";
import { isJsonArray, isJsonObject, type Json, JsonNumber } from "./json/json.ts";

export interface SourceMap {
  readonly files: readonly string[];
  /** By JSON pointer into the document. */
  readonly places: ReadonlyMap<string, SourcePlace>;
}

/** Lines and columns from 1; the end is exclusive. */
export interface SourcePlace {
  readonly file: number;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The place of the smallest enclosing part that has one. */
export function placeOf(map: SourceMap, path: Path): (SourcePlace & { readonly name: string }) | undefined {
  for (let length = path.length; length >= 0; length--) {
    const place = map.places.get(pointer(path.slice(0, length)));
    const name = place && map.files[place.file];
    if (place !== undefined && name !== undefined) return { ...place, name };
  }
  return undefined;
}

/** RFC 6901. */
export function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function sourceMapToJson(map: SourceMap): PlainJson {
  const places: Record<string, PlainJson> = {};
  for (const [at, place] of map.places) {
    places[at] = [place.file, place.startLine, place.startColumn, place.endLine, place.endColumn];
  }
  return { files: map.files, places };
}

export function readSourceMap(json: Json, trail: Trail): Result<SourceMap> {
  const problems: Diagnostic[] = [];
  const problem = (at: Trail, message: string, code: Code = "FC1102"): undefined => {
    const problem: Diagnostic = { code, message, path: at.path() };
    problems.push(code === "FC1104" ? { ...problem, part: "key" } : problem);
  };
  if (!isJsonObject(json)) {
    problem(trail, "a source map is an object with `files` and `places`");
    return failed(problems);
  }
  const { files, places, ...rest } = json;
  for (const name of Object.keys(rest))
    problem(trail.at(name), `a source map has no field \`${name}\``, "FC1104");
  if (files === undefined || !isJsonArray(files)) problem(trail, "a source map needs an array `files`");
  if (places === undefined || !isJsonObject(places)) problem(trail, "a source map needs an object `places`");
  if (files === undefined || !isJsonArray(files) || places === undefined || !isJsonObject(places))
    return failed(problems);
  const names = files.filter((file) => typeof file === "string");
  if (names.length !== files.length) problem(trail.at("files"), "a file's name is a string");
  const found = new Map<string, SourcePlace>();
  for (const [at, place] of Object.entries(places)) {
    const read = readPlace(place, names.length);
    if (read === undefined) problem(trail.at("places", at), "a place is [file, line, column, line, column]");
    else found.set(at, read);
  }
  return problems.length === 0 ? ok({ files: names, places: found }) : failed(problems);
}

function readPlace(json: Json, files: number): SourcePlace | undefined {
  if (!isJsonArray(json) || json.length !== 5) return undefined;
  const numbers = json.map((item) =>
    JsonNumber.is(item) && typeof item.value === "bigint" ? Number(item.value) : -1,
  );
  const [file, startLine, startColumn, endLine, endColumn] = numbers;
  if (file === undefined || startLine === undefined || startColumn === undefined) return undefined;
  if (endLine === undefined || endColumn === undefined || numbers.some((n) => n < 0) || file >= files)
    return undefined;
  return { file, startLine, startColumn, endLine, endColumn };
}
