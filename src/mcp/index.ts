/** The door of the room: the MCP server, and the gateway to the servers of others. */
import type { ServeParts } from "./server/serve.ts";

export { mostListBytes, readToolsList, type ToolDefinition, toolsIn } from "./gateway/definition.ts";
export { type Imported, type ImportOptions, importTools } from "./gateway/import-tools.ts";
export { generateModule } from "./gateway/module-text.ts";
export { hasDrift, type Update, updateTools } from "./gateway/update-tools.ts";
export { type ConfiguredSettings, configuredSettings, type McpSettings } from "./server/settings.ts";
export { workFor } from "./server/worker.ts";

/** Serves MCP over standard input and output until the client is gone. The protocol is loaded when it is needed. */
export async function serveMcp(parts: ServeParts): Promise<void> {
  const { serve } = await import("./server/serve.ts");
  await serve(parts);
}
