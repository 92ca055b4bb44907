/** Probes and attestations from the command line: real files, tools in their own process, checkers as programs. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runChecker } from "../../src/app/index.ts";
import { build, foreclaim, root } from "../cli/built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-world-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tools = `
import { readFileSync, writeFileSync } from "node:fs";
import { contract, fluent, tool } from "foreclaim";
const at = new URL("../world.json", import.meta.url);
const world = () => JSON.parse(readFileSync(at, "utf8"));
export const locked = fluent<string, boolean>({
  initial: true,
  probe: async (door) => (door === "stuck" ? new Promise(() => {}) : world()[door]),
  keys: async () => Object.keys(world()),
});
export const lock = tool({
  effects: ({ door }) => [locked.set(door, true)],
  run: async ({ door }: { door: string }): Promise<void> => {
    writeFileSync(at, JSON.stringify({ ...world(), [door]: true, locks: true }));
  },
});
export const few = contract(() => lock.count() <= 1);
`;

const program = `
import { program } from "foreclaim";
import * as home from "./tools/home";
export default program({ guarantees: [home.few()], async run() { await home.lock({ door: "front" }); } });
`;

const write = (name: string, value: unknown) =>
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
const cli = (...args: string[]) => foreclaim(args, { cwd: folder });
const world = (cells: object) => write("world.json", cells);

beforeAll(async () => {
  await build();
  mkdirSync(join(folder, "tools"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/foreclaim"));
  write("tools/home.ts", tools);
  write("p.ts", program);
  write("package.json", { type: "module" });
});

describe("drift", () => {
  test("stops a run and the kernel, is shown beside the model, and is resolved", async () => {
    world({ front: true });
    expect(
      (await cli("run", "p.ts", "--ledger", "d.db", "--budget", "9", "--yes", "--look", "calls")).code,
    ).toBe(0);
    world({ front: false });
    const run = await cli("run", "p.ts", "--ledger", "d.db", "--yes");
    expect([run.code, /FC4512: the world differs/.test(run.out + run.err)]).toEqual([4, true]);
    expect(JSON.parse(readFileSync(join(folder, "world.json"), "utf8"))).toEqual({ front: false });
    const shown = await cli("reconcile", "--ledger", "d.db", "--json");
    expect(shown.code).toBe(1);
    expect(JSON.parse(shown.out)).toMatchObject({
      ok: false,
      cells: [{ cell: "home.locked[front]", state: "differs", model: "true", world: "false" }],
      stopped: "the world differs at `home.locked[front]`",
    });
    expect((await cli("reconcile", "--ledger", "d.db", "--accept", "model")).code).toBe(1);
    world({ front: true });
    expect((await cli("reconcile", "--ledger", "d.db", "--accept", "model")).code).toBe(0);
    expect((await cli("trace", "verify", "d.db")).code).toBe(0);
  });

  test("is not found by a probe that hangs, and nothing relies on it", async () => {
    world({ stuck: true });
    const args = ["reconcile", "--ledger", "d.db", "--probe-timeout", "0.05", "--json"];
    const shown = await cli(...args);
    expect(shown.code).toBe(1);
    expect(JSON.parse(shown.out).cells).toContainEqual(
      expect.objectContaining({ cell: "home.locked[stuck]", state: "not observed" }),
    );
  });

  test.each([
    ["no ledger", ["--ledger", "none.db"]],
    ["no such fluent", ["--ledger", "d.db", "--fluent", "home.open"]],
    ["no tool modules", ["--ledger", "d.db", "--tools", "nowhere"]],
    ["a wrong side", ["--ledger", "d.db", "--accept", "both"]],
  ])("is not looked for with %s", async (_, args) => {
    expect((await cli("reconcile", ...args)).code).toBe(2);
  });
});

describe("attestations", () => {
  beforeAll(async () => {
    for (const name of ["ann", "check"]) await cli("keys", "make", `${name}.key`);
    const keys = ["ann", "check"].map((name) => readFileSync(join(folder, `${name}.pub`), "utf8"));
    write("rules.json", [
      { name: "two", enforcement: "blocking", rule: "attested", keys, quorum: 2, tools: ["home.lock"] },
    ]);
    await cli("kernel", "init", "a.db", "--budget", "usd=9", "--rules", "rules.json");
    write("pay.json", { id: "pay", tool: "home.lock", cost: "1" });
    write(
      "yes.mjs",
      `process.exit(JSON.parse(await new Response(process.stdin).text()).action.tool === "home.lock" ? 0 : 1);`,
    );
    write("ann.json", { command: [process.execPath, "yes.mjs"], key: "ann.key" });
    write("check.json", { command: [process.execPath, "yes.mjs"], key: "check.key" });
  });

  test("of a person and of a program let an action pass once", async () => {
    const attest = (...more: string[]) => cli("attest", "pay.json", "--ledger", "a.db", ...more);
    expect((await attest("--key", "ann.key", "-o", "ann.att")).code).toBe(0);
    expect(
      (await attest("--key", "check.key", "-o", "check.att", "--", process.execPath, "yes.mjs")).code,
    ).toBe(0);
    expect((await attest("--key", "check.key", "--", process.execPath, "-e", "process.exit(1)")).code).toBe(
      1,
    );
    expect((await attest("--key", "none.key")).code).toBe(2);
    const exec = (...more: string[]) => cli("kernel", "exec", "a.db", "pay.json", ...more);
    expect((await exec("--attestation", "ann.att")).code).toBe(1);
    expect((await exec("--attestation", "ann.att", "--attestation", "check.att")).code).toBe(0);
    expect((await exec("--attestation", "ann.att", "--attestation", "check.att")).code).toBe(1);
    expect((await exec("--attestation", "pay.json")).code).toBe(2);
  });

  test("of programs let the call of a run pass", async () => {
    world({ front: false });
    await cli("reconcile", "--ledger", "a.db", "--accept", "world");
    world({ front: true });
    await cli("reconcile", "--ledger", "a.db", "--accept", "world");
    const run = (...more: string[]) => cli("run", "p.ts", "--ledger", "a.db", "--yes", ...more);
    const one = await run("--attestor", "ann.json");
    expect([one.code, /it has 1 of 2 attestations/.test(one.out + one.err)]).toEqual([4, true]);
    expect((await run("--attestor", "ann.json", "--attestor", "check.json")).code).toBe(0);
    expect((await run("--attestor", "pay.json")).code).toBe(2);
    expect((await cli("trace", "verify", "a.db")).code).toBe(0);
  });
});

describe("a checker has not attested that", () => {
  const check = (script: string, more: object = {}) =>
    runChecker(
      { command: [process.execPath, "-e", script], folder, timeoutMs: 20_000, maxBytes: 1_000, ...more },
      "{}\n",
    );

  test("exits with another code, is killed, or is not there", async () => {
    expect(await check("")).toEqual({ ok: true });
    expect(await check("process.exit(2)")).toEqual({ ok: false, why: "it exited with 2" });
    expect(await check("process.kill(process.pid, 'SIGKILL')")).toEqual({ ok: false, why: "it was killed" });
    expect(await check("", { command: [join(folder, "nothing")] })).toMatchObject({ ok: false });
    expect(await check("", { command: [] })).toMatchObject({ ok: false });
    expect(await check("", { command: ["a\0b"] })).toMatchObject({ ok: false });
  });

  test("takes too long, or writes too much", async () => {
    expect(await check("setInterval(() => {}, 1000)", { timeoutMs: 50 })).toEqual({
      ok: false,
      why: "it took more than 50 ms",
    });
    expect(await check("process.stdout.write('x'.repeat(1001)); setInterval(() => {}, 1000)")).toEqual({
      ok: false,
      why: "it wrote more than 1000 bytes",
    });
    expect(await check("process.stdout.write('x'.repeat(1000))")).toEqual({ ok: true });
  });

  test("sees nothing of our environment", async () => {
    process.env.FORECLAIM_TEST_SECRET = "secret";
    const script =
      "process.exit(Object.keys(process.env).every((name) => ['PATH', 'LANG', 'SystemRoot'].includes(name)) ? 0 : 1)";
    expect(await check(script)).toEqual({ ok: true });
  });
});
