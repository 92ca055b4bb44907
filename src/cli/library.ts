/** `load` and `prove` of the library: what the command does, without a terminal and without a process to end. */
import { basename, resolve } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { type CompiledTools, compileTools } from "../frontend/index.ts";
import { hashDocument } from "../ir/index.ts";
import type {
  Loaded,
  LoadedProgram,
  LoadedTools,
  LoadOptions,
  NotLoaded,
  Problem,
  Proof,
  ProveOptions,
  Source,
} from "../library.ts";
import { provedJson } from "./commands/prove.ts";
import { posix } from "./config.ts";
import { type Attempt, attained, type Failure, failedAttempt, plainFailure } from "./failure.ts";
import { failuresOf, Modules } from "./load-program.ts";
import { looksLikeDocument } from "./load-written.ts";
import { Progress } from "./progress.ts";
import { invalidToJson } from "./prove/proof-json.ts";
import { relativeTo } from "./prove/relative-to.ts";
import { chooseSolver, solverNames } from "./prove/solver-choice.ts";
import { loadSubject, type Subject } from "./prove/subject.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { modulesIn } from "./tools/module-files.ts";
import { isSavedLayer, mountLayers } from "./tools/mounted.ts";

type LoadedSubject = Extract<Subject, { readonly kind: "loaded" }>;

/** What stands behind what was given out: nobody can make one up, or change it. */
const programs = new WeakMap<LoadedProgram, LoadedSubject>();
const toolPlaces = new WeakMap<LoadedTools, readonly string[]>();

export async function loadSource(source: Source, options: LoadOptions): Promise<Loaded> {
  const terminal = quietTerminal(source);
  if (typeof source === "string" && (await isTools(terminal, source))) return loadTools(terminal, source);
  const { file, path } = placeOf(source);
  const found = await subjectOf(terminal, path, options);
  return found.kind === "loaded" ? programOf(file, found) : invalid(file, failuresIn(found));
}

export async function proveSource(program: Source | Loaded, options: ProveOptions): Promise<Proof> {
  const isLoaded = typeof program === "object" && "kind" in program;
  const loaded = isLoaded ? program : await loadSource(program, options);
  if (loaded.kind === "tools")
    return notProved("", [plainFailure("FC9001", "tool modules are no program", "give a program")]);
  if (loaded.kind === "invalid") return { ...emptyProof(loaded.file), errors: loaded.errors };
  const subject = programs.get(loaded);
  if (subject === undefined) throw new TypeError("`prove` takes what `load` gave");
  const { timeout = 10, solver: name = "z3", show } = options;
  const misuse = misuseOf(timeout, name);
  if (misuse !== undefined) return notProved(loaded.file, [misuse]);
  const solver = await chooseSolver(name);
  if (!solver.ok) return notProved(loaded.file, [solver.failure]);
  const terminal = quietTerminal("");
  try {
    const given = { timeout, solver: name, ...(show && { show }) };
    const { json } = await provedJson(terminal, loaded.file, subject, given, solver.value);
    // Plain objects, as whoever reads what the command prints has them; the test of the library holds the two together.
    return JSON.parse(JSON.stringify(json()));
  } finally {
    await solver.value.close();
  }
}

function misuseOf(timeout: number, solver: string): Failure | undefined {
  if (!(timeout >= 0.001 && timeout <= 3600))
    return plainFailure("FC9001", "`timeout` is in seconds, from 0.001 to 3600");
  const isKnown = solverNames.some((name) => name === solver);
  return isKnown
    ? undefined
    : plainFailure("FC9001", `there is no solver \`${solver}\``, `there are ${solverNames.join(", ")}`);
}

// ── programs ─────────────────────────────────────────────────────────────────────────────────────────────

async function subjectOf(terminal: Terminal, path: string, options: LoadOptions): Promise<Subject> {
  const tools = toolsIn(options);
  if (!tools.ok) return { kind: "unreadable", failure: tools.failure };
  const { guarantee } = options;
  const given = { ...(tools.value && { tools: tools.value }), ...(guarantee && { guarantee }) };
  return loadSubject(terminal, path, given, new Progress(terminal));
}

function toolsIn({ tools }: LoadOptions): Attempt<readonly string[] | undefined> {
  if (tools === undefined) return attained(undefined);
  if (typeof tools === "string") return attained([tools]);
  if (!("kind" in tools)) return attained(tools);
  const places = toolPlaces.get(tools);
  if (places === undefined) throw new TypeError("`tools` is not what `load` gave");
  return attained(places);
}

function programOf(file: string, subject: LoadedSubject): LoadedProgram {
  const { document } = subject.document.checked;
  const program: LoadedProgram = Object.freeze({
    kind: "program",
    file,
    hash: hashDocument(document),
    relativeTo: relativeTo(subject.document),
    document,
  });
  programs.set(program, subject);
  return program;
}

/** A text gets the name of a file that lies nowhere. */
function placeOf(source: Source): { readonly file: string; readonly path: string } {
  if (typeof source === "string") return { file: source, path: source };
  const { text, folder = ".", file = looksLikeDocument(text) ? "program.eir" : "program.ts" } = source;
  return { file, path: resolve(folder, basename(file)) };
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: of what is looked at to tell a saved layer from a document. */
const firstCharacters = 200_000_000;

async function isTools(terminal: Terminal, path: string): Promise<boolean> {
  if ((await terminal.listFolder(path)).kind === "entries") return true;
  if (!isSavedLayer(path)) return false;
  const read = await terminal.readFile(path, firstCharacters);
  return read.kind === "bytes" && Buffer.from(read.bytes).includes('"foreclaimTools"');
}

async function loadTools(terminal: Terminal, path: string): Promise<Loaded> {
  const compiled = await compileAt(terminal, path);
  if (!compiled.ok) return invalid(path, [compiled.failure]);
  const { modules, tools, fluents, contracts } = compiled.value;
  const loaded: LoadedTools = Object.freeze({ kind: "tools", modules, tools, fluents, contracts });
  toolPlaces.set(loaded, [resolve(path)]);
  return loaded;
}

async function compileAt(terminal: Terminal, path: string): Promise<Attempt<CompiledTools>> {
  const mounted = await mountLayers(terminal, [path], ".");
  if (!mounted.ok) return mounted;
  const [root = path] = mounted.value.tools ?? [];
  const files = await modulesIn(mounted.value.terminal, posix(root));
  if (!files.ok) return files;
  const modules = new Modules(mounted.value.terminal);
  const compiled = compileTools(files.value, modules.host([posix(root)]));
  if (modules.failure !== undefined) return failedAttempt(modules.failure);
  if (compiled.ok) return attained(compiled.value);
  return failedAttempt(failuresOf(compiled.problems, compiled.sources)[0] ?? { problems: [] });
}

// ── answers ──────────────────────────────────────────────────────────────────────────────────────────────

function failuresIn(subject: Exclude<Subject, LoadedSubject>): readonly Failure[] {
  return subject.kind === "invalid" ? subject.failures : [subject.failure];
}

function invalid(file: string, failures: readonly Failure[]): NotLoaded {
  return { kind: "invalid", file, errors: errorsOf(file, failures) };
}

function errorsOf(file: string, failures: readonly Failure[]): readonly Problem[] {
  const { errors } = invalidToJson(file, failures, 0);
  // SAFETY: `invalidToJson` writes each problem so.
  return errors as unknown as readonly Problem[];
}

function notProved(file: string, failures: readonly Failure[]): Proof {
  return { ...emptyProof(file), errors: errorsOf(file, failures) };
}

function emptyProof(file: string): Proof {
  return { file, verdict: "invalid", guarantees: [], obligations: [], errors: [], ms: 0, coverage: [] };
}

/** Reads files, and says nothing to anyone. */
function quietTerminal(source: Source): Terminal {
  const nobody = () => new PassThrough().resume();
  const { env, platform } = process;
  const stdin = Readable.from([]);
  const terminal = processTerminal({ stdin, stdout: nobody(), stderr: nobody(), env, platform });
  if (typeof source === "string") return terminal;
  const { path } = placeOf(source);
  return {
    ...terminal,
    isTyped: false,
    readFile: async (wanted, limitBytes) => {
      if (wanted !== path) return terminal.readFile(wanted, limitBytes);
      const bytes = Buffer.from(source.text, "utf8");
      return bytes.length > limitBytes ? { kind: "tooBig" } : { kind: "bytes", bytes };
    },
  };
}
