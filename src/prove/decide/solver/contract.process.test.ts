/**
 * Contract of every solver backend: one suite, run against each. An installed solver is tested where there is one
 * that is new enough: on the path, or where FORECLAIM_Z3 and FORECLAIM_CVC5 say. In CI there must be a cvc5.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedCvc5, installedZ3 } from "../../../../tests/support/installed.ts";
import { ratio } from "../../../ir/index.ts";
import { literal, nativeSolver, type Scalar, type Solver, type Sort, z3Wasm } from "./index.ts";
import type { SolverLimits } from "./port.ts";
import { z3Files } from "./wasm-engine.ts";

const limits: SolverLimits = { timeoutMs: 30_000, resources: 50_000_000 };
const folder = mkdtempSync(join(tmpdir(), "foreclaim-solver-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Backend {
  readonly name: string;
  readonly kind: "z3" | "cvc5";
  /** Undefined where there is none. */
  readonly open: (() => Solver) | undefined;
}

const backends: readonly Backend[] = [
  { name: "z3 in a worker", kind: "z3", open: () => z3Wasm({ engines: 2 }) },
  { name: "z3 behind a pipe", kind: "z3", open: () => nativeSolver(pipedZ3(), { engines: 2 }) },
  installed("z3", installedZ3()),
  installed("cvc5", installedCvc5()),
];

/** Each: what they are, their sort, and the values. */
const valuesOf: readonly (readonly [string, Sort, readonly Scalar[]])[] = [
  ["booleans", "Bool", [true, false]],
  ["integers", "Int", [0n, -1n, 42n, 10n ** 40n, -(2n ** 64n)]],
  ["rationals", "Real", [0n, -3n, ratio(1n, 3n), ratio(-22n, 7n), ratio(1n, 10n ** 30n), 10n ** 30n]],
  ["strings of ASCII", "String", ["", "plain", 'say "hi" ""', "|;()", " \t\n\r\0\x7f", "a".repeat(500)]],
  ["what looks like an escape", "String", ["a\\b\\\\", "\\u{62}", "\\u0062 \\x41 \\n", "\\u{5c}u{62}", "\\"]],
  ["code units", "String", ["é", "\u{1f600}", "\ud83d", "\ude00", "\ude00\ud83d", "\uffff\ufffe\ufeff"]],
];

for (const { name, kind, open } of backends) {
  if (open === undefined) {
    it.skipIf(true)(`${name}: there is none here`, () => {});
    continue;
  }
  describe(name, () => {
    let solver: Solver;
    beforeAll(() => {
      solver = open();
    });
    afterAll(() => solver.close());
    const check = (text: string, asked: Partial<SolverLimits> = {}) =>
      solver.check({ text, values: [] }, { ...limits, ...asked });

    it("tells its version", async () => {
      expect(await solver.version()).toMatch(/\d+\.\d+\.\d+/);
    });

    it("tells what can be from what cannot", async () => {
      expect(await check("(declare-const x Int) (assert (> x 5))")).toMatchObject({ kind: "sat" });
      expect(await check("(declare-const x Int) (assert (> x 5)) (assert (< x 6))")).toEqual({
        kind: "unsat",
      });
      expect(await check("; nothing is asserted")).toMatchObject({ kind: "sat" });
      expect(await check("(assert false) ; at the very end")).toEqual({ kind: "unsat" });
    });

    it.each(valuesOf)("gives back %s", async (_, sort, values) => {
      const names = values.map((_, i) => `x${i}`);
      const text = values.map(
        (value, i) => `(declare-const x${i} ${sort}) (assert (= x${i} ${literal(value, sort)}))`,
      );
      const wanted = names.map((n) => ({ name: n, sort }));
      expect(await solver.check({ text: text.join("\n"), values: wanted }, limits)).toEqual({
        kind: "sat",
        model: new Map(values.map((value, i) => [`x${i}`, value])),
        undecodable: new Map(),
      });
    });

    it("gives values for what nothing is known of, and for terms", async () => {
      const text =
        "(declare-const b Bool) (declare-const i Int) (declare-const r Real) (declare-const |s p| String) (declare-fun f (Int) Int) (assert (= (f 3) 7))";
      const answer = await solver.check(
        {
          text,
          values: [
            { name: "b", sort: "Bool" },
            { name: "i", sort: "Int" },
            { name: "r", sort: "Real" },
            { name: "|s p|", sort: "String" },
            { name: "of three", sort: "Int", term: "(+ (f 3) 1)" },
          ],
        },
        limits,
      );
      if (answer.kind !== "sat") throw new Error(JSON.stringify(answer));
      expect([...answer.model.keys()]).toEqual(["b", "i", "r", "|s p|", "of three"]);
      expect(answer.model.get("of three")).toBe(8n);
    });

    it("has strings of UTF-16 code units and of nothing else", async () => {
      const one = "(declare-const s String) (assert (= (str.len s) 1))";
      expect(await check(`${one} (assert (str.< "\\u{ffff}" s))`)).toEqual({ kind: "unsat" });
      const last = await solver.check(
        { text: `${one} (assert (str.< "\\u{fffe}" s))`, values: [{ name: "s", sort: "String" }] },
        limits,
      );
      expect(last).toMatchObject({ kind: "sat", model: new Map([["s", "\uffff"]]) });
      expect(await check(`(assert (= (str.len ${literal("\u{1f600}", "String")}) 2))`)).toMatchObject({
        kind: "sat",
      });
    });

    it("says that it does not know", async () => {
      const text =
        kind === "z3"
          ? '(declare-const s String) (assert (str.contains s "/../")) (assert (= (str.replace_all s "/../" "/") "/tmp/x"))'
          : "(declare-fun f (Int) Int) (assert (forall ((x Int) (y Int)) (=> (> x y) (> (* (f x) (f x)) (f y)))))";
      expect(await check(text)).toMatchObject({ kind: "unknown", reason: "incomplete" });
    });

    it("gives up at the deadline, and has the next script right", async () => {
      const startMs = performance.now();
      const [late, next] = await Promise.all([
        check(pigeons(12), { timeoutMs: 300, resources: 2 ** 32 - 1 }),
        check("(assert false)"),
      ]);
      expect(late).toEqual({ kind: "unknown", reason: "timeout", detail: "no answer within 300 ms" });
      expect(next).toEqual({ kind: "unsat" });
      expect(performance.now() - startMs).toBeLessThan(15_000);
      expect(await check("(assert false)")).toEqual({ kind: "unsat" });
    });

    it("gives up when nobody waits any more", async () => {
      const giveUp = new AbortController();
      setTimeout(() => giveUp.abort(), 100);
      expect(await check(pigeons(12), { resources: 2 ** 32 - 1, signal: giveUp.signal })).toMatchObject({
        reason: "cancelled",
      });
    });

    it("counts steps, and counts them alike every time", async () => {
      const few = { resources: 2_000 };
      const answers = [];
      for (let i = 0; i < 3; i++) {
        answers.push(await check(pigeons(8), few), await check(pigeons(3)), await check(pigeons(8), few));
      }
      for (const [i, answer] of answers.entries()) {
        if (i % 3 === 1) expect(answer).toEqual({ kind: "unsat" });
        else expect(answer).toMatchObject({ kind: "unknown", reason: "resources" });
      }
    });

    it.each([
      ["an unknown name", "(declare-const x Int) (assert (> y 5))", /y/],
      ["a wrong sort", "(declare-const x Int) (assert x)", /./],
      ["an unknown sort", "(declare-const x Money)", /Money/],
      ["an unknown function", "(assert (no-such-function 1))", /no-such-function/],
      ["two of a name", "(define-fun f () Int 1) (define-fun f () Int 2)", /f/],
      ["too few operands", "(assert (not))", /./],
      ["a bare command", "(assert)", /./],
    ])("reports %s, and lives on", async (_, text, detail) => {
      // The first assertion alone would be unsat: what was asked must not be answered in part.
      const answer = await check(`(assert false) ${text}`);
      expect(answer).toMatchObject({
        kind: "unknown",
        reason: "error",
        detail: expect.stringMatching(detail),
      });
      expect(await check("(assert false)")).toEqual({ kind: "unsat" });
    });

    it("reports a value that cannot be had", async () => {
      const asked = { text: "(declare-const x Int)", values: [{ name: "y", sort: "Int" }] } as const;
      expect(await solver.check(asked, limits)).toMatchObject({ kind: "unknown", reason: "error" });
      expect(await check("(assert false)")).toEqual({ kind: "unsat" });
    });

    it("keeps nothing from one script to the next", async () => {
      expect(await check("(set-logic ALL) (declare-const x Int) (assert (= x 1)) (assert (= x 2))")).toEqual({
        kind: "unsat",
      });
      expect(await check('(declare-const x String) (assert (= x "1"))')).toMatchObject({ kind: "sat" });
      expect(await check("(assert (= x 1))")).toMatchObject({ kind: "unknown", reason: "error" });
    });

    it("reads scripts that are long, and deep", async () => {
      const long = `(declare-const x Int) ${Array.from({ length: 5_000 }, (_, i) => `(assert (> x ${i}))`).join("\n")}`;
      expect(await check(`${long} (assert (< x 5000))`)).toEqual({ kind: "unsat" });
      const depth = 5_000;
      const deep = `(declare-const x Int) (assert (= x ${"(+ 1 ".repeat(depth)}x${")".repeat(depth)}))`;
      expect(await check(deep)).toEqual({ kind: "unsat" });
    });

    it("has 200 scripts right that are asked at once", async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) => {
          const text = `(declare-const x${i} Int) (declare-const s String) (assert (= x${i} (* ${i} 3))) (assert (= s "script ${i}"))`;
          if (i % 5 === 0) return check(`${text} (assert (distinct s "script ${i}"))`);
          const values = [
            { name: `x${i}`, sort: "Int" },
            { name: "s", sort: "String" },
          ] as const;
          return solver.check({ text, values }, limits);
        }),
      );
      for (const [i, answer] of answers.entries()) {
        if (i % 5 === 0) expect(answer).toEqual({ kind: "unsat" });
        else {
          const model = new Map<string, Scalar>([
            [`x${i}`, BigInt(i * 3)],
            ["s", `script ${i}`],
          ]);
          expect(answer).toMatchObject({ kind: "sat", model });
        }
      }
    });

    if (kind !== "z3") return;

    describe("as only this solver does", () => {
      it("says which number it cannot write", async () => {
        const text =
          "(declare-const x Real) (assert (= (* x x) 2.0)) (declare-const y Real) (assert (= y 0.5))";
        const values = [
          { name: "x", sort: "Real" },
          { name: "y", sort: "Real" },
        ] as const;
        expect(await solver.check({ text, values }, limits)).toEqual({
          kind: "sat",
          model: new Map([["y", ratio(1n, 2n)]]),
          undecodable: new Map([["x", expect.stringContaining("root-obj")]]),
        });
      });

      it("finds the invariant of a loop", async () => {
        const loop = (most: number) => `(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((t Int)) (=> (= t 0) (inv t))))
(assert (forall ((t Int) (x Int)) (=> (and (inv t) (>= x 0) (<= (+ t x) 500)) (inv (+ t x)))))
(assert (forall ((t Int)) (=> (and (inv t) (> t ${most})) false)))`;
        expect(await check(loop(500))).toMatchObject({ kind: "sat" });
        expect(await check(loop(499))).toEqual({ kind: "unsat" });
        // A logic with a tactic of its own leaves nothing behind.
        expect(await check("(declare-const x Int) (assert (= (* 2 x) 1))")).toEqual({ kind: "unsat" });
      });

      it("stays within its memory, and lives on", async () => {
        const many = Array.from(
          { length: 30_000 },
          (_, i) => `(declare-const x${i} Int) (assert (> x${i} ${i}))`,
        );
        expect(await check(many.join("\n"), { memoryMb: 20 })).toMatchObject({
          kind: "unknown",
          reason: "memory",
        });
        expect(await check("(assert false)")).toEqual({ kind: "unsat" });
      });
    });
  });
}

/** One pigeon more than there are holes: true by counting, long by cases. */
function pigeons(holes: number): string {
  const all = Array.from({ length: holes + 1 }, (_, i) => i);
  const each = all.slice(1).map((j) => j - 1);
  const declared = all.flatMap((i) => each.map((j) => `(declare-const p${i}.${j} Bool)`));
  const housed = all.map((i) => `(assert (or ${each.map((j) => `p${i}.${j}`).join(" ")} false))`);
  const alone = each.flatMap((j) =>
    all.flatMap((i) => all.slice(0, i).map((k) => `(assert (not (and p${i}.${j} p${k}.${j})))`)),
  );
  return [...declared, ...housed, ...alone].join("\n");
}

function installed(kind: "z3" | "cvc5", command: string | undefined): Backend {
  return {
    name: `the installed ${kind}`,
    kind,
    open: command === undefined ? undefined : () => nativeSolver(command, { engines: 2 }),
  };
}

/** A command that speaks as `z3 -in` does, made of the Z3 that is in the package. */
function pipedZ3(): string {
  return program(
    "piped-z3",
    `
if (process.argv.includes("--version")) { console.log("Z3 version 4.99.0 - 64 bit"); process.exit(); }
const { writeSync } = require("node:fs");
require(${JSON.stringify(z3Files().script)})({ print() {}, printErr() {} }).then((z3) => {
  let context = 0, read = "";
  const evaluate = (text) => z3.ccall("Z3_eval_smtlib2_string", "string", ["number", "string"], [context, text]);
  process.stdin.setEncoding("latin1").on("data", (text) => {
    read += text;
    if (!/\\(echo "[^"]*"\\)\\s*$/.test(read)) return;
    if (read.startsWith("(reset)")) {
      if (context !== 0) z3._Z3_del_context(context);
      context = z3._Z3_mk_context(z3._Z3_mk_config());
      z3._set_noop_error_handler(context);
    }
    const commands = read;
    read = "";
    try { writeSync(1, evaluate(commands)); } catch (error) { process.exit(error.status ?? 1); }
  }).on("end", () => process.exit());
});`,
  );
}

function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${text}`);
  chmodSync(path, 0o755);
  return path;
}
