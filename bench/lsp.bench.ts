/**
 * From a keystroke to its diagnostics in a warm language server, for the examples: each is opened, a character is typed at its
 * end many times, and the slowest twentieth counts. The pause before a proof is part of it.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { report, type Timing } from "./harness.ts";

const TYPED = 8;

const server = spawn(process.execPath, [resolve("dist/cli/main.js"), "lsp", "--stdio"], {
  stdio: ["pipe", "pipe", "inherit"],
});
const connection = createMessageConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
let hear = (_: { readonly uri: string; readonly version?: number }): void => {};
connection.onNotification("textDocument/publishDiagnostics", (params) => hear(params));
connection.listen();
await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });

/** The time until the diagnostics of this version of a document. */
async function shown(uri: string, version: number, method: string, params: object): Promise<number> {
  const done = new Promise<void>((resolve) => {
    hear = (one) => {
      if (one.uri === uri && one.version === version) resolve();
    };
  });
  const startMs = performance.now();
  await connection.sendNotification(method, params);
  await done;
  return performance.now() - startMs;
}

const times: number[] = [];
const slow: { readonly name: string; readonly ms: number }[] = [];
for (const { name: domain } of readdirSync("examples", { withFileTypes: true }).filter((one) =>
  one.isDirectory(),
)) {
  const names = readdirSync(join("examples", domain)).filter((name) => name.endsWith(".ts"));
  for (const name of names) {
    const path = resolve("examples", domain, name);
    const text = readFileSync(path, "utf8");
    if (!/export default program\b/.test(text)) continue;
    const uri = pathToFileURL(path).href;
    const textDocument = { uri, languageId: "typescript", version: 1, text };
    await shown(uri, 1, "textDocument/didOpen", { textDocument });
    const own: number[] = [];
    for (let version = 2; version < TYPED + 2; version++) {
      const end = { line: text.split("\n").length, character: 0 };
      const contentChanges = [{ range: { start: end, end }, text: " " }];
      own.push(
        await shown(uri, version, "textDocument/didChange", {
          textDocument: { uri, version },
          contentChanges,
        }),
      );
    }
    times.push(...own);
    slow.push({ name: `${domain}/${name}`, ms: Math.max(...own) });
    await connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }
}
server.kill();
connection.dispose();

const sorted = times.sort((a, b) => a - b);
const at = (part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
const timing = (name: string, ms: number): Timing => ({ name, size: 1, nsPerRun: ms * 1e6 });
console.log(`${slow.length} examples, ${times.length} keystrokes`);
for (const { name, ms } of slow.sort((a, b) => b.ms - a.ms).slice(0, 5))
  console.log(`  ${name}: ${ms.toFixed(0)} ms at worst`);
report("lsp", [timing("median", at(0.5)), timing("p95", at(0.95)), timing("slowest", at(1))]);
