/**
 * An adversary's programs. Each guarantee is broken by a run under Node; then the program is refused, or the interpreter makes
 * the same calls and the guarantee is not proved, with the search for counterexamples switched off, which would hide a wrong
 * proof. A run of the tests takes every eighth condition and every third program by its seed; a soak takes all.
 */
import { afterAll, expect, it } from "vitest";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { seed } from "../support/runs.ts";
import { type Attack, attempt, compiled, runCompiled, sourceOf } from "./attempt.ts";
import { type Surprise, surprises } from "./expressions.ts";
import { attacks, type Hostile } from "./programs.ts";
import { type Call, type NodeRun, type Results, runUnderNode } from "./world.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const turn = seed() ?? Math.floor(Math.random() * 1000);
const isSoak = process.env.FORECLAIM_SOAK !== undefined;

function inTurn<T>(all: readonly T[], parts: number): readonly T[] {
  return isSoak ? all : all.filter((_, i) => i % parts === turn % parts);
}

it.each(inTurn(surprises, 8))("a condition that is true: %s", { timeout: 120_000 }, async (...surprise) => {
  const { input, given, constants } = inputsOf(surprise);
  const body = `if (${surprise[0]}) await t.evil();`;
  await notProved({ guarantee: "quiet()", body, input }, given, {});
  await notProved({ guarantee: "quiet()", body: `${constants} ${body}` }, undefined, {});
});

it.each(inTurn(Object.keys(attacks), 3))("%s", { timeout: 120_000 }, async (name) => {
  const attack = attacks[name];
  if (attack === undefined) throw new Error(name);
  await notProved(attack, attack.given, attack.results ?? {}, attack);
});

it("most of them compile: a refusal says nothing about proofs", () => {
  const sources = Object.values(attacks).map((attack) => sourceOf(attack));
  const taken = sources.filter((source) => !("length" in compiled(source))).length;
  expect(taken / sources.length).toBeGreaterThan(0.9);
});

async function notProved(attack: Attack, given: unknown, results: Results, { other }: Partial<Hostile> = {}) {
  const source = sourceOf(attack);
  const node = await runUnderNode(source, given, results);
  const isBroken =
    other === undefined ? node.broken : seenIn(node) !== seenIn(await runUnderNode(source, given, other));
  expect(isBroken, `Node breaks the guarantee: ${node.end}\n${source}`).toBe(true);
  const checked = compiled(source);
  if ("length" in checked) return;
  const run = await runCompiled(checked, given, results);
  const proof = await attempt(checked, solver);
  // A run may be interrupted anywhere; but what it requires is proved before it starts.
  if (run.end.startsWith("FC1503")) expect(proof.all, `${run.end}\n${source}`).not.toBe("proved");
  else if (run.end.startsWith("FC"))
    expect(plain(node.calls).slice(0, run.calls.length)).toEqual(plain(run.calls));
  else {
    expect(plain(run.calls), source).toEqual(plain(node.calls));
    expect(proof.guarantee, source).not.toBe("proved");
  }
}

/** Everything that others see of a run: calls, save what the endorser was asked, and the answer. */
function seenIn({ calls, told }: NodeRun): string {
  return JSON.stringify([plain(calls).map(([tool, args]) => (tool === "vet" ? [tool] : [tool, args])), told]);
}

function plain(calls: readonly Call[]): readonly (readonly [string, unknown])[] {
  return calls.map(({ tool, args }) => [tool, args]);
}

function inputsOf([, values]: Surprise) {
  const inputs = Object.entries(values).map(([key, value]) => {
    const [name = "", type = typeOf(value)] = key.split(/: (.*)/s);
    return { name, type, value };
  });
  const names = inputs.map(({ name }) => name).join(", ");
  const types = inputs.map(({ name, type }) =>
    type.endsWith("| undefined") ? `${name}?: ${type.replace("| undefined", "")}` : `${name}: ${type}`,
  );
  return {
    input: `{ ${names} }: { ${types.join("; ")} }`,
    given: Object.fromEntries(inputs.map(({ name, value }) => [name, value])),
    constants: inputs
      .map(({ name, type, value }) => `const ${name}: ${type} = ${JSON.stringify(value)};`)
      .join(" "),
  };
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? `${typeof value[0]}[]` : typeof value;
}
