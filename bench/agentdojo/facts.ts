/**
 * The facts of AgentDojo: its tools, tasks and reference calls, read from a folder beside the repository. They are not
 * part of it: FORECLAIM_AGENTDOJO names the folder, and without it nothing can be said.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const suites = ["banking", "workspace", "slack", "travel"] as const;
export type SuiteName = (typeof suites)[number];

export interface Suite {
  readonly suite: SuiteName;
  readonly tools: readonly ToolFacts[];
  readonly user_tasks: readonly UserTask[];
  readonly injection_tasks: readonly InjectionTask[];
}

export interface ToolFacts {
  readonly name: string;
  readonly parameters: {
    readonly properties?: Readonly<Record<string, Schema>>;
    /** The arguments that a call must have. */
    readonly required?: readonly string[];
  };
}

export interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

export interface UserTask {
  readonly id: string;
  readonly prompt: string;
  readonly calls: readonly CallFacts[];
}

export interface InjectionTask {
  readonly id: string;
  readonly goal: string;
  readonly calls: readonly CallFacts[];
}

export interface CallFacts {
  readonly tool: string;
  readonly args: Readonly<Record<string, Json>>;
  /** With `$name` where the value is only known in a run. */
  readonly placeholder_args?: Readonly<Record<string, Json>>;
  readonly injection_vectors_seen: readonly string[];
  readonly arg_provenance: Readonly<Record<string, Found | null>>;
}

/** Places where the text of the value was found: a hint, because short texts are found everywhere. */
export interface Found {
  readonly in_prompt: boolean;
  /** Indexes of earlier calls. */
  readonly in_outputs: readonly number[];
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Undefined if the folder is not there. */
export function factsFolder(root: string): string | undefined {
  const folder = process.env.FORECLAIM_AGENTDOJO ?? resolve(root, "../shared/data/agentdojo");
  return suites.every((suite) => existsSync(join(folder, `${suite}.json`))) ? folder : undefined;
}

export function readSuite(folder: string, suite: SuiteName): Suite {
  return JSON.parse(readFileSync(join(folder, `${suite}.json`), "utf8"));
}

/** The tool's arguments that a call can leave out. */
export function optionalOf(suite: Suite, tool: string): readonly string[] {
  const { properties = {}, required = [] } = suite.tools.find(({ name }) => name === tool)?.parameters ?? {};
  return Object.keys(properties).filter((arg) => !required.includes(arg));
}

/** Returns the kind of a tool's argument; an optional one counts as given. */
export function kindOf(suite: Suite, tool: string, arg: string): ArgKind {
  const schema = suite.tools.find(({ name }) => name === tool)?.parameters.properties?.[arg];
  const given = schema?.anyOf?.find(({ type }) => type !== "null") ?? schema;
  switch (given?.type) {
    case "string":
      return "text";
    case "number":
      return "amount";
    case "integer":
      return "whole";
    case "array":
      return given.items?.type === "string" ? "list" : "attachments";
    default:
      return "other";
  }
}

export type ArgKind = "text" | "amount" | "whole" | "list" | "attachments" | "other";
