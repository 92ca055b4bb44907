/** The stages of the hall, with files in memory, the real prover and the real kernel, and without a terminal. */
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Answer,
  type ApprovalChannel,
  type Approved,
  decide,
  type RunRequest,
} from "../../src/app/decide.ts";
import type { Failure } from "../../src/app/failure.ts";
import { load, loadRunnable, type Runnable } from "../../src/app/load.ts";
import { SolverPool } from "../../src/app/prove/solver-pool.ts";
import { type Proved, prove } from "../../src/app/prove.ts";
import { proofReport, runReport } from "../../src/app/report.ts";
import { type RunHow, run, type ToolSource } from "../../src/app/run.ts";
import { ok, type Result, record } from "../../src/ir/index.ts";
import { Kernel, MemoryLog, newKeys } from "../../src/kernel/index.ts";
import { MemoryFiles } from "./memory-files.ts";

const bank = `import { contract, tool } from "foreclaim";
export const pay = tool({ run: async ({ amount }: { amount: number }): Promise<void> => {} });
export const maxPay = contract((limit: number) => pay.all((call) => call.amount <= limit));
`;

const paying = (amount: number) => `import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({
  guarantees: [bank.maxPay(50)],
  async run() {
    await bank.pay({ amount: ${amount} });
  },
});
`;

const files = () =>
  new MemoryFiles({
    "/p/tools/bank.ts": bank,
    "/p/pay.ts": paying(20),
    "/p/much.ts": paying(70),
    "/p/broken.ts": "export default {",
    "/p/pay.eir": `effect-ir 1
program () { call bank.pay(amount: 20) }
guarantee bank.maxPay(50)`,
    "/p/plan.json": JSON.stringify({
      actions: [{ id: "a", type: "tool_call", tool: "bank.pay", parameters: { amount: 20 } }],
    }),
  });

const pool = new SolverPool();
const how = { pool, timeoutMs: 10_000 };

async function loaded(fs: MemoryFiles, path: string): Promise<Runnable> {
  const loading = await loadRunnable({ path }, { fs });
  if (loading.kind !== "loaded") throw new Error(JSON.stringify(loading));
  return loading.loaded;
}

function gained<T>(attempt: Result<T, Failure>): T {
  if (!attempt.ok) throw new Error(attempt.problems[0]?.message);
  return attempt.value;
}

const provedOf = async (fs: MemoryFiles, path: string) => gained(await prove(await loaded(fs, path), how));

async function requestFor(proved: Proved<Runnable>): Promise<RunRequest> {
  const opened = await Kernel.open({ ledger: new MemoryLog(), clock: () => 1_000 });
  if (!opened.ok) throw new Error(opened.problem.message);
  return { proved, inputs: record([]), kernel: opened.value };
}

const answering = (answer: Answer) => {
  const ask = vi.fn<ApprovalChannel["ask"]>(async () => ok(answer));
  return { ask };
};
const yes = { kind: "approved", decision: "approved_once", by: "a test" } as const;
const clock = { wallMs: () => 1_000 };

async function approvedOf(proved: Proved<Runnable>): Promise<Approved> {
  const decided = gained(await decide(await requestFor(proved), answering(yes), newKeys(), clock));
  if (decided.kind !== "approved") throw new Error(decided.kind);
  return decided;
}

const called = vi.fn();
const tools: ToolSource = async (places) => ({
  ok: true,
  tools: new Map(places.map(({ name }) => [name, { run: async (args: unknown) => void called(name, args) }])),
});
const runHow: RunHow = { runId: "r1", callTimeoutMs: 5_000, wallMs: () => 1_000 };

afterEach(() => called.mockClear());

describe("load", () => {
  it("gives one thing for every front end", async () => {
    const fs = files();
    for (const path of ["/p/pay.ts", "/p/pay.eir"]) {
      const loading = await load({ path }, { fs });
      expect(loading).toMatchObject({ kind: "loaded", loaded: { document: { file: path } } });
    }
    const plan = await load({ path: "/p/plan.json", guarantee: ["bank.maxPay(50)"] }, { fs });
    expect(plan).toMatchObject({
      kind: "loaded",
      loaded: { form: "plan", document: { plan: { stated: ["bank.maxPay(50)"] } } },
    });
  });

  it("takes a text without a name by its form", async () => {
    const fs = files();
    fs.texts.set("-", fs.texts.get("/p/pay.eir") ?? "");
    const loading = await load({ path: "-", tools: ["/p/tools"] }, { fs });
    expect(loading).toMatchObject({ kind: "loaded", loaded: { form: "eir", document: { file: "<stdin>" } } });
  });

  it.each([
    ["/p/broken.ts", "invalid"],
    ["/p/nowhere.ts", "unreadable"],
    ["/p/script.js", "unreadable"],
  ])("says of %s that it is %s", async (path, kind) => {
    expect(await load({ path }, { fs: files() })).toMatchObject({ kind });
  });

  it("runs a plan, and no document without tool modules", async () => {
    const fs = files();
    fs.texts.set("/alone/a.eir", "effect-ir 1\nprogram () { }");
    expect(await loadRunnable({ path: "/alone/a.eir" }, { fs })).toMatchObject({
      failure: { problems: [{ code: "FC2610" }] },
    });
    expect(await loadRunnable({ path: "/p/plan.json" }, { fs })).toMatchObject({
      kind: "loaded",
      loaded: { form: "plan" },
    });
  });

  it("reads nothing but what the host has", async () => {
    const fs = files();
    await load({ path: "/p/pay.ts" }, { fs });
    expect([...fs.asked].filter((path) => fs.texts.has(path)).sort()).toEqual([
      "/p/pay.ts",
      "/p/tools/bank.ts",
    ]);
  });
});

describe("prove", () => {
  it("proves, refutes, and gives both in one form", async () => {
    const fs = files();
    const [good, bad] = [await provedOf(fs, "/p/pay.ts"), await provedOf(fs, "/p/much.ts")];
    expect([good.verdict, bad.verdict]).toEqual(["proved", "refuted"]);
    expect([...good.prefixSafe]).toEqual([0]);
    expect(proofReport("much.ts", bad, 12.4)).toMatchObject({
      file: "much.ts",
      ms: 12,
      guarantees: [{ verdict: "refuted", line: 4, counterexample: { calls: [{ args: { amount: "70" } }] } }],
    });
  });

  it("reports ordinary objects, as a JSON text gives them", async () => {
    const report = proofReport("much.ts", await provedOf(files(), "/p/much.ts"), 0);
    expect(report).toStrictEqual(JSON.parse(JSON.stringify(report)));
  });
});

describe("decide", () => {
  it("asks nobody about what is not proved", async () => {
    const channel = answering(yes);
    const request = await requestFor(await provedOf(files(), "/p/much.ts"));
    expect(await decide(request, channel, newKeys(), clock)).toMatchObject({
      value: { kind: "rejected", why: "it is refuted, and only a proved program can run" },
    });
    expect(channel.ask).not.toHaveBeenCalled();
  });

  it("gives a receipt to what is approved, and none to what is rejected", async () => {
    const proved = await provedOf(files(), "/p/pay.ts");
    expect((await approvedOf(proved)).receipt).toMatchObject({
      uses: 1,
      decision: "approved_once",
      by: "a test",
    });
    const no = answering({ kind: "rejected", why: "too late" });
    expect(await decide(await requestFor(proved), no, newKeys(), clock)).toEqual({
      ok: true,
      value: { kind: "rejected", why: "too late" },
    });
  });
});

describe("run", () => {
  it("runs what was approved, once", async () => {
    const approved = await approvedOf(await provedOf(files(), "/p/pay.ts"));
    const finished = gained(await run(approved, tools, runHow));
    expect(finished.kind === "ran" && runReport(finished.run)).toMatchObject({
      outcome: "done",
      calls: [{ tool: "bank.pay", status: "done" }],
      guarantees_at_end: ["holds"],
    });
    expect(called.mock.calls).toEqual([["bank.pay", { amount: 20 }]]);
    expect(gained(await run(approved, tools, { ...runHow, runId: "r2" }))).toMatchObject({
      kind: "refused",
    });
    expect(called).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["/p/pay.ts", paying(21)],
    ["/p/tools/bank.ts", `${bank}\nexport const more = tool({ run: async (): Promise<void> => {} });`],
  ])("runs nothing once %s has changed", async (path, text) => {
    const fs = files();
    const approved = await approvedOf(await provedOf(fs, "/p/pay.ts"));
    fs.texts.set(path, text);
    const finished = await run(approved, tools, runHow);
    expect(finished).toMatchObject({ ok: false, problems: [{ code: "FC9011" }] });
    expect(called).not.toHaveBeenCalled();
  });

  it("verifies a receipt that was signed elsewhere", async () => {
    const proved = await provedOf(files(), "/p/pay.ts");
    const other = await approvedOf(proved);
    const channel = answering({ kind: "receipt", receipt: other.receipt });
    const decided = gained(await decide(await requestFor(proved), channel, newKeys(), clock));
    if (decided.kind !== "approved") throw new Error(decided.kind);
    expect(gained(await run(decided, tools, runHow))).toMatchObject({ kind: "refused" });
    expect(called).not.toHaveBeenCalled();
  });

  it("takes no stage that was made up or copied", async () => {
    const program = await loaded(files(), "/p/pay.ts");
    const proved = gained(await prove(program, how));
    const approved = await approvedOf(proved);
    expect(() => run({ ...approved }, tools, runHow)).toThrow("a value that is not approved was passed");
    expect(() => prove({ ...program }, how)).toThrow("a value that is not loaded was passed");
    const request = await requestFor({ ...proved, verdict: "proved" });
    await expect(decide(request, answering(yes), newKeys(), clock)).rejects.toThrow("not proved was passed");
    expect(Object.isFrozen(approved) && Object.isFrozen(proved)).toBe(true);
  });

  it("cannot be written without an approval", () => {
    const written = (request: RunRequest, proved: Proved<Runnable>, approved: Approved) => {
      void run(approved, tools, runHow);
      // @ts-expect-error a request is no approval
      void run(request, tools, runHow);
      // @ts-expect-error a proof is no approval
      void run(proved, tools, runHow);
      const { kind, receipt, publicKey } = approved;
      // @ts-expect-error an approval cannot be put together from its parts
      void run({ kind, request, receipt, publicKey }, tools, runHow);
      // @ts-expect-error what was loaded is not proved
      void decide({ ...request, proved: proved.loaded }, answering(yes), newKeys(), clock);
      // @ts-expect-error a document is not loaded
      void prove({ form: "ts", document: proved.document, again: proved.loaded.again }, how);
    };
    expect(written).toBeInstanceOf(Function);
  });
});
