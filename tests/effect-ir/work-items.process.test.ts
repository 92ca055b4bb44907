/**
 * The promises of an explicit middle layer, one after the other, on the examples: a grammar with a name and a
 * version, a serialized form, the same result from it, an analysis, a certificate, and documents written by hand.
 * Tests that go further are named beside each.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkCertificate } from "../../src/certificate/index.ts";
import { relate } from "../../src/compare/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import {
  type Checked,
  check,
  documentToJson,
  type Expr,
  hashDocument,
  jsonSchema,
  parseExpr,
  printDocument,
  readDocument,
} from "../../src/ir/index.ts";
import { certify } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { viewOf } from "../../src/view/index.ts";
import { type Example, examples, readFile } from "../examples/examples.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const limits = { timeoutMs: 20_000, resources: 20_000_000 };
const root = join(import.meta.dirname, "../..");

function compiled({ path }: Pick<Example, "path">): Checked | undefined {
  const found = compileProgram(path, { readFile });
  if (!found.ok) return undefined;
  const checked = check(found.value.document);
  if (!checked.ok) throw new TypeError("a compiled document does not check");
  return checked.value;
}

function readBack(text: string): Checked {
  const read = readDocument(text);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value.checked;
}

const payCard = join(root, "examples/bank/pay-card.ts");

// Further: spec/effect-ir, tests/conformance.
test("the grammar is a file, and has a name and a version that readers insist on", () => {
  const grammar = readFileSync(join(root, "src/ir/text/grammar.ebnf"), "utf8");
  expect(grammar).toContain('"effect-ir"');
  for (const form of ["forall", "exists", "count", "sum", "distinct", "precedes", "when"])
    expect(grammar).toContain(`"${form}"`);
  expect(JSON.stringify(jsonSchema())).toContain("effectIr");
  expect(readDocument("effect-ir 1").ok).toBe(true);
  const other = readDocument("effect-ir 999");
  expect(other.ok ? [] : other.problems.map(({ code }) => code)).toEqual(["FC1006"]);
});

// Further: tests/laws/round-trip.test.ts, for random documents.
test("every example is written down as text and as JSON, and is the same document again", {
  timeout: 180_000,
}, () => {
  let written = 0;
  for (const example of examples) {
    const checked = compiled(example);
    if (checked === undefined) continue;
    const { document } = checked;
    const hash = hashDocument(document);
    expect(hashDocument(readBack(printDocument(document)).document), example.path).toBe(hash);
    expect(hashDocument(readBack(JSON.stringify(documentToJson(document))).document), example.path).toBe(
      hash,
    );
    written++;
  }
  expect(written).toBeGreaterThan(100);
});

// Further: tests/examples/verdicts.process.test.ts, for what is proved of each example.
test("what was written down has the same verdicts as what was compiled", async () => {
  const checked = compiled({ path: payCard });
  if (checked === undefined) throw new Error("it compiles");
  const verdicts = async (one: Checked) => {
    const { guarantees, obligations } = await prove(one, { solver: async () => solver, limits });
    return JSON.stringify([guarantees, obligations].map((all) => all.map(({ verdict }) => verdict.kind)));
  };
  expect(await verdicts(readBack(printDocument(checked.document)))).toBe(await verdicts(checked));
});

// Further: tests/compare/relations.process.test.ts, against all short traces.
test("an analysis of documents alone: which guarantee follows from which", async () => {
  const checked = compiled({ path: payCard });
  if (checked === undefined) throw new Error("it compiles");
  const { tools, fluents } = checked.document;
  const ask = (a: string, b: string) =>
    relate([formula(a)], [formula(b)], { tools, fluents }, { solver: async () => solver, limits });
  const spent = (limit: number) => `sum(w in bank.withdraw: w.amount) <= ${limit}`;
  expect((await ask(spent(100), spent(150))).kind).toBe("stronger");
  expect((await ask(spent(150), spent(150))).kind).toBe("equivalent");
  expect((await ask("count(w in bank.withdraw) >= 2", "count(w in bank.withdraw) <= 1")).kind).toBe(
    "contradictory",
  );
  // The same document as description logic; further: tests/view.
  expect(viewOf(checked).guarantees.map(({ status }) => status)).toContain("faithful");
});

function formula(text: string): Expr {
  const parsed = parseExpr(text);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.value.expr;
}

// Further: tests/certify, for every example, random programs and every changed byte.
test("a certificate is checked without the front end and without the prover", async () => {
  const checked = compiled({ path: payCard });
  if (checked === undefined) throw new Error("it compiles");
  const found = await certify(checked, () => replayerOf(solver));
  if (found.kind === "notYet") throw new Error(found.why);
  const options = { solvers: async () => [await replayerOf(solver)] };
  expect(await checkCertificate(found.text, options)).toMatchObject({ kind: "valid" });
  expect(await checkCertificate(found.text.replace("500", "501"), options)).not.toMatchObject({
    kind: "valid",
  });
  const imported = readFileSync(join(root, "scripts/rooms.mjs"), "utf8");
  expect(imported).toContain('certificate: ["ir"],');
});

test("a document that is written by hand is proved as one that was compiled", async () => {
  const text = readFileSync(join(root, "examples/pay-card.eir"), "utf8");
  const proof = await prove(readBack(text), { solver: async () => solver, limits });
  expect(proof.guarantees.map(({ verdict }) => verdict.kind)).toEqual(proof.guarantees.map(() => "proved"));
  expect(proof.guarantees.length).toBeGreaterThan(0);
});
