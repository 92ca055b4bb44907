/** MCP: `prove` over a warm server beside the library call, and a pass-through call beside a direct one. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { prove } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-bench-"));
const main = resolve("dist/cli/main.js");
const upstream = resolve("tests/mcp/upstream-server.mjs");
const program = `import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({ guarantees: [bank.maxSpend(10)], async run() { await bank.pay({ to: "power", amount: 5 }); } });
`;
mkdirSync(join(folder, "tools"));
writeFileSync(
  join(folder, "tools/bank.ts"),
  `import { contract, tool } from "foreclaim";
export const pay = tool({ run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => { console.log(to, amount); } });
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
`,
);
writeFileSync(join(folder, "program.ts"), program);

async function clientOf(command: string, args: readonly string[]): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: [...args], cwd: folder, stderr: "ignore" }));
  return client;
}

async function timed(name: string, times: number, work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < Math.min(20, times); i++) await work();
  const taken: number[] = [];
  for (let i = 0; i < times; i++) {
    const startMs = performance.now();
    await work();
    taken.push(performance.now() - startMs);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) => (taken[Math.floor(share * (taken.length - 1))] ?? 0).toFixed(2);
  process.stdout.write(`${name.padEnd(44)} median ${at(0.5)} ms, p99 ${at(0.99)} ms (${times})\n`);
}

try {
  const mcp = await clientOf(process.execPath, [main, "mcp"]);
  await timed("prove by the library, one process", 200, () => prove(join(folder, "program.ts")));
  await timed("prove over MCP, warm", 200, () => mcp.callTool({ name: "prove", arguments: { program } }));
  await mcp.close();

  execFileSync(process.execPath, [main, "mcp", "add", "desk", "--", process.execPath, upstream], {
    cwd: folder,
  });
  const call = { name: "count", arguments: { path: "/notes/a" } };
  const direct = await clientOf(process.execPath, [upstream]);
  await timed("a call of a server, directly", 500, () => direct.callTool(call));
  await direct.close();
  const args = ["mcp", "serve", "--guarantee", "desk.onlyPath(['/notes/a'])"];
  const passed = await clientOf(process.execPath, [main, ...args]);
  await timed("the same through the gateway, one guarantee", 500, () => passed.callTool(call));
  await passed.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
