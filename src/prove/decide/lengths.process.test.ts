/** Laws of lengths, stated without the theory of texts, are true of texts in the interpreter. */
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { runs } from "../../../tests/support/runs.ts";
import { readDocument, run } from "../../ir/index.ts";
import { Terms } from "../terms/factory.ts";
import type { Sort } from "../terms/term.ts";
import { plainScriptFor } from "./encode.ts";
import { z3Wasm } from "./solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const limits = { timeoutMs: 60_000, resources: 5_000_000 };
const text = fc.string({ maxLength: 6, unit: fc.constantFrom("a", "B", " ", "ß", "İ", "-", "1") });
const place = fc.integer({ min: -9, max: 9 }).map(BigInt);
const whole = fc.oneof(place, fc.integer({ min: -1_000_001, max: 1_000_001 }).map(BigInt));

type Given = readonly (string | bigint)[];
const operators: readonly (readonly [op: string, sort: Sort, given: fc.Arbitrary<Given>])[] = [
  ["trim", "String", fc.tuple(text)],
  ["trimStart", "String", fc.tuple(text)],
  ["trimEnd", "String", fc.tuple(text)],
  ["toLowerCase", "String", fc.tuple(text)],
  ["toUpperCase", "String", fc.tuple(text)],
  ["textOf", "String", fc.tuple(whole)],
  ["padStart", "String", fc.tuple(text, place, text)],
  ["padEnd", "String", fc.tuple(text, place, text)],
  ["++", "String", fc.tuple(text, text)],
  ["slice", "String", fc.tuple(text, place, place)],
  ["replaceFirst", "String", fc.tuple(text, text, text)],
  ["replaceAll", "String", fc.tuple(text, text, text)],
  ["startsWith", "Bool", fc.tuple(text, text)],
  ["endsWith", "Bool", fc.tuple(text, text)],
  ["contains", "Bool", fc.tuple(text, text)],
];

/** The value in the interpreter. */
async function interpreted(op: string, given: Given): Promise<unknown> {
  const written = given.map((one) => (typeof one === "bigint" ? `(${one})` : JSON.stringify(one)));
  const type = ["startsWith", "endsWith", "contains"].includes(op) ? "bool" : "string";
  const expr = op === "++" ? written.join(" ++ ") : `${op}(${written.join(", ")})`;
  const read = readDocument(
    `effect-ir 1\ntool t.tell(it: ${type})\nprogram () {\n  call t.tell(it: ${expr})\n}\n`,
  );
  if (!read.ok) throw new Error(`${expr}: ${JSON.stringify(read.problems)}`);
  const { trace } = await run(read.value.checked, {
    inputs: { kind: "record", fields: {} },
    tools: new Map([["t.tell", { run: () => undefined }]]),
  });
  return trace[0]?.args.fields.it;
}

it.each(operators)("%s", { timeout: 120_000 }, async (op, sort, arbitrary) => {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (given) => {
      const made = await interpreted(op, given);
      const terms = new Terms();
      const names = given.map((one, i) =>
        terms.constant(`x${i}`, typeof one === "bigint" ? "Int" : "String"),
      );
      const literals = given.map((one) => terms.literal(one, typeof one === "bigint" ? "Int" : "String"));
      const same = names.map((name, i) => terms.equal(name, literals[i] ?? name));
      const args = op === "textOf" ? names.map((name) => terms.toReal(name)) : names;
      const applied = terms.apply(op, ...args);
      expect(applied.sort).toBe(sort);
      const length = (term: typeof applied) => terms.apply("length", term);
      const [first = applied] = names;
      const lengths =
        typeof made === "string"
          ? [terms.equal(length(applied), terms.int(made.length))]
          : [made === true ? applied : terms.not(applied), terms.apply("<=", terms.int(0), length(first))];
      const script = plainScriptFor([...same, ...lengths], terms.false);
      if (script === undefined) throw new Error("there is a text in it");
      expect((await solver.check(script, limits)).kind).toBe("sat");
    }),
    { numRuns: runs(12) },
  );
});

it("says enough to bound what is cut and put together", async () => {
  const terms = new Terms();
  const [a, n] = [terms.constant("a", "String"), terms.constant("n", "Int")];
  const cut = terms.apply("slice", terms.apply("trim", a), terms.int(0), n);
  const both = terms.apply("++", cut, terms.literal("abc", "String"));
  const within = terms.apply("<=", terms.apply("length", both), terms.apply("+", n, terms.int(3)));
  const asked = async (least: number) => {
    const script = plainScriptFor([terms.apply("<=", terms.int(least), n)], within);
    return script && (await solver.check(script, limits)).kind;
  };
  expect(await asked(0)).toBe("unsat");
  expect(await asked(-1)).toBe("sat");
});
