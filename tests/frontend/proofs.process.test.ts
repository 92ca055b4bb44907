/**
 * From source to verdict: what is proved of a random TypeScript program holds when JavaScript runs it, judged by plain
 * JavaScript on the calls that were made. Neither our interpreter nor our judge has a say in it.
 */
import { afterAll, expect, test } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { byLooking, type Tally, wrongProofs } from "../support/net/attempt.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";
import { Source } from "./arbitrary-source.ts";
import { labModule, runAsJavaScript, sourceOf, type Trace } from "./lab.ts";

const solver = z3Wasm();
afterAll(() => solver.close());
const limits = { timeoutMs: 1_000, resources: 50_000 };

const contracts = `
export const puts = contract((n: number) => put.count() <= n);
export const exactly = contract((n: number) => put.count() === n);
export const small = contract((n: number) => put.all((p) => p.n <= n));
export const total = contract((n: number) => put.sum((p) => p.n) <= n);
export const said = contract((text: string) => say.some((s) => s.text === text));
export const unsaid = contract((text: string) => say.none((s) => s.text === text));
export const saidOnce = contract(() => say.distinct((s) => s.text));
export const tells = contract((n: number) => answer.count() <= n);
export const silent = contract(() => answer.none());
export const toldAfterPut = contract(() => put.before(answer));
export const outs = contract((n: number) => labelled("out").count() <= n);
`;

type Calls = Trace["calls"];
const module = `${labModule.replace("contract, fluent,", "answer, contract, fluent, labelled,")}${contracts}`;
const numbers = (calls: Calls) =>
  calls.filter(({ tool }) => tool === "put").map(({ args }) => Reflect.get(args as object, "n") as number);
const texts = (calls: Calls) =>
  calls.filter(({ tool }) => tool === "say").map(({ args }) => Reflect.get(args as object, "text") as string);

interface Promised {
  readonly source: string;
  /** @param told the number of answers and notes */
  readonly holds: (calls: Calls, told: number) => boolean;
}

/** Guarantees that just hold or just fail in the recorded run. */
function promises({ calls: seen, notes, result }: Trace): Promised[] {
  const tells = notes.length + (result === undefined ? 0 : 1);
  const [puts, said] = [numbers(seen), texts(seen)];
  const most = Math.max(0, ...puts);
  const sum = puts.reduce((a, b) => a + b, 0);
  const word = said.at(-1) ?? "?";
  return [
    ...[tells, tells - 1].map((n) => ({
      source: `lab.tells(${n})`,
      holds: (_: Calls, told: number) => told <= n,
    })),
    { source: "lab.silent()", holds: (_, told) => told === 0 },
    { source: "lab.toldAfterPut()", holds: (calls, told) => told === 0 || numbers(calls).length > 0 },
    ...[puts.length, puts.length - 1].map((n) => ({
      source: `lab.puts(${n})`,
      holds: (calls: Calls) => numbers(calls).length <= n,
    })),
    { source: `lab.exactly(${puts.length})`, holds: (calls) => numbers(calls).length === puts.length },
    ...[most, most + 100].map((n) => ({
      source: `lab.small(${n})`,
      holds: (calls: Calls) => numbers(calls).every((x) => x <= n),
    })),
    { source: `lab.total(${sum})`, holds: (calls) => numbers(calls).reduce((a, b) => a + b, 0) <= sum },
    { source: `lab.said(${JSON.stringify(word)})`, holds: (calls) => texts(calls).includes(word) },
    { source: `lab.unsaid("never")`, holds: (calls) => !texts(calls).includes("never") },
    { source: "lab.saidOnce()", holds: (calls) => new Set(texts(calls)).size === texts(calls).length },
    {
      source: `lab.outs(${puts.length + said.length})`,
      holds: (calls) =>
        calls.filter(({ tool }) => ["say", "put"].includes(tool)).length <= puts.length + said.length,
    },
  ];
}

test("what is proved of a program holds when JavaScript runs it", { timeout: 600_000 }, async () => {
  const tally = { proved: 0, refuted: 0, unknown: 0 };
  const attempts: Tally = new Map();
  const first = (givenSeed() ?? 1) % 1_000_000;
  for (let seed = first; seed < first + runs(25); seed++) {
    const bare = sourceOf(new Source(seed).program());
    const traces: Trace[] = [];
    for (let scenario = 1; scenario <= 6; scenario++)
      traces.push(await runAsJavaScript(bare, undefined, scenario));
    const stated = promises(traces[0] ?? { calls: [], notes: [], end: "" });
    const source = bare.replace("lab.nothing()", stated.map((one) => one.source).join(", "));
    const files: Record<string, string> = { "program.ts": source, "tools/lab.ts": module };
    const compiled = compileProgram("program.ts", { readFile: (path) => files[path] });
    // A list that is returned before a `finally` may still be changed there; one returned out of a loop has elements of one type.
    if (!compiled.ok && compiled.problems.every(({ code }) => code === "FC2312" || code === "FC2107"))
      continue;
    if (!compiled.ok)
      throw new Error(`seed ${seed}\n${JSON.stringify(compiled.problems, null, 1)}\n${source}`);
    const checked = check(compiled.value.document);
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const proof = await prove(checked.value, { solver: async () => solver, limits, search: "short" });
    expect(await wrongProofs(checked.value, seed, byLooking, attempts)).toEqual([]);
    // A run that the program's own needs forbid is not one that the guarantees speak of.
    const isWhole = proof.obligations.every(({ verdict }) => verdict.kind === "proved");
    proof.guarantees.forEach(({ verdict }, i) => {
      tally[verdict.kind]++;
      if (verdict.kind !== "proved" || !isWhole) return;
      for (const { calls, end, notes, result } of traces.filter((trace) => trace.end === "done"))
        expect(
          stated[i]?.holds(calls, notes.length + (result === undefined ? 0 : 1)),
          `seed ${seed}: ${stated[i]?.source} ${end}\n${source}`,
        ).toBe(true);
    });
  }
  expect(tally.proved).toBeGreaterThan(atLeast(10));
  expect(tally.refuted).toBeGreaterThan(atLeast(10));
  expect(attempts.get("attempted") ?? 0).toBeGreaterThan(atLeast(10));
});
