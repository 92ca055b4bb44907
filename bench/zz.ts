import { onPostgres, onSqlite, timed } from "./durable.ts";
import { Kernel } from "../src/kernel/index.ts";
import { openLedger } from "../src/ledger/open.ts";
const policy = { budgets: { usd: "1000000000" }, rules: [{ name: "n", enforcement: "blocking", rule: "range", key: "n", min: 0, max: 1_000_000_000 }] };
const engine = process.argv[2] === "sqlite" ? onSqlite : onPostgres;
await engine(async ({ url, insert, insertInTurn }) => {
  const open: { close(): Promise<void> }[] = [];
  const kernelOn = async (name: string) => { const ledger = await openLedger(url(name)); open.push(ledger); const k = await Kernel.open({ ledger, policy, state: { n: 0, s: "" }, clock: Date.now }); if (!k.ok) throw new Error("x"); return k.value; };
  const [one, eight] = [await kernelOn("one"), await kernelOn("eight")];
  const each: Kernel[] = []; for (let i = 0; i < 8; i++) each.push(await kernelOn("each"));
  const step = async (k: Kernel | undefined) => { const o = await k?.execute({ id: "step", effects: [{ key: "n", op: "increment", value: 1 }, { key: "s", op: "set", value: "a text of some length, as it comes" }], cost: "1.5" }); if (o?.verdict !== "allowed") throw new Error("refused"); };
  const cases = [
    { name: "bare 1", clients: 1, work: () => insert() }, { name: "steps 1", clients: 1, work: () => step(one) },
    { name: "bare 8", clients: 8, work: () => insert() }, { name: "in turn 8", clients: 8, work: (c: number) => insertInTurn(c) },
    { name: "steps 8 one kernel", clients: 8, work: () => step(eight) }, { name: "steps 8 each", clients: 8, work: (c: number) => step(each[c]) },
  ];
  const only = process.argv[4]; const N = 250, R = Number(process.argv[3] ?? 6); const lat = cases.map(() => [] as number[]); const cpu = cases.map(() => 9e9); const ts = cases.map(() => [] as number[]);
  for (let r = 0; r < R; r++) for (const [i, { name, clients, work }] of cases.entries()) { if (only !== undefined && !new RegExp(only).test(name)) { ts[i]!.push(9e9); continue; }
    for (let n = 0; n < 30; n++) await work(n % clients);
    const t = performance.now(); const u = process.cpuUsage(); let left = N;
    await Promise.all(Array.from({ length: clients }, async (_, c) => { while (left-- > 0) { const t = performance.now(); await work(c); lat[i]!.push(performance.now() - t); } }));
    ts[i]!.push((performance.now() - t) / N); const v = process.cpuUsage(u); if (r > 0) cpu[i] = Math.min(cpu[i]!, (v.user + v.system) / N);
  }
  const best = ts.map((t) => Math.min(...t));
  for (const [i, { name }] of cases.entries()) { const base = name.endsWith(" 1") ? best[0]! : best[2]!; if (best[i]! > 1e9) continue; const l = lat[i]!.sort((a, b) => a - b); console.log(process.argv[1]?.slice(0, 14), name.padEnd(20), `${best[i]!.toFixed(3)} ms`, `lat p2 ${l[l.length / 50 | 0]!.toFixed(2)} p10 ${l[l.length / 10 | 0]!.toFixed(2)} p50 ${l[l.length / 2 | 0]!.toFixed(2)} cpu ${cpu[i]!.toFixed(0)} µs`, `ratio ${(base / best[i]!).toFixed(2)}`, name.startsWith("steps 8") ? `of turns ${(best[3]! / best[i]!).toFixed(2)}` : ""); }
  for (const l of open) await l.close();
  return [];
});
