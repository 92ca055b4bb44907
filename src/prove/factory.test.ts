/** Every rewrite of the factory is an equality: the simplified term and the plain tree agree for all values. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { evalTerm } from "../../tests/support/eval-term.ts";
import { runs } from "../../tests/support/runs.ts";
import { compare, type Num, ratio } from "../ir/number.ts";
import type { Value } from "../ir/value.ts";
import { Terms } from "./factory.ts";
import { rangeOf } from "./range.ts";
import type { Scalar, Sort, Term } from "./term.ts";

type Tree =
  | { readonly kind: "literal"; readonly sort: Sort; readonly value: Scalar }
  | { readonly kind: "constant"; readonly sort: Sort; readonly name: string }
  | { readonly kind: "apply"; readonly op: string; readonly args: readonly Tree[] };

const numbers = [0n, 1n, -1n, 2n, 5n, ratio(1n, 2n), ratio(-7n, 3n)] as const;
const texts = ["", "a", "b", "ab"] as const;

const { bools, ints, reals, strings } = fc.letrec<{ bools: Tree; ints: Tree; reals: Tree; strings: Tree }>(
  (tie) => {
    const leaf = (sort: Sort, values: readonly Scalar[]): fc.Arbitrary<Tree> =>
      fc.oneof(
        fc.constantFrom(...values).map((value) => ({ kind: "literal", sort, value }) as const),
        fc
          .constantFrom("x", "y", "z")
          .map((name) => ({ kind: "constant", sort, name: `${sort}${name}` }) as const),
      );
    const apply = (op: string, ...args: readonly (keyof typeof kinds)[]): fc.Arbitrary<Tree> =>
      fc
        .tuple(...args.map((arg) => tie(kinds[arg])))
        .map((parts) => ({ kind: "apply", op, args: parts }) as const);
    const kinds = { B: "bools", I: "ints", R: "reals", S: "strings" } as const;
    return {
      bools: fc.oneof(
        { depthSize: "small" },
        leaf("Bool", [true, false]),
        ...["and", "or"].flatMap((op) => [apply(op, "B", "B"), apply(op, "B", "B", "B")]),
        apply("not", "B"),
        apply("implies", "B", "B"),
        apply("if", "B", "B", "B"),
        ...["==", "!="].flatMap((op) => [
          apply(op, "B", "B"),
          apply(op, "I", "R"),
          apply(op, "I", "I"),
          apply(op, "S", "S"),
        ]),
        ...["<", "<=", ">", ">="].flatMap((op) => [
          apply(op, "I", "I"),
          apply(op, "R", "I"),
          apply(op, "R", "R"),
          apply(op, "S", "S"),
        ]),
        apply("contains", "S", "S"),
        apply("startsWith", "S", "S"),
        apply("isInteger", "R"),
      ),
      ints: fc.oneof(
        { depthSize: "small" },
        leaf("Int", [0n, 1n, -1n, 2n, 5n]),
        ...["+", "-", "*", "min", "max", "remainder"].map((op) => apply(op, "I", "I")),
        apply("+", "I", "I", "I"),
        apply("negate", "I"),
        apply("abs", "I"),
        apply("floor", "R"),
        apply("length", "S"),
        apply("if", "B", "I", "I"),
      ),
      reals: fc.oneof(
        { depthSize: "small" },
        leaf("Real", [...numbers]),
        ...["+", "-", "*", "/", "min", "max"].flatMap((op) => [apply(op, "R", "R"), apply(op, "R", "I")]),
        apply("+", "R", "I", "R"),
        apply("negate", "R"),
        apply("abs", "R"),
        apply("if", "B", "R", "I"),
        apply("if", "B", "R", "R"),
      ),
      strings: fc.oneof(
        { depthSize: "small" },
        leaf("String", [...texts]),
        apply("++", "S", "S"),
        apply("if", "B", "S", "S"),
      ),
    };
  },
);

const assignment = fc.record({
  Bool: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  Int: fc.array(fc.constantFrom(0n, 1n, -1n, 2n, 3n), { minLength: 3, maxLength: 3 }),
  Real: fc.array(fc.constantFrom(...numbers), { minLength: 3, maxLength: 3 }),
  String: fc.array(fc.constantFrom(...texts), { minLength: 3, maxLength: 3 }),
});

function build(terms: Terms, tree: Tree): Term {
  if (tree.kind === "literal") return terms.literal(tree.value, tree.sort);
  if (tree.kind === "constant") return terms.constant(tree.name, tree.sort);
  return terms.apply(tree.op, ...tree.args.map((arg) => build(terms, arg)));
}

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
    fc.property(anyTree, assignment, (tree, values) => {
      const assign = (name: string): Value => {
        const sort = (["Bool", "Int", "Real", "String"] as const).find((one) => name.startsWith(one))!;
        return values[sort]["xyz".indexOf(name.slice(sort.length))]!;
      };
      const term = build(new Terms(), tree);
      expect(evalTerm(term, assign)).toStrictEqual(direct(tree, assign));
    }),
    { numRuns: runs(5_000) },
  );
});

test("a number is within the range of its term", () => {
  fc.assert(
    fc.property(fc.oneof(ints, reals), assignment, (tree, values) => {
      const assign = (name: string): Value => {
        const sort = (["Bool", "Int", "Real", "String"] as const).find((one) => name.startsWith(one))!;
        return values[sort]["xyz".indexOf(name.slice(sort.length))]!;
      };
      const term = build(new Terms(), tree);
      const value = evalTerm(term, assign) as Num;
      const { low, high } = rangeOf(term);
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
