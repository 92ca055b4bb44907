/** The settings of the server: from its options, and for what they leave out, from the nearest `foreclaim.json`. */
import { dirname, join, resolve } from "node:path";
import {
  type AgentSettings,
  type Failure,
  isAbsent,
  plainFailure,
  type SourceFiles,
  shown,
} from "../../app/index.ts";
import { ok, type Result } from "../../ir/index.ts";

/** Plain JSON: it is sent to the processes that do the work. */
export interface McpSettings extends AgentSettings {
  /** For a whole proof. */
  readonly proveTimeoutMs: number;
  /** Passes the tools of other servers through; without it, only programs reach them. */
  readonly passThrough?: PassThroughSettings;
}

/** Settings of pass-through calls. */
export interface PassThroughSettings {
  /** True if agents may also submit programs. */
  readonly hasPrograms: boolean;
  /** Contracts with their arguments that hold of all calls of the session. */
  readonly guarantees: readonly string[];
  readonly observe: boolean;
}

const names = ["policy", "ledger", "kernel", "budget", "service", "credential", "key"] as const;
const files: ReadonlySet<string> = new Set(["policy", "credential", "key"]);

/** LIMIT: a few lines that are written by hand. */
const mostBytes = 64 * 1024;

export type ConfiguredSettings = { readonly [Name in (typeof names)[number]]?: string } & {
  readonly guarantees?: readonly string[];
  readonly observe?: boolean;
  readonly forms?: boolean;
};

/** Reads `mcp` of the nearest `foreclaim.json`. Files are named from where it lies. */
export function configuredSettings(fs: SourceFiles, start: string): Result<ConfiguredSettings, Failure> {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const file = join(folder, "foreclaim.json");
    const read = fs.readFileNow(file, mostBytes);
    if (read.kind === "bytes") return settingsIn(file, folder, Buffer.from(read.bytes).toString("utf8"));
    if (read.kind === "tooBig" || !isAbsent(read.code))
      return plainFailure("FC9002", `cannot read \`${shown(file)}\``);
    if (folder === dirname(folder)) return ok({});
  }
}

function settingsIn(file: string, folder: string, text: string): Result<ConfiguredSettings, Failure> {
  const wrong = (why: string) =>
    plainFailure(
      "FC9001",
      `\`mcp\` of \`${shown(file)}\` ${why}`,
      `it may have ${[...names, "guarantees", "observe", "forms", "servers"].map((one) => `\`${one}\``).join(", ")}`,
    );
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    return plainFailure("FC9001", `\`${shown(file)}\` is not JSON`);
  }
  const given: unknown = Object(whole).mcp;
  if (given === undefined) return ok({});
  if (typeof given !== "object" || given === null || Array.isArray(given)) return wrong("is not an object");
  const found: Record<string, string> = {};
  const session: { guarantees?: readonly string[]; observe?: boolean; forms?: boolean } = {};
  for (const [name, value] of Object.entries(given)) {
    if (name === "servers") continue; // those of the gateway
    if (name === "guarantees") {
      if (!isTexts(value)) return wrong("has `guarantees` that are no list of texts");
      session.guarantees = value;
      continue;
    }
    if (name === "observe" || name === "forms") {
      if (typeof value !== "boolean") return wrong(`has a field \`${name}\` that is neither true nor false`);
      session[name] = value;
      continue;
    }
    if (!names.some((one) => one === name)) return wrong(`has an unknown field \`${name}\``);
    if (typeof value !== "string") return wrong(`has a field \`${name}\` that is no text`);
    const isPath = files.has(name) || (name === "ledger" && !/^[a-z][a-z0-9+.-]+:/i.test(value));
    found[name] = isPath ? resolve(folder, value) : value;
  }
  return ok({ ...found, ...session });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
