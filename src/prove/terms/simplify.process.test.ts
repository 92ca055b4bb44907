/** Every rewrite is an equality for the solver too: it finds no values for which a simplified term differs from its tree. */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { bools, build, ints, reals, strings, type Tree } from "../../../tests/support/arbitrary-term.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import { operatorNamed } from "../../ir/operators/index.ts";
import { scriptFor } from "../decide/encode.ts";
import { Assumed } from "../decide/propagate.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { Terms } from "./factory.ts";
import type { Sort, Term } from "./term.ts";

const solver = z3Wasm();
afterAll(() => solver.close());
const limits = { timeoutMs: 1_000, resources: 200_000 };

test("the solver finds no difference between a term and the tree it was built from", {
  timeout: 300_000,
}, async () => {
  let same = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(bools, ints, reals, strings).filter(hasNoOpaque), async (tree) => {
      const terms = new Terms();
      const [simple, plain] = [build(terms, tree), plainly(terms, tree)];
      if (simple === plain) return;
      const [a, b] = simple.sort === plain.sort ? [simple, plain] : [real(terms, simple), real(terms, plain)];
      const answer = await solver.check(scriptFor([], terms.raw("==", [a, b], "Bool")), limits);
      expect(answer.kind).not.toBe("sat");
      if (answer.kind === "unsat") same++;
    }),
    { numRuns: runs(400) },
  );
  expect(same).toBeGreaterThan(atLeast(30));
});

test("the solver finds no exception to what is decided by looking", { timeout: 300_000 }, async () => {
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(bools, { maxLength: 3 }), bools, async (assumed, claimed) => {
      const terms = new Terms();
      const assumptions = assumed.map((tree) => build(terms, tree));
      const claim = terms.or(build(terms, claimed), ...assumptions.slice(0, 1));
      if (claim === terms.true || !new Assumed(terms).holds(assumptions, claim)) return;
      const answer = await solver.check(scriptFor(assumptions, claim), limits);
      expect(answer.kind).not.toBe("sat");
      if (answer.kind === "unsat") decided++;
    }),
    { numRuns: runs(1_000) },
  );
  expect(decided).toBeGreaterThan(atLeast(12));
});

/** Excludes opaque operators, which the solver does not interpret, not even for literals. */
function hasNoOpaque(tree: Tree): boolean {
  if (tree.kind !== "apply") return true;
  return operatorNamed(tree.op)?.smt.kind === "term" && tree.args.every(hasNoOpaque);
}

/** The tree as it stands: every operator where it was written, nothing folded. */
function plainly(terms: Terms, tree: Tree): Term {
  if (tree.kind === "literal") return terms.literal(tree.value, tree.sort);
  if (tree.kind === "constant") return terms.constant(tree.name, tree.sort);
  const args = tree.args.map((arg) => plainly(terms, arg));
  // What the operator takes is seen from what it makes of constants of these sorts.
  const shape = new Terms().apply(tree.op, ...args.map(({ sort }, i) => new Terms().constant(`c${i}`, sort)));
  const mixed = args.some(({ sort }) => sort === "Real") || takesReals.has(tree.op);
  const operands = mixed ? args.map((arg) => (arg.sort === "Int" ? real(terms, arg) : arg)) : args;
  return terms.raw(tree.op, operands, resultOf(tree.op, shape.sort, operands));
}

const takesReals: ReadonlySet<string> = new Set(["/", "floor", "isInteger", "<", "<=", ">", ">="]);

function resultOf(op: string, sort: Sort, operands: readonly Term[]): Sort {
  if (sort === "Bool" || sort === "String" || op === "floor" || op === "length") return sort;
  return operands.some((operand) => operand.sort === "Real") ? "Real" : sort;
}

function real(terms: Terms, term: Term): Term {
  return term.sort === "Int" ? terms.raw("toReal", [term], "Real") : term;
}
