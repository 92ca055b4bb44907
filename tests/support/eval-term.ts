/** Terms evaluated for given values of their constants, by the operators' own evaluators and nothing of the prover. */
import { Meter } from "../../src/ir/eval/meter.ts";
import { operatorNamed } from "../../src/ir/operators/index.ts";
import { bool, int, real, string } from "../../src/ir/type.ts";
import type { Value } from "../../src/ir/value.ts";
import type { Sort, Term } from "../../src/prove/terms/term.ts";

/** A constant, or an unknown function, that has no value. */
export class Unassigned extends Error {}

const typeOfSort = { Bool: bool, Int: int, Real: real, String: string } as const;

export function evalTerm(term: Term, assign: (name: string, sort: Sort) => Value | undefined): Value {
  const known = new Map<Term, Value>();
  const meter = new Meter();
  const visit = (one: Term): Value => {
    const before = known.get(one);
    if (before !== undefined) return before;
    const value = fresh(one);
    known.set(one, value);
    return value;
  };
  const fresh = (one: Term): Value => {
    if (one.kind === "literal") return one.value;
    if (one.kind === "constant") {
      const value = assign(one.name, one.sort);
      if (value === undefined) throw new Unassigned(one.name);
      return value;
    }
    if (one.op === "toReal") return visit(one.args[0]!);
    const operator = operatorNamed(one.op);
    if (operator === undefined) throw new Unassigned(one.op);
    const { evaluate } = operator;
    if (evaluate.kind === "lazy") return evaluate.apply(one.args.map((arg) => () => visit(arg))) as Value;
    return evaluate.apply(one.args.map(visit), { meter, type: typeOfSort[one.sort] });
  };
  return visit(term);
}
