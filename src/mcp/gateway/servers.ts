/**
 * The servers of others, as the operator has configured them: `mcp.servers` of the nearest `foreclaim.json`. Secrets stand
 * there, or in the environment that it names; they reach neither programs nor traces.
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject, type Json } from "./json.ts";

export type ServerConfig = StdioConfig | HttpConfig;

export interface StdioConfig {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that it is started in, from the folder of the configuration. */
  readonly cwd?: string;
}

export interface HttpConfig {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FoundConfig {
  readonly config: ServerConfig;
  /** The folder of the configuration. A server is started there. */
  readonly folder: string;
}

/** Finds a server by name. Throws what is wrong, for the person who runs the program. */
export function configuredServer(start: string, name: string): FoundConfig {
  const found = configurationAbove(start);
  if (found === undefined) throw new Error("there is no `foreclaim.json` with its configuration");
  const read = serverIn(jsonIn(found.text), name);
  if (read === undefined) throw new Error("`mcp.servers` of `foreclaim.json` does not have it");
  if (!read.ok) throw new Error(`in \`foreclaim.json\` it ${read.why}`);
  return { config: read.config, folder: found.folder };
}

/** Lists the names of all servers of the nearest `foreclaim.json`. Throws what is wrong with it. */
export function configuredServers(start: string): readonly string[] {
  const found = configurationAbove(start);
  const whole: Json = found === undefined ? null : jsonIn(found.text);
  const mcp = isObject(whole) ? whole.mcp : undefined;
  const servers = isObject(mcp) ? mcp.servers : undefined;
  return isObject(servers) ? Object.keys(servers) : [];
}

/** Returns the nearest `foreclaim.json`. */
export function configurationAbove(
  start: string,
): { readonly folder: string; readonly text: string } | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const text = textOf(join(folder, "foreclaim.json"));
    if (text !== undefined) return { folder, text };
    if (folder === dirname(folder)) return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The parser's own message quotes the text, which may hold a secret. */
function jsonIn(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("`foreclaim.json` is not JSON");
  }
}

function serverIn(whole: Json, name: string): ReadServer | undefined {
  const mcp = isObject(whole) ? whole.mcp : undefined;
  const servers = isObject(mcp) ? mcp.servers : undefined;
  return isObject(servers) && Object.hasOwn(servers, name) ? readServer(servers[name]) : undefined;
}

/** A server as it was read, or why it cannot be used. */
export type ReadServer =
  | { readonly ok: true; readonly config: ServerConfig }
  | { readonly ok: false; readonly why: string };

/** Reads one server, in the form that MCP hosts share. */
export function readServer(json: Json | undefined): ReadServer {
  if (!isObject(json)) return wrong("is not an object");
  const { command, url, cwd, args = [], env = {}, headers = {}, type } = json;
  if (type === "sse") return wrong("speaks over SSE, which is not supported");
  if (command !== undefined && url !== undefined) return wrong("has a command and a URL");
  if (typeof url === "string") {
    if (!/^(https?:\/\/|\$\{)/i.test(url)) return wrong("has a `url` that is no address of the web");
    const texts = textsIn(headers);
    return texts === undefined
      ? wrong("has `headers` that are no texts")
      : { ok: true, config: { url, headers: texts } };
  }
  if (url !== undefined) return wrong("has a `url` that is no text");
  if (command === undefined) return wrong("has neither a command nor a URL");
  if (typeof command !== "string" || command === "") return wrong("has a `command` that is no text");
  if (!isTexts(args)) return wrong("has `args` that are no list of texts");
  if (cwd !== undefined && typeof cwd !== "string") return wrong("has a `cwd` that is no text");
  const texts = textsIn(env);
  if (texts === undefined) return wrong("has an `env` whose values are no texts");
  return { ok: true, config: { command, args, env: texts, ...(cwd !== undefined && { cwd }) } };
}

function wrong(why: string): ReadServer {
  return { ok: false, why };
}

function isTexts(json: Json): json is readonly string[] {
  return Array.isArray(json) && json.every((one: Json) => typeof one === "string");
}

/** Numbers and truth values stand for their texts, as in hosts. */
function textsIn(json: Json): Readonly<Record<string, string>> | undefined {
  if (!isObject(json)) return undefined;
  const values = Object.entries(json);
  if (!values.every(([, value]) => ["string", "number", "boolean"].includes(typeof value))) return undefined;
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
}
