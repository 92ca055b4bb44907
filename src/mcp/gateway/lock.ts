/** The lock beside a module: the digest of every definition that a person has seen. */
import { createHash } from "node:crypto";
import type { ToolDefinition } from "./definition.ts";
import { isObject, type Json } from "./json.ts";

export interface Lock {
  readonly name: string;
  /** By the tool's name at the server. */
  readonly tools: ReadonlyMap<string, LockedTool>;
}

export interface LockedTool {
  /** The tool's name in the module. */
  readonly as: string;
  readonly digest: string;
}

const form = "foreclaim-mcp-lock/1";

export function lockOf(
  name: string,
  definitions: readonly ToolDefinition[],
  names: ReadonlyMap<string, string>,
): Lock {
  const tools = definitions.map(
    (one) => [one.name, { as: names.get(one.name) ?? one.name, digest: digestOf(one) }] as const,
  );
  return { name, tools: new Map(tools) };
}

/** The digest of all that a definition says, its description and unknown fields included. */
export function digestOf({ whole }: Pick<ToolDefinition, "whole">): string {
  return `sha256-${createHash("sha256").update(canonical(whole)).digest("hex")}`;
}

export function lockText({ name, tools }: Lock): string {
  return `${JSON.stringify({ form, name, tools: Object.fromEntries(tools) }, undefined, 2)}\n`;
}

/** Returns undefined for a text that is no lock. */
export function readLock(text: string): Lock | undefined {
  let parsed: Json;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(parsed) || parsed.form !== form || typeof parsed.name !== "string" || !isObject(parsed.tools))
    return undefined;
  const tools = new Map<string, LockedTool>();
  for (const [name, one] of Object.entries(parsed.tools)) {
    if (!isObject(one) || typeof one.as !== "string" || typeof one.digest !== "string") return undefined;
    tools.set(name, { as: one.as, digest: one.digest });
  }
  return { name: parsed.name, tools };
}

/** The difference between the definitions that were seen and those that a server lists now. */
export interface Drift {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export function driftOf(seen: Lock, now: readonly ToolDefinition[]): Drift {
  const names = new Set(now.map(({ name }) => name));
  return {
    added: now.filter(({ name }) => !seen.tools.has(name)).map(({ name }) => name),
    removed: [...seen.tools.keys()].filter((name) => !names.has(name)),
    changed: now
      .filter((one) => {
        const locked = seen.tools.get(one.name);
        return locked !== undefined && locked.digest !== digestOf(one);
      })
      .map(({ name }) => name),
  };
}

/** JSON with sorted names and no blanks, so that equal data is equal text. */
function canonical(json: Json): string {
  if (Array.isArray(json)) return `[${json.map(canonical).join(",")}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const entries = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`).join(",")}}`;
}
