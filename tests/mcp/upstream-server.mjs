// A small MCP server over stdio, for tests of the gateway. It keeps what it was asked in the file that LOG names.
import { appendFileSync, existsSync } from "node:fs";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const log = process.env.LOG ?? "upstream.log";

/** @param {string} line */
const note = (line) => appendFileSync(log, `${line}\n`);

/** @param {string} value */
const text = (value) => ({ content: [{ type: /** @type {const} */ ("text"), text: value }] });

/**
 * @param {Record<string, { type: "string" | "integer", maxLength?: number }>} properties
 * @param {string[]} required
 */
const object = (properties, required = Object.keys(properties)) =>
  fromJsonSchema({ type: "object", properties, required });

serveStdio(() => {
  const server = new McpServer({ name: "desk", version: "1" });
  note(`start ${process.env.TOKEN ?? "no token"}`);
  const description = existsSync("drifted") ? "Writes a note!" : "Writes a note.";
  server.registerTool(
    "write-note",
    {
      description,
      inputSchema: object({ path: { type: "string", maxLength: 20 }, text: { type: "string" } }),
    },
    async (args) => {
      const { path, text: value } = Object(args);
      note(`write ${path} ${value}`);
      return text(`written ${path}`);
    },
  );
  server.registerTool(
    "count",
    {
      description: "Counts.",
      inputSchema: object({ path: { type: "string" } }),
      outputSchema: object({ notes: { type: "integer" }, last: { type: "string" } }, ["notes"]),
    },
    async (args) => {
      const { path } = Object(args);
      note(`count ${path}`);
      return { ...text("2"), structuredContent: { notes: 2, last: "n", extra: "dropped" } };
    },
  );
  server.registerTool("refuse", { description: "Fails.", inputSchema: object({}) }, async () => {
    note("refuse");
    return { ...text("the secret reason"), isError: true };
  });
  return server;
});
process.stdin.on("end", () => note("end"));
