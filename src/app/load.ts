/**
 * Loads a program: the first stage. Each front end reads one form of program and gives the same thing, a checked document
 * of the Effect IR. Nothing of a program or of a tool module is executed.
 */
import { dirname } from "node:path";
import { hashDocument } from "../ir/index.ts";
import { readLayer } from "../link/index.ts";
import { type Failure, plainFailure } from "./failure.ts";
import type { Notices, SourceFiles } from "./files/port.ts";
import { readSource } from "./files/source.ts";
import { mountedFor } from "./load/bundle-file-system.ts";
import type { LoadedDocument } from "./load/documents.ts";
import { loadWritten } from "./load/effect-ir.ts";
import { formOfText, isJson, isOtherScript, nameProgram, type ProgramForm } from "./load/form.ts";
import { type LoadedProgram, loadProgram, type NotLoaded } from "./load/typescript.ts";
import { type Stage, stamp } from "./stage.ts";

/** Names a program and the modules that it is compiled against. */
export interface ProgramSource {
  /** A file, or `-` for the standard input of the host. */
  readonly path: string;
  /** The form, where neither the name nor the text shall say it. */
  readonly as?: ProgramForm | undefined;
  /** Folders of trusted tool modules, or saved layers, in place of the usual ones. */
  readonly tools?: readonly string[] | undefined;
  /** The guarantees of a plan, as in `bank.maxSpend(500)`. */
  readonly guarantee?: readonly string[] | undefined;
}

export interface LoadHost {
  readonly fs: SourceFiles;
  readonly notices?: Notices;
}

/** A program that compiled, or a document that was linked. */
export type Loaded = LoadedParts & Stage<"loaded">;

/** A program with tool modules behind it, so that it can be approved and run. */
export type Runnable = LoadedParts<LoadedProgram> & Stage<"loaded">;

interface LoadedParts<D extends LoadedDocument = LoadedDocument | LoadedProgram> {
  readonly form: ProgramForm;
  readonly document: D;
  /** Loads the same source again, to see whether it has changed. */
  readonly again: () => Promise<Loading>;
}

export type Loading = { readonly kind: "loaded"; readonly loaded: Loaded } | NotLoaded;
export type RunnableLoading = { readonly kind: "loaded"; readonly loaded: Runnable } | NotLoaded;

/** Loads a program in order to prove it. The tool modules may come from saved layers. */
export async function load(source: ProgramSource, host: LoadHost): Promise<Loading> {
  const { as, guarantee } = source;
  const named = await nameProgram(host.fs, source.path, {
    ...(as && { as }),
    ...(guarantee && { guarantee }),
  });
  if (!named.ok) return { kind: "unreadable", failure: named };
  const { fs, path, form } = named.value;
  const mounted = await mountedFor(fs, path, form, source.tools);
  if (!mounted.ok) return { kind: "unreadable", failure: mounted };
  const { tools } = mounted.value;
  return stamped({ ...host, fs: mounted.value.fs }, { path, form, tools, guarantee });
}

/** Loads a program in order to run it: its tools are the modules themselves. */
export async function loadRunnable(source: ProgramSource, host: LoadHost): Promise<RunnableLoading> {
  const { as, tools, guarantee } = source;
  const named = await nameProgram(host.fs, source.path, {
    ...(as && { as }),
    ...(guarantee && { guarantee }),
  });
  if (!named.ok) return { kind: "unreadable", failure: named };
  const { fs, path, form } = named.value;
  const loading = await stamped({ ...host, fs }, { path, form, tools, guarantee });
  if (loading.kind !== "loaded") return loading;
  const { document } = loading.loaded;
  // SAFETY: a document with sources is a `LoadedProgram`, and the stamp stays with the object.
  if ("sources" in document) return { kind: "loaded", loaded: loading.loaded as Runnable };
  const message = `\`${path}\` declares its tools itself, so it can be proved but not approved or run`;
  const help = "name the folder of trusted tool modules with --tools, or put it beside or above the document";
  return {
    kind: "unreadable",
    failure: { ok: false, problems: [{ code: "FC2610", message, path: [], help }] },
  };
}

/** Returns the hash of the document that is proved and run. */
export function hashOf({ document }: Loaded): string {
  return hashDocument(document.checked.document);
}

/** Returns why a program was not loaded, by file. */
export function failuresIn(loading: NotLoaded): readonly Failure[] {
  return loading.kind === "invalid" ? loading.failures : [loading.failure];
}

// ── front ends ───────────────────────────────────────────────────────────────────────────────────────────

interface Request {
  readonly path: string;
  readonly form: ProgramForm;
  readonly tools: readonly string[] | undefined;
  readonly guarantee: readonly string[] | undefined;
}

/** Reads one form of program. */
export interface FrontEnd {
  readonly accepts: (request: Request) => boolean;
  readonly load: (request: Request, host: LoadHost) => Promise<Compiling>;
}

type Compiling = { readonly kind: "loaded"; readonly document: LoadedDocument | LoadedProgram } | NotLoaded;

/** The first front end that accepts a request takes it. */
const frontEnds: readonly FrontEnd[] = [
  {
    accepts: ({ path, form, guarantee }) => form === "plan" || (guarantee !== undefined && isJson(path)),
    load: loadAsPlan,
  },
  {
    accepts: ({ guarantee }) => guarantee !== undefined,
    load: async ({ path }) =>
      misuse(`\`${path}\` is not a plan, and states its guarantees itself`, "omit `--guarantee`"),
  },
  {
    accepts: ({ path }) => isOtherScript(path),
    load: async ({ path }) => {
      const help = "give a TypeScript program (.ts), or a document of the Effect IR (.eir, .json)";
      return misuse(`\`${path}\` is not what can be proved`, help);
    },
  },
  {
    accepts: ({ form }) => form === "ts",
    load: ({ path, tools }, { fs }) => loadProgram(fs, path, tools),
  },
  { accepts: () => true, load: loadEffectIr },
];

async function stamped(host: LoadHost, request: Request): Promise<Loading> {
  const frontEnd = frontEnds.find(({ accepts }) => accepts(request));
  if (frontEnd === undefined) throw new TypeError("no front end takes the program");
  const loading = await frontEnd.load(request, host);
  if (loading.kind !== "loaded") return loading;
  const { document } = loading;
  const form = "plan" in document && document.plan !== undefined ? "plan" : request.form;
  const again = () => stamped(host, request);
  const parts: LoadedParts = { form, document, again };
  return { kind: "loaded", loaded: stamp("loaded", parts) };
}

async function loadAsPlan({ path, tools, guarantee = [] }: Request, { fs }: LoadHost): Promise<Compiling> {
  const { loadPlanTarget } = await import("./load/plan-target.ts");
  return loadPlanTarget(fs, path, tools, guarantee);
}

async function loadEffectIr(request: Request, host: LoadHost): Promise<Compiling> {
  const { path, tools } = request;
  const { fs, notices } = host;
  const source = await readSource(fs, path);
  if (!source.ok) return { kind: "unreadable", failure: source };
  const { file, text } = source.value;
  if (formOfText(text) === "plan") return loadAsPlan(request, host);
  await notices?.reading(file, text.length);
  const load = await loadWritten(fs, source.value, dirname(path), tools);
  await notices?.clear();
  if (load.kind !== "invalid") return load;
  if (text.includes('"foreclaimTools"') && readLayer(text).ok)
    return misuse(`\`${file}\` is a saved tool layer and no program`, `name it with \`--tools ${path}\``);
  return load;
}

function misuse(message: string, help: string): NotLoaded {
  return { kind: "unreadable", failure: plainFailure("FC9001", message, help) };
}
