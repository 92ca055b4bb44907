/** Every rewrite of the factory is an equality: the simplified term and the plain tree agree for all values. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  assignments,
  bools,
  build,
  ints,
  reals,
  strings,
  type Tree,
} from "../../../tests/support/arbitrary-term.ts";
import { evalTerm } from "../../../tests/support/eval-term.ts";
import { runs } from "../../../tests/support/runs.ts";
import { compare, type Num } from "../../ir/number.ts";
import type { Value } from "../../ir/value.ts";
import { Terms } from "./factory.ts";
import type { Sort, Term } from "./term.ts";

/** The tree without any simplification: each node folded on its own, from the values of its parts. */
function direct(tree: Tree, assign: (name: string) => Value): Value {
  if (tree.kind === "literal") return tree.value;
  if (tree.kind === "constant") return assign(tree.name);
  const parts = tree.args.map((arg) => direct(arg, assign));
  const terms = new Terms();
  const sortOf = (value: Value): Sort =>
    typeof value === "boolean"
      ? "Bool"
      : typeof value === "string"
        ? "String"
        : typeof value === "bigint"
          ? "Int"
          : "Real";
  return evalTerm(
    terms.apply(tree.op, ...parts.map((part) => terms.literal(part, sortOf(part)))),
    () => undefined,
  );
}

const anyTree = fc.oneof(bools, ints, reals, strings);

test("a simplified term has the value of the tree it was built from", () => {
  fc.assert(
    fc.property(anyTree, assignments, (tree, assign) => {
      const term = build(new Terms(), tree);
      expect(evalTerm(term, assign)).toStrictEqual(direct(tree, assign));
    }),
    { numRuns: runs(5_000) },
  );
});

test("a number is within the range of its term", () => {
  fc.assert(
    fc.property(fc.oneof(ints, reals), assignments, (tree, assign) => {
      const terms = new Terms();
      const term = build(terms, tree);
      const value = evalTerm(term, assign) as Num;
      const { low, high } = terms.ranges.of(term);
      if (low !== undefined) expect(compare(low, value)).toBeLessThanOrEqual(0);
      if (high !== undefined) expect(compare(value, high)).toBeLessThanOrEqual(0);
    }),
    { numRuns: runs(3_000) },
  );
});

describe("what is decided by construction", () => {
  const terms = new Terms();
  const x = terms.constant("x", "Int");
  const y = terms.constant("y", "Int");
  const b = terms.constant("b", "Bool");
  const five = terms.int(5);
  it.each<[string, Term, Term]>([
    ["equal terms are one object", terms.apply("+", x, y), terms.apply("+", x, y)],
    ["a condition and its opposite", terms.and(b, terms.not(b)), terms.false],
    ["a condition or its opposite", terms.or(b, terms.not(b)), terms.true],
    ["twice not", terms.not(terms.not(b)), b],
    ["like terms", terms.apply("-", terms.apply("+", x, x), terms.apply("*", terms.int(2), x)), terms.int(0)],
    ["a bound by a minimum", terms.apply("<=", terms.apply("min", x, five), five), terms.true],
    ["a bound by choice", terms.apply("<", five, terms.ite(b, terms.int(1), terms.int(2))), terms.false],
    [
      "a sum of choices",
      terms.apply(
        "<=",
        terms.sum([terms.ite(b, five, terms.int(0)), terms.ite(terms.not(b), five, terms.int(0))], "Int"),
        terms.int(10),
      ),
      terms.true,
    ],
    ["different words", terms.equal(terms.literal("a", "String"), terms.literal("b", "String")), terms.false],
    ["greater is less, turned round", terms.apply(">", x, y), terms.apply("<", y, x)],
    ["not less is at most, turned round", terms.not(terms.apply("<", x, y)), terms.apply("<=", y, x)],
  ])("%s", (_, built, expected) => {
    expect(built).toBe(expected);
  });

  it("nothing else: an open question stays one", () => {
    for (const open of [terms.equal(x, y), terms.apply("<=", x, five), terms.or(b, terms.equal(x, five))]) {
      expect(open.kind).toBe("apply");
    }
  });
});
