import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyDocument, anyExpr } from "../../../tests/support/arbitrary-document.ts";
import { runs } from "../../../tests/support/runs.ts";
import type { Path } from "../diagnostic.ts";
import { defaultLimits } from "../limits.ts";
import { readDocument } from "./parse-document.ts";
import { readExpr } from "./parse-expr.ts";
import { parseDocument, parseExpr, spansOf } from "./parser.ts";
import { printDocument, printExpr } from "./printer.ts";

describe("places in a document", () => {
  const text = `effect-ir 1
modules "abc"
fluent home.locked[string]: bool = true
tool bank.pay(amount: list<real>, note?: string) -> real
  labels "money", "out"
  reads
  requires amount >= 0
  sets home.locked[note] = false when note == ""
  cost amount
  stores "mail", "drive"
  endorses untrusted, tool bank.pay
  readers [note]
program (limit: enum{"a", "b"}) {
  let owed = call @first bank.pay(amount: 1 + limit, note?: none) when (limit < 2) catch failed
  for u, i in xs max 10 carry total: real = 0 {
    require total == 0 when u: "why"
    next total = total + u.due
  }
}
guarantee bank.max(500): forall c in bank.pay where c.amount > 1: precedes(c, d) and flows(c, label "m")
guarantee bank.min(): forall n = sum(x in rows bank.pay by x.to: x.amount): now home.locked[n]
guarantee bank.order(): automaton(states "a", "b" start "a" on "a" p in bank.pay where p.x -> "b" error "b") and
  influenced(c, tool bank.pay field to)
`;
  test.each<[string, string]>([
    ["modules", '"abc"'],
    ["fluents 0", "fluent home.locked[string]: bool = true"],
    ["fluents 0 name", "home.locked"],
    ["fluents 0 key", "string"],
    ["fluents 0 initial", "true"],
    ["tools 0 name", "bank.pay"],
    ["tools 0 params 0", "amount: list<real>"],
    ["tools 0 params 0 name", "amount"],
    ["tools 0 params 0 type element", "real"],
    ["tools 0 params 1 optional", "?"],
    ["tools 0 result", "real"],
    ["tools 0 labels", '"money", "out"'],
    ["tools 0 labels 1", '"out"'],
    ["tools 0 reads", "reads"],
    ["tools 0 requires 0", "amount >= 0"],
    ["tools 0 requires 0 op", ">="],
    ["tools 0 sets 0", 'sets home.locked[note] = false when note == ""'],
    ["tools 0 sets 0 fluent", "home.locked"],
    ["tools 0 sets 0 when args 1", '""'],
    ["tools 0 cost", "amount"],
    ["tools 0 stores", '"mail", "drive"'],
    ["tools 0 stores 1", '"drive"'],
    ["tools 0 endorses", "untrusted, tool bank.pay"],
    ["tools 0 endorses 1", "tool bank.pay"],
    ["tools 0 readers", "[note]"],
    ["program inputs 0 type values 1", '"b"'],
    ["program body 0", text.split("\n")[13]?.trim() ?? ""],
    ["program body 0 bind", "owed"],
    ["program body 0 id", "@first"],
    ["program body 0 tool", "bank.pay"],
    ["program body 0 args 0", "amount: 1 + limit"],
    ["program body 0 args 0 name", "amount"],
    ["program body 0 args 0 value", "1 + limit"],
    ["program body 0 args 0 value op", "+"],
    ["program body 0 args 1 optional", "?"],
    ["program body 0 when", "limit < 2"],
    ["program body 0 catch", "failed"],
    ["program body 1 var", "u"],
    ["program body 1 index", "i"],
    ["program body 1 list", "xs"],
    ["program body 1 max", "10"],
    ["program body 1 carry 0", "total: real = 0"],
    ["program body 1 carry 0 name", "total"],
    ["program body 1 carry 0 type", "real"],
    ["program body 1 carry 0 next", "total + u.due"],
    ["program body 1 carry 0 next args 1 name", "due"],
    ["program body 1 body 0 condition", "total == 0"],
    ["program body 1 body 0 why", '"why"'],
    ["guarantees 0 name", "bank.max"],
    ["guarantees 0 args 0", "500"],
    ["guarantees 0 formula quantifier", "forall"],
    ["guarantees 0 formula over", "c in bank.pay where c.amount > 1"],
    ["guarantees 0 formula over var", "c"],
    ["guarantees 0 formula over in tool", "bank.pay"],
    ["guarantees 0 formula body args 0 first", "c"],
    ["guarantees 0 formula body args 0 second", "d"],
    ["guarantees 0 formula body args 1 from", 'label "m"'],
    ["guarantees 0 formula body args 1 from label", '"m"'],
    ["guarantees 1 formula name", "n"],
    ["guarantees 1 formula aggregate", "sum"],
    ["guarantees 1 formula over in", "rows bank.pay"],
    ["guarantees 1 formula key", "x.to"],
    ["guarantees 1 formula body fluent", "home.locked"],
    ["guarantees 1 formula body at", "now"],
    ["guarantees 2 formula args 0 states 1", '"b"'],
    ["guarantees 2 formula args 0 start", '"a"'],
    ["guarantees 2 formula args 0 on 0", 'on "a" p in bank.pay where p.x -> "b"'],
    ["guarantees 2 formula args 0 on 0 from", '"a"'],
    ["guarantees 2 formula args 0 on 0 over where", "p.x"],
    ["guarantees 2 formula args 0 on 0 to", '"b"'],
    ["guarantees 2 formula args 0 error 0", '"b"'],
    ["guarantees 2 formula args 1 call", "c"],
    ["guarantees 2 formula args 1 from field", "to"],
  ])("%s", (path, part) => {
    const read = parseDocument(text);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const steps: Path = path.split(" ").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const span = read.value.locate(steps);
    expect(text.slice(span?.start, span?.end)).toBe(part);
  });
});

describe("every node has its place", () => {
  test("in documents", () => {
    fc.assert(
      fc.property(anyDocument(), (data) => {
        const { root, spans } = spansOf(printDocument(data), defaultLimits, readDocument);
        const nodes = objectsIn(root);
        expect(nodes.filter((node) => !spans.has(node))).toStrictEqual([]);
        // Nothing is shared, or one place would stand for two.
        expect(new Set(nodes).size).toBe(nodes.length);
      }),
    );
  });

  test("and what stands there is the node", () => {
    fc.assert(
      fc.property(anyExpr(), (data) => {
        const text = printExpr(data);
        const { root, spans } = spansOf(text, defaultLimits, readExpr);
        for (const node of objectsIn(root).filter(isExpr)) {
          const span = spans.get(node)?.self;
          const again = parseExpr(text.slice(span?.start, span?.end));
          expect(again.ok && again.value.expr).toStrictEqual(node);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

/** Exact numbers aside, which are values and not nodes. */
function objectsIn(data: unknown): object[] {
  if (typeof data !== "object" || data === null) return [];
  if (Array.isArray(data)) return data.flatMap(objectsIn);
  if ("kind" in data && data.kind === "ratio") return [];
  return [data, ...Object.values(data).flatMap(objectsIn)];
}

/** Types and relations have other kinds, or other fields where the kinds are the same. */
function isExpr(node: object): boolean {
  if (!("kind" in node) || typeof node.kind !== "string") return false;
  if (
    ["var", "op", "lambda", "field", "let", "cell", "quantifier", "aggregate", "perKey"].includes(node.kind)
  )
    return true;
  if (["distinct", "always", "precedes", "result", "flows", "number", "none"].includes(node.kind))
    return true;
  if (["influenced", "mayRead", "automaton"].includes(node.kind)) return true;
  return (["bool", "string"].includes(node.kind) && "value" in node) || "items" in node;
}
