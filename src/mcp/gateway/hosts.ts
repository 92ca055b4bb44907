/** Servers that a project has configured for other hosts already: Claude Code, Cursor, VS Code, Codex. */
import { type Failure, plainFailure } from "../../app/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { readHostText } from "./host-text.ts";
import { wrongName } from "./import-tools.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { isSecretName } from "./secrets.ts";
import { readServer, type ServerConfig } from "./servers.ts";

/** The files of a project in which hosts keep their servers. */
export const hostFiles: readonly string[] = [
  ".mcp.json",
  ".cursor/mcp.json",
  ".vscode/mcp.json",
  ".codex/config.toml",
];

/** The fields that may hold servers. */
function fieldsOf(file: string): readonly string[] {
  return file.endsWith(".toml") ? ["mcp_servers"] : ["mcpServers", "servers"];
}

/** The field in which the host of a file looks for servers. */
export function fieldOf(file: string): string {
  if (file.endsWith(".toml")) return "mcp_servers";
  return /(^|[\\/])\.vscode[\\/]/.test(file) ? "servers" : "mcpServers";
}

export interface HostServer {
  /** The name at the host. */
  readonly name: string;
  /** The name of its module. */
  readonly as: string;
  readonly from: string;
  readonly config: ServerConfig;
}

export interface HostServers {
  readonly servers: readonly HostServer[];
  /** Settings of the host that are not taken over. */
  readonly notes: readonly string[];
  /** True if our own server is among them. */
  readonly hasOwn: boolean;
}

/** LIMIT: of servers in one file. */
const mostServers = 200;

/** Reads the servers of one configuration; our own is not among them. Nothing is taken from a file with a mistake. */
export async function hostServers(from: string, text: string): Promise<Result<HostServers, Failure>> {
  const wrong = (why: string) => plainFailure("FC9145", `\`${from}\` ${why}`, "nothing was changed");
  const read = await readHostText(from, text);
  if (!read.ok) return wrong(read.why);
  if (!isObject(read.json)) return wrong("is not an object");
  const whole = read.json;
  const field = fieldsOf(from).find((one) => Object.hasOwn(whole, one));
  if (field === undefined) return ok({ servers: [], notes: [], hasOwn: false });
  const given = whole[field];
  if (!isObject(given)) return wrong(`has \`${field}\` that is no object`);
  const entries = Object.entries(given);
  if (entries.length > mostServers) return wrong(`has more than ${mostServers} servers`);
  const servers: HostServer[] = [];
  const notes: string[] = [];
  let hasOwn = false;
  for (const [name, one] of entries) {
    const about = `the server \`${name}\` of \`${from}\``;
    if (isObject(one) && (one.disabled === true || one.enabled === false)) {
      notes.push(`${about} is turned off, and was omitted`);
      continue;
    }
    const server = readServer(isObject(one) ? withCodexFields(one) : one);
    if (!server.ok) return plainFailure("FC9145", `${about} ${server.why}`, "nothing was changed");
    if (isOwn(name, server.config)) hasOwn = true;
    else {
      servers.push({ name, as: moduleNameOf(name), from, config: server.config });
      notes.push(...notTaken(about, moduleNameOf(name), one), ...literalSecrets(about, server.config));
    }
  }
  const names = new Map<string, string>();
  for (const { name, as } of servers) {
    const other = names.get(as);
    if (other !== undefined)
      return wrong(`has two servers that would both be the module \`${as}\`: \`${other}\` and \`${name}\``);
    names.set(as, name);
  }
  return ok({ servers, notes, hasOwn });
}

/** Codex names variables of the environment in fields of their own. A field of another form is refused with the server. */
function withCodexFields(server: JsonObject): JsonObject {
  const { env, env_vars, headers, http_headers, env_http_headers, bearer_token_env_var, ...others } = server;
  const passed = env_vars === undefined ? {} : referencesTo(env_vars);
  const named = env_http_headers === undefined ? {} : headersFrom(env_http_headers);
  const bearer =
    bearer_token_env_var === undefined
      ? {}
      : { Authorization: isText(bearer_token_env_var) ? `Bearer ${reference(bearer_token_env_var)}` : null };
  return {
    ...others,
    ...joined("env", [passed, env]),
    ...joined("headers", [named, bearer, headers, http_headers]),
  };
}

/** One object of all, the later ones first; something else if one of them is no object. */
function joined(field: string, parts: readonly (Json | undefined)[]): JsonObject {
  const given = parts.filter((one) => one !== undefined);
  const wrong = given.find((one) => !isObject(one));
  if (wrong !== undefined) return { [field]: wrong };
  const all = given.filter(isObject).flatMap((one) => Object.entries(one));
  return all.length === 0 ? {} : { [field]: Object.fromEntries(all) };
}

/** Variables that are passed on by their names: texts, or objects with a `name`. */
function referencesTo(json: Json): Json {
  if (!isList(json)) return null;
  const names = json.map((one) => (isObject(one) ? one.name : one));
  return names.every(isText) ? Object.fromEntries(names.map((name) => [name, reference(name)])) : null;
}

function headersFrom(json: Json): Json {
  if (!isObject(json)) return null;
  const entries = Object.entries(json).map(([header, name]) => [
    header,
    isText(name) ? reference(name) : null,
  ]);
  return Object.fromEntries(entries);
}

function isList(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}

function isText(json: Json | undefined): json is string {
  return typeof json === "string";
}

function reference(name: string): string {
  return `\${${name}}`;
}

/** Settings that restrict or start a server, which the module does not know. */
function notTaken(about: string, as: string, server: Json): readonly string[] {
  if (!isObject(server)) return [];
  const notes: string[] = [];
  if (isList(server.disabled_tools) && server.disabled_tools.length > 0)
    notes.push(`${about} has \`disabled_tools\`: state \`${as}.neverCalls([…])\` for them`);
  if (isList(server.enabled_tools))
    notes.push(`${about} has \`enabled_tools\`: state \`${as}.neverCalls([…])\` for all others`);
  if (typeof server.envFile === "string")
    notes.push(`${about} has an \`envFile\`, which is not read: name its variables below \`env\``);
  return notes;
}

/** A secret that stands in the host's file comes to stand in `foreclaim.json` too. */
function literalSecrets(about: string, config: ServerConfig): readonly string[] {
  const named = "url" in config ? (config.headers ?? {}) : (config.env ?? {});
  return Object.entries(named)
    .filter(([name, text]) => isSecretName(name) && text !== "" && !text.includes("${"))
    .map(
      ([name]) =>
        `${about} holds the value of \`${name}\`, and now \`foreclaim.json\` does too: keep both out of version control, or name a variable of the environment`,
    );
}

function isOwn(name: string, config: ServerConfig): boolean {
  return (
    name === "foreclaim" ||
    ("command" in config && [config.command, ...(config.args ?? [])].includes("foreclaim"))
  );
}

/** `chrome-devtools` as the name of a module. */
function moduleNameOf(name: string): string {
  const plainName = name
    .replace(/[^A-Za-z0-9_]/g, "_")
    .replace(/^(?=[^A-Za-z])/, "s")
    .slice(0, 64);
  return wrongName(plainName) === undefined ? plainName : `${plainName.slice(0, 57)}_server`;
}
