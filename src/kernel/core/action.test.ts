/** Actions: what is written straight down is the canonical text, and reading it again gives the same action. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "../../ir/json/reader.ts";
import { canonicalText } from "../values/canonical.ts";
import { writtenReader } from "../values/decode.ts";
import { actionBody, actionText, decodeAction, readAction } from "./action.ts";
import { operations } from "./effects.ts";
import { decodePolicy } from "./policy.ts";

const read = decodePolicy({
  budgets: [
    { name: "z", limit: 100, within: "\u00e9" },
    { name: "\u00e9", limit: 1_000 },
    { name: "__proto__", limit: 9 },
  ],
});
if (!read.ok) throw new Error(read.problem.message);
const policy = read.value;

const name = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" });
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.bigInt(),
  fc.constantFrom(0.1, -1.5, 1e-9, 123.456),
  fc.string({ unit: "grapheme" }),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.oneof(name, fc.constant("__proto__")), fc.array(scalar, { maxLength: 2 }), {
    maxKeys: 3,
    noNullPrototype: false,
  }),
);
const effect = fc.oneof(
  fc.record({ key: name, op: fc.constantFrom(...operations.filter((op) => op !== "delete")), value }),
  fc.record({ key: name, op: fc.constant("delete") }),
);
const amount = fc.constantFrom("0", "1.5", 0.25, 2n, 0);
const cost = fc.oneof(
  amount,
  fc.dictionary(fc.constantFrom("z", "\u00e9", "__proto__"), amount, { noNullPrototype: true }),
);
const action = fc.record(
  {
    id: name,
    tool: name,
    args: value,
    effects: fc.array(effect, { maxLength: 4 }),
    cost,
    reads: fc.nat(),
    undo: value,
  },
  { requiredKeys: ["id"] },
);

test("the text of an action is canonical, and says all of it", () => {
  let taken = 0;
  fc.assert(
    fc.property(action, (given) => {
      const one = decodeAction(given, policy);
      if (!one.ok) return;
      taken++;
      const text = actionText(one.value);
      expect(text).toBe(canonicalText(actionBody(one.value)));
      const json = readJson(text);
      if (!json.ok) throw new Error("the text is not JSON");
      expect(actionText(readAction(writtenReader(), json.value.value, policy))).toBe(text);
    }),
    { numRuns: 1_000 },
  );
  expect(taken).toBeGreaterThan(800);
});
