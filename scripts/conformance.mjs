// `npm run conformance`: runs the conformance suite of the Model Context Protocol against `foreclaim serve`, on Node 22, which it needs. Suite
// and Node come from npm and are kept below node_modules/.cache.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { ROOT, runNpm } from "./tools.mjs";

const SUITE = "@modelcontextprotocol/conformance@0.1.16";
const NODE = `node-${process.platform}-${process.arch}@22.23.3`;
const HOME = join(ROOT, "node_modules/.cache/conformance");

/** Scenarios that speak of every server. */
const APPLY = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];

/**
 * The others, with the reason why they say nothing of this server.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const SKIPS = [
  [/^tools-call-|^json-schema-|^elicitation-/, "calls tools of the suite's own example server"],
  [
    /^resources-(read|templates)|^prompts-get/,
    "reads resources and prompts of the suite's own example server",
  ],
  [/subscribe$/, "there are no subscriptions: no resource changes by itself"],
  [/^logging-/, "logging is deprecated in the protocol"],
  [/^completion-/, "there are no completions"],
  [/^server-sse-/, "calls tools of the suite's own example server; streams are not resumable"],
];

if (ensureInstalled() !== 0 || ensureBuilt() !== 0) process.exit(1);
if (!existsSync(join(HOME, "node_modules"))) {
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, "package.json"), "{}");
  if (runNpm(["install", "--prefix", HOME, "--no-audit", "--no-fund", "--loglevel=error", SUITE, NODE]) !== 0)
    process.exit(1);
}
const node = join(HOME, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const suite = join(HOME, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const folder = mkdtempSync(join(tmpdir(), "foreclaim-conformance-"));
mkdirSync(join(folder, "tools"));
writeFileSync(
  join(folder, "tools/world.ts"),
  'import { tool } from "foreclaim";\nexport const look = tool({ reads: true, run: async (_: {}): Promise<string> => "nothing" });\n',
);
const serve = spawn(
  node,
  [join(ROOT, "dist/cli/main.js"), "serve", "--port", "0", "--json", "--workers", "1"],
  {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  },
);
/** @type {{ address: string }} */
const { address } = await new Promise((resolve, reject) => {
  let out = "";
  serve.stdout.on("data", (chunk) => {
    out += chunk;
    if (out.includes("\n")) resolve(JSON.parse(out));
  });
  serve.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
});
const secret = readFileSync(join(folder, "approvals.db.agent"), "utf8").trim();

// The suite has no credential, so it comes through here. Everything else is passed on as it is.
const proxy = createServer((incoming, outgoing) => {
  const target = new URL(incoming.url ?? "/", address);
  const headers = { ...incoming.headers, authorization: `Bearer ${secret}` };
  const passed = request(target, { method: incoming.method, headers, setHost: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
});
await new Promise((resolve) => proxy.listen(0, "127.0.0.1", () => resolve(undefined)));
const place = proxy.address();
const url = `http://127.0.0.1:${typeof place === "object" ? place?.port : ""}/mcp`;

/** @param {readonly string[]} args */
const suiteSays = (args) =>
  new Promise((resolve) => {
    const child = spawn(node, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.once("exit", (code) => resolve({ code, said }));
  });

const listed =
  spawnSync(node, [suite, "list"], { encoding: "utf8" }).stdout.split("Client scenarios")[0] ?? "";
const scenarios = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
let failures = 0;
for (const name of scenarios) {
  const why = APPLY.includes(name)
    ? undefined
    : (SKIPS.find(([of]) => of.test(name))?.[1] ?? "unknown to this script");
  if (why !== undefined) {
    console.log(`skipped  ${name}: ${why}`);
    continue;
  }
  const { code, said } = await suiteSays(["server", "--url", url, "--scenario", name]);
  console.log(`${code === 0 ? "passed " : "FAILED "}  ${name}`);
  if (code !== 0) {
    failures++;
    console.log(said);
  }
}
proxy.close();
proxy.closeAllConnections();
serve.kill("SIGTERM");
await new Promise((resolve) => serve.once("exit", resolve));
rmSync(folder, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);
