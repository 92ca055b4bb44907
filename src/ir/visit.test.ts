/** The visitor against a naive reading of the same data: whatever an object with a kind of expression holds. */
import { expect, it } from "vitest";
import type { Expr } from "./document.ts";
import { readDocument } from "./read.ts";
import { parseExpr } from "./text/parser.ts";
import {
  clausesOf,
  commandsIn,
  exprsAt,
  exprsIn,
  mapParts,
  namesBoundBy,
  namesReadBy,
  partsOf,
  programExprs,
  referencesIn,
  variablesOf,
} from "./visit.ts";

const text = `effect-ir 1
fluent t.at[string]: int = 0
tool t.rows(n: int) -> list<record{who: string, n: int}>
  requires n > 0 and now t.at["a"] <= 9
  ensures length(result) <= n
tool t.pay(to: string, amount: int)
  labels "money"
  sets t.at[to] = now t.at[to] + amount when amount > 1
  cost amount
program (limit: int, names: list<string>) {
  let rows = call t.rows(n: limit) catch bad
  for r, i in orElse(rows, []) max 9 carry sum: int = 1 {
    require i < 20 when sum > 2: "few"
    for name in names {
      call t.pay(to: name, amount: (let d = r.n * 2 in d)) when any(names, other => other == r.who)
    }
    next sum = sum + 3
  }
}
guarantee t.one(4): forall p in t.pay where p.amount > 5: exists q in label "money": precedes(q, p)
guarantee t.two(): forall n = sum(p in t.pay where p.amount > 6 by p.to: p.amount * 7): n <= 8
guarantee t.three(): distinct(p in t.pay: p.to) and always(now t.at["b"] <= 10) and max(p in t.pay: p.amount else 11) < 12
guarantee t.four(): automaton(states "a", "b" start "a" on "a" p in t.pay where p.amount > 13 -> "b" error "b")
guarantee t.five(): forall c in final t.at where c.value > 14: c.key == "x"
guarantee t.six(): forall p in t.pay: not flows(p.to, tool t.rows) and not influenced(p, tool t.rows)
`;

function naive(node: unknown, kind: string, found: unknown[] = []): unknown[] {
  if (typeof node !== "object" || node === null) return found;
  // The type of texts has the same kind and nothing else.
  if (Reflect.get(node, "kind") === kind && Object.keys(node).length > 1) found.push(node);
  for (const part of Object.values(node)) naive(part, kind, found);
  return found;
}

it("meets every expression of a document once", () => {
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { document } = read.value.checked;
  const roots = [
    ...programExprs(document),
    ...document.tools.flatMap(clausesOf),
    ...document.fluents.map(({ initial }) => initial),
    ...document.guarantees.flatMap(({ args, formula }) => [...args, formula]),
  ];
  const met = [...exprsIn(...roots)];
  for (const kind of [
    "number",
    "string",
    "var",
    "op",
    "cell",
    "quantifier",
    "perKey",
    "automaton",
    "flows",
  ]) {
    const mine = met.filter((expr) => expr.kind === kind);
    expect(new Set(mine), kind).toEqual(new Set(naive(document, kind)));
    expect(mine.length, kind).toBeGreaterThan(0);
  }
  expect([...commandsIn(document.program.body)].map(({ kind }) => kind)).toEqual([
    "call",
    "for",
    "require",
    "for",
    "call",
  ]);
  const { tools, labels, fluents } = referencesIn(...document.guarantees.map(({ formula }) => formula));
  expect([[...tools].sort(), [...labels], [...fluents]]).toEqual([["t.pay", "t.rows"], ["money"], ["t.at"]]);
});

it("goes as deep as a document can, without the stack", () => {
  let expr = { kind: "op", op: "not", args: [{ kind: "var", name: "x" }] } as const as Parameters<
    typeof variablesOf
  >[0];
  for (let i = 0; i < 200_000; i++) expr = { kind: "op", op: "not", args: [expr] };
  expect([...variablesOf(expr)]).toEqual(["x"]);
});

it("replaces exactly the parts that it returns, and leaves the rest of a node as it is", () => {
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { document } = read.value.checked;
  const roots = [...programExprs(document), ...document.guarantees.map(({ formula }) => formula)];
  for (const expr of exprsIn(...roots)) {
    expect(mapParts(expr, (part) => part)).toEqual(expr);
    const seen: Expr[] = [];
    const marked = mapParts(expr, (part) => {
      seen.push(part);
      return { kind: "string", value: `part ${seen.length}` };
    });
    expect(seen).toEqual(partsOf(expr));
    expect(partsOf(marked).map((part) => part.kind === "string" && part.value)).toEqual(
      seen.map((_, i) => `part ${i + 1}`),
    );
  }
});

it("knows which names a node reads and which it binds", () => {
  const parsed = parseExpr("forall p in t.pay where p.amount > x: exists q in t.rows: precedes(p, q)");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const nodes = [...exprsIn(parsed.value.expr)];
  expect(nodes.flatMap(namesBoundBy)).toEqual(["p", "q"]);
  expect(nodes.flatMap(namesReadBy)).toEqual(["p", "x", "p", "q"]);
});

it("knows where every expression stands", () => {
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { guarantees } = read.value.checked.document;
  const roots = [
    ...guarantees.flatMap(({ formula }) => formula ?? []),
    ...programExprs(read.value.checked.document),
  ];
  for (const root of roots) {
    const placed = [...exprsAt(root, [])];
    expect(placed.map(([expr]) => expr)).toEqual([...exprsIn(root)]);
    for (const [expr, path] of placed) {
      const found = path.reduce<unknown>((node, step) => Reflect.get(Object(node), step), root);
      expect(found).toBe(expr);
    }
  }
});
