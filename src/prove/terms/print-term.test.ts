import { describe, expect, it } from "vitest";
import { inputName, resultName } from "../symbolic/symbolic-state.ts";
import { escaped, fresh, scalar } from "../symbolic/symbolic-value.ts";
import { Terms } from "./factory.ts";
import { printSymbolic, printTerm } from "./print-term.ts";
import type { Term } from "./term.ts";

const terms = new Terms();
const int = (name: string) => terms.constant(name, "Int");

describe("a term as text", () => {
  const x = int(inputName("x"));
  it.each<[term: Term, text: string]>([
    [terms.int(-3), "-3"],
    [terms.literal("a\nb", "String"), '"a\\nb"'],
    [x, "x"],
    [int(inputName("not a word")), "`not a word`"],
    [int(inputName("a.b?")), "`a.b?`"],
    [int(resultName({ id: "c1", indices: [] })), "c1.result"],
    [
      int(`${resultName({ id: "pay", indices: [2, 0] })}.${escaped("the sum")}`),
      "`pay[2,0]`.result.`the sum`",
    ],
    [terms.constant(`${resultName({ id: "c1", indices: [] })}.name?`, "Bool"), "isSome(c1.result.name)"],
    [int(`${resultName({ id: "c1", indices: [] })}!.n`), "value(c1.result).n"],
    [terms.constant(`failed@${resultName({ id: "c1", indices: [] })}`, "Bool"), "c1.failed"],
    [int("something else"), "`something else`"],
    [terms.apply("<=", terms.apply("+", x, terms.int(1)), int(inputName("y"))), "x + 1 <= y"],
  ])("%#: $1", (term, text) => {
    expect(printTerm(term)).toBe(text);
  });

  it("is cut where it is long, however its parts are shared", () => {
    let term: Term = int(inputName("x"));
    for (let i = 0; i < 200; i++)
      term = terms.apply("*", term, terms.apply("+", term, int(inputName(`y${i}`))));
    const text = printTerm(term);
    expect(text).toContain("...");
    expect(text.length).toBeLessThan(2000);
    expect(printTerm(term, 1)).toMatch(/^\.\.\./);
  });
});

describe("a symbolic value as text", () => {
  it("keeps its shape", () => {
    const type = {
      kind: "record",
      fields: [
        { name: "a", type: { kind: "int" } },
        { name: "b", type: { kind: "bool" }, optional: true },
        { name: "c", type: { kind: "list", element: { kind: "string" } } },
      ],
    } as const;
    const value = fresh(terms, inputName("r"), type, () => {});
    expect(printSymbolic(value)).toBe("{ a: r.a, b: if isSome(r.b) then some(r.b) else none, c: r.c }");
    const list = { kind: "list", items: [{ present: terms.true, value: scalar(terms.int(1)) }] } as const;
    expect(printSymbolic(list)).toBe("[1]");
    expect(printSymbolic({ kind: "option", present: terms.false, value: undefined })).toBe("none");
  });
});
