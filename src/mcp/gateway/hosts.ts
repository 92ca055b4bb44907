/** Servers that a project has configured for other hosts already. */
import { type Failure, plainFailure } from "../../app/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { wrongName } from "./import-tools.ts";
import { isObject, type Json } from "./json.ts";
import { readServer, type ServerConfig } from "./servers.ts";

/** The files in which hosts keep their servers, and the field that holds them. */
export const hostFiles: readonly (readonly [file: string, field: string])[] = [
  [".mcp.json", "mcpServers"],
  [".cursor/mcp.json", "mcpServers"],
  [".vscode/mcp.json", "servers"],
];

export interface HostServer {
  /** The name at the host. */
  readonly name: string;
  /** The name of its module. */
  readonly as: string;
  readonly from: string;
  readonly config: ServerConfig;
}

/** Reads the servers of one configuration; our own is not among them. */
export function hostServers(
  from: string,
  field: string,
  text: string,
): Result<readonly HostServer[], Failure> {
  let json: Json;
  try {
    json = JSON.parse(text);
  } catch {
    return plainFailure("FC9145", `\`${from}\` is not JSON`, "nothing was changed");
  }
  const servers = isObject(json) ? json[field] : undefined;
  if (!isObject(servers)) return ok([]);
  const found: HostServer[] = [];
  for (const [name, one] of Object.entries(servers)) {
    const config = readServer(one);
    if (config === undefined) {
      const message = `the server \`${name}\` of \`${from}\` has neither a command nor a URL`;
      return plainFailure("FC9145", message, "nothing was changed");
    }
    if (!isOwn(name, config)) found.push({ name, as: moduleNameOf(name), from, config });
  }
  return ok(found);
}

function isOwn(name: string, config: ServerConfig): boolean {
  return (
    name === "foreclaim" ||
    ("command" in config && [config.command, ...(config.args ?? [])].includes("foreclaim"))
  );
}

/** `chrome-devtools` as the name of a module. */
function moduleNameOf(name: string): string {
  const plainName = name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[^A-Za-z])/, "s");
  return wrongName(plainName) === undefined ? plainName : `${plainName}_server`;
}
