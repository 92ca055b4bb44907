/** The operator that docs/how-to/add-an-operator.md adds: quoted there, and tried out by a test. */

import { compare, type Num } from "../../src/ir/number.ts";
import { asNum, call, type Operator, smtTerm, strict } from "../../src/ir/operators/operator.ts";
import { int, real } from "../../src/ir/type.ts";

export const clamp: Operator = {
  name: "clamp",
  meaning: "the first operand, but at least the second and at most the third; the third where they disagree",
  syntax: call,
  signatures: [
    { params: [int, int, int], result: int },
    { params: [real, real, real], result: real },
  ],
  evaluate: strict((operands, { meter }) => {
    const [x = 0n, low = 0n, high = 0n] = operands.map(asNum);
    return meter.compute([x, low, high], () => smaller(greater(x, low), high));
  }),
  smt: smtTerm(([x, low, high]) => {
    const raised = `(ite (> ${x} ${low}) ${x} ${low})`;
    return `(ite (> ${raised} ${high}) ${high} ${raised})`;
  }),
};

function greater(a: Num, b: Num): Num {
  return compare(a, b) > 0 ? a : b;
}

function smaller(a: Num, b: Num): Num {
  return compare(a, b) < 0 ? a : b;
}
