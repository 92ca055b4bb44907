/** The door of the room: the MCP server, and the gateway to the servers of others. */
import type { AgentService, Failure, FileSystem } from "../app/index.ts";
import type { Result } from "../ir/index.ts";
import type { ToolDefinition } from "./gateway/definition.ts";
import type { Imported, ImportOptions } from "./gateway/import-tools.ts";
import type { ServerConfig } from "./gateway/servers.ts";
import type { HttpFace, HttpParts } from "./server/http.ts";
import type { ServeParts } from "./server/serve.ts";

export type { CatalogueContract, CatalogueServer } from "./catalogue/entry.ts";
export { withTools } from "./catalogue/recognize.ts";
export { catalogue } from "./catalogue/servers.ts";
export { mostListBytes, readToolsList, type ToolDefinition, toolsIn } from "./gateway/definition.ts";
export { type HostServer, type HostServers, hostFiles, hostServers } from "./gateway/hosts.ts";
export { type Imported, type ImportOptions, importTools } from "./gateway/import-tools.ts";
export { generateModule } from "./gateway/module-text.ts";
export { ownCommand, ownEntryText, withOwnEntry } from "./gateway/own-entry.ts";
export { configuredServers } from "./gateway/servers.ts";
export { hasDrift, type Update, updateTools } from "./gateway/update-tools.ts";

import { type ConfiguredSettings, configuredSettings, type McpSettings } from "./server/settings.ts";

export { workFor } from "./server/worker.ts";
export { type ConfiguredSettings, configuredSettings, type McpSettings };

/** Serves MCP over standard input and output until the client is gone. The protocol is loaded when it is needed. */
export async function serveMcp(parts: ServeParts): Promise<Failure | undefined> {
  const { serve } = await import("./server/serve.ts");
  return serve(parts);
}

/** Serves agents over Streamable HTTP inside of an approval service. The protocol is loaded with the first request. */
export function agentsOver(
  parts: Omit<HttpParts, "settings">,
  settings: Omit<McpSettings, "service">,
): AgentService {
  let service: string | undefined;
  let opened: Promise<HttpFace> | undefined;
  const face = async (address: string): Promise<HttpFace> => {
    const { HttpFace } = await import("./server/http.ts");
    return new HttpFace({ ...parts, settings: { ...settings, service: address } });
  };
  return {
    open: (address) => {
      service = address;
    },
    fetch: async (request, caller) => {
      if (service === undefined) return new Response(null, { status: 503 });
      opened ??= face(service);
      return (await opened).fetch(request, caller);
    },
    close: async () => {
      service = undefined;
      await (await opened)?.close();
    },
  };
}

/** Connects to a server, makes its module and lock, and keeps how it is reached. */
export async function addServer(
  fs: FileSystem,
  config: ServerConfig,
  options: ImportOptions,
): Promise<Result<Imported, Failure>> {
  const gateway = await import("./gateway/add-server.ts");
  return gateway.addServer(fs, config, options);
}

/** Keeps standing guarantees in `foreclaim.json`, where `mcp serve` reads them. */
export async function acceptGuarantees(
  fs: FileSystem,
  out: string,
  accepted: readonly string[],
): Promise<Result<string, Failure>> {
  const gateway = await import("./gateway/add-server.ts");
  return gateway.acceptGuarantees(fs, out, accepted);
}

/** Lists the tools of a server that `foreclaim.json` names. */
export async function definitionsOfServer(
  name: string,
  out: string,
): Promise<Result<readonly ToolDefinition[], Failure>> {
  const gateway = await import("./gateway/add-server.ts");
  return gateway.definitionsOfServer(name, out);
}
