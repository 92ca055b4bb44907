/** Z3 reads every literal as the value that it was written for. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { runs } from "../../../../tests/support/runs.ts";
import { equal, ratio } from "../../../ir/index.ts";
import { literal } from "./literals.ts";
import type { Scalar, Sort } from "./port.ts";
import { z3Wasm } from "./z3-wasm.ts";

const limits = { timeoutMs: 60_000, resources: 2 ** 32 - 1 };
const solver = z3Wasm({ engines: 2 });
afterAll(() => solver.close());

const integer = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }),
);
const positive = fc.bigInt({ min: 1n, max: 10n ** 40n });
const rational = fc.oneof(
  integer,
  fc.tuple(integer, fc.oneof(fc.bigInt({ min: 1n, max: 100n }), positive)).map(([n, d]) => ratio(n, d)),
);
const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const awkward = fc.constantFrom(
  '"',
  '""',
  "\\",
  "\\\\",
  "\\u",
  "\\u{",
  "\\u{62}",
  "\\u0062",
  "}",
  "{",
  "\\x41",
  "u{5c}",
);
const text = fc
  .array(fc.oneof(unit, awkward, fc.string({ maxLength: 5 })), { maxLength: 12 })
  .map((parts) => parts.join(""));

/** Each: a sort, values of it, and how many to try. */
const sorts: readonly (readonly [Sort, fc.Arbitrary<Scalar>, number])[] = [
  ["Bool", fc.boolean(), 10],
  ["Int", integer, 1_000],
  ["Real", rational, 1_000],
  ["String", text, 1_000],
];

describe("literals of", () => {
  it.each(sorts)("%s are read back", async (sort, arbitrary, count) => {
    const values = fc.sample(arbitrary, runs(count));
    await Promise.all([...batches(values, 500)].map((batch) => readBack(sort, batch)));
  });

  it("every code unit are read back", async () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const texts = [...batches(all, 256)].map((units) => units.join(""));
    await readBack("String", texts);
  });
});

/** As a constant of the model, which goes through the solver, and as a literal that is asked for as it is. */
async function readBack(sort: Sort, values: readonly Scalar[]): Promise<void> {
  const lines = values.map(
    (value, i) => `(declare-const x${i} ${sort}) (assert (= x${i} ${literal(value, sort)}))`,
  );
  const wanted = values.flatMap((value, i) => [
    { name: `x${i}`, sort },
    { name: `literal ${i}`, sort, term: literal(value, sort) },
  ]);
  const answer = await solver.check({ text: lines.join("\n"), values: wanted }, limits);
  if (answer.kind !== "sat") throw new Error(JSON.stringify(answer));
  const wrong = values.filter((value, i) => {
    const [constant, asked] = [answer.model.get(`x${i}`), answer.model.get(`literal ${i}`)];
    return constant === undefined || asked === undefined || !equal(constant, value) || !equal(asked, value);
  });
  expect(wrong).toEqual([]);
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}
