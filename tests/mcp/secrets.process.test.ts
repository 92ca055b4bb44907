/**
 * Secrets of servers behind the gateway, in the environment and in headers. The servers repeat them in answers, data, errors,
 * faults, definitions and on standard error; they must be nowhere: files, stores, ledgers, traces, logs, answers, pages.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";
import { project, remove, Serve } from "../serve/serve-process.ts";
import { isMissing, startBrowser, watch } from "../web/browser.ts";
import { connect } from "./client.ts";

const script = join(root, "tests/mcp/leaky-server.mjs");
const env = { LEAKY_TOKEN: "planted-in-the-environment", WEB_TOKEN: "planted-in-a-header" };
const secrets = Object.values(env);
const brace = (name: string) => `\${${name}}`;
const names = ["local", "remote"] as const;
const toolNames = ["text", "data", "error", "fault"] as const;

let folder: string;
let web: ChildProcess;
let address: string;
/** Everything that anybody was told. */
const said: string[] = [];

beforeAll(async () => {
  await build();
  web = spawn(process.execPath, [script, "--http"], { stdio: ["ignore", "pipe", "ignore"] });
  const [port] = await once(web.stdout ?? web, "data");
  address = `http://127.0.0.1:${String(port).trim()}/mcp`;
  const rule = {
    name: "any",
    decision: "auto_approved",
    whenProven: ["local.callsAtMost(9)", "remote.callsAtMost(9)"],
    reason: "a test",
  };
  const mcpServers = {
    local: { command: process.execPath, args: [script], env: { TOKEN: brace("LEAKY_TOKEN") } },
    remote: { type: "http", url: address, headers: { Authorization: `Bearer ${brace("WEB_TOKEN")}` } },
  };
  folder = project({
    "policy.json": JSON.stringify({ version: 1, rules: [rule] }),
    ".mcp.json": JSON.stringify({ mcpServers }),
  });
  const made = await foreclaim(["mcp", "init"], { cwd: folder, env });
  expect(made, made.err).toMatchObject({ code: 0 });
  said.push(made.out, made.err);
}, 120_000);
afterAll(() => {
  web?.kill();
  remove(folder);
});

const program = (server: string, tool: string) => `
import { program } from "foreclaim";
import * as local from "./tools/local";
import * as remote from "./tools/remote";
export default program({ guarantees: [local.callsAtMost(9), remote.callsAtMost(9)], async run() {
  const found = await ${server}.${tool}({});
  return found;
} });
`;

/** Fails if a secret is in a file of the project or was told to anybody. */
function searchEverywhere(): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  for (const needed of ["observed.db", "foreclaim.json", "local.ts", "remote.lock.json"])
    expect(
      files.some((path) => path.endsWith(needed)),
      needed,
    ).toBe(true);
  for (const secret of secrets) {
    for (const path of files) expect(readFileSync(path).includes(secret), path).toBe(false);
    for (const text of said) expect(text).not.toContain(secret);
  }
}

test("on standard input and output, both faces: the text comes, without the secret", async () => {
  const at = await connect(
    folder,
    ["serve", "--policy", "policy.json", "--ledger", "observed.db"],
    "legacy",
    env,
  );
  try {
    said.push(JSON.stringify(await at.client.listTools()));
    for (const server of names) {
      for (const tool of toolNames) {
        const passed = JSON.stringify(await at.client.callTool({ name: `${server}_${tool}`, arguments: {} }));
        // The call was made, and the rest of the answer is there.
        expect(passed).toContain("it is [secret]!");
        said.push(passed);
        // A program for every second one: all come through the same connection.
        if ((server === "local") !== (tool === "text" || tool === "fault")) continue;
        const ran = await at.call("run", { program: program(server, tool) });
        const isAnswer = tool === "text" || tool === "data";
        expect(ran.status).toBe(isAnswer ? "done" : "stopped");
        expect(JSON.stringify(ran).includes("it is [secret]!")).toBe(isAnswer);
        said.push(JSON.stringify(ran));
      }
    }
    for (const uri of ["foreclaim://tools.d.ts", "foreclaim://guide"])
      said.push(JSON.stringify(await at.client.readResource({ uri })));
    said.push(JSON.stringify(await at.call("search_tools", { query: "text data error" })));
  } finally {
    await at.close();
  }
  said.push(at.errors());
  expect(at.errors()).toContain("heard tools/call with [secret]");
  for (const args of [
    ["trace", "export", "observed.db"],
    ["kernel", "status", "observed.db"],
    ["mcp", "suggest", "--ledger", "observed.db"],
    ["mcp", "update", "--name", "local"],
    ["tools"],
  ]) {
    const { out, err } = await foreclaim(args, { cwd: folder, env });
    said.push(out, err);
  }
  expect(said.join("\n")).toContain("it is [secret]!");
  searchEverywhere();
}, 120_000);

test("in the service: its store, its answers, its page and its log", async () => {
  const serve = await Serve.startWith(env, folder, "--workers", "1", "--ledger", "observed.db");
  try {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${serve.address}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${serve.agent}` } },
      }),
    );
    const call = async (name: string, args: object) =>
      Object((await client.callTool({ name, arguments: { ...args } })).structuredContent);
    const pages: string[] = [];
    for (const [server, tool] of [
      ["local", "data"],
      ["remote", "error"],
    ] as const) {
      const pending = await call("run", { program: program(server, tool) });
      const id = String(pending.address).split("/").at(-1) ?? "";
      pages.push(pending.address);
      const { revision } = await serve.proved(id);
      expect((await serve.decide(id, "approved_once", revision)).status).toBe(200);
      const ended = await call("wait", { request: pending.request, seconds: 60 });
      expect(ended.status).toBe(tool === "data" ? "done" : "stopped");
      for (const who of [serve.agent, serve.reviewer])
        said.push((await serve.ask(who, `/api/requests/${id}`)).text);
      said.push(JSON.stringify(pending), JSON.stringify(ended));
    }
    for (const path of ["/api/requests", "/api/tools", "/metrics", "/"])
      said.push((await serve.ask(serve.reviewer, path)).text);
    if (!isMissing) said.push(...(await shownOn(serve, pages)));
    await client.close();
  } finally {
    await serve.stop();
  }
  said.push(serve.logText);
  searchEverywhere();
}, 180_000);

/** The text and the markup of pages, as a reviewer sees them. */
async function shownOn(serve: Serve, pages: readonly string[]): Promise<readonly string[]> {
  const browser = await startBrowser();
  const shown: string[] = [];
  try {
    const { page } = watch(await browser.newPage(), serve.address);
    for (const [i, one] of pages.entries()) {
      await page.goto(one);
      if (i === 0) {
        await page.getByLabel("Credential").fill(serve.reviewer);
        await page.getByRole("button", { name: "Sign in" }).click();
      }
      await page
        .getByText(/finished|stopped/)
        .first()
        .waitFor();
      shown.push(await page.content(), await page.locator("body").innerText());
    }
  } finally {
    await browser.close();
  }
  return shown;
}

describe("a server that refuses its secret, and says it", () => {
  const refused = { LEAKY_TOKEN: "refused-in-the-environment", WEB_TOKEN: "refused-in-a-header" };
  const nowhere = (text: string): void => {
    for (const secret of Object.values(refused)) expect(text).not.toContain(secret);
  };

  test("in the messages of every command", async () => {
    for (const name of names) {
      const { code, out, err } = await foreclaim(["mcp", "update", "--name", name], {
        cwd: folder,
        env: refused,
      });
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("FC9145") });
      expect(`${out}${err}`).toContain("[secret]");
      nowhere(`${out}${err}`);
      writeFileSync(join(folder, "p.ts"), program(name, "text"));
      const ran = await foreclaim(["run", "p.ts", "--yes", "--json"], { cwd: folder, env: refused });
      expect(ran.code).not.toBe(0);
      expect(`${ran.out}${ran.err}`).toContain("FC9145");
      nowhere(`${ran.out}${ran.err}`);
    }
    const serving = await foreclaim(["mcp", "serve"], { cwd: folder, env: refused });
    expect(serving.code).not.toBe(0);
    nowhere(`${serving.out}${serving.err}`);
  }, 60_000);

  test("a secret that stands in a configuration which is no JSON is not quoted", async () => {
    const file = join(folder, "foreclaim.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      '{ "mcp": { "servers": { "local": { "env": { "TOKEN": "refused-in-the-environment" } } } ',
    );
    try {
      for (const args of [
        ["mcp", "update", "--name", "local"],
        ["mcp", "serve"],
        ["mcp", "init"],
        ["run", "p.ts", "--yes"],
      ]) {
        const { code, out, err } = await foreclaim(args, { cwd: folder, env: refused });
        expect(code, args.join(" ")).not.toBe(0);
        nowhere(`${out}${err}`);
      }
    } finally {
      writeFileSync(file, text);
    }
  }, 60_000);
});
