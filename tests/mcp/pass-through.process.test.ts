/** The tools of another server, passed through: what is refused does not reach it, and observing refuses nothing. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";
import { type Connected, connect, type Era, eras } from "./client.ts";

const server = join(root, "tests/mcp/upstream-server.mjs");
const env = { TOKEN: "s3cret-token" };
let folder: string;
let open: Connected[] = [];
beforeAll(() => build(), 120_000);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-pass-"));
  const added = await foreclaim(["mcp", "add", "desk", "--env", "TOKEN", "--", process.execPath, server], {
    cwd: folder,
    env,
  });
  expect(added).toMatchObject({ code: 0 });
});
afterEach(async () => {
  for (const one of open) await one.close();
  open = [];
  rmSync(folder, { recursive: true, force: true });
});

async function serve(args: readonly string[], era: Era = "legacy"): Promise<Connected> {
  const connected = await connect(folder, ["serve", ...args], era, env);
  open.push(connected);
  return connected;
}

const logged = (): string[] =>
  existsSync(join(folder, "upstream.log"))
    ? readFileSync(join(folder, "upstream.log"), "utf8").trim().split("\n")
    : [];
const made = (): string[] => logged().filter((line) => !/^(start|end)/.test(line));
const say = async ({ client }: Connected, name: string, args: object) => {
  const answer = await client.callTool({ name, arguments: { ...args } });
  return { isError: answer.isError === true, text: JSON.stringify(answer.content), answer };
};

describe.each(eras)("in the era of %s", (_, era) => {
  test("tools are listed as they are, and a call that would break a guarantee does not reach the server", async () => {
    const one = await serve(
      ["--guarantee", "desk.onlyPath(['/notes/a'])", "--guarantee", "desk.callsAtMost(3)"],
      era,
    );
    const { tools } = await one.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["write-note", "count", "refuse", "search_tools", "prove", "run", "wait"]),
    );
    expect(tools.find(({ name }) => name === "write-note")).toMatchObject({
      description: "Writes a note.",
      inputSchema: {
        type: "object",
        properties: { path: { type: "string", maxLength: 20 }, text: { type: "string" } },
        required: ["path", "text"],
      },
    });
    expect((await say(one, "write-note", { path: "/notes/a", text: "hello" })).text).toContain("written");
    const refused = await say(one, "write-note", { path: "/etc/passwd", text: "x" });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain("FC4603");
    expect(refused.text).toContain("/notes/a");
    // Structured answers come back as they came.
    expect((await say(one, "count", { path: "/notes/a" })).answer.structuredContent).toMatchObject({
      notes: 2,
      last: "n",
    });
    // A failure of the server is told by the server, and counts as a call.
    expect((await say(one, "refuse", {})).text).toContain("the secret reason");
    expect((await say(one, "count", { path: "/notes/a" })).text).toContain("FC4603");
    // Bounds of the schema, and arguments that nobody has seen.
    expect((await say(one, "write-note", { path: "/n".repeat(20), text: "x" })).isError).toBe(true);
    expect((await say(one, "write-note", { path: "/notes/a", text: "x", mode: "777" })).text).toContain(
      "FC4602",
    );
    expect(made()).toEqual(["write /notes/a hello", "count /notes/a", "refuse"]);
    expect(one.errors()).not.toContain("s3cret");
  });
});

test("observing refuses nothing, says what would have been refused, and keeps it", async () => {
  const kernel = await foreclaim(["kernel", "init", "ledger.db"], { cwd: folder, env });
  expect(kernel, kernel.err).toMatchObject({ code: 0 });
  const one = await serve([
    "--observe",
    "--ledger",
    "ledger.db",
    "--face",
    "tools",
    "--guarantee",
    "desk.onlyPath(['/notes/a'])",
  ]);
  const { tools } = await one.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(["count", "refuse", "write-note"]);
  for (const path of ["/notes/a", "/etc/passwd"])
    expect((await say(one, "write-note", { path, text: "x" })).isError).toBe(false);
  // Not even what the module does not know.
  expect((await say(one, "write-note", { path: "/notes/a", text: "x", mode: "777" })).isError).toBe(false);
  expect(made()).toEqual(["write /notes/a x", "write /etc/passwd x", "write /notes/a x"]);
  expect(one.errors()).toContain("would have refused `desk.write_note`: FC4603");
  await one.close();
  open = [];
  const trace = await foreclaim(["trace", "export", "ledger.db"], { cwd: folder, env });
  expect(trace.out).toContain("/etc/passwd");
  expect(trace.out).toContain("would break the standing guarantee");
  expect(trace.out).not.toContain("s3cret");
});

test("settings in foreclaim.json, and guarantees that cannot stand", async () => {
  const file = join(folder, "foreclaim.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const write = (more: object) =>
    writeFileSync(file, JSON.stringify({ ...settings, mcp: { ...settings.mcp, ...more } }));
  write({ guarantees: ["desk.neverCalls(['refuse'])"] });
  const one = await serve(["--face", "tools"]);
  expect((await say(one, "refuse", {})).text).toContain("FC4603");
  expect((await say(one, "count", { path: "/n" })).isError).toBe(false);
  await one.close();
  open = [];
  write({ guarantees: ["desk.nothing()"] });
  expect(await foreclaim(["mcp", "serve"], { cwd: folder, env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("there is no contract `desk.nothing`"),
  });
  write({ observe: "yes" });
  expect(await foreclaim(["mcp", "serve"], { cwd: folder, env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("`observe`"),
  });
});

test("a tool whose definition has changed is not listed, and not called", async () => {
  writeFileSync(join(folder, "drifted"), "");
  const one = await serve(["--face", "tools"]);
  const { tools } = await one.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(["count", "refuse"]);
  await expect(
    one.client.callTool({ name: "write-note", arguments: { path: "/a", text: "x" } }),
  ).rejects.toThrow();
  expect(one.errors()).toContain("has changed");
  expect(made()).toEqual([]);
});
