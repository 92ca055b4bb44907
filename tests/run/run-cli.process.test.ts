/** `foreclaim run` with real tool modules, a SQLite ledger and signals, as users start it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { processHost } from "../../src/cli/host.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { build, foreclaim, root } from "../cli/built.ts";

const home = `
import { appendFileSync } from "node:fs";
import { contract, fluent, tool } from "foreclaim";
const note = (text: string): void => appendFileSync("world.txt", text + "\\n");
note("loaded");
export const doorLocked = fluent<string, boolean>({ initial: true });
export const unlock = tool({
  requires: ({ door }) => door.length > 0,
  effects: ({ door }) => [doorLocked.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => { note(\`unlock \${door}\`); console.log("click"); },
  undo: async ({ door }) => note(\`undo unlock \${door}\`),
});
export const pay = tool({
  cost: ({ amount }) => amount,
  requires: ({ amount }) => amount >= 0,
  ensures: (id) => id !== "",
  run: async ({ amount }: { amount: number }): Promise<string> => {
    note(\`pay \${amount}\`);
    if (process.env.SLOW) await new Promise((done) => setTimeout(done, 60_000));
    if (process.env.FAIL === "throws") throw new Error("no network");
    if (process.env.FAIL === "type") return 7 as never;
    return process.env.FAIL === "ensures" ? "" : "p1";
  },
});
export const lock = tool({
  effects: ({ door }) => [doorLocked.set(door, true)],
  run: async ({ door }: { door: string }): Promise<void> => note(\`lock \${door}\`),
});
export const lockedAtEnd = contract(() => doorLocked.final.all((d) => d.value));
export const onlyDoor = contract((door: string) => unlock.all((u) => u.door === door));
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
`;
const visit = `
import { program } from "foreclaim";
import * as home from "./tools/home";
export default program({
  guarantees: [home.lockedAtEnd(), home.onlyDoor("front"), home.maxSpend(5)],
  async run({ amount }: { amount: number }) {
    await home.unlock({ door: "front" });
    await home.pay({ amount: Math.max(0, Math.min(amount, 5)) });
    await home.lock({ door: "front" });
  },
});
`;

let folder = "";
beforeAll(() => build());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-run-"));
  put("tools/home.ts", home);
  put("visit.ts", visit);
  put("in.json", '{"amount": 2.5}');
  await said(["kernel", "init", "l.db", "--budget", "usd=10"]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

const said = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  foreclaim(args, { cwd: folder, env });
const onLedger = ["run", "visit.ts", "--input", "in.json", "--ledger", "l.db"];
const approved = [...onLedger, "--yes"];

function world(): string[] {
  const path = join(folder, "world.txt");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

async function traceVerifies(): Promise<void> {
  expect((await said(["trace", "verify", "l.db"])).code).toBe(0);
}

describe("run", () => {
  test("proves, runs, keeps a trace with the receipt, and ends", async () => {
    const { code, out, err } = await said(approved);
    expect(err).toMatch(/^run [0-9a-f]{12}\n$/);
    expect(code, out).toBe(0);
    expect(world()).toEqual(["loaded", "unlock front", "pay 2.5", "lock front"]);
    const order = [
      "home.lockedAtEnd()",
      "if the run stops after",
      "it may call",
      "\ninputs  ",
      "click",
      "done  3 calls",
    ];
    const places = order.map((text) => out.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    await traceVerifies();
    expect((await said(["trace", "show", "l.db", "--json"])).out).toContain("eir1-");
    expect((await said(approved)).code).toBe(0);
  });

  test("says in English what may be called, with what, when and how often", async () => {
    const loop = visit
      .replace("amount }: { amount: number }", "amounts }: { amounts: number[] }")
      .replace(
        /await home.pay.*/,
        "for (const amount of amounts) if (amount === 1 && amounts.length < 3) await home.pay({ amount: amount > 0 ? 1 : 2 });",
      );
    put("visit.ts", loop);
    put("in.json", '{"amounts": []}');
    const { out } = await said([...onLedger, "--dry-run"]);
    expect(out).toContain(`it may call
  c1  home.unlock, line 7
      door: "front"
  c2  home.pay, line 8
      amount: 1 or 2
      when that element is equal to 1 and the input \`amounts\` (\`[]\`) is of fewer than 3 elements
      for each element of the input \`amounts\` (\`[]\`)
  c3  home.lock, line 9
      door: "front"
`);
  });

  test("gives the answer as data", async () => {
    const { code, out } = await said([...approved, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      outcome: "done",
      by: "--yes",
      calls: [{ tool: "home.unlock", status: "done" }, { tool: "home.pay" }, { tool: "home.lock" }],
      guarantees_at_end: ["holds", "holds", "holds"],
      in_doubt: [],
      not_undone: [],
    });
  });

  test.each<[string, number, readonly string[]]>([
    ["nobody to ask", 3, onLedger],
    ["a dry run", 0, [...onLedger, "--dry-run"]],
    ["no inputs", 2, ["run", "visit.ts", "--yes"]],
    ["no such file", 2, ["run", "none.ts", "--yes"]],
    ["no such ledger", 2, ["run", "visit.ts", "-i", "in.json", "--ledger", "none.db", "--yes"]],
    ["no document", 1, ["run", "in.json", "--yes"]],
    ["a policy that is not named", 2, [...onLedger, "--approve", "policy"]],
    ["a policy that is not asked for", 2, [...onLedger, "--policy", "policy.json"]],
    ["a policy that is not there", 2, [...onLedger, "--approve", "policy", "--policy", "none.json"]],
    ["nothing to go on with", 4, [...onLedger.slice(0, 2), "--ledger", "l.db", "--resume", "abc"]],
    ["going on without a ledger", 2, ["run", "visit.ts", "--resume", "abc"]],
    ["going on with other inputs", 2, [...onLedger, "--resume", "abc"]],
    ["a wrong budget", 2, [...approved, "--budget", "1e3"]],
    ["no key", 2, [...approved, "--key", "none.key"]],
  ])("%s: nothing is run", async (name, code, args) => {
    const { out, err, ...ended } = await said(args);
    expect(ended.code, out + err).toBe(code);
    // To resume a run its tools are loaded first.
    expect(world()).toEqual(name === "nothing to go on with" ? ["loaded"] : []);
  });

  test("what is not proved is not run, and no tool module is loaded", async () => {
    put("visit.ts", visit.replace("Math.max(0, Math.min(amount, 5))", "amount"));
    const { code, out } = await said(approved);
    expect(code).toBe(1);
    expect(out).toContain("refuted");
    expect(out).toContain("nothing was run");
    put("visit.ts", visit.replace("await home.lock", "await home.lokc"));
    expect((await said(approved)).code).toBe(1);
    expect(world()).toEqual([]);
  });

  test("tools that change while they are loaded are not run", async () => {
    const change =
      'import { writeFileSync } from "node:fs"; writeFileSync("tools/other.ts", "export const x = 2;");';
    put("tools/other.ts", "export const x = 1;");
    put("tools/home.ts", `${home}\nimport { x } from "./other";\n${change}\nexport const y = x;`);
    const { code, err } = await said(approved);
    expect([code, world()], err).toEqual([2, ["loaded"]]);
    expect(err).toContain("was changed since it was proved");
  });

  test("a budget that was not approved is not spent", async () => {
    const { code, err, out } = await said([...approved, "--budget", "2"]);
    expect([code, out.includes("FC4506")], err).toEqual([4, true]);
    expect(world()).toEqual(["loaded", "unlock front", "undo unlock front"]);
  });
});

describe("by policy", () => {
  const byPolicy = [...onLedger, "--approve", "policy", "--policy", "policy.json"];
  const policyOf = (decision: string, when: string, clause: string): void =>
    put(
      "policy.json",
      JSON.stringify({ version: 1, rules: [{ name: "small", decision, [when]: [clause], reason: "so" }] }),
    );

  test.each([
    ["approves", "auto_approved", "whenProven", "home.maxSpend(5)", [], 0],
    ["does not decide, and nobody is there to ask", "auto_approved", "whenProven", "home.maxSpend(4)", [], 3],
    ["does not decide, and --yes does", "auto_approved", "whenProven", "home.maxSpend(4)", ["--yes"], 0],
    ["rejects", "auto_rejected", "unlessProven", "home.maxSpend(4)", [], 3],
    ["rejects, whatever --yes says", "auto_rejected", "unlessProven", "home.maxSpend(4)", ["--yes"], 3],
  ])("a rule %s", async (_, decision, when, clause, more, code) => {
    policyOf(decision, when, clause);
    const ended = await said([...byPolicy, ...more, "--json"]);
    expect(ended.code, ended.out + ended.err).toBe(code);
    expect(world().length > 0).toBe(code === 0);
    if (code === 0 && more.length === 0)
      expect(JSON.parse(ended.out)).toMatchObject({ decision: "auto_approved", by: "rule small" });
  });
});

describe("by a policy with limits", () => {
  const limits = [{ name: "spent", clause: "home.maxSpend(?)", atMost: 12, per: "day" }];
  const rule = { name: "small", decision: "auto_approved", whenProven: ["home.maxSpend(5)"], limits };
  const byPolicy = ["--approve", "policy", "--policy", "policy.json"];
  beforeEach(() => put("policy.json", JSON.stringify({ version: 1, rules: [{ ...rule, reason: "so" }] })));

  test("what is approved is counted in the ledger, and then a person is asked", async () => {
    expect((await said([...onLedger, ...byPolicy])).code).toBe(0);
    expect((await said([...onLedger, ...byPolicy])).code).toBe(0);
    const third = await said([...onLedger, ...byPolicy]);
    expect(third.code).toBe(3);
    expect(third.err).toContain("of the limit `spent`, 10 of 12 are used, and this may take 5");
    expect((await said([...onLedger, ...byPolicy, "--yes"])).code).toBe(0);
    await traceVerifies();
  });

  test("without a ledger nothing is counted, so nothing is approved", async () => {
    const { code, err } = await said(["run", "visit.ts", "--input", "in.json", ...byPolicy]);
    expect([code, err]).toEqual([3, expect.stringContaining("without --ledger nothing is counted")]);
    expect(world()).toEqual([]);
  });
});

describe("by a policy, a program that pays much and makes up for it in a call that fails", () => {
  const bank = `
import { appendFileSync } from "node:fs";
import { contract, tool } from "foreclaim";
export const pay = tool({
  run: async ({ amount }: { amount: number }): Promise<void> => {
    if (amount < 0) throw new Error("nothing is given back");
    appendFileSync("world.txt", \`pay \${amount}\\n\`);
  },
});
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
`;
  const half = `
import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({
  guarantees: [bank.maxSpend(900)],
  async run() {
    await bank.pay({ amount: 100_000 });
    await bank.pay({ amount: -100_000 });
  },
});
`;
  const limits = [{ name: "spent", clause: "bank.maxSpend(?)", atMost: 1000, per: "day" }];
  const rule = { name: "small", decision: "auto_approved", whenProven: ["bank.maxSpend(900)"], reason: "so" };
  const args = ["run", "half.ts", "--ledger", "l.db", "--approve", "policy", "--policy", "policy.json"];
  const policy = (...rules: object[]) => put("policy.json", JSON.stringify({ version: 1, rules }));
  beforeEach(() => {
    put("tools/bank.ts", bank);
    put("half.ts", half);
  });

  test.each([
    ["a rule", rule],
    ["a rule with a limit", { ...rule, limits }],
  ])("%s does not approve it, says where it may stop, and nothing is paid", async (_, one) => {
    policy(one);
    const { code, out, err } = await said(args);
    expect(code, out + err).toBe(3);
    expect(out.replace(/\s+/g, " ")).toContain(
      "if the run stops after `bank.pay` (line 7) or `bank.pay` (line 8), this may be violated: it does not count",
    );
    expect(world()).toEqual([]);
  });

  test("a rule about runs that end approves it, and so it pays", async () => {
    policy({ ...rule, stops: "allowed" });
    const { code, out, err } = await said(args);
    expect(code, out + err).toBe(4);
    expect(world()).toEqual(["pay 100000"]);
  });
});

describe("tools that misbehave", () => {
  test.each([
    ["throws", "FC1504"],
    ["type", "FC1505"],
    ["ensures", "FC1506"],
  ])("one that fails by %s stops the run, which is undone", async (how, code) => {
    const ended = await said(approved, { FAIL: how });
    expect(ended.code).toBe(4);
    expect(ended.out).toContain(code);
    expect(world()).toEqual(["loaded", "unlock front", "pay 2.5", "undo unlock front"]);
    await traceVerifies();
    // The door is locked again, so another run may begin.
    expect((await said(approved)).code).toBe(0);
  });

  test("one that hangs is in doubt, is asked about, and the run goes on", async () => {
    const hung = await said([...approved, "--call-timeout", "0.3", "--json"], { SLOW: "1" });
    expect(hung.code, hung.err).toBe(4);
    const { run, in_doubt: doubts } = JSON.parse(hung.out);
    expect(doubts.length).toBe(1);
    const again = [...onLedger.slice(0, 2), "--ledger", "l.db", "--resume", run];
    const asked = await said(again);
    expect([asked.code, asked.out.includes("FC4509")]).toEqual([4, true]);
    expect((await said(approved)).code).toBe(4);
    const outcome = '{"returned": true, "result": "p1"}';
    await said(["kernel", "resolve", "l.db", doubts[0].receipt, "--settle", "--outcome", outcome]);
    const done = await said(again);
    expect(done.code, done.out + done.err).toBe(0);
    expect(world().filter((line) => line !== "loaded")).toEqual(["unlock front", "pay 2.5", "lock front"]);
    await traceVerifies();
  });
});

function started(): ChildProcess {
  const env = { PATH: process.env.PATH ?? "", SLOW: "1" };
  return spawn(process.execPath, [join(root, "dist/cli/main.js"), ...approved], { cwd: folder, env });
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("signals", () => {
  test("kill -9 during a call: it is listed, asked about, and not made again", async () => {
    const child = started();
    let named = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      named += chunk.toString();
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await until(() => world().includes("pay 2.5"));
    child.kill("SIGKILL");
    await ended;
    await traceVerifies();
    const run = /run ([0-9a-f]{12})/.exec(named)?.[1] ?? "";
    expect((await said(approved)).out + (await said(approved)).err).toContain("FC4502");
    const again = [...onLedger.slice(0, 2), "--ledger", "l.db", "--resume", run, "--json"];
    const asked = await said(again);
    const { outcome, in_doubt: doubts } = JSON.parse(asked.out);
    expect([asked.code, outcome, doubts.length]).toEqual([4, "in doubt", 1]);
    const released = await said(["kernel", "resolve", "l.db", doubts[0].receipt, "--release", "never sent"]);
    expect(released.code).toBe(0);
    const done = await said(again);
    expect([done.code, JSON.parse(done.out).outcome], done.err).toEqual([0, "done"]);
    expect(world().filter((line) => line !== "loaded")).toEqual([
      "unlock front",
      "pay 2.5",
      "pay 2.5",
      "lock front",
    ]);
    expect((await said(again)).out).toContain("has ended");
    await traceVerifies();
  });
});

describe("asking on the terminal", () => {
  async function typed(
    line: string,
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    // Without tools none are loaded, which only the built command can.
    const idle = visit.replace(/async run[\s\S]*$/, "async run() {} });\n");
    put("idle.ts", idle.replace(/, home\.onlyDoor.*\]/, "]"));
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const read = (stream: PassThrough): string => Buffer.from(stream.read() ?? []).toString();
    const stdin = Object.assign(Readable.from([Buffer.from(line)]), { isTTY: true });
    const host = processHost({
      stdin,
      stdout,
      stderr,
      env: { NO_COLOR: "1" },
      platform: process.platform,
    });
    const args = ["run", join(folder, "idle.ts"), "--ledger", join(folder, "l.db")];
    const code = await runCli(args, host, "0.0.0");
    return { code, out: read(stdout), err: read(stderr) };
  }

  test.each([
    ["y\n", 0],
    ["yes\n", 0],
    ["n\n", 3],
    ["\n", 3],
    ["", 3],
    ["yesterday\n", 3],
    ["no\ny\n", 3],
  ])("%j gives %i", async (line, code) => {
    const ended = await typed(line);
    expect(ended.code, ended.err).toBe(code);
    expect(ended.err).toContain("approve this run? [y/N]");
    expect(ended.out.includes("done  0 calls")).toBe(code === 0);
  });
});
