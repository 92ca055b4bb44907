/**
 * `load` and `prove`: what `foreclaim prove` does, as functions. Problems of a program are data, nothing is written and
 * nothing ends the process. Light until it is used: tool modules import this package when they run.
 */
import type {
  Failure,
  GuaranteeReport,
  Loaded as LoadedTarget,
  ObligationReport,
  PositionReport,
  ProblemReport,
  ProofReport,
  Question,
  SolverPool,
  SourceFiles,
} from "./app/index.ts";
import type { Document, Expr, Field, Fluent, Tool } from "./ir/index.ts";

/** A file by its name, or the text of a program as if it were one. */
export type Source = string | SourceText;

export interface SourceText {
  readonly text: string;
  /** Folder of the text; the current one by default. */
  readonly folder?: string;
  /** File name of the text in answers, with its extension: `.ts`, `.eir` or `.json`. */
  readonly file?: string;
}

export interface LoadOptions {
  /** Trusted tool modules, in place of the usual ones: folders, saved layers, or what was loaded. */
  readonly tools?: string | readonly string[] | LoadedTools;
  /** Guarantees of a plan to prove, as in `bank.maxSpend(500)`. */
  readonly guarantee?: readonly string[];
}

export interface ProveOptions extends LoadOptions {
  /** For each question to the solver, in seconds; 10 by default. */
  readonly timeout?: number;
  /** The bundled `z3` by default. */
  readonly solver?: "z3" | "native:z3" | "native:cvc5";
  /** Also in the answer: the linked document, every call it may make, or every question, as `shown`. */
  readonly show?: "ir" | "facts" | "smt";
}

export type Loaded = LoadedTools | LoadedProgram | NotLoaded;

/** Declarations of trusted tool modules. */
export interface LoadedTools {
  readonly kind: "tools";
  /** The hash of all of them together. */
  readonly modules: string;
  readonly tools: readonly Tool[];
  readonly fluents: readonly Fluent[];
  readonly contracts: readonly {
    readonly name: string;
    readonly params: readonly Field[];
    /** It speaks of the parameters by name. */
    readonly formula: Expr;
  }[];
}

/** A program that compiled, or a document that was linked. */
export interface LoadedProgram {
  readonly kind: "program";
  readonly file: string;
  /** `eir1-…`. */
  readonly hash: string;
  /** The file whose tool declarations are believed. */
  readonly relativeTo: string;
  readonly document: Document;
}

export interface NotLoaded {
  readonly kind: "invalid";
  readonly file: string;
  readonly errors: readonly Problem[];
}

export type Problem = ProblemReport;
/** From 1; columns in UTF-16 code units. */
export type Position = PositionReport;

/** The output of `foreclaim prove --json` for one program. */
export type Proof = ProofReport;
export type ProvedGuarantee = GuaranteeReport;
export type ProvedObligation = ObligationReport;

/**
 * Tool modules of a folder or a saved layer, or a program: TypeScript, a document of the Effect IR, or a plan.
 *
 * @example const tools = await load("tools"); const program = await load("pay.ts", { tools });
 */
export async function load(source: Source, options: LoadOptions = {}): Promise<Loaded> {
  const app = await hall();
  if (typeof source === "string" && (await app.areTools(app.nodeFiles, source)))
    return loadTools(app, source);
  const { file, path, fs } = placeOf(app, source);
  const { guarantee } = options;
  const loading = await app.load({ path, tools: toolsIn(options), guarantee }, { fs });
  return loading.kind === "loaded"
    ? programOf(app, file, loading.loaded)
    : notLoaded(app, file, app.failuresIn(loading));
}

/**
 * Proves a program's guarantees for every run, or refutes them with a counterexample; the same as `foreclaim prove --json`.
 *
 * @example const { verdict } = await prove("pay.ts", { timeout: 30 });
 */
export async function prove(program: Source | Loaded, options: ProveOptions = {}): Promise<Proof> {
  const app = await hall();
  const isLoaded = typeof program === "object" && "kind" in program;
  const loaded = isLoaded ? program : await load(program, options);
  if (loaded.kind === "tools")
    return app.invalidReport(
      "",
      [app.plainFailure("FC9001", "tool modules are no program", "give a program")],
      0,
    );
  if (loaded.kind === "invalid") return { ...app.invalidReport(loaded.file, [], 0), errors: loaded.errors };
  const target = programs.get(loaded);
  if (target === undefined) throw new TypeError("`prove` takes what `load` gave");
  const { timeout = 10, solver = "z3", show } = options;
  const misuse = misuseOf(app, timeout, solver);
  if (misuse !== undefined) return app.invalidReport(loaded.file, [misuse], 0);
  const startMs = app.nodeClock.nowMs();
  const questions: Question[] = [];
  const proved = await app.prove(target, {
    pool: sharedPool(app),
    solver,
    timeoutMs: timeout * 1000,
    asking: (about, question) => {
      if (about === "proof" && show === "smt") questions.push(question);
    },
  });
  if (!proved.ok) return app.invalidReport(loaded.file, [proved], 0);
  const { document, proof } = proved.value;
  const shown = show === undefined ? undefined : app.shownText(show, document, proof, questions);
  return app.proofReport(loaded.file, proved.value, app.nodeClock.nowMs() - startMs, shown);
}

// ── the hall, loaded when it is first used ───────────────────────────────────────────────────────────────

type App = typeof import("./app/index.ts");

const hall = (): Promise<App> => import("./app/index.ts");

let pool: SolverPool | undefined;

/** Keeps the solvers of earlier proofs. Idle ones do not keep the process alive, so nobody has to close it. */
function sharedPool(app: App): SolverPool {
  pool ??= new app.SolverPool();
  return pool;
}

/** Stands behind what was given out: nobody can make one up, or change it. */
const programs = new WeakMap<LoadedProgram, LoadedTarget>();
const toolPlaces = new WeakMap<LoadedTools, readonly string[]>();

function misuseOf(app: App, timeout: number, solver: string): Failure | undefined {
  if (!(timeout >= 0.001 && timeout <= 3600))
    return app.plainFailure("FC9001", "`timeout` is in seconds, from 0.001 to 3600");
  const isKnown = app.solverNames.some((name) => name === solver);
  return isKnown
    ? undefined
    : app.plainFailure(
        "FC9001",
        `there is no solver \`${solver}\``,
        `there are ${app.solverNames.join(", ")}`,
      );
}

function toolsIn({ tools }: LoadOptions): readonly string[] | undefined {
  if (tools === undefined) return undefined;
  if (typeof tools === "string") return [tools];
  if (!("kind" in tools)) return tools;
  const places = toolPlaces.get(tools);
  if (places === undefined) throw new TypeError("`tools` is not what `load` gave");
  return places;
}

function programOf(app: App, file: string, target: LoadedTarget): LoadedProgram {
  const { document } = target.document.checked;
  const program: LoadedProgram = Object.freeze({
    kind: "program",
    file,
    hash: app.hashOf(target),
    relativeTo: app.relativeTo(target.document),
    document,
  });
  programs.set(program, target);
  return program;
}

/** A text gets the name of a file that lies nowhere. */
function placeOf(app: App, source: Source): { file: string; path: string; fs: SourceFiles } {
  const { nodeFiles } = app;
  if (typeof source === "string") return { file: source, path: source, fs: nodeFiles };
  const { text, folder = ".", file = app.looksLikeDocument(text) ? "program.eir" : "program.ts" } = source;
  const path = app.inFolder(folder, file);
  return { file, path, fs: app.withText(nodeFiles, path, text) };
}

async function loadTools(app: App, path: string): Promise<Loaded> {
  const compiled = await app.loadToolModules(app.nodeFiles, path);
  if (!compiled.ok) return notLoaded(app, path, [compiled]);
  const { modules, tools, fluents, contracts } = compiled.value;
  const loaded: LoadedTools = Object.freeze({ kind: "tools", modules, tools, fluents, contracts });
  toolPlaces.set(loaded, [app.posix(path)]);
  return loaded;
}

function notLoaded(app: App, file: string, failures: readonly Failure[]): NotLoaded {
  return { kind: "invalid", file, errors: app.problemReports(failures) };
}
