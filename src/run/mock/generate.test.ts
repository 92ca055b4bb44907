import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyType } from "../../../tests/support/arbitrary-value.ts";
import { runs } from "../../../tests/support/runs.ts";
import { conforms } from "../../ir/convert/conforms.ts";
import { callEnvironment, firstBroken } from "../../ir/eval/clauses.ts";
import { Meter } from "../../ir/eval/meter.ts";
import {
  type Checked,
  check,
  equal,
  readDocument,
  record,
  State,
  type Type,
  type Value,
} from "../../ir/index.ts";
import { chanceFrom } from "./chance.ts";
import { Generator } from "./generate.ts";

function checkedOf(text: string): Checked {
  const read = readDocument(`effect-ir 1\n${text}`);
  if (!read.ok) throw new Error(read.problems[0]!.message);
  return read.value.checked;
}

/** A result of the one tool `t`, called with the arguments. */
function resultOf(checked: Checked, seed: number, args = record([])): Value | undefined {
  const tool = checked.tools.get("t")!;
  return new Generator(checked).resultFor({ tool, args }, chanceFrom(seed, "c1"));
}

describe("a generated result", () => {
  it.each<[signature: string, args: Readonly<Record<string, Value>>]>([
    ["() -> real ensures result >= 0", {}],
    ["() -> real ensures result > 0", {}],
    ["() -> int ensures result >= 1000", {}],
    ["() -> int ensures result < -1000", {}],
    ["() -> real ensures result > 0.25 and result < 1", {}],
    ["() -> string ensures length(result) > 0", {}],
    ["() -> string ensures length(result) == 12", {}],
    ['() -> string ensures startsWith(result, "order-")', {}],
    ["() -> list<int> ensures length(result) <= 100", {}],
    ["() -> list<int> ensures length(result) == 17", {}],
    [
      "() -> list<record{id: string, due: real}> ensures length(result) > 1 and every(result, r => r.due > 0)",
      {},
    ],
    ["() -> option<int> ensures isSome(result)", {}],
    ["() -> option<int> ensures value(result) > 7", {}],
    ['() -> enum{"a", "b", "c"} ensures result != "a"', {}],
    ["() -> bool ensures result", {}],
    ['() -> json ensures jsonKind(result) == "string"', {}],
    ['() -> json ensures jsonKind(result) == "record"', {}],
    [
      "(id: string) -> record{id: string, total: real} ensures result.id == id ensures result.total > 0",
      { id: "A-17" },
    ],
    ["(amount: real) -> real ensures result <= amount and result > amount - 1", { amount: 123_456n }],
    ["(ids: list<string>) -> string ensures contains(ids, result)", { ids: ["x9", "y7"] }],
  ])("meets `%s`", (signature, args) => {
    const checked = checkedOf(`tool t${signature}`);
    const tool = checked.tools.get("t")!;
    const given = record(Object.entries(args));
    for (let seed = 0; seed < 20; seed++) {
      const value = resultOf(checked, seed, given);
      if (value === undefined) throw new Error(`nothing was found with seed ${seed}`);
      expect(conforms(value, tool.result!)).toBe(true);
      const meter = new Meter();
      const state = State.initial(checked);
      const environment = callEnvironment(checked, tool, given, state, meter, value);
      expect(firstBroken(tool.ensures, environment)).toBeUndefined();
    }
  });

  it("is the plainest one if that meets the conditions", () => {
    const text = (signature: string) => resultOf(checkedOf(`tool t() -> ${signature}`), 5);
    expect(text("real ensures result >= 0")).toBe(0n);
    expect(text("list<int>")).toEqual([]);
    expect(text('enum{"x", "y"}')).toBe("x");
  });

  it("is of its type, whatever the type, and also when the plainest does not do", () => {
    fc.assert(
      fc.property(anyType(), fc.nat(), (type, seed) => {
        const checked = withResult(type);
        if (checked === undefined) return;
        const tool = checked.tools.get("t")!;
        let tries = 0;
        const third = () => ++tries >= 3;
        const value = new Generator(checked).resultFor(
          { tool, args: record([]) },
          chanceFrom(seed, ""),
          third,
        );
        expect(value !== undefined && conforms(value, type)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it("is the same for the same seed, and another for another", () => {
    const checked = checkedOf("tool t() -> int ensures result > 10 and result < 100000");
    const value = resultOf(checked, 1);
    expect(equal(value!, resultOf(checked, 1)!)).toBe(true);
    const others = Array.from({ length: 20 }, (_, seed) => String(resultOf(checked, seed)));
    expect(new Set(others).size).toBeGreaterThan(3);
  });

  it("is not made up when the conditions cannot be met", () => {
    expect(resultOf(checkedOf("tool t() -> int ensures result > 0 and result < 0"), 1)).toBeUndefined();
    expect(resultOf(checkedOf("tool t() -> list<int> ensures length(result) > 1000"), 1)).toBeUndefined();
  });

  it("is given up soon when the conditions take for ever", () => {
    const slow = "any(range(100000), x => any(range(100000), y => x + y < 0))";
    expect(resultOf(checkedOf(`tool t() -> int ensures ${slow}`), 1)).toBeUndefined();
  });

  it("stays small, however deep the type", () => {
    const type = `${"list<".repeat(60)}int${">".repeat(60)}`;
    const value = resultOf(checkedOf(`tool t() -> ${type} ensures length(result) > 0`), 1);
    expect(value).toBeDefined();
  });
});

function withResult(type: Type): Checked | undefined {
  const checked = check({
    effectIr: 1,
    fluents: [],
    tools: [{ name: "t", params: [], result: type, labels: [], requires: [], ensures: [], sets: [] }],
    program: { inputs: [], body: [] },
    guarantees: [],
  });
  return checked.ok ? checked.value : undefined;
}
