/** The door of the room: the MCP server, and the gateway to the servers of others. */
export { mostListBytes, readToolsList, type ToolDefinition, toolsIn } from "./gateway/definition.ts";
export { type Imported, type ImportOptions, importTools } from "./gateway/import-tools.ts";
export { generateModule } from "./gateway/module-text.ts";
export { hasDrift, type Update, updateTools } from "./gateway/update-tools.ts";
