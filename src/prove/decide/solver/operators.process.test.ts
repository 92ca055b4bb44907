/**
 * The evaluator and Z3 agree on every operator that has an SMT-LIB form, for every signature of scalar types:
 * what is proved about an operator is about what a run computes.
 */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { anyPattern, anyText } from "../../../../tests/support/arbitrary-pattern.ts";
import { runs } from "../../../../tests/support/runs.ts";
import { Meter } from "../../../ir/eval/meter.ts";
import { isPartly } from "../../../ir/eval/partly.ts";
import {
  defaultLimits,
  equal,
  type Operator,
  operators,
  ratio,
  type Type,
  type Value,
} from "../../../ir/index.ts";
import type { Signature, SmtContext, SmtForm, TypePattern } from "../../../ir/operators/index.ts";
import { literal } from "./literals.ts";
import type { Scalar, Sort } from "./port.ts";
import { z3Wasm } from "./z3-wasm.ts";

const limits = { timeoutMs: 60_000, resources: 2 ** 32 - 1 };
const solver = z3Wasm({ engines: 2 });
afterAll(() => solver.close());

const scalars: readonly Type[] = [
  { kind: "bool" },
  { kind: "int" },
  { kind: "real" },
  { kind: "string" },
  { kind: "enum", values: ["a", "b", "ab", "é\u{1f600}"] },
];

const int: Type = { kind: "int" };

type SmtPrinter = Extract<SmtForm, { kind: "term" }>["print"];

/** An operator at types for which it is one term. */
interface Instance {
  readonly title: string;
  readonly operator: Operator;
  readonly params: readonly Type[];
  readonly result: Type;
  readonly print: (operands: readonly string[], context: SmtContext) => string | undefined;
}

const instances = [...operators.values()].flatMap((operator) =>
  operator.signatures.flatMap((signature) => instancesOf(operator, signature)),
);

describe("Z3 and the evaluator agree on", () => {
  it.each(instances.map((instance) => [instance.title, instance] as const))("%s", async (_, instance) => {
    expect(await disagreements(instance)).toEqual({ values: [], refutation: { kind: "unsat" } });
  });
});

it("would notice a wrong form", async () => {
  const prefix = instances.find(({ operator }) => operator.name === "startsWith")!;
  const wrong = { ...prefix, print: ([a, b]: readonly string[]) => `(str.prefixof ${a} ${b})` };
  const { values, refutation } = await disagreements(wrong);
  expect(values.length).toBeGreaterThan(0);
  expect(refutation.kind).toBe("sat");
});

it("covers what it should", () => {
  const covered = new Set(instances.map(({ operator }) => operator.name));
  const terms = [...operators.values()].filter(({ smt }) => smt.kind === "term");
  expect(terms.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
  expect(terms.length).toBeGreaterThan(25);
});

/** Asks in two ways: what is the value, and can it be another one? */
async function disagreements(instance: Instance) {
  const cases = fc.sample(operandsOf(instance), runs(150));
  const sort = sortOf(instance.result);
  const expected = cases.map((operands) => evaluate(instance, operands));
  const terms = cases.map((operands, i) => {
    const context = {
      literals: operands,
      // Where an operator leaves something open, it is what the evaluator says.
      opaque: () => literal(expected[i]!, sort),
    };
    const term = instance.print(
      operands.map((value, at) => literal(value, sortOf(instance.params[at]!))),
      context,
    );
    if (term === undefined) throw new Error("the operator has no form for its own types");
    return term;
  });
  // By constants, since Z3 is content to answer `(= "" "a")` when it is asked for the value of a term.
  const named = terms.map((term, i) => `(declare-const x${i} ${sort}) (assert (= x${i} ${term}))`);
  const wanted = terms.map((_, i) => ({ name: `x${i}`, sort }));
  const different = terms.map((term, i) => `(distinct ${term} ${literal(expected[i]!, sort)})`);
  const [model, refutation] = await Promise.all([
    solver.check({ text: named.join("\n"), values: wanted }, limits),
    solver.check({ text: `(assert (or false ${different.join("\n")}))`, values: [] }, limits),
  ]);
  if (model.kind !== "sat") throw new Error(JSON.stringify(model));
  const values = cases.flatMap((operands, i) => {
    const got = model.model.get(`x${i}`);
    const agrees = got !== undefined && equal(got, expected[i]!);
    return agrees ? [] : [{ operands, expected: expected[i], got, term: terms[i] }];
  });
  return { values, refutation };
}

function instancesOf(operator: Operator, signature: Signature): Instance[] {
  const { smt } = operator;
  if (smt.kind !== "term") return [];
  if (isOrder(signature)) {
    // Integers are compared as they are, too.
    const print: Instance["print"] = (operands, context) => smt.print(operands, [int, int], context);
    const title = `${operator.name}(int, int)`;
    return [
      ...instancesAt(operator, signature, smt.print),
      { title, operator, params: [int, int], result: { kind: "bool" }, print },
    ];
  }
  return instancesAt(operator, signature, smt.print);
}

function isOrder({ params, result }: Signature): boolean {
  return result.kind === "bool" && params.length === 2 && params.every(({ kind }) => kind === "real");
}

function instancesAt(operator: Operator, signature: Signature, print: SmtPrinter): Instance[] {
  const variables = [...signature.params, signature.result].some(({ kind }) => kind === "variable");
  return (variables ? scalars : [scalars[0]!]).flatMap((T) => {
    const params = signature.params.map((pattern) => instantiate(pattern, T));
    const result = instantiate(signature.result, T);
    if (result === undefined || params.some((type) => type === undefined)) return [];
    // A variadic one takes two operands in one case and four in another.
    const counts = signature.variadic ? [params.length, params.length + 2] : [params.length];
    return counts.map((count) => {
      const types = Array.from({ length: count }, (_, i) => params[i] ?? params.at(-1)!) as Type[];
      return {
        title: `${operator.name}(${types.map(({ kind }) => kind).join(", ")})`,
        operator,
        params: types,
        result,
        print: (operands, context) => print(operands, types, context),
      };
    });
  });
}

function instantiate(pattern: TypePattern, T: Type): Type | undefined {
  switch (pattern.kind) {
    case "variable":
      return T;
    case "bool":
    case "int":
    case "real":
    case "string":
    case "enum":
      return pattern;
    default:
      return undefined;
  }
}

function sortOf(type: Type): Sort {
  switch (type.kind) {
    case "bool":
      return "Bool";
    case "int":
      return "Int";
    case "real":
      return "Real";
    case "string":
    case "enum":
      return "String";
    default:
      throw new Error(`no scalar: ${type.kind}`);
  }
}

function evaluate({ operator, result }: Instance, operands: readonly Scalar[]): Scalar {
  const value =
    operator.evaluate.kind === "strict"
      ? operator.evaluate.apply(operands, { meter: new Meter(), type: result })
      : operator.evaluate.apply(operands.map((operand) => () => operand));
  if (isPartly(value) || !isScalar(value)) throw new Error("no scalar");
  return value;
}

function isScalar(value: Value): value is Scalar {
  return (
    ["boolean", "bigint", "string"].includes(typeof value) ||
    (value !== null && Reflect.get(value as object, "kind") === "ratio")
  );
}

/** Often small and alike, so that operands are equal, are parts of one another, and are zero; sometimes huge. */
function operandsOf({ operator, params }: Instance): fc.Arbitrary<readonly Scalar[]> {
  return special[operator.name] ?? fc.tuple(...params.map(valuesOf));
}

const good = anyPattern.filter(
  (text) => operators.get("matches")?.written?.problem(text, defaultLimits) === undefined,
);
const segments = fc.array(fc.constantFrom("/a", "/sandbox", "/..", "/.", "/", "/%2e", "\\", "x", "?q#f"), {
  maxLength: 5,
});
const below = (start: string) => segments.map((parts) => start + parts.join(""));

/** Operators that say little of texts that are just anything. */
const special: Readonly<Record<string, fc.Arbitrary<readonly Scalar[]>>> = {
  matches: fc.tuple(anyText, good),
  pathInside: fc.tuple(
    fc.oneof(below("/sandbox"), below(""), below("a")),
    fc.constantFrom("/sandbox", "/", ".", "a", "/sandbox/a", ".."),
  ),
  urlInside: fc.tuple(
    fc.oneof(below("https://a.b"), below("HTTPS://A.b:443/sandbox"), below("https://a.b@c")),
    fc.constantFrom("https://a.b", "https://a.b/sandbox", "https://a.b:8080", "a.b"),
  ),
};

const small = fc.bigInt({ min: -6n, max: 6n });
const integer = fc.oneof({ weight: 5, arbitrary: small }, fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }));
const denominator = fc.oneof(
  fc.constantFrom(1n, 2n, 2n, 3n, 4n, 10n),
  fc.bigInt({ min: 1n, max: 10n ** 12n }),
);
const part = fc.constantFrom(
  "a",
  "a",
  "b",
  "ab",
  "",
  '"',
  "\\",
  "\\u{61}",
  "é",
  "\ud83d",
  "\ude00",
  "\u{1f600}",
  "\0",
  "\uffff",
);

function valuesOf(type: Type): fc.Arbitrary<Scalar> {
  switch (type.kind) {
    case "bool":
      return fc.boolean();
    case "int":
      return integer;
    case "real":
      return fc.tuple(integer, denominator).map(([n, d]) => ratio(n, d));
    case "string":
      return fc.array(part, { maxLength: 5 }).map((parts) => parts.join(""));
    case "enum":
      return fc.constantFrom(...type.values);
    default:
      throw new Error(`no scalar: ${type.kind}`);
  }
}
