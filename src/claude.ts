/** `foreclaim/claude`: tools, permissions and hooks for Claude. */
export * from "./adapters/claude.ts";
