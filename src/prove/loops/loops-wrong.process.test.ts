/** Claims about loops that are wrong, each of which could be proved once by a mistake that is mended. */
import { afterAll, expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove } from "../prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const wrong: Readonly<Record<string, string>> = {
  // With `xs` of `a` alone: at the start the premise holds and all is 0, later `t.on["a"]` is 1 for a moment.
  "what was said of all elements in one state is said of another": `
fluent t.at[string]: int = 0
fluent t.on[string]: int = 0
fluent t.flag[string]: bool = true
tool t.rows() -> list<string>
  ensures length(result) >= 6
tool t.set(who: string)
  sets t.at[who] = 5
  sets t.flag["x"] = false
tool t.turn(who: string, n: int)
  sets t.on[who] = n
program (xs: list<string>) {
  call t.rows()
  call t.set(who: "a")
  for v in xs {
    call t.turn(who: v, n: 1)
    call t.turn(who: v, n: 0)
  }
}
guarantee g(): always(now t.flag["x"] implies every(xs, u => now t.at[u] == 0)) implies always(now t.flag["x"] or now t.on["a"] == 0)`,
  // With one number: the inner loop leaves 1 in `c`, and `t.act` is called.
  "what an inner loop carries is asked for behind it": `
tool t.rows() -> list<int>
tool t.act(n: int)
program () {
  let xs = call t.rows()
  for x in xs {
    for y in xs carry c: int = 0 {
      call t.rows()
      next c = 1
    }
    call t.act(n: c) when c > 0
  }
}
guarantee g(): forall a in t.act: a.n <= 0`,
  // With the number 1: nothing above 5 is found, which is -1. The count of calls by key is kept, and no such sum.
  "a sum by key of what cannot be kept is not there": `
tool t.rows() -> list<int>
tool t.act(n: int)
program () {
  let xs = call t.rows()
  for x in xs {
    call t.act(n: x)
  }
}
guarantee g(): forall u = sum(w in t.act by w.n: findIndex([w.n], y => y > 5)): u >= 0`,
  // With no other list: all five calls come before the last one. The list of the first element is known by itself alone.
  "an iteration whose list is known to it alone has its calls in the loop": `
tool t.act(n: int)
tool t.last()
program (others: list<record{items: list<int>}>) {
  for g in [{ items: [1, 2, 3, 4, 5] }] ++ others { for i in g.items { call t.act(n: i) } }
  call t.last()
}
guarantee g(): forall z in t.last: exists a in t.act: precedes(z, a)`,
};

it.each(Object.entries(wrong))("%s", async (_, text) => {
  const read = readDocument(`effect-ir 1\n${text}\n`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const limits = { timeoutMs: 20_000, resources: 20_000_000 };
  for (const search of [{}, { likely: "omitted" }] as const) {
    const { guarantees } = await prove(read.value.checked, { solver: async () => solver, limits, ...search });
    expect(guarantees.map(({ verdict }) => verdict.kind)).not.toContain("proved");
  }
});

it("a trial that ends early says nothing of what it did not come to", async () => {
  const text = `effect-ir 1
fluent t.at[string]: int = unknown
fluent t.on[enum{"a", "b"}]: bool = false
tool t.rows() -> list<record{n: int, ok: bool, who: string}>
  ensures length(result) <= 4
  ensures every(result, r => r.n <= 3 and 0 <= r.n)
tool t.act(n: int, who: string)
tool t.set(who: string, n: int)
  requires now t.at[who] <= 2
  sets t.at[who] = n
program (limit: int, flag: bool, names: list<string>) {
  let xs = call t.rows()
  for r0, i1 in xs ++ [{ n: limit, ok: flag, who: "b" }] max 5 carry c2: int = 1 {
    let fits5 = i1 + 1 < r0.n
    call t.set(who: r0.who, n: 3) catch ex6
    next c2 = if r0.ok then c2 + 2 else c2
  }
}
guarantee g0(): distinct(x in t.act: x.who) or (always(now t.on["a"] implies every(names, u => now t.at[u] == 0)) implies always(now t.on["a"] or now t.at["a"] <= 12))
`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const limits = { timeoutMs: 20_000, resources: 20_000_000 };
  const { obligations } = await prove(read.value.checked, { solver: async () => solver, limits });
  expect(obligations.map(({ verdict }) => verdict.kind)).toContain("refuted");
});

it("a guess about a cell that speaks of another cell each time comes to an end", async () => {
  const text = `effect-ir 1
fluent t.on[real]: bool = unknown
tool t.rows() -> list<string>
tool t.set()
  sets t.on[0] = true
program () {
  let xs = call t.rows()
  for x in xs { for y in xs max 2 {} call t.set() }
}
guarantee g(): exists c in final t.on: final t.on[min(0, c.key)]
`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const limits = { timeoutMs: 20_000, resources: 2_000_000 };
  const { guarantees } = await prove(read.value.checked, { solver: async () => solver, limits });
  expect(guarantees.map(({ verdict }) => verdict.kind)).not.toContain("proved");
});
