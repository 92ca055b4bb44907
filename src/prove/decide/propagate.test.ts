/** Propagation is sound: wherever the assumptions hold, the decided goal holds. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { assignments, bools, build } from "../../../tests/support/arbitrary-term.ts";
import { evalTerm } from "../../../tests/support/eval-term.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { Assumed } from "./propagate.ts";

test("what is decided holds wherever the assumptions do", { timeout: 60_000 }, () => {
  let decided = 0;
  fc.assert(
    fc.property(
      fc.array(bools, { maxLength: 4 }),
      bools,
      fc.array(assignments, { minLength: 15, maxLength: 15 }),
      (assumed, claimed, values) => {
        const terms = new Terms();
        const assumptions = assumed.map((tree) => build(terms, tree));
        // A part of the claim is often assumed, so that something follows.
        const claim = terms.or(build(terms, claimed), ...assumptions.slice(0, 1));
        const ground = new Assumed(terms);
        if (claim === terms.true || !ground.holds(assumptions, claim)) return;
        decided++;
        for (const assign of values) {
          if (assumptions.every((term) => evalTerm(term, assign) === true))
            expect(evalTerm(claim, assign)).toBe(true);
        }
      },
    ),
    { numRuns: runs(2_000) },
  );
  expect(decided).toBeGreaterThan(atLeast(60));
});

describe("one by one", () => {
  const terms = new Terms();
  const [x, y] = [terms.constant("x", "Int"), terms.constant("y", "Int")];
  const r = terms.constant("r", "Real");
  const s = terms.constant("s", "String");
  const [b, c] = [terms.constant("b", "Bool"), terms.constant("c", "Bool")];
  const int = (n: number) => terms.int(n);
  const real = (n: bigint) => terms.literal(n, "Real");
  const text = (word: string) => terms.literal(word, "String");
  const atMost = (low: Term, high: Term) => terms.apply("<=", low, high);
  const below = (low: Term, high: Term) => terms.apply("<", low, high);

  it.each<[string, readonly Term[], Term, boolean]>([
    ["a bound from a wider one", [below(x, int(5))], atMost(x, int(4)), true],
    ["no bound from a narrower one", [below(x, int(5))], atMost(x, int(3)), false],
    ["a real below 5 may be above 4", [below(r, real(5n))], atMost(r, real(4n)), false],
    ["a bound under a condition", [], terms.implies(below(x, int(5)), atMost(x, int(7))), true],
    [
      "a sum of bounded terms",
      [atMost(x, int(5)), atMost(y, int(5))],
      atMost(terms.apply("+", x, y), int(10)),
      true,
    ],
    [
      "a sum that may be more",
      [atMost(x, int(5)), atMost(y, int(6))],
      atMost(terms.apply("+", x, y), int(10)),
      false,
    ],
    ["a choice that bounds itself", [], atMost(terms.ite(atMost(x, int(5)), x, int(5)), int(5)), true],
    ["a choice on something else", [], atMost(terms.ite(atMost(y, int(5)), x, int(5)), int(5)), false],
    [
      "another word",
      [],
      terms.implies(terms.equal(s, text("a")), terms.not(terms.equal(s, text("b")))),
      true,
    ],
    [
      "perhaps the word",
      [],
      terms.implies(terms.not(terms.equal(s, text("a"))), terms.equal(s, text("b"))),
      false,
    ],
    [
      "what an assumption says under a condition that is met",
      [terms.implies(b, below(x, int(1)))],
      terms.implies(b, below(x, int(2))),
      true,
    ],
    ["not under one that may not be met", [terms.implies(b, below(x, int(1)))], below(x, int(2)), false],
    ["nor under another", [terms.implies(b, below(x, int(1)))], terms.implies(c, below(x, int(2))), false],
    ["one of two that holds already says nothing of the other", [terms.or(b, c)], terms.implies(b, c), false],
    ["one of two, and not the one", [terms.or(b, c)], terms.implies(terms.not(b), c), true],
    ["every part", [b, c], terms.and(b, c), true],
    ["not every part", [b], terms.and(b, c), false],
    ["contradictions decide nothing", [below(x, int(0)), below(int(0), x)], terms.equal(x, y), false],
    ["integers as reals", [atMost(terms.toReal(x), real(2n))], atMost(x, int(2)), true],
  ])("%s", (_, assumptions, claim, expected) => {
    expect(new Assumed(terms).holds(assumptions, claim)).toBe(expected);
  });

  it("copes with terms that are nested deeper than the stack", () => {
    let deep: Term = x;
    for (let i = 0; i < 20_000; i++) deep = terms.raw("min", [deep, terms.constant(`v${i}`, "Int")], "Int");
    expect(new Assumed(terms).holds([], atMost(deep, int(5)))).toBe(false);
  });
});
