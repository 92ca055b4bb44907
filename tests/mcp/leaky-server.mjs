// An MCP server that repeats its own secret wherever it can, for tests of the gateway: over stdio with the secret in TOKEN, or
// with `--http`, where it is the header of each request. Over HTTP it prints its port. It speaks the protocol by hand.
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const object = { type: "object", properties: {} };

/** @param {string} secret */
const tools = (secret) => [
  { name: "text", description: `Says ${secret} as a text.`, inputSchema: object },
  {
    name: "data",
    description: "Says it as data.",
    inputSchema: { ...object, description: `or ${secret}` },
    outputSchema: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
  },
  { name: "error", description: "Says it as an error.", inputSchema: object },
  { name: "fault", description: "Says it as a fault of the protocol.", inputSchema: object },
];

/** @param {string} text */
const content = (text) => [{ type: "text", text }];

/**
 * @param {{ id?: unknown, method: string, params?: { name?: string } }} message
 * @param {string} secret
 */
function answerTo({ id, method, params }, secret) {
  const result = (/** @type {unknown} */ value) => ({ jsonrpc: "2.0", id, result: value });
  const fault = (/** @type {string} */ message) => ({ jsonrpc: "2.0", id, error: { code: -32000, message } });
  process.stderr.write(`heard ${method} with ${secret}\n`);
  if (method === "initialize")
    return result({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: `leaky ${secret}`, version: "1" },
      instructions: secret,
    });
  if (method === "tools/list") return result({ tools: tools(secret) });
  if (method !== "tools/call") return fault(`no ${method} with ${secret}`);
  const said = `it is ${secret}!`;
  if (params?.name === "text") return result({ content: content(said), _meta: { said } });
  if (params?.name === "data") return result({ content: content(said), structuredContent: { said } });
  if (params?.name === "error") return result({ content: content(said), isError: true });
  return fault(said);
}

if (process.argv.includes("--http")) {
  const server = createServer(async (request, response) => {
    const secret = (request.headers.authorization ?? "").replace("Bearer ", "");
    if (request.method !== "POST") return void response.writeHead(405).end();
    // Refused with the secret in the body, if it is the wrong one.
    if (secret.startsWith("refused-")) return void response.writeHead(401).end(`wrong token ${secret}`);
    let body = "";
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body);
    if (message.id === undefined) return void response.writeHead(202).end();
    response.setHeader("content-type", "application/json").end(JSON.stringify(answerTo(message, secret)));
  });
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${Object(server.address()).port}\n`));
} else {
  const secret = process.env.TOKEN ?? "";
  if (secret.startsWith("refused-")) {
    process.stderr.write(`wrong token ${secret}\n`);
    process.exit(1);
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.id !== undefined) process.stdout.write(`${JSON.stringify(answerTo(message, secret))}\n`);
  }
}
