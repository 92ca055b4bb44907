/** Functions in a real worker: every way not to answer `true` is a violation, in about the time limit. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import { afterAll, describe, expect, test } from "vitest";
import { type FunctionInvariant, Kernel, verify } from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";
import { act, opened, set } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-isolated-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function moduleOf(text: string): string {
  const file = join(folder, `m${++files}.mjs`);
  writeFileSync(file, text);
  return pathToFileURL(file).href;
}

function isolated(text: string, more: object = {}, over: "state" | "step" = "state"): FunctionInvariant {
  const check = { module: moduleOf(text), timeoutMs: 300, ...more };
  return { name: "f", enforcement: "blocking", over, check };
}

/** Fine for the first state, and something else once `n` is 1. */
const then = (body: string) => `export default (after) => { if (after.get("n") !== 1) return true; ${body} }`;

describe("a function in a worker", () => {
  test.each<[string, string, string]>([
    ["does not hold", then("return false;"), "it does not hold"],
    ["answers a promise", then("return Promise.resolve(true);"), "something other than `true`"],
    ["answers a text", then('return "true";'), "something other than `true`"],
    ["answers nothing", then(""), "something other than `true`"],
    ["throws", then('throw new Error("no");'), "it threw an error"],
    ["loops for ever", then("for (;;);"), "it returned no result within 300 ms"],
    [
      "waits for ever",
      then("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);"),
      "it returned no result",
    ],
    ["ends its process", then("process.exit(0);"), "it returned no result"],
    [
      "takes all memory",
      then("const a = []; for (;;) a.push(new Array(1e6).fill(a));"),
      "it returned no result",
    ],
    ["writes the state", then('"use strict"; after.get("l").push(1); return true;'), "it threw an error"],
  ])("that %s", async (_, text, message) => {
    const functions = [isolated(text)];
    const { kernel, ledger } = await opened({}, { n: 0, l: [] }, { functions });
    const startMs = performance.now();
    const { verdict, reasons } = await kernel.execute(act(set("n", 1)));
    const tookMs = performance.now() - startMs;
    expect(verdict).toBe("refused");
    expect(reasons[0]?.message).toContain(message);
    expect(tookMs).toBeLessThan(3_000);
    // It is there again for the next one.
    expect((await kernel.execute(act(set("n", 2)))).verdict).toBe("allowed");
    const trace = await ledger.read("main", 1, 9);
    expect(await verify(trace)).toMatchObject({ ok: true, notReplayed: ["f"] });
    expect(await verify(trace, { functions })).toMatchObject({ ok: true, notReplayed: [] });
  });

  test("sees the state, the one before and the action", async () => {
    const text = `export const rule = (after, before, action) =>
      after.get("n") === before.get("n") + 1 && action.id === "act" && after.has("n") && !after.has("m") &&
      after.keys().join() === "__proto__,n" && after.get("__proto__")["__proto__"].x === 1 &&
      Object.isFrozen(after.get("__proto__")) && action.effects[0].value === 1;`;
    const functions = [isolated(text, { export: "rule" }, "step")];
    const state = JSON.parse('{"n":0,"__proto__":{"__proto__":{"x":1}}}');
    const { kernel } = await opened({}, state, { functions });
    const up = { key: "n", op: "increment", value: 1 };
    expect((await kernel.execute(act(up))).reasons).toEqual([]);
    expect((await kernel.execute(act(up, up))).verdict).toBe("refused");
  });

  test("sees only the keys that it asked for", async () => {
    const functions = [isolated(then('return after.get("secret") === undefined;'), { keys: ["n"] })];
    const { kernel } = await opened({}, { n: 0, secret: 1 }, { functions });
    expect((await kernel.execute(act(set("n", 1)))).reasons[0]?.message).toContain("threw");
  });

  test.each<[string, object]>([
    ["no module there", { module: pathToFileURL(join(folder, "none.mjs")).href, timeoutMs: 100 }],
    ["a module that throws", { module: moduleOf("throw 1"), timeoutMs: 100 }],
    ["no such export", { module: moduleOf("export const x = 1"), export: "y", timeoutMs: 100 }],
    ["not a function", { module: moduleOf("export const x = 1"), export: "x", timeoutMs: 100 }],
    ["no time limit", { module: moduleOf("export default () => true") }],
    ["a time limit of nothing", { module: moduleOf("export default () => true"), timeoutMs: 0 }],
    ["a time limit that is none", { module: moduleOf("export default () => true"), timeoutMs: 1e9 }],
    ["an unknown field", { module: moduleOf("export default () => true"), timeoutMs: 9, timeout: 9 }],
    ["a bare name", { module: "fs", timeoutMs: 9 }],
  ])("with %s opens nothing", async (_, check) => {
    const one = { name: "f", enforcement: "blocking", check } as FunctionInvariant;
    await expect(opened({}, { n: 0 }, { functions: [one] })).rejects.toThrow();
  });

  test("lets the process go on while it works, and is asked once for each question", async () => {
    const counted = join(folder, "asked");
    const text = `import { appendFileSync } from "node:fs";
      export default (after) => {
        appendFileSync(${JSON.stringify(counted)}, "x");
        const end = performance.now() + 200;
        while (performance.now() < end);
        return after.get("n") < 3;
      }`;
    const functions = [isolated(text, { timeoutMs: 10_000 })];
    const { kernel } = await opened({}, { n: 0 }, { functions });
    writeFileSync(counted, "");
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    // Two in one group: the second is judged on the state that the first leaves.
    const up = { key: "n", op: "increment", value: 1 };
    const group = await Promise.all([1, 2, 3].map(() => kernel.execute(act(up))));
    clearInterval(timer);
    expect(group.map(({ verdict }) => verdict)).toEqual(["allowed", "allowed", "refused"]);
    expect(readFileSync(counted, "utf8")).toHaveLength(3);
    // A process that waits for the function itself has no turn at all.
    expect(turns).toBeGreaterThan(3);
  });

  test("answers for kernels of two processes that write in between", async () => {
    const text = "export default (after) => (after.get('n') ?? 0) <= 20;";
    const functions = [isolated(text, { timeoutMs: 10_000 })];
    const ledger = new MemoryLedger();
    const { kernel } = await opened({}, { n: 0 }, { functions, ledger });
    const { kernel: other } = await opened({}, { n: 0 }, { functions, ledger });
    const up = act({ key: "n", op: "increment", value: 1 });
    const all = await Promise.all(
      Array.from({ length: 15 }, async () => [await kernel.execute(up), await other.execute(up)]),
    );
    const allowed = all.flat().filter(({ verdict }) => verdict === "allowed");
    expect(allowed).toHaveLength(20);
    expect(await verify(await ledger.read("main", 1, 99), { functions })).toMatchObject({ ok: true });
  });

  test("does not stand in the way of an emergency when it hangs", async () => {
    const flag = join(folder, "hang");
    const text = `import { existsSync } from "node:fs";
      export default () => { if (existsSync(${JSON.stringify(flag)})) for (;;); return true; }`;
    const functions = [isolated(text)];
    const { kernel } = await opened({ emergencies: [{ id: "halt" }] }, { n: 0 }, { functions });
    writeFileSync(flag, "");
    expect((await kernel.execute(act(set("n", 1)))).verdict).toBe("refused");
    expect((await kernel.execute({ id: "halt" })).verdict).toBe("allowed");
  });

  test("that was late once and is not later: the refusal stands, for everyone who follows", async () => {
    // The word of its author: modules of one version are the same function.
    const slow = { ...isolated(then("for (;;);")), version: "1" };
    const ledger = new MemoryLedger();
    const { kernel } = await opened({}, { n: 0 }, { functions: [slow], ledger });
    expect((await kernel.execute(act(set("n", 1)))).verdict).toBe("refused");
    const quick = {
      ...slow,
      check: { ...(slow.check as object), module: moduleOf("export default () => true") },
    };
    const again = await Kernel.open({ ledger, functions: [quick as FunctionInvariant], clock: () => 1 });
    expect(again.ok && again.value.status().refusals).toBe(1);
    // An answer that was given is asked for again.
    const never = {
      ...slow,
      check: { ...(slow.check as object), module: moduleOf("export default () => false") },
    };
    await expect(
      Kernel.open({ ledger, functions: [never as FunctionInvariant], clock: () => 1 }),
    ).rejects.toThrow();
  });
});

describe("the process", () => {
  test.each<[string, string]>([
    ["after an answer", "export default () => true"],
    ["after an endless loop", then("for (;;);")],
    ["when it prints", then('console.log("x".repeat(1e6)); setInterval(() => {}, 1); return true;')],
  ])("ends by itself %s", async (_, text) => {
    const script = join(folder, `main${++files}.mjs`);
    await build({
      input: fileURLToPath(new URL("../../src/kernel/index.ts", import.meta.url)),
      platform: "node",
      output: { file: join(folder, "kernel.mjs"), format: "esm" },
      logLevel: "silent",
    });
    writeFileSync(
      script,
      `import { Kernel, MemoryLog } from "./kernel.mjs";
       const check = { module: ${JSON.stringify(moduleOf(text))}, timeoutMs: 200 };
       const functions = [{ name: "f", enforcement: "blocking", check }];
       const opened = await Kernel.open({ ledger: new MemoryLog(), functions, state: { n: 0 }, clock: () => 1 });
       const action = { id: "a", effects: [{ key: "n", op: "set", value: 1 }] };
       console.log((await opened.value.execute(action)).verdict);`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
      timeout: 20_000,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^(?:allowed|refused)\n$/);
  });
});
