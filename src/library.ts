/**
 * `load` and `prove`: what `foreclaim prove` does, as functions. What is wrong with a program is data, nothing is written
 * and nothing ends the process. Light until it is used: tool modules import this package when they run.
 */
import type { Document, Expr, Field, Fluent, Tool } from "./ir/index.ts";

/** A file by its name, or the text of a program as if it were one. */
export type Source = string | SourceText;

export interface SourceText {
  readonly text: string;
  /** Where it would lie; this folder if left out. */
  readonly folder?: string;
  /** What it is called in answers, with the extension of what it is: `.ts`, `.eir` or `.json`. */
  readonly file?: string;
}

export interface LoadOptions {
  /** Trusted tool modules, in place of the usual ones: folders, saved layers, or what was loaded. */
  readonly tools?: string | readonly string[] | LoadedTools;
  /** Of a plan: what is to be proved, as in `bank.maxSpend(500)`. */
  readonly guarantee?: readonly string[];
}

export interface ProveOptions extends LoadOptions {
  /** For each question to the solver, in seconds; 10 if left out. */
  readonly timeout?: number;
  /** `z3`, which is brought along, if left out. */
  readonly solver?: "z3" | "native:z3" | "native:cvc5";
  /** Also in the answer: the linked document, every call it may make, or every question, as `shown`. */
  readonly show?: "ir" | "facts" | "smt";
}

export type Loaded = LoadedTools | LoadedProgram | NotLoaded;

/** What trusted tool modules declare. */
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
  /** Whose declarations of tools are believed. */
  readonly relativeTo: string;
  readonly document: Document;
}

export interface NotLoaded {
  readonly kind: "invalid";
  readonly file: string;
  readonly errors: readonly Problem[];
}

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly span: { readonly file: string; readonly start: Position; readonly end: Position } | null;
  readonly help?: string;
}

/** From 1; columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What `foreclaim prove --json` prints for one program. */
export interface Proof {
  readonly file: string;
  readonly verdict: "proved" | "refuted" | "unknown" | "invalid";
  readonly guarantees: readonly ProvedGuarantee[];
  readonly obligations: readonly ProvedObligation[];
  /** Of an invalid one. */
  readonly errors: readonly Problem[];
  readonly ms: number;
  readonly coverage: readonly {
    readonly domain: string;
    readonly status: string;
    readonly mentioned: readonly string[];
    readonly entailed: readonly string[];
    readonly missingRequired: readonly string[];
    readonly missingRecommended: readonly string[];
    readonly enforced: readonly string[];
    readonly openAtStops: readonly string[];
  }[];
  /** Unless it is invalid. */
  readonly hash?: string;
  readonly relativeTo?: string;
  readonly why?: string;
  readonly shown?: string;
}

export interface ProvedGuarantee extends Found {
  readonly name: string;
  readonly text: string;
  readonly args: readonly string[];
  /** Whether it also holds wherever a run stops, and if not, after which calls it is open. */
  readonly interruption: Json;
  /** A policy requires it, and the program does not state it. */
  readonly enforced?: true;
  /** It is the agent's own statement, and no contract. */
  readonly own?: true;
  /** What the author of its contract wrote above it. */
  readonly doc?: string;
}

export interface ProvedObligation extends Found {
  readonly kind: string;
  readonly text: string;
}

interface Found {
  readonly verdict: "proved" | "refuted" | "unknown";
  readonly by: "ground" | "smt" | "induction" | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly why?: string;
  /** A whole run that breaks it. */
  readonly counterexample?: { readonly [name: string]: Json };
}

/**
 * Tool modules of a folder or a saved layer, or a program: TypeScript, a document of the Effect IR, or a plan.
 *
 * @example const tools = await load("tools"); const program = await load("pay.ts", { tools });
 */
export async function load(source: Source, options: LoadOptions = {}): Promise<Loaded> {
  const { loadSource } = await import("./cli/library.ts");
  return loadSource(source, options);
}

/**
 * What a program guarantees, proved for every run or refuted with one; the same as `foreclaim prove --json`.
 *
 * @example const { verdict } = await prove("pay.ts", { timeout: 30 });
 */
export async function prove(program: Source | Loaded, options: ProveOptions = {}): Promise<Proof> {
  const { proveSource } = await import("./cli/library.ts");
  return proveSource(program, options);
}
