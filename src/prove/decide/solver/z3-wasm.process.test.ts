/** The solver in a worker: safe calls, and failures of the worker. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runs } from "../../../../tests/support/runs.ts";
import { stringLiteral } from "./literals.ts";
import type { Solver, SolverLimits } from "./port.ts";
import { z3Files } from "./wasm-engine.ts";
import { z3Wasm } from "./z3-wasm.ts";

const limits: SolverLimits = { timeoutMs: 30_000, resources: 50_000_000 };
const folder = mkdtempSync(join(tmpdir(), "foreclaim-wasm-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("reads every script as it was written, however many are under way", async () => {
  await withSolver(z3Wasm({ engines: 2 }), async (solver) => {
    const count = runs(400);
    const jobs = Array.from({ length: count }, async (_, i) => {
      // Of very different lengths, and each different from the next in every part.
      const words = Array.from({ length: 1 + ((i * 7919) % 60) }, (_, k) => `w${i}-${k}é`);
      const text = [
        "(declare-const x Int) (declare-const s String)",
        `(assert (= x ${i * 1_000_003}))`,
        ...words.map((word) => `(assert (distinct s ${stringLiteral(word)}))`),
        `(assert (= s ${stringLiteral(words.join("|"))}))`,
        i % 3 === 0 ? `(assert (= s ${stringLiteral(`${words.join("|")}!`)}))` : "",
      ];
      const values = [
        { name: "x", sort: "Int" },
        { name: "s", sort: "String" },
      ] as const;
      const answer = await solver.check({ text: text.join("\n"), values }, limits);
      if (i % 3 === 0 || words.length === 1) return answer.kind === "unsat";
      return (
        answer.kind === "sat" &&
        answer.model.get("x") === BigInt(i * 1_000_003) &&
        answer.model.get("s") === words.join("|")
      );
    });
    const right = await Promise.all(jobs);
    expect(right.filter((well) => !well)).toEqual([]);
    expect(right).toHaveLength(count);
  });
});

it("counts alike in a new worker and in one that has solved much", async () => {
  const steps =
    "(declare-const x Int) (declare-const y Int) (declare-const z Int) (assert (= (+ (* x x x) (* y y y) (* z z z)) 33))";
  const ask = (solver: Solver) => solver.check({ text: steps, values: [] }, { ...limits, resources: 20_000 });
  const [fresh, used] = await withSolver(z3Wasm({ engines: 1 }), async (solver) => {
    const first = await ask(solver);
    for (let i = 0; i < 50; i++)
      await solver.check({ text: `(declare-const v${i} Bool)`, values: [] }, limits);
    return [first, await ask(solver)];
  });
  expect(fresh).toMatchObject({ kind: "unknown", reason: "resources" });
  expect(used).toEqual(fresh);
});

it("frees what a script took", async () => {
  await withSolver(z3Wasm({ engines: 1 }), async (solver) => {
    // Within 40 MB there is room for one such script, and not for the leavings of twenty.
    const text = Array.from(
      { length: 2_000 },
      (_, i) => `(declare-const x${i} Int) (assert (> x${i} ${i}))`,
    ).join("\n");
    for (let i = 0; i < 20; i++) {
      const answer = await solver.check(
        { text: `${text} (assert false)`, values: [] },
        { ...limits, memoryMb: 40 },
      );
      expect(answer).toEqual({ kind: "unsat" });
    }
  });
});

/** Modules in the place of Z3's, each unwell in its own way. */
const unwell: readonly (readonly [name: string, body: string, reason: string, detail: RegExp])[] = [
  ["throws", "throw new Error('boom')", "crashed", /boom/],
  ["traps", "throw new WebAssembly.RuntimeError('unreachable')", "crashed", /unreachable/],
  ["ends its program", "throw { name: 'ExitStatus', status: 7 }", "crashed", /status 7/],
  ["is out of memory", "throw { name: 'ExitStatus', status: 101 }", "memory", /./],
  ["ends its thread", "process.exit(3)", "crashed", /code 3/],
  ["never returns", "for (;;);", "timeout", /no answer/],
  ["fails without a word", "code = 12; return write('')", "crashed", /error 12/],
  ["overflows its stack", "(function f() { f(); })()", "crashed", /stack/],
];

describe("a worker that", () => {
  it.each(unwell)("%s gives an answer, and the next one is well", async (_, body, reason, detail) => {
    await withSolver(unwellZ3(body), async (solver) => {
      const check = (text: string) => solver.check({ text, values: [] }, { ...limits, timeoutMs: 2_000 });
      expect(await check("; be unwell")).toEqual({
        kind: "unknown",
        reason,
        detail: expect.stringMatching(detail),
      });
      expect(await check("; be well")).toEqual({ kind: "unsat" });
    });
  });

  it.each([
    ["cannot be loaded", "throw new Error('no such thing')", /no such thing/],
    ["cannot be made ready", "module.exports = async () => { throw new Error('not today') }", /not today/],
    ["ends at once", "process.exit(4)", /code 4/],
  ])("%s is reported", async (_, body, detail) => {
    await withSolver(z3Wasm({ engines: 1, files: moduleOf(body) }), async (solver) => {
      const answer = await solver.check({ text: "", values: [] }, limits);
      expect(answer).toEqual({ kind: "unknown", reason: "crashed", detail: expect.stringMatching(detail) });
      await expect(solver.version()).rejects.toThrow(detail);
    });
  });
});

async function withSolver<T>(solver: Solver, use: (solver: Solver) => Promise<T>): Promise<T> {
  try {
    return await use(solver);
  } finally {
    await solver.close();
  }
}

/** Is unwell when the script says so, and otherwise takes everything for unsatisfiable. */
function unwellZ3(body: string): Solver {
  const text = `
const memory = new Uint8Array(4096);
let code = 0;
const read = (at) => Buffer.from(memory.subarray(at, memory.indexOf(0, at))).toString();
const write = (text) => (memory.set(Buffer.from(text + "\\0"), 2048), 2048);
module.exports = async () => ({
  HEAPU8: memory, UTF8ToString: read, _malloc: () => 0x100, _free() {}, _set_noop_error_handler() {},
  _Z3_get_full_version: () => write("Z3 9.9.9"), _Z3_global_param_reset_all() {}, _Z3_global_param_set() {},
  _Z3_mk_config: () => 1, _Z3_del_config() {}, _Z3_mk_context: () => 1, _Z3_del_context() {},
  _Z3_get_error_code: () => code,
  _Z3_eval_smtlib2_string(context, commands) {
    const asked = read(commands);
    if (asked.includes("be unwell")) { ${body} }
    return write(asked.includes("check-sat") ? "unsat" : "");
  },
});`;
  return z3Wasm({ engines: 1, files: moduleOf(text) });
}

let modules = 0;

function moduleOf(text: string) {
  const script = join(folder, `module-${modules++}.cjs`);
  writeFileSync(script, text);
  // A module of nothing, which compiles at once.
  const wasm = join(folder, "empty.wasm");
  writeFileSync(wasm, Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  return { ...z3Files(), script, wasm };
}
