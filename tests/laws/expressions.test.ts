/** Expressions: what the checker says of their type is true of their value, and a second evaluator finds the same value. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../src/ir/check/index.ts";
import { conforms } from "../../src/ir/convert/conforms.ts";
import type { Document, Expr } from "../../src/ir/document.ts";
import { evaluateExactly, valuesOnly } from "../../src/ir/eval/evaluate.ts";
import { LimitReached, Meter } from "../../src/ir/eval/meter.ts";
import { operators } from "../../src/ir/operators/index.ts";
import { printExpr, printType } from "../../src/ir/text/printer.ts";
import {
  bool,
  int,
  isSubtype,
  json,
  listOf,
  optionOf,
  real,
  recordOf,
  string,
  type Type,
} from "../../src/ir/type.ts";
import { type Value, valueKey } from "../../src/ir/value.ts";
import { anyValueOf } from "../support/arbitrary-value.ts";
import { caseLimits } from "../support/case-runs.ts";
import { Inexact, naive } from "../support/naive-eval.ts";
import { Chance } from "../support/program/chance.ts";
import { type Scope, type Typed, Writer } from "../support/program/expressions.ts";
import { anySeed } from "../support/program/traces.ts";
import { someValue } from "../support/program/types.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

const inputs: Readonly<Record<string, Type>> = {
  yes: bool,
  n: int,
  m: int,
  r: real,
  q: real,
  s: string,
  t: string,
  color: { kind: "enum", values: ["red", "green", "blue"] },
  shade: { kind: "enum", values: ["green", "red"] },
  data: json,
  ints: listOf(int),
  reals: listOf(real),
  texts: listOf(string),
  shades: listOf({ kind: "enum", values: ["green", "red"] }),
  maybe: optionOf(int),
  perhaps: optionOf(string),
  user: recordOf([
    { name: "id", type: string },
    { name: "due", type: real, optional: true },
  ]),
  users: listOf(
    recordOf([
      { name: "id", type: string },
      { name: "tags", type: listOf(string), optional: true },
    ]),
  ),
  lists: listOf(listOf(int)),
};

const scope: Scope = {
  view: "values",
  variables: Object.entries(inputs).map(([name, type]) => ({ name, type })),
};

describe("an operator applied to anything it takes", { timeout: timeout(30) }, () => {
  test.each([...operators.values()].map((operator) => [operator.name, operator] as const))(
    "%s",
    (_, operator) => {
      let evaluated = 0;
      fc.assert(
        fc.property(anySeed(), anyInputs(), (seed, values) => {
          const chance = Chance.seeded(seed);
          const typed = new Writer(chance, { fluents: [], tools: [], inputs: [] }).application(
            operator,
            scope,
            2,
          );
          evaluated += agree(typed, values);
        }),
        { numRuns: runs(60) },
      );
      // Not all of them were too big for one of the two.
      expect(evaluated).toBeGreaterThan(atLeast(30));
    },
  );
});

test("any expression", { timeout: timeout(60) }, () => {
  fc.assert(
    fc.property(anySeed(), anyInputs(), (seed, values) => {
      const writer = new Writer(Chance.seeded(seed), { fluents: [], tools: [], inputs: [] });
      agree(writer.infer(writer.someType(scope), scope, 4), values);
    }),
    { numRuns: runs(1500) },
  );
});

type Values = ReadonlyMap<string, Value>;

/** Small values, which are often equal, and any values, which are often hard. */
function anyInputs(): fc.Arbitrary<Values> {
  const small = anySeed().map((seed) => {
    const chance = Chance.seeded(seed);
    return Object.entries(inputs).map(([name, type]): [string, Value] => [name, someValue(chance, type)]);
  });
  const any = fc
    .tuple(...Object.values(inputs).map((type) => anyValueOf(type)))
    .map((values) => Object.keys(inputs).map((name, i): [string, Value] => [name, values[i]!]));
  return fc.oneof(small, any).map((entries) => new Map(entries));
}

/** One if both evaluators had an answer, and it was the same one. */
function agree({ expr, type }: Typed, values: Values): number {
  const document = documentOf(expr);
  const checked = check(document);
  if (!checked.ok)
    throw new Error(`${printExpr(expr)}: ${checked.problems.map(({ message }) => message).join("\n")}`);
  const { types } = checked.value;
  const inferred = types.get(expr)!;
  expect(isSubtype(inferred, type) && isSubtype(type, inferred)).toBe(true);
  const found = exactly(() => {
    const environment = valuesOnly(types, new Meter(caseLimits));
    for (const [name, value] of values) environment.names.set(name, value);
    return evaluateExactly(expr, environment);
  });
  const look = () => {
    throw new Error("nothing to look at");
  };
  const expected = exactly(() => naive(expr, { names: values, types, look }) as Value);
  if (found !== undefined && !conforms(found, inferred)) {
    throw new Error(`${printExpr(expr)} is ${valueKey(found)}, and no ${printType(inferred)}`);
  }
  if (found === undefined || expected === undefined) return 0;
  if (valueKey(found) === valueKey(expected)) return 1;
  const given = [...values].map(([name, value]) => `${name}=${valueKey(value)}`).join(" ");
  throw new Error(
    `${printExpr(expr)} is ${valueKey(found)} and should be ${valueKey(expected)} with ${given}`,
  );
}

/** Undefined for what is too big. */
function exactly(evaluate: () => Value): Value | undefined {
  try {
    return evaluate();
  } catch (thrown) {
    if (thrown instanceof LimitReached || thrown instanceof Inexact) return undefined;
    throw thrown;
  }
}

function documentOf(expr: Expr): Document {
  const fields = Object.entries(inputs).map(([name, type]) => ({ name, type }));
  const body = [{ kind: "let", name: "answer", value: expr }] as const;
  return { effectIr: 1, fluents: [], tools: [], program: { inputs: fields, body }, guarantees: [] };
}
