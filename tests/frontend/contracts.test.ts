/** Everything that contracts and clauses of tools can say, and the formulas that they become. */
import { expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { printDocument } from "../../src/ir/index.ts";

const files: Readonly<Record<string, string>> = {
  "tools/a.ts": `import { contract, flowsFrom, fluent, type Int, labelled, tool, unknown } from "foreclaim";
const MAX = 3;
const small = (n: number) => n <= MAX && n >= 0;
export type Kind = "x" | "y";
export const level = fluent<string, Int>({ initial: 0 });
export const mode = fluent<Kind, boolean>({ initial: unknown });
export const put = tool({
  labels: ["w", "out"],
  reads: false,
  idempotent: true,
  requires: ({ k, n }) => small(n) && level.get(k) < 10 && !(n === 2 && k === ""),
  effects: ({ k, n, kind }) => [level.set(k, level.get(k) + 1), ...(kind !== undefined ? [mode.set(kind, n > 1)] : [])],
  cost: ({ n }) => n * 2,
  run: async ({ k, n, kind }: { k: string; n: Int; kind?: Kind }): Promise<void> => {},
});
export const get = tool({
  reads: true,
  source: "untrusted",
  labels: ["w"],
  ensures: (r, { k }) => r === null || r.k === k,
  run: async ({ k }: { k: string }): Promise<{ k: string; opts?: { z: number } } | null> => null,
});
export const order = contract(() => get.before(put) && get.precedes(put, (a, b) => a.k === b.k) && put.where((p) => p.n > 1).neverAfter(get));
export const keys = contract((n: number, limits: { k: string; max: number }[]) =>
  put.perKey((p) => p.k).sum((p) => p.n) <= n && put.all((p) => limits.some((l) => l.k === p.k && p.n <= l.max)));
export const calls = contract(() => labelled("w").all((c) => c.k.startsWith("a")) && put.max((p) => p.n, 0) - put.min((p) => p.n, 0) < 5);
export const kinds = contract((kind: Kind, n = 3) => put.none((p) => p.kind === kind) || put.count() > n);
export const states = contract(() =>
  level.always.all((c) => c.value <= 5) && level.final.count((c) => c.value > 0) <= 2 && mode.initial.get("x") === mode.final.get("x"));
export const flow = contract(() => put.none((p) => flowsFrom(p.k, get)));
export const both = contract((n: number) => (n > 0 ? keys(n, [{ k: "a", max: 1 }]) : order()));
`,
  "program.ts": `import { program } from "foreclaim";
import { both, calls, flow, get, keys, kinds, order, put, states } from "./tools/a";
const LIMITS = [{ k: "a", max: 2 }, { k: "b", max: 1.5 }];
export default program({
  guarantees: [order(), keys(5, LIMITS), calls(), kinds("x"), kinds("y", 1), states(), flow(), both(2)],
  async run({ k, kind }: { k: string; kind?: "x" | "y" }) {
    const r = await get({ k });
    await put({ k: r?.k ?? "none", n: Math.floor(r?.opts?.z ?? 1), kind });
    if (kind) await put({ k, n: 1, kind });
  },
});
`,
};

it("contracts become formulas", () => {
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  expect(printDocument(result.value.document).replace(/fcm1-\w+/, "fcm1-…")).toMatchInlineSnapshot(`
    "effect-ir 1
    modules "fcm1-…"

    fluent a.level[string]: int = 0
    fluent a.mode[enum{"x", "y"}]: bool = unknown

    tool a.get(k: string) -> option<record{k: string, opts?: record{z: real}}>
      labels "w"
      reads
      untrusted
      ensures not isSome(result) or value(result).k == k
    tool a.put(k: string, n: int, kind?: enum{"x", "y"})
      labels "w", "out"
      idempotent
      requires n <= 3
      requires n >= 0
      requires now a.level[k] < 10
      requires not (n == 2 and k == "")
      sets a.level[k] = now a.level[k] + 1
      sets a.mode[value(kind)] = n > 1 when isSome(kind)
      cost n * 2

    program (k: string, kind?: enum{"x", "y"}) {
      let r = call a.get(k: k)
      let given = isSome(r)
      let given_2 = if given then some(value(r).k) else none
      let r_k_given = isSome(given_2)
      let r_k_given_2 = if r_k_given then value(given_2) else "none"
      let given_3 = isSome(r)
      let given_4 = isSome(value(r).opts)
      let given_6 = if given_4 then some(value(value(r).opts).z) else none
      let given_7 = if given_3 then given_6 else none
      let r_opts_z_given = isSome(given_7)
      let r_opts_z_given_2 = if r_opts_z_given then value(given_7) else 1
      call a.put(k: r_k_given_2, n: floor(r_opts_z_given_2), kind?: kind)
      let kind_2 = isSome(kind)
      call a.put(k: k, n: 1, kind: value(kind)) when kind_2
    }

    guarantee a.order():
      (forall p in a.put: exists g in a.get: precedes(g, p)) and (forall b in a.put: exists a in a.get: precedes(a, b) and a.k == b.k) and (forall p_2 in a.put where p_2.n > 1: forall g_2 in a.get: not precedes(g_2, p_2))
    guarantee a.keys(5, [{ k: "a", max: 2 }, { k: "b", max: 1.5 }]):
      (forall n = sum(p in a.put by p.k: p.n): n <= 5) and (forall p_2 in a.put: "a" == p_2.k and p_2.n <= 2 or "b" == p_2.k and p_2.n <= 1.5)
    guarantee a.calls():
      (forall c in label "w": startsWith(c.k, "a")) and max(p in a.put: p.n else 0) - min(p_2 in a.put: p_2.n else 0) < 5
    guarantee a.kinds("x"):
      (forall p in a.put: not (isSome(p.kind) and value(p.kind) == "x")) or count(p_2 in a.put) > 3
    guarantee a.kinds("y", 1):
      (forall p in a.put: not (isSome(p.kind) and value(p.kind) == "y")) or count(p_2 in a.put) > 1
    guarantee a.states():
      always(forall c in now a.level: c.value <= 5) and count(c_2 in final a.level where c_2.value > 0) <= 2 and initial a.mode["x"] == final a.mode["x"]
    guarantee a.flow(): forall p in a.put: not flows(p.k, tool a.get)
    guarantee a.both(2):
      (forall n = sum(p in a.put by p.k: p.n): n <= 2) and (forall p_2 in a.put: "a" == p_2.k and p_2.n <= 1)
    "
  `);
});

it("reads fields that may be missing of records that are written out", () => {
  const tools = `import { contract, tool } from "foreclaim";
export const pay = tool({ run: async ({ to, n }: { to: string; n: number }): Promise<void> => {} });
export const limits = contract((list: { to: string; max?: number }[]) =>
  list.every(({ to, max }) => pay.where((p) => p.to === to).sum((p) => p.n) <= (max ?? 0)));
export const limit = contract((one: { to: string; max?: number }) => pay.sum((p) => p.n) <= (one.max ?? 0));
`;
  const text = `import { program } from "foreclaim";
import * as t from "./tools/t";
export default program({
  guarantees: [t.limits([{ to: "a", max: 5 }, { to: "b" }]), t.limit({ to: "a", max: 5 }), t.limit({ to: "a" })],
  async run() {},
});
`;
  const own: Readonly<Record<string, string>> = { "tools/t.ts": tools, "p.ts": text };
  const compiled = compileProgram("p.ts", { readFile: (path) => own[path] });
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  expect(printDocument(compiled.value.document).split("program () {}\n\n")[1]).toMatchInlineSnapshot(`
    "guarantee t.limits([{ to: "a", max: 5 }, { to: "b" }]):
      sum(p in t.pay where p.to == "a": p.n) <= 5 and sum(p_2 in t.pay where p_2.to == "b": p_2.n) <= 0
    guarantee t.limit({ to: "a", max: 5 }): sum(p in t.pay: p.n) <= 5
    guarantee t.limit({ to: "a" }): sum(p in t.pay: p.n) <= 0
    "
  `);
});
