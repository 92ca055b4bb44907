/** Costs of a proof: by the number of calls, branches and guarantees, with constants and with unknowns. */

import * as ir from "../src/ir/index.ts";
import { z3Wasm } from "../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../src/prove/prove.ts";
import { bench, type Case } from "./harness.ts";

const limits = { timeoutMs: 60_000, resources: 200_000_000 };
const solver = z3Wasm({ engines: 1 });

const tools = `effect-ir 1
fluent home.locked[string]: bool = true
tool mail.send(to: string, size: real)
tool mail.next() -> string
tool mail.price() -> real
  ensures result >= 0
  ensures result <= 5
tool home.unlock(door: string)
  sets home.locked[door] = false
tool home.lock(door: string)
  sets home.locked[door] = true
`;

const formulas = {
  all: (n: number) => `forall m in mail.send: m.size <= ${5 * n}`,
  count: (n: number) => `count(m in mail.send) <= ${n}`,
  sum: (n: number) => `sum(m in mail.send: m.size) <= ${5 * n}`,
  distinct: () => "distinct(m in mail.send: m.to)",
  perKey: () => "forall c = count(m in mail.send by m.to): c <= 1",
};

const bodies = {
  constants: (n: number) => times(n, (i) => `call mail.send(to: "a${i}@x.org", size: ${i % 5})`),
  prices: (n: number) =>
    times(n, (i) => `let p${i} = call mail.price()\ncall mail.send(to: "a${i}@x.org", size: p${i})`),
  "unknown recipients": (n: number) =>
    times(n, (i) => `call mail.send(to: "a${i}@" ++ host, size: if size > ${i} then 1 else 2)`),
};

const branches = (n: number) =>
  `${times(n, (i) => `let w${i} = size > ${i}\ncall mail.send(to: "a${i}", size: 1) when w${i}\ncall mail.send(to: "b${i}", size: 2) when not w${i}`)}`;

const cases: Case[] = [];
for (const [body, write] of Object.entries(bodies)) {
  for (const [formula, say] of Object.entries(formulas)) {
    if (body === "prices" && (formula === "distinct" || formula === "perKey")) continue;
    const pairwise = body === "unknown recipients" && (formula === "distinct" || formula === "perKey");
    for (const n of pairwise ? [10, 100] : [10, 100, 1_000])
      add(`${formula}, ${body}`, n, write(n), [say(n)]);
  }
}
for (const n of [4, 16, 64]) {
  add("branches, count", n, branches(n), [`count(m in mail.send) == ${n}`]);
  add("branches, sum", n, branches(n), [`sum(m in mail.send: m.size) <= ${2 * n}`]);
}
for (const n of [10, 100, 1_000]) {
  const doors = times(n, (i) => `call home.unlock(door: "d${i}")\ncall home.lock(door: "d${i}")`);
  if (n < 1_000) add("every door locked again", n, doors, ["forall d in final home.locked: d.value"]);
  const guarantees = Array.from({ length: n }, (_, i) => `count(m in mail.send where m.size > ${i}) <= 10`);
  add("guarantees, 10 calls", n, bodies.constants(10), guarantees);
}
await bench("prove", cases);
await solver.close();

function times(n: number, line: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => line(i)).join("\n");
}

function add(name: string, size: number, body: string, promises: readonly string[]): void {
  const stated = promises.map((formula, i) => `guarantee g.p${i}(): ${formula}`).join("\n");
  const read = ir.readDocument(`${tools}program (host: string, size: real) {\n${body}\n}\n${stated}\n`);
  if (!read.ok) throw new Error(`${name}: ${JSON.stringify(read.problems.slice(0, 2))}`);
  const { checked } = read.value;
  const run = async () => {
    const proof = await prove(checked, { solver: async () => solver, limits });
    const open = proof.guarantees.find(({ verdict }) => verdict.kind !== "proved");
    if (open !== undefined) throw new Error(`${name}, ${size}: ${JSON.stringify(open.verdict)}`);
    return proof;
  };
  cases.push({ name, size, run });
}
