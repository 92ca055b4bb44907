/** Random terms, as trees that are not simplified yet, and random values for their constants. */
import fc from "fast-check";
import { ratio } from "../../src/ir/number.ts";
import type { Value } from "../../src/ir/value.ts";
import type { Terms } from "../../src/prove/terms/factory.ts";
import type { Scalar, Sort, Term } from "../../src/prove/terms/term.ts";

export type Tree =
  | { readonly kind: "literal"; readonly sort: Sort; readonly value: Scalar }
  | { readonly kind: "constant"; readonly sort: Sort; readonly name: string }
  | { readonly kind: "apply"; readonly op: string; readonly args: readonly Tree[] };

const numbers = [0n, 1n, -1n, 2n, 5n, ratio(1n, 2n), ratio(-7n, 3n)] as const;
const texts = ["", "a", "b", "ab"] as const;

export const { bools, ints, reals, strings } = fc.letrec<{
  bools: Tree;
  ints: Tree;
  reals: Tree;
  strings: Tree;
}>((tie) => {
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
});

const values = fc.record({
  Bool: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  Int: fc.array(fc.constantFrom(0n, 1n, -1n, 2n, 3n), { minLength: 3, maxLength: 3 }),
  Real: fc.array(fc.constantFrom(...numbers), { minLength: 3, maxLength: 3 }),
  String: fc.array(fc.constantFrom(...texts), { minLength: 3, maxLength: 3 }),
});

export function build(terms: Terms, tree: Tree): Term {
  if (tree.kind === "literal") return terms.literal(tree.value, tree.sort);
  if (tree.kind === "constant") return terms.constant(tree.name, tree.sort);
  return terms.apply(tree.op, ...tree.args.map((arg) => build(terms, arg)));
}

/** A value for the name of each constant. */
export const assignments = values.map((held) => (name: string): Value => {
  const sort = (["Bool", "Int", "Real", "String"] as const).find((one) => name.startsWith(one))!;
  return held[sort]["xyz".indexOf(name.slice(sort.length))]!;
});
