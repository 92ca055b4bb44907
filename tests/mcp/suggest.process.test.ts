/** From observed sessions of real servers to guarantees: each held in the history, refuses what it says, and is a sentence. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";
import { connect } from "./client.ts";

let folder: string;
beforeAll(async () => {
  await build();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "foreclaim-suggest-")));
  mkdirSync(join(folder, "notes"));
  const server = (script: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(root, "node_modules/@modelcontextprotocol", script, "dist/index.js"), ...args],
    env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
  });
  const mcpServers = { files: server("server-filesystem", folder), memory: server("server-memory") };
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers }));
  expect(await foreclaim(["mcp", "init"], { cwd: folder })).toMatchObject({ code: 0 });
  expect(await foreclaim(["kernel", "init", "ledger.db"], { cwd: folder })).toMatchObject({ code: 0 });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string) => ({
  name: "write_file",
  arguments: { path: `${folder}/${name}`, content: "x" },
});
const serve = (...args: string[]) =>
  connect(folder, ["serve", "--face", "tools", "--ledger", "ledger.db", ...args]);

test("observed, suggested, accepted, and held to", async () => {
  const observing = await serve("--observe");
  for (const name of ["notes/a.txt", "notes/b.txt"]) await observing.client.callTool(write(name));
  await observing.client.callTool({ name: "read_graph", arguments: {} });
  await observing.close();

  const shown = await foreclaim(["mcp", "suggest", "--ledger", "ledger.db", "--json"], { cwd: folder });
  expect(shown, shown.err).toMatchObject({ code: 0 });
  const { calls, sessions, suggestions } = JSON.parse(shown.out);
  expect({ calls, sessions }).toEqual({ calls: 3, sessions: 1 });
  const stated: string[] = suggestions.map((one: { stated: string }) => one.stated);
  expect(stated).toEqual(
    expect.arrayContaining([
      `files.pathBelow(["${folder}/notes"])`,
      "files.callsAtMost(2)",
      // Of the catalogue, which knows both servers.
      "memory.forgetsNothing()",
      expect.stringMatching(/^memory\.neverCalls\(\[.*"delete_entities"/),
    ]),
  );
  expect(stated).not.toContain("files.readOnly()");
  // Counts that were just reached leave no room, and come last.
  const more: boolean[] = suggestions.map((one: { refusesMore: boolean }) => one.refusesMore);
  expect(more).toEqual([...more].sort());
  expect(more[stated.indexOf("files.callsAtMost(2)")]).toBe(true);
  for (const { sentence, refuses, examples } of suggestions) {
    expect(sentence).toMatch(/\w+ \w+/);
    expect(refuses).toBeGreaterThan(0);
    expect(examples.length).toBeGreaterThan(0);
  }
  const text = await foreclaim(["mcp", "suggest", "--ledger", "ledger.db"], { cwd: folder });
  expect(text.out).toContain("3 calls of 1 session");
  expect(text.out).toContain("/etc/passwd");
  expect(text.out).toContain(
    "Every call that takes `path` gives one of these folders, or something below one",
  );
  expect(
    (await foreclaim(["mcp", "suggest", "--ledger", "ledger.db", "--accept", "99"], { cwd: folder })).code,
  ).toBe(2);

  const number = String(stated.indexOf(`files.pathBelow(["${folder}/notes"])`) + 1);
  const accepted = await foreclaim(["mcp", "suggest", "--ledger", "ledger.db", "--accept", number], {
    cwd: folder,
  });
  expect(accepted, accepted.err).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(folder, "foreclaim.json"), "utf8")).mcp.guarantees).toEqual([
    `files.pathBelow(["${folder}/notes"])`,
  ]);

  const holding = await serve();
  expect((await holding.client.callTool(write("notes/c.txt"))).isError).not.toBe(true);
  expect((await holding.client.callTool(write("outside.txt"))).isError).toBe(true);
  await holding.close();
  expect(existsSync(join(folder, "notes/c.txt"))).toBe(true);
  expect(existsSync(join(folder, "outside.txt"))).toBe(false);
}, 120_000);
