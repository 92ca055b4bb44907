/** `foreclaim mcp` and a client of the protocol's own SDK, in both eras. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, foreclaim } from "../cli/built.ts";
import { project, remove, Serve } from "../serve/serve-process.ts";
import { type Connected, connect, eras } from "./client.ts";

const world = `
import { execFileSync } from "node:child_process";
import { appendFileSync, writeSync } from "node:fs";
import { contract, tool } from "foreclaim";

/** Writes a line to the world. */
export const write = tool({
  run: async ({ line }: { line: string }): Promise<string> => {
    appendFileSync("world.txt", line + "\\n");
    return "the secret of " + line;
  },
});
/** Prints in every way there is. */
export const shout = tool({
  run: async ({ text }: { text: string }): Promise<void> => {
    console.log(text);
    process.stdout.write(text + "\\n");
    writeSync(1, text + "\\n");
    execFileSync(process.execPath, ["-e", "console.log(process.argv[1])", text], { stdio: "inherit" });
  },
});
export const slow = tool({
  run: async ({ ms }: { ms: number }): Promise<void> => new Promise((done) => setTimeout(done, ms)),
});
export const fail = tool({
  run: async ({ line }: { line: string }): Promise<void> => {
    throw new Error("the secret of " + line);
  },
});
/** Only these lines are written. */
export const only = contract((lines: string[]) => write.all((w) => lines.includes(w.line)));
/** Nothing is guaranteed. */
export const nothing = contract(() => true);
`;

const rule = (name: string, clause: string, tools: readonly string[]) => ({
  name,
  decision: "auto_approved",
  whenProven: [clause],
  tools,
  reason: "it is harmless",
});
const policy = {
  version: 1,
  rules: [
    rule("line a", "world.only(['a'])", ["world.write"]),
    rule("prints", "world.nothing()", ["world.shout", "world.fail"]),
    rule("slow", "world.only(['slow 1', 'slow 2'])", ["world.write", "world.slow"]),
  ],
};

const writing = (guarantees: string, body: string, inputs = "") => `
import { program } from "foreclaim";
import * as world from "./tools/world";
export default program({ guarantees: [${guarantees}], async run(${inputs}) { ${body} } });
`;

let folder: string;
beforeAll(async () => {
  await build();
  folder = project({ "tools/world.ts": world, "policy.json": JSON.stringify(policy) });
}, 120_000);
afterAll(() => remove(folder));

const worldText = (): string =>
  existsSync(join(folder, "world.txt")) ? readFileSync(join(folder, "world.txt"), "utf8") : "";

async function within<T>(connected: Promise<Connected>, work: (at: Connected) => Promise<T>): Promise<T> {
  const at = await connected;
  try {
    return await work(at);
  } finally {
    await at.close();
  }
}

describe.each(eras)("in the era of %s", (_, era) => {
  test("an agent searches, proves, repairs and runs", () =>
    within(connect(folder, ["--policy", "policy.json"], era), async ({ client, call }) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["search_tools", "prove", "run", "wait", "explain"]);
      for (const tool of tools) expect(tool.outputSchema?.type).toBe("object");
      expect(tools[1]?.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(tools[2]?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });

      const found = await call("search_tools", { query: "write a line" });
      expect(found.imports).toContain('import * as world from "./tools/world";');
      expect(found.tools[0]).toMatchObject({
        name: "world.write",
        signature: "world.write({ line: string }): Promise<string>",
      });
      expect(await call("search_tools", { query: "", namespace: "bank" })).toMatchObject({
        imports: ['import * as bank from "./tools/bank";'],
      });

      const asked = writing(
        'world.only(["a"])',
        "await world.write({ line });",
        "{ line }: { line: string }",
      );
      const refuted = await call("prove", { program: asked });
      expect(refuted.verdict).toBe("refuted");
      expect(refuted.guarantees[0]).toMatchObject({
        name: "world.only",
        verdict: "refuted",
        counterexample: { calls: [{ tool: "world.write" }] },
      });
      expect(await call("run", { program: asked, inputs: { line: "b" } })).toMatchObject({
        verdict: "refuted",
        status: "not proved",
        calls: [],
        receipt: null,
      });
      expect(worldText()).not.toContain("b");

      const repaired = writing(
        'world.only(["a"])',
        'if (line !== "a") return 0; console.log("writing"); const said = await world.write({ line }); return said.length;',
        "{ line }: { line: string }",
      );
      expect((await call("prove", { program: repaired })).verdict).toBe("proved");
      const before = worldText();
      const ran = await call("run", { program: repaired, inputs: { line: "a" } });
      expect(ran).toMatchObject({
        verdict: "proved",
        status: "done",
        result: 15,
        notes: ["writing"],
        calls: [{ tool: "world.write", count: 1 }],
        receipt: { decision: "auto_approved", by: "rule line a" },
      });
      expect(JSON.stringify(ran)).not.toContain("secret");
      expect(worldText()).toBe(`${before}a\n`);

      const invalid = await call("prove", { program: writing("world.nothing()", "await world.writ({});") });
      expect(invalid).toMatchObject({ verdict: "invalid", errors: [{ code: "FC2004" }] });
      expect((await call("explain", { code: "FC2004" })).text).toContain("# FC2004");
    }));

  test("a program that no rule approves is not run, and a failure says no more than its code", () =>
    within(connect(folder, ["--policy", "policy.json"], era), async ({ call }) => {
      const before = worldText();
      const other = writing('world.only(["c"])', 'await world.write({ line: "c" });');
      expect(await call("run", { program: other })).toMatchObject({
        status: "rejected",
        verdict: "proved",
        calls: [],
      });
      expect(worldText()).toBe(before);
      const failing = await call("run", {
        program: writing("world.nothing()", 'await world.fail({ line: "x" });'),
      });
      expect(failing.status).toBe("stopped");
      expect(failing.calls).toEqual([{ tool: "world.fail", count: 1 }]);
      expect(JSON.stringify(failing)).not.toContain("secret");
      const wrong = writing("world.nothing()", "await world.write({ line });", "{ line }: { line: string }");
      expect((await call("run", { program: wrong, inputs: { line: 5 } })).status).toBe("failed");
      expect((await call("wait", { request: "run-0" })).isError).toBe(true);
    }));

  test("resources and prompts", () =>
    within(connect(folder, [], era), async ({ client }) => {
      const read = async (uri: string): Promise<string> => {
        const [first] = (await client.readResource({ uri })).contents;
        return first !== undefined && "text" in first ? first.text : "";
      };
      expect(await read("foreclaim://tools.d.ts")).toContain(
        "export function write(args: { line: string }): Promise<string>;",
      );
      expect(await read("foreclaim://guide")).toContain("# Writing programs for Foreclaim");
      expect(await read("foreclaim://errors/FC2101")).toContain("FC2101");
      await expect(read("foreclaim://errors/..%2F..%2Fcli")).rejects.toThrow();
      await expect(read("foreclaim://requests/run-0")).rejects.toThrow();
      const { messages } = await client.getPrompt({
        name: "write-program",
        arguments: { task: "write a line" },
      });
      expect(JSON.stringify(messages)).toContain("write a line");
    }));
});

test("nothing that a tool prints reaches the protocol", () =>
  within(connect(folder, ["--policy", "policy.json"]), async ({ call, errors }) => {
    const program = writing(
      "world.nothing()",
      'await world.shout({ text: "{\\"jsonrpc\\": \\"shouted\\"}" });',
    );
    expect(await call("run", { program })).toMatchObject({
      status: "done",
      calls: [{ tool: "world.shout", count: 1 }],
    });
    expect((await call("prove", { program })).verdict).toBe("proved");
    await expect.poll(() => errors().split('{"jsonrpc": "shouted"}').length - 1).toBe(4);
  }));

test("a hard program does not stall an easy one", () =>
  within(connect(folder, []), async ({ call }) => {
    let isHardDone = false;
    const hard = call("prove", { program: readFileSync(join(folder, "hard.ts"), "utf8") }).catch(
      () => undefined,
    );
    void hard.then(() => {
      isHardDone = true;
    });
    const program = writing('world.only(["a"])', 'await world.write({ line: "a" });');
    expect((await call("prove", { program })).verdict).toBe("proved");
    expect(isHardDone).toBe(false);
  }));

test("a proof ends at its deadline, and the answer is unknown", () =>
  within(connect(folder, ["--prove-timeout", "2"]), async ({ call }) => {
    const answer = await call("prove", { program: readFileSync(join(folder, "hard.ts"), "utf8") });
    expect(answer).toMatchObject({ verdict: "unknown", why: "it takes longer than 2 s" });
  }));

describe("with a service", () => {
  let serve: Serve;
  let args: readonly string[];
  beforeAll(async () => {
    serve = await Serve.start(folder, "--workers", "1");
    args = [
      ...["--service", serve.address],
      ...["--credential", "approvals.db.agent"],
      ...["--key", "approvals.db.pub"],
    ];
    const shown = await foreclaim(["keys", "show", "approvals.db.key"], { cwd: folder });
    expect(shown.code).toBe(0);
  }, 120_000);
  afterAll(async () => void (await serve?.stop()));

  const program = writing('world.only(["p"])', 'await world.write({ line: "p" });');
  const idIn = (address: string): string => address.slice(address.lastIndexOf("/") + 1);

  test.each(eras)("a person decides on the page, and the client waits for the result (%s)", (_, era) =>
    within(connect(folder, args, era), async ({ client, call }) => {
      const before = worldText();
      const pending = await call("run", { program });
      expect(pending).toMatchObject({ verdict: "proved", status: "pending", calls: [], receipt: null });
      expect(await call("wait", { request: pending.request, seconds: 0 })).toMatchObject({
        status: "pending",
      });
      const id = idIn(pending.address);
      const { revision } = await serve.proved(id);
      expect((await serve.decide(id, "approved_once", revision)).status).toBe(200);
      const done = await call("wait", { request: pending.request, seconds: 60 });
      expect(done).toMatchObject({ status: "done", calls: [{ tool: "world.write", count: 1 }] });
      expect(done.receipt.decision).toBe("approved_once");
      expect(worldText()).toBe(`${before}p\n`);
      const { contents } = await client.readResource({ uri: `foreclaim://requests/${pending.request}` });
      expect(JSON.stringify(contents)).toContain("done");
    }),
  );

  test("a request that is rejected is not run", () =>
    within(connect(folder, args), async ({ call }) => {
      const before = worldText();
      const pending = await call("run", { program });
      const id = idIn(pending.address);
      const { revision } = await serve.proved(id);
      await serve.decide(id, "rejected", revision, { text: "not today" });
      const answer = await call("wait", { request: pending.request, seconds: 60 });
      expect(answer).toMatchObject({ status: "rejected", calls: [], receipt: null });
      expect(answer.reason).toContain("not today");
      expect(worldText()).toBe(before);
    }));

  test("a client that is killed while a person reads leaves nothing that could run", async () => {
    const before = worldText();
    const at = await connect(folder, args);
    const pending = await at.call("run", { program });
    const below = childrenOf(at.pid);
    expect(below.length).toBeGreaterThan(0);
    process.kill(at.pid, "SIGKILL");
    await expect.poll(() => below.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    const id = idIn(pending.address);
    const { revision } = await serve.proved(id);
    await serve.decide(id, "approved_once", revision);
    await at.close();
    expect(worldText()).toBe(before);
  });
});

test("a client that is gone does not cut a run off", async () => {
  const before = worldText();
  const at = await connect(folder, ["--policy", "policy.json"]);
  const body =
    'await world.write({ line: "slow 1" }); await world.slow({ ms: 1500 }); await world.write({ line: "slow 2" });';
  const running = at
    .call("run", { program: writing('world.only(["slow 1", "slow 2"])', body) })
    .catch(() => undefined);
  await expect.poll(worldText, { timeout: 20_000 }).toBe(`${before}slow 1\n`);
  process.kill(at.pid, "SIGKILL");
  await expect.poll(worldText, { timeout: 20_000 }).toBe(`${before}slow 1\nslow 2\n`);
  await at.close();
  await running;
});

function childrenOf(pid: number): readonly number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("wrong settings are reported at the start", async () => {
  const start = (args: readonly string[]) => foreclaim(["mcp", ...args], { cwd: folder });
  expect(await start(["--policy", "none.json"])).toMatchObject({ code: 2, out: "" });
  expect(await start(["--ledger", "none.db"])).toMatchObject({ code: 2, out: "" });
  expect((await start(["--service", "http://127.0.0.1:1"])).err).toContain("--credential");
});

test("foreclaim.json may hold the settings", async () => {
  const own = project({
    "tools/world.ts": world,
    "rules/policy.json": JSON.stringify(policy),
    "foreclaim.json": JSON.stringify({ tools: ["./tools"], mcp: { policy: "rules/policy.json" } }),
  });
  try {
    await within(connect(own, []), async ({ call }) => {
      const program = writing('world.only(["a"])', 'await world.write({ line: "a" });');
      expect(await call("run", { program })).toMatchObject({ status: "done" });
    });
    const wrong = project({ "foreclaim.json": JSON.stringify({ mcp: { police: "x" } }) });
    expect((await foreclaim(["mcp"], { cwd: wrong })).err).toContain("unknown field `police`");
    remove(wrong);
  } finally {
    remove(own);
  }
});
