/** The language server for editors. */
export { type LspSettings, serveEditor } from "./server.ts";
export { proveForEditor } from "./worker.ts";
