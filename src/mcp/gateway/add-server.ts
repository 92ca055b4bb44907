/** Adds a server of others: connects, makes its module and lock, and keeps how it is reached in `foreclaim.json`. */
import { dirname, join, resolve } from "node:path";
import { type Failure, type FileSystem, plainFailure, shown, systemWords } from "../../app/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { Connection } from "./connection.ts";
import { type ToolDefinition, toolsIn } from "./definition.ts";
import { type Imported, type ImportOptions, importTools, wrongName } from "./import-tools.ts";
import { isObject, type JsonObject } from "./json.ts";
import { configurationAbove, configuredServer, type FoundConfig, type ServerConfig } from "./servers.ts";

export async function addServer(
  fs: FileSystem,
  config: ServerConfig,
  options: ImportOptions,
): Promise<Result<Imported, Failure>> {
  const misnamed = wrongName(options.name);
  if (misnamed !== undefined) return misnamed;
  const edit = configuration(options.out);
  if (!edit.ok) return edit;
  if (hasServer(edit.value.json, options.name)) {
    const message = `\`${shown(edit.value.file)}\` has a server \`${options.name}\` already`;
    return plainFailure("FC9142", message, "choose another name, or see `foreclaim mcp update`");
  }
  const definitions = await definitionsAt({ config, folder: dirname(edit.value.file) }, options.name);
  if (!definitions.ok) return definitions;
  const made = await importTools(fs, definitions.value, options);
  if (!made.ok) return made;
  const text = `${JSON.stringify(withServer(edit.value.json, options.name, config), undefined, 2)}\n`;
  const code = await fs.writeFile(edit.value.file, [text]);
  if (code === undefined) return made;
  return plainFailure("FC9004", `cannot write \`${shown(edit.value.file)}\`: ${systemWords(code)}`);
}

/** Keeps standing guarantees for `mcp serve`, each once. Returns the file that has them now. */
export async function acceptGuarantees(
  fs: FileSystem,
  out: string,
  accepted: readonly string[],
): Promise<Result<string, Failure>> {
  const edit = configuration(out);
  if (!edit.ok) return edit;
  const { file, json } = edit.value;
  const mcp = isObject(json.mcp) ? json.mcp : {};
  const known = Array.isArray(mcp.guarantees) ? mcp.guarantees : [];
  const guarantees = [...new Set([...known, ...accepted])];
  const text = `${JSON.stringify({ ...json, mcp: { ...mcp, guarantees } }, undefined, 2)}\n`;
  const code = await fs.writeFile(file, [text]);
  if (code === undefined) return ok(shown(file));
  return plainFailure("FC9004", `cannot write \`${shown(file)}\`: ${systemWords(code)}`);
}

/** Lists the tools of a server that `foreclaim.json` names. */
export async function definitionsOfServer(
  name: string,
  out: string,
): Promise<Result<readonly ToolDefinition[], Failure>> {
  let found: FoundConfig;
  try {
    found = configuredServer(out, name);
  } catch (thrown) {
    return unusable(name, thrown);
  }
  return definitionsAt(found, name);
}

async function definitionsAt(
  found: FoundConfig,
  name: string,
): Promise<Result<readonly ToolDefinition[], Failure>> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(found);
    return toolsIn(name, await connection.list());
  } catch (thrown) {
    return unusable(name, thrown);
  } finally {
    await connection?.close().catch(() => undefined);
  }
}

function unusable(name: string, thrown: unknown) {
  const why = thrown instanceof Error ? thrown.message : "it threw something";
  return plainFailure("FC9145", `the server \`${name}\` cannot be used: ${why}`, "nothing was changed");
}

// ── the configuration ────────────────────────────────────────────────────────────────────────────────────

interface Edit {
  readonly file: string;
  readonly json: JsonObject;
}

/** The nearest `foreclaim.json`; a new one lies beside the folder of the modules, which it names. */
function configuration(out: string): Result<Edit, Failure> {
  const beside = dirname(resolve(out));
  const found = configurationAbove(beside);
  if (found === undefined)
    return ok({
      file: join(beside, "foreclaim.json"),
      json: { tools: [`./${shown(resolve(out)).split("/").at(-1)}`] },
    });
  const file = join(found.folder, "foreclaim.json");
  try {
    const json: unknown = JSON.parse(found.text);
    if (isObject(json) && (json.mcp === undefined || isObject(json.mcp))) return ok({ file, json });
  } catch {
    // See below.
  }
  return plainFailure("FC9001", `\`${shown(file)}\` is not JSON, or its \`mcp\` is not an object`);
}

function hasServer({ mcp }: JsonObject, name: string): boolean {
  return isObject(mcp) && isObject(mcp.servers) && Object.hasOwn(mcp.servers, name);
}

function withServer(json: JsonObject, name: string, config: ServerConfig): JsonObject {
  const mcp = isObject(json.mcp) ? json.mcp : {};
  const servers = isObject(mcp.servers) ? mcp.servers : {};
  return { ...json, mcp: { ...mcp, servers: { ...servers, [name]: plain(config) } } };
}

function plain(config: ServerConfig): JsonObject {
  if ("url" in config) {
    const { url, headers = {} } = config;
    return { url, ...(Object.keys(headers).length > 0 && { headers: { ...headers } }) };
  }
  const { command, args = [], env = {}, cwd } = config;
  return {
    command,
    args: [...args],
    ...(Object.keys(env).length > 0 && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  };
}
