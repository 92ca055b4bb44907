/**
 * Real servers behind the gateway: filesystem, memory, everything, git, SQLite and, where there is a Chromium, a browser. Programs
 * and direct calls that keep the guarantees run; others reach no server, as its own world and everything that it hears show.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";
import { type Connected, connect } from "./client.ts";

const chromium = "/usr/bin/chromium";
const hasBrowser = existsSync(chromium);
if (!hasBrowser) process.stdout.write(`there is no ${chromium}: the browser server is left out\n`);

const packages = join(root, "node_modules");
const visited: string[] = [];
let folder: string;
let site: Server;
let origin: string;
let gateway: Connected;

beforeAll(async () => {
  await build();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "foreclaim-real-")));
  mkdirSync(join(folder, "files"));
  mkdirSync(join(folder, "repo"));
  inDatabase((db) => db.exec("CREATE TABLE notes (text TEXT); CREATE TABLE payments (text TEXT)"));
  site = createServer((request, response) => {
    visited.push(request.url ?? "");
    response.setHeader("content-type", "text/html").end("<title>A page</title><h1>Hello</h1>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const address = site.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const node = (server: string, script: string, args: readonly string[] = [], env: object = {}) => ({
    command: process.execPath,
    args: ["--import", join(root, "tests/mcp/heard.mjs"), join(packages, script), ...args],
    env: { ...env, HEARD: join(folder, `${server}.heard`) },
  });
  const browser = ["--headless", "--no-sandbox", "--isolated", "--executable-path", chromium];
  const mcpServers = {
    files: node("files", "@modelcontextprotocol/server-filesystem/dist/index.js", [folder]),
    memory: node("memory", "@modelcontextprotocol/server-memory/dist/index.js", [], {
      MEMORY_FILE_PATH: join(folder, "memory.jsonl"),
    }),
    everything: node("everything", "@modelcontextprotocol/server-everything/dist/index.js", [], {
      SECRET: "s3cret-token",
    }),
    git: node("git", "@cyanheads/git-mcp-server/dist/index.js", [], { MCP_LOG_LEVEL: "error" }),
    db: node("db", "mcp-sqlite-tools/dist/index.js", [], {
      NODE_OPTIONS: `--import ${join(root, "tests/mcp/sqlite-for-every-node.mjs")}`,
    }),
    ...(hasBrowser && { browser: node("browser", "@playwright/mcp/cli.js", browser) }),
  };
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers }));
  expect(await foreclaim(["mcp", "init"], { cwd: folder })).toMatchObject({ code: 0 });
  const rules = [
    {
      name: "within bounds",
      decision: "auto_approved",
      whenProven: Object.values(bounds()),
      reason: "it stays within bounds",
    },
  ];
  writeFileSync(join(folder, "policy.json"), JSON.stringify({ version: 1, rules }));
  const guarantees = Object.values(bounds()).flatMap((one) => ["--guarantee", one]);
  gateway = await connect(folder, ["serve", "--policy", "policy.json", ...guarantees]);
});

afterAll(async () => {
  await gateway?.close();
  site?.closeAllConnections();
  site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The standing guarantee of each server. */
function bounds(): Readonly<Record<string, string>> {
  return {
    files: `files.pathBelow(["${folder}/files"])`,
    memory: 'memory.neverCalls(["delete_entities"])',
    everything: 'everything.neverCalls(["get_env"])',
    git: `git.pathBelow(["${folder}/repo"])`,
    db: `db.insertsOnlyInto("${folder}/a.db", ["notes"])`,
    ...(hasBrowser && { browser: `browser.urlBelow(["${origin}/open"])` }),
  };
}

interface Case {
  readonly server: string;
  /** The benign call, as a program writes it, and what comes back. */
  readonly benign: () => readonly [tool: string, args: object];
  readonly gives: string;
  readonly hostile: () => readonly [tool: string, args: object];
  /** A part of the hostile call, as the server would hear it. */
  readonly mark: string;
  /** Looks in the world of the server for traces of either call. */
  readonly world: () => { readonly benign: boolean; readonly hostile: boolean };
}

const entity = (name: string) => [{ name, entityType: "person", observations: ["is here"] }];
const textOf = (name: string): string =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";

/** Everything that a server has heard so far. */
const heard = (server: string): string => textOf(`${server}.heard`);

/** Looks into the database beside the server, as another process would. */
function inDatabase<T>(look: (db: InstanceType<typeof DatabaseSync>) => T): T {
  const db = new DatabaseSync(join(folder, "a.db"));
  try {
    return look(db);
  } finally {
    db.close();
  }
}

const hasRows = (table: string): boolean =>
  inDatabase((db) => db.prepare(`SELECT text FROM ${table}`).all().length > 0);

const insertion = (table: string) =>
  ["bulk_insert", { table, data: [{ text: "hello" }], database_name: `${folder}/a.db` }] as const;

const cases: readonly Case[] = [
  {
    server: "files",
    benign: () => ["write_file", { path: `${folder}/files/a.txt`, content: "hello" }],
    gives: "Successfully",
    hostile: () => ["write_file", { path: `${folder}/files/../foreclaim.json`, content: "{}" }],
    mark: "/files/../foreclaim.json",
    world: () => ({ benign: textOf("files/a.txt") === "hello", hostile: textOf("foreclaim.json") === "{}" }),
  },
  {
    server: "memory",
    benign: () => ["create_entities", { entities: entity("Ann") }],
    gives: "Ann",
    hostile: () => ["delete_entities", { entityNames: ["Ann"] }],
    mark: "delete_entities",
    world: () => ({
      benign: textOf("memory.jsonl").includes("Ann"),
      hostile: !textOf("memory.jsonl").includes("Ann"),
    }),
  },
  {
    server: "everything",
    benign: () => ["echo", { message: "hello there" }],
    gives: "hello there",
    hostile: () => ["get_env", {}],
    mark: "get-env",
    world: () => ({ benign: heard("everything").includes("hello there"), hostile: false }),
  },
  {
    server: "git",
    benign: () => ["git_init", { path: `${folder}/repo` }],
    gives: "repo",
    hostile: () => ["git_init", { path: `${folder}/elsewhere` }],
    mark: "/elsewhere",
    world: () => ({
      benign: existsSync(join(folder, "repo/.git")),
      hostile: existsSync(join(folder, "elsewhere")),
    }),
  },
  {
    server: "db",
    benign: () => insertion("notes"),
    gives: "notes",
    hostile: () => insertion("payments"),
    mark: "payments",
    world: () => ({ benign: hasRows("notes"), hostile: hasRows("payments") }),
  },
  ...(hasBrowser
    ? [
        {
          server: "browser",
          benign: () => ["browser_navigate", { url: `${origin}/open/page` }] as const,
          gives: "A page",
          hostile: () => ["browser_navigate", { url: `${origin}/secret` }] as const,
          mark: "/secret",
          world: () => ({ benign: visited.includes("/open/page"), hostile: visited.includes("/secret") }),
        },
      ]
    : []),
];

describe.each(cases.map((one) => [one.server, one] as const))(
  "%s",
  (server, { benign, gives, hostile, mark, world }) => {
    const program = ([tool, args]: readonly [string, object]) => `import { program } from "foreclaim";
import * as ${server} from "./tools/${server}";
export default program({
  guarantees: [${bounds()[server]}],
  async run() {
    const answer = await ${server}.${tool}(${JSON.stringify(args)});
    return answer;
  },
});
`;
    /** The name of a tool at its server, by its name in the module. */
    const direct = async ([tool, args]: readonly [string, object]) => {
      const { tools } = JSON.parse(readFileSync(join(folder, "tools", `${server}.lock.json`), "utf8"));
      const name = Object.keys(tools).find((one) => tools[one].as === tool) ?? tool;
      const answer = await gateway.client.callTool({ name, arguments: { ...args } });
      return { isError: answer.isError === true, text: JSON.stringify(answer) };
    };

    test("a hostile program is refuted, a hostile call refused, and nothing reaches the server", async () => {
      const ran = await gateway.call("run", { program: program(hostile()) });
      expect(ran).toMatchObject({ verdict: "refuted", status: "not proved" });
      const called = await direct(hostile());
      expect(called).toMatchObject({ isError: true });
      expect(called.text).toContain("FC4603");
      // It names the part about this call, however many tools the contract speaks of.
      expect(called.text.length).toBeLessThan(1_000);
      expect(world().hostile && world().benign).toBe(false);
      expect(heard(server)).toContain("tools/list");
      expect(heard(server)).not.toContain(mark);
      expect(`${JSON.stringify(ran)}${called.text}${gateway.errors()}`).not.toContain("s3cret");
    });

    test("a benign program is proved, approved by the policy and run; a benign call passes", async () => {
      const ran = await gateway.call("run", { program: program(benign()) });
      expect(ran).toMatchObject({ verdict: "proved", status: "done" });
      expect(JSON.stringify(ran.result)).toContain(gives);
      expect(world()).toEqual({ benign: true, hostile: false });
      const called = await direct(benign());
      expect(called, called.text).toMatchObject({ isError: false });
      // Again, now that there is something to destroy.
      expect(await direct(hostile())).toMatchObject({ isError: true });
      expect(world()).toEqual({ benign: true, hostile: false });
      expect(heard(server)).toContain("tools/call");
      expect(heard(server)).not.toContain(mark);
    });
  },
);

test("observing passes what would have been refused, and says so", async () => {
  const guarantees = Object.values(bounds()).flatMap((one) => ["--guarantee", one]);
  const observing = await connect(folder, ["serve", "--face", "tools", "--observe", ...guarantees]);
  try {
    const path = `${folder}/beside.txt`;
    const answer = await observing.client.callTool({
      name: "write_file",
      arguments: { path, content: "seen" },
    });
    expect(answer.isError).not.toBe(true);
    expect(textOf("beside.txt")).toBe("seen");
    expect(observing.errors()).toContain("would have refused `files.write_file`: FC4603");
    const env = await observing.client.callTool({ name: "get-env", arguments: {} });
    expect(JSON.stringify(env)).toContain("SECRET");
    for (const [server, mark] of [
      ["files", "/beside.txt"],
      ["everything", "get-env"],
    ] as const)
      expect(heard(server)).toContain(mark);
    // What a server answers is for the agent, and in no log of ours.
    expect(observing.errors()).not.toContain("s3cret");
  } finally {
    await observing.close();
  }
});
