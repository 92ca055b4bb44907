/**
 * The servers of others, as the operator has configured them: `mcp.servers` of the nearest `foreclaim.json`. Secrets stand
 * there, or in the environment that it names; they reach neither programs nor traces.
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject, type Json, type JsonObject } from "./json.ts";

export type ServerConfig = StdioConfig | HttpConfig;

export interface StdioConfig {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
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

/** Finds a server by name. Throws what is wrong, for whoever runs the program. */
export function configuredServer(start: string, name: string): FoundConfig {
  const found = configurationAbove(start);
  if (found === undefined) throw new Error("there is no `foreclaim.json` with its configuration");
  const config = serverIn(JSON.parse(found.text), name);
  if (config === undefined) throw new Error(`\`mcp.servers\` of \`foreclaim.json\` does not have it`);
  return { config, folder: found.folder };
}

/** Lists the names of all servers of the nearest `foreclaim.json`. Throws what is wrong with it. */
export function configuredServers(start: string): readonly string[] {
  const found = configurationAbove(start);
  const whole: Json = found === undefined ? null : JSON.parse(found.text);
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

function serverIn(whole: Json, name: string): ServerConfig | undefined {
  const mcp = isObject(whole) ? whole.mcp : undefined;
  const servers = isObject(mcp) ? mcp.servers : undefined;
  return isObject(servers) && Object.hasOwn(servers, name) ? readServer(servers[name]) : undefined;
}

/** Reads one server, in the form that MCP hosts share; undefined if it is another. */
export function readServer(json: Json | undefined): ServerConfig | undefined {
  if (!isObject(json)) return undefined;
  const { command, url, args = [], env = {}, headers = {} } = json;
  if (
    typeof command === "string" &&
    Array.isArray(args) &&
    args.every((one: Json) => typeof one === "string")
  )
    return { command, args: args.filter((one: Json) => typeof one === "string"), env: textsIn(env) };
  return typeof url === "string" ? { url, headers: textsIn(headers) } : undefined;
}

function textsIn(json: Json): Readonly<Record<string, string>> {
  const object: JsonObject = isObject(json) ? json : {};
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

/** Replaces `${NAME}` and `${NAME:-default}` by the operator's environment. */
export function expanded(
  texts: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replace(
        /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
        (_, name: string, otherwise = "") => environment[name] ?? otherwise,
      ),
    ]),
  );
}
