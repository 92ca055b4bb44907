/**
 * A tool layer as one file: the texts of tool modules and of all that they import, and what they declare, compiled. It is
 * used where the modules themselves are not, to prove and never to run.
 * SOUNDNESS: what a saved layer says was compiled is not believed. Reading it compiles the texts again and makes the whole
 * file anew; one that differs in anything was changed.
 */
import { posix } from "node:path";
import {
  type CompiledTools,
  compileTools,
  defaultFrontLimits,
  type FrontResult,
  type SourceDiagnostic,
} from "../frontend/index.ts";
import {
  canonicalJson,
  type Diagnostic,
  type Document,
  defaultLimits,
  documentToJson,
  exprToJson,
  type Field,
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type PlainJson,
  type Result,
  readJson,
  sha256Hex,
} from "../ir/index.ts";
import type { LinkCode } from "./codes.ts";

export interface SavedLayer {
  /** The name of the folder in the imports of programs. */
  readonly name: string;
  /** The hash of all modules together. */
  readonly modules: string;
  readonly hash: string;
  /** By the path from that folder. */
  readonly files: ReadonlyMap<string, string>;
}

export type ReadLayer = Result<
  SavedLayer,
  { readonly ok: false; readonly problem: Diagnostic<LinkCode, never> }
>;

/** LIMIT: of a saved layer, so that one that nobody would write costs little. */
export const layerLimits = {
  /** Code units of the whole file. */
  textLength: 32 * 1024 * 1024,
  /** Files in it: modules, and what they import. */
  files: 2 * defaultFrontLimits.modules,
  /** Code units of one file in it. */
  fileLength: defaultFrontLimits.fileLength,
  /** Code units of a path. */
  pathLength: 500,
  /** LIMIT: levels above the tools folder at which an imported file may lie. */
  above: 10,
} as const;

const version = 1;

/** @param root the folder that the modules lie below, as the compiler knows it */
export function saveLayer(name: string, root: string, compiled: CompiledTools): string {
  const files = Array.from(compiled.sources, ([path, text]) => ({ path: posix.relative(root, path), text }));
  return layerText(name, files, compiled);
}

/** The modules below the folder: what a layer is compiled from. */
export function isModuleFile(path: string): boolean {
  return !path.startsWith("../") && /\.[cm]?ts$/.test(path) && !/\.(d|test|spec)\.[cm]?ts$/.test(path);
}

function layerText(
  name: string,
  files: readonly { readonly path: string; readonly text: string }[],
  { modules, tools, fluents, contracts }: CompiledTools,
): string {
  const body: Record<string, PlainJson> = {
    foreclaimTools: version,
    name,
    modules,
    files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
    declared: {
      document: documentToJson({ ...nothing, fluents, tools }),
      contracts: contracts.map((contract) => ({
        name: contract.name,
        params: fieldsToJson(contract.params),
        formula: exprToJson(contract.formula),
      })),
    },
  };
  return `${canonicalJson({ ...body, hash: `fct1-${sha256Hex(canonicalJson(body))}` })}\n`;
}

const nothing: Document = {
  effectIr: 1,
  fluents: [],
  tools: [],
  program: { inputs: [], body: [] },
  guarantees: [],
};

/** As the inputs of a program are written. */
function fieldsToJson(inputs: readonly Field[]): PlainJson {
  const json = documentToJson({ ...nothing, program: { inputs, body: [] } });
  // SAFETY: a document as JSON is an object whose program is one.
  const { program } = json as { readonly program: { readonly inputs?: PlainJson } };
  return program.inputs ?? [];
}

/** Strictly: every field, every limit, and then the whole file derived again. */
export function readLayer(text: string): ReadLayer {
  const unreadable = (why: string): ReadLayer => ({
    ok: false,
    problem: {
      code: "FC2611",
      message: `this is no saved tool layer: ${why}`,
      help: "make one with `foreclaim build tools/ -o tools.json`",
    },
  });
  if (text.length > layerLimits.textLength)
    return unreadable(`it is longer than ${layerLimits.textLength} characters`);
  const json = readJson(text, { ...defaultLimits, stringLength: layerLimits.fileLength });
  if (!json.ok) return unreadable(json.problems[0]?.message ?? "it is not JSON");
  const fields = fieldsOf(json.value.value);
  if (typeof fields === "string") return unreadable(fields);
  const { name, modules, hash, files } = fields;
  const compiled = compileFiles(name, files);
  if (!compiled.ok) return changed(`its modules do not compile: ${firstOf(compiled.problems)}`);
  const again = layerText(
    name,
    Array.from(files, ([path, one]) => ({ path, text: one })),
    compiled.value,
  );
  const unused = [...files.keys()].find(
    (path) => !compiled.value.sources.has(posix.join(rootOf(name), path)),
  );
  if (unused !== undefined) return changed(`nothing in it needs the file \`${unused}\``);
  if (`${canonicalJson(plain(json.value.value))}\n` !== again)
    return changed("it does not say what its modules compile to");
  return { ok: true, value: { name, modules, hash, files } };
}

function changed(why: string): ReadLayer {
  const help = "build it again from its tool modules; or it is of another version of Foreclaim";
  return {
    ok: false,
    problem: { code: "FC2612", message: `the saved tool layer was changed since it was built: ${why}`, help },
  };
}

function firstOf([problem]: readonly SourceDiagnostic[]): string {
  return problem === undefined ? "no reason given" : `${problem.code} ${problem.message}`;
}

/** There is no such folder. It lies deep enough for imports that lead out of it. */
function rootOf(name: string): string {
  return `/${"layer/".repeat(layerLimits.above + 1)}${name}`;
}

function compileFiles(name: string, files: ReadonlyMap<string, string>): FrontResult<CompiledTools> {
  const root = rootOf(name);
  const texts = new Map(Array.from(files, ([path, text]) => [posix.join(root, path), text] as const));
  const modules = [...files.keys()].filter(isModuleFile).map((path) => posix.join(root, path));
  return compileTools(modules, { readFile: (path) => texts.get(path), tools: [root] });
}

type Fields = SavedLayer | string;

/** The fields, or what is wrong with them. */
function fieldsOf(json: Json): Fields {
  if (!isJsonObject(json)) return "it is not an object";
  const { foreclaimTools, name, modules, files, declared, hash, ...rest } = json;
  if (!JsonNumber.is(foreclaimTools)) return "it has no version";
  if (foreclaimTools.value !== BigInt(version)) return `version ${foreclaimTools.text} is not known`;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `it has an unknown field \`${unknown}\``;
  if (typeof name !== "string" || !/^[\w-][\w.-]{0,99}$/.test(name))
    return "its `name` is no name of a folder";
  if (typeof modules !== "string" || typeof hash !== "string") return "it has no hashes";
  if (declared === undefined || !isJsonObject(declared)) return "it has no field `declared`";
  if (files === undefined || !isJsonArray(files)) return "it has no files";
  if (files.length > layerLimits.files) return `it has more than ${layerLimits.files} files`;
  const found = new Map<string, string>();
  for (const file of files) {
    const wrong = fileProblem(file, found);
    if (wrong !== undefined) return wrong;
  }
  return { name, modules, hash, files: found };
}

function fileProblem(file: Json, found: Map<string, string>): string | undefined {
  if (!isJsonObject(file) || Object.keys(file).length !== 2) return "a file has a `path` and a `text`";
  const { path, text } = file;
  if (typeof path !== "string" || typeof text !== "string") return "a file has a `path` and a `text`";
  const above = /^(?:\.\.\/)*/.exec(path)?.[0].length ?? 0;
  const isPlain =
    path !== "" && !path.startsWith("/") && posix.normalize(path) === path && !/[\\\p{C}]/u.test(path);
  if (!isPlain || path.endsWith("/") || path === ".." || path.length > layerLimits.pathLength)
    return "the path of a file is not a plain relative one";
  if (above > 3 * layerLimits.above) return `\`${path}\` lies too far above the tools folder`;
  if (text.length > layerLimits.fileLength)
    return `\`${path}\` is longer than ${layerLimits.fileLength} characters`;
  if (/\p{Cs}/u.test(text)) return `\`${path}\` is no text`;
  if (found.has(path)) return `the file \`${path}\` is in it twice`;
  found.set(path, text);
  return undefined;
}

function plain(json: Json): PlainJson {
  if (json === null || typeof json !== "object") return json;
  if (JsonNumber.is(json)) return Number(json.text);
  if (isJsonArray(json)) return json.map(plain);
  return Object.fromEntries(Object.entries(json).map(([name, part]) => [name, plain(part)]));
}
