/** Results of the checker besides its refusals, which `spec/effect-ir/malformed` holds. */
import { describe, expect, test } from "vitest";
import type { Document, Expr } from "../document.ts";
import { defaultLimits } from "../limits.ts";
import { readDocument } from "../read.ts";
import { parseExpr } from "../text/parser.ts";
import { printType } from "../text/printer.ts";
import { Checked, check, checkExpr } from "./index.ts";

const text = `effect-ir 1
fluent f[string]: int = 0
tool bank.pay(to: string, amount: real) -> int
  labels "payment"
tool card.charge(to: string, amount: int) -> real
  labels "payment"
program (limit: real, note?: string, color: enum{"red", "green"}) {
  let r = call bank.pay(to: "bob", amount: limit)
}
`;

describe("the types of expressions", () => {
  test.each<[string, string]>([
    ["limit", "real"],
    ["note", "option<string>"],
    ["1", "int"],
    ["1 + 1", "int"],
    ["1 + 0.5", "real"],
    ["1 / 1", "real"],
    ["limit * 2", "real"],
    ["[1, 2.5]", "list<real>"],
    ['[color, "blue"]', "list<string>"],
    ["if limit > 0 then 1 else 0.5", "real"],
    ["if limit > 0 then color else color", 'enum{"red", "green"}'],
    ["{ a: 1, b?: note }", "record{a: int, b?: string}"],
    ["[{ a: 1 }, { b: 2 }]", "list<record{a?: int, b?: int}>"],
    ["at([color], 0)", 'option<enum{"red", "green"}>'],
    ["value(note)", "string"],
    ["orElse(note, color)", "string"],
    ["map([1], x => [x])", "list<list<int>>"],
    ["fold([1], 0, (sum: real, x) => sum + x)", "real"],
    ['entries(["a"])', "list<record{index: int, value: string}>"],
    ['jsonField(json(1), "a")', "option<json>"],
    ["let x = 1 in x + 0.5", "real"],
    ["count(p in bank.pay)", "int"],
    ["sum(p in bank.pay: p.amount)", "real"],
    ["sum(p in bank.pay: 1)", "int"],
    ["max(p in card.charge: p.amount else 0)", "int"],
    ["max(p in card.charge: p.amount else 0.5)", "real"],
    ['final f["a"]', "int"],
    ["exists p in bank.pay: true", "bool"],
  ])("%s is %s", (source, type) => {
    const { checked, expr } = typed(source);
    expect(printType(checked.types.get(expr)!)).toBe(type);
  });

  test("of rows of a label are those that its tools share", () => {
    const { checked, expr } = typed('forall p in label "payment": result(p) == some(p.amount)');
    if (expr.kind !== "quantifier" || expr.body.kind !== "op") throw new Error("a quantifier");
    expect(expr.body.args.map((arg) => printType(checked.types.get(arg)!))).toEqual([
      "option<real>",
      "option<real>",
    ]);
  });
});

describe("help", () => {
  test.each<[string, string]>([
    ["limti + 1", "`limit`"],
    ["colour", "`color`"],
    ["lenght(value(note))", "`length`"],
    ["forall p in bank.pya: true", "`bank.pay`"],
    ["forall p in bank.pay: p.amuont > 1", "`amount`"],
    ['final g["a"]', "`f`"],
    ['forall p in label "payments": true', "`payment`"],
    ['color == "grean"', "`green`"],
    ['note ++ "x"', "`orElse(…)`"],
    ["fold([1], 0, (sum, x) => sum)", "int"],
  ])("for %s names %s", (source, help) => {
    const parsed = parseExpr(source);
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
    const found = checkExpr(checkedOf(text), parsed.value.expr, "trace");
    expect(found.ok).toBe(false);
    if (!found.ok) expect(found.problems.map((problem) => problem.help).join()).toContain(help);
  });
});

test("declarations are found by name", () => {
  const checked = checkedOf(text);
  expect([...checked.tools.keys()]).toEqual(["bank.pay", "card.charge"]);
  expect([...checked.fluents.keys()]).toEqual(["f"]);
  expect(checked.labels.get("payment")?.map(({ name }) => name)).toEqual(["bank.pay", "card.charge"]);
});

test("a lone expression sees the inputs of the document, and not its program", () => {
  expect(() => typed("r")).toThrow("`r`");
  expect(() => typed("limit")).not.toThrow();
});

test("one expression object may stand in several places if it means the same there", () => {
  const shared: Expr = { kind: "var", name: "limit" };
  const sum: Expr = { kind: "op", op: "+", args: [shared, shared] };
  expect(checkExpr(checkedOf(text), sum, "values").ok).toBe(true);
});

test("nothing but the checker makes a checked document", () => {
  const { document } = checkedOf(text);
  const context = { problems: [{ code: "FC1201", message: "x", path: [] }] };
  expect(() => new Checked(document, context as never)).toThrow(TypeError);
});

test("a version that is not known is refused as data, too", () => {
  // SAFETY: the test hands over what the type forbids.
  const found = check({ ...checkedOf(text).document, effectIr: 2 } as unknown as Document);
  expect(found.ok ? [] : found.problems).toMatchObject([{ code: "FC1006", path: ["effectIr"] }]);
});

test("a document of many nodes is checked in time that grows with them", {
  timeout: 20_000,
  retry: 2,
}, () => {
  const time = (lines: number) => {
    const body = Array.from(
      { length: lines },
      (_, i) => `  let v${i} = ${i === 0 ? "limit" : `v${i - 1}`} + ${i}`,
    );
    const source = text.replace("  let r", `${body.join("\n")}\n  let r`);
    const start = performance.now();
    expect(readDocument(source, { ...defaultLimits }).ok).toBe(true);
    return performance.now() - start;
  };
  time(2_000);
  const [some, many] = [time(4_000), time(32_000)];
  // Eight times as much may take a little more than eight times as long, but never sixty-four times.
  expect(many).toBeLessThan(30 * Math.max(some, 5));
});

function checkedOf(source: string): Checked {
  const read = readDocument(source);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
  return read.value.checked;
}

function typed(source: string): { readonly checked: Checked; readonly expr: Expr } {
  const parsed = parseExpr(source);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  const { expr } = parsed.value;
  const found = checkExpr(checkedOf(text), expr, "trace");
  if (!found.ok) throw new Error(found.problems.map(({ message }) => message).join("\n"));
  return { checked: found.value, expr };
}
