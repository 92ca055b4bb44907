/** The gateway and a real server behind it: modules are made, proved, run, and refused once the server has changed. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";
import { connect } from "./client.ts";

const server = join(root, "tests/mcp/upstream-server.mjs");
const env = { TOKEN: "s3cret-token" };
let folder: string;
beforeAll(() => build(), 120_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-gateway-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (...args: string[]) => foreclaim(args, { cwd: folder, env });
const add = () => start("mcp", "add", "desk", "--env", "TOKEN", "--", process.execPath, server);
const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const logged = (): string[] =>
  existsSync(join(folder, "upstream.log")) ? read("upstream.log").trim().split("\n") : [];
const made = (): string[] => logged().filter((line) => !/^(start|end)/.test(line));

const program = (guarantees: string, body: string) => `
import { program } from "foreclaim";
import * as desk from "./tools/desk";
export default program({ guarantees: [${guarantees}], async run() { ${body} } });
`;
const benign = program(
  'desk.onlyPath(["/notes/a"]), desk.callsAtMost(2)',
  'await desk.write_note({ path: "/notes/a", text: "hello" }); const c = await desk.count({ path: "/notes/a" }); if (c.notes > 5) throw new Error("full");',
);

test("a module of a live server is proved, run, and its connection ends with the run", async () => {
  const added = await add();
  expect(added).toMatchObject({ code: 0 });
  expect(added.out).toContain("3 tools");
  expect(JSON.parse(read("foreclaim.json"))).toEqual({
    tools: ["./tools"],
    mcp: {
      servers: {
        desk: { command: process.execPath, args: [server], env: { TOKEN: ["$", "{TOKEN}"].join("") } },
      },
    },
  });
  expect(await add()).toMatchObject({ code: 2 });

  writeFileSync(join(folder, "p.ts"), benign);
  const ran = await start("run", "p.ts", "--yes", "--json");
  expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 0 });
  expect(JSON.parse(ran.out)).toMatchObject({ outcome: "done" });
  expect(made()).toEqual(["write /notes/a hello", "count /notes/a"]);
  // The server had the secret, and nobody else.
  expect(logged()).toContain("start s3cret-token");
  for (const text of [
    ran.out,
    ran.err,
    read("foreclaim.json"),
    read("tools/desk.ts"),
    read("tools/desk.lock.json"),
  ])
    expect(text).not.toContain("s3cret");
});

test("nothing of a hostile program, or of a call that breaks a bound, reaches the server", async () => {
  expect((await add()).code).toBe(0);
  const hostile = program(
    'desk.onlyPath(["/notes/a"])',
    'await desk.write_note({ path: "/etc/passwd", text: "x" });',
  );
  writeFileSync(join(folder, "hostile.ts"), hostile);
  expect((await start("run", "hostile.ts", "--yes")).code).toBe(1);
  const long = program(
    "desk.noGuarantees()",
    `await desk.write_note({ path: "${"/n".repeat(20)}", text: "x" });`,
  );
  writeFileSync(join(folder, "long.ts"), long);
  expect((await start("run", "long.ts", "--yes")).code).toBe(1);
  writeFileSync(join(folder, "reads.ts"), program("desk.readOnly()", 'await desk.count({ path: "/n" });'));
  expect((await start("run", "reads.ts", "--yes")).code).toBe(1);
  expect(made()).toEqual([]);
});

test("a definition that has changed by one byte is not called until it is accepted", async () => {
  expect((await add()).code).toBe(0);
  writeFileSync(join(folder, "p.ts"), benign);
  writeFileSync(join(folder, "drifted"), "");
  const refused = await start("run", "p.ts", "--yes", "--json");
  expect(refused.code).toBe(4);
  expect(refused.out).toContain("FC9144");
  expect(made()).toEqual([]);
  const shown = await start("mcp", "update", "--name", "desk");
  expect(shown).toMatchObject({ code: 1 });
  expect(shown.out).toContain("changed  write-note");
  expect(shown.out).toContain("+/** Writes a note! */");
  const module = read("tools/desk.ts");
  expect((await start("mcp", "update", "--name", "desk", "--accept")).code).toBe(0);
  expect(read("tools/desk.ts")).toBe(module);
  expect((await start("run", "p.ts", "--yes")).code).toBe(0);
  expect(made()).toEqual(["write /notes/a hello", "count /notes/a"]);
});

test("an agent runs a program over upstream tools, and learns nothing of a failure", async () => {
  expect((await add()).code).toBe(0);
  const rule = {
    name: "desk",
    decision: "auto_approved",
    whenProven: ["desk.callsAtMost(2)"],
    reason: "few calls",
  };
  const policy = {
    version: 1,
    rules: [{ ...rule, tools: ["desk.write_note", "desk.count", "desk.refuse"] }],
  };
  writeFileSync(join(folder, "policy.json"), JSON.stringify(policy));
  const at = await connect(folder, ["--policy", "policy.json"], "legacy", env);
  try {
    const done = await at.call("run", { program: benign });
    expect(done).toMatchObject({
      status: "done",
      calls: [
        { tool: "desk.write_note", count: 1 },
        { tool: "desk.count", count: 1 },
      ],
    });
    const failed = await at.call("run", { program: program("desk.callsAtMost(1)", "await desk.refuse();") });
    expect(failed.status).toBe("stopped");
    expect(JSON.stringify(failed)).not.toContain("secret");
    expect(made()).toEqual(["write /notes/a hello", "count /notes/a", "refuse"]);
  } finally {
    await at.close();
  }
});

test("init takes the servers that other hosts know, and adds an entry that observes", async () => {
  const entry = { command: process.execPath, args: [server] };
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { "my-desk": entry } }));
  mkdirSync(join(folder, ".codex"));
  const codex = `# mine
[mcp_servers.desk]
command = ${JSON.stringify(process.execPath)}
args = [
  ${JSON.stringify(server)}, # the script
]
env_vars = ["TOKEN"]
`;
  writeFileSync(join(folder, ".codex/config.toml"), codex);
  const done = await start("mcp", "init", "--json");
  expect(done).toMatchObject({ code: 0, err: "" });
  const entries = [".mcp.json", ".codex/config.toml"];
  expect(JSON.parse(done.out)).toMatchObject({
    ok: true,
    added: [
      { module: "tools/my_desk.ts", tools: 3 },
      { module: "tools/desk.ts", tools: 3 },
    ],
    entries,
    ledger: "observed.db",
  });
  expect(logged()).toContain("start s3cret-token");
  expect((await start("tools", "--json")).code).toBe(0);
  expect(read(".codex/config.toml").startsWith(codex)).toBe(true);
  // The entry works as it stands: nothing is refused, and the calls are kept.
  const { command, args } = JSON.parse(read(".mcp.json")).mcpServers.foreclaim;
  expect([command, ...args.slice(0, 2)]).toEqual(["npx", "foreclaim", "mcp"]);
  const at = await connect(folder, args.slice(2), "legacy", env);
  const given = { path: "/a", text: "x" };
  expect((await at.client.callTool({ name: "desk_write-note", arguments: given })).isError).not.toBe(true);
  await at.close();
  expect((await start("mcp", "suggest", "--ledger", "observed.db")).out).toContain("1 call of 1 session");
  // A second time changes nothing.
  const before = entries.map(read);
  expect(JSON.parse((await start("mcp", "init", "--json")).out)).toMatchObject({
    ok: true,
    added: [],
    present: ["my_desk", "desk"],
    entries: [],
  });
  expect(entries.map(read)).toEqual(before);
});

test("init that finds nothing, or something wrong, changes nothing", async () => {
  const none = await start("mcp", "init");
  expect(none).toMatchObject({ code: 2 });
  expect(none.err).toContain("`.codex/config.toml`");
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { desk: { command: "x" } } }));
  writeFileSync(join(folder, "wrong.toml"), '[mcp_servers.a]\nenv = { TOKEN = "s3cret-token"\n');
  const wrong = await start("mcp", "init", "--from", ".mcp.json", "--from", "wrong.toml");
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringContaining("`wrong.toml` is not TOML at line 3"),
  });
  expect(wrong.err).not.toContain("s3cret");
  expect((await start("mcp", "init", "--from", "missing.toml")).code).toBe(2);
  expect(readdirSync(folder).sort()).toEqual([".mcp.json", "wrong.toml"]);
});

test("init with modules alone, from a file that is not of the project", async () => {
  writeFileSync(
    join(folder, "codex.toml"),
    `[mcp_servers.desk]\ncommand = "${process.execPath}"\nargs = ["${server}"]\n`,
  );
  const text = read("codex.toml");
  const done = await start("mcp", "init", "--from", "codex.toml");
  expect(done).toMatchObject({ code: 0 });
  expect(done.out).toContain("add this to codex.toml:\n[mcp_servers.foreclaim]");
  expect(read("codex.toml")).toBe(text);
  rmSync(join(folder, "foreclaim.json"));
  rmSync(join(folder, "tools"), { recursive: true });
  rmSync(join(folder, "observed.db"));
  expect((await start("mcp", "init", "--from", "codex.toml", "--no-entry")).code).toBe(0);
  expect(existsSync(join(folder, "observed.db"))).toBe(false);
});

test("a server that cannot be used is reported, and nothing is left", async () => {
  const wrong = await start("mcp", "add", "desk", "--", process.execPath, "-e", "process.exit(3)");
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain("FC9145");
  expect((await start("mcp", "add", "a-b", "--", "x")).err).toContain("FC9143");
  expect((await start("mcp", "add", "desk")).err).toContain("FC9001");
  expect(existsSync(join(folder, "foreclaim.json"))).toBe(false);
  expect(existsSync(join(folder, "tools"))).toBe(false);
});
