/** A standing guarantee is told as `judge` tells it of the calls so far, call by call, whatever fails or overlaps. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Cell,
  type Checked,
  type Expr,
  judge,
  type Outcome,
  type RecordValue,
  readDocument,
  Standing,
  type TraceEntry,
} from "../../src/ir/index.ts";
import { anyProgram, type ProgramOptions } from "../support/arbitrary-program.ts";
import { Chance } from "../support/program/chance.ts";
import { anySeed, someTrace } from "../support/program/traces.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

const options = { timeout: timeout(60) };

/** Every form that stands, over values of which there are few, so that calls often meet. */
const small = `effect-ir 1

fluent d.locked[string]: bool = true
fluent d.heat[string]: int = 0

tool d.send(to: enum{"a", "b"}, n: int) labels "out"
tool d.pay(to: enum{"a", "b"}, n: int) labels "out"
tool d.ask(to: enum{"a", "b"}) -> bool
tool d.list() -> list<enum{"a", "b"}>
tool d.unlock(to: enum{"a", "b"})
  sets d.locked[to] = false
tool d.lock(to: enum{"a", "b"})
  sets d.locked[to] = true
tool d.warm(to: enum{"a", "b"}, n: int)
  sets d.heat[to] = n

program () {
}

guarantee g.all(): forall e in d.send: e.to == "a"
guarantee g.allWhere(): forall e in label "out" where e.n > 1: e.to == "a"
guarantee g.none(): not (exists e in d.send: e.n > 2)
guarantee g.count(): count(e in d.send where e.to == "a") <= 2
guarantee g.sum(): sum(p in d.pay: p.n) <= 4
guarantee g.low(): min(p in d.pay: p.n else 0) >= 0
guarantee g.high(): max(p in label "out": p.n else 0) <= 2
guarantee g.atLeast(): count(a in d.ask) >= count(p in d.pay)
guarantee g.either(): count(a in d.ask) >= 1 or sum(p in d.pay: p.n) <= 1
guarantee g.once(): distinct(e in d.send: e.to)
guarantee g.each(): forall n = count(e in d.send by e.to): n <= 1
guarantee g.eachPaid(): forall n = sum(p in d.pay by p.to: p.n): n <= 3
guarantee g.eachLeast(): forall n = min(p in d.pay by p.to: p.n): n >= 0
guarantee g.someKey(): not (exists n = max(p in d.pay by p.to: p.n): n > 2)
guarantee g.before(): forall p in d.pay: exists a in d.ask: precedes(a, p)
guarantee g.about(): forall p in d.pay: exists a in d.ask: precedes(a, p) and a.to == p.to
guarantee g.agreed():
  forall p in d.pay where p.n > 0: exists a in d.ask: precedes(a, p) and a.to == p.to and isSome(result(a)) and value(result(a))
guarantee g.small(): forall p in d.pay: p.n <= 1 or (exists a in d.ask where a.to == p.to: precedes(a, p))
guarantee g.never(): forall s in d.send: forall p in d.pay: not precedes(p, s)
guarantee g.neverSame(): forall s in d.send: forall p in d.pay where p.to == s.to: not precedes(p, s)
guarantee g.neverTwice(): forall s in d.send: not (exists t in d.send: precedes(t, s) and t.n == s.n)
guarantee g.known(): forall e in d.send: exists c in rows d.list: c == e.to
guarantee g.onlyOpens(): always(forall d in now d.locked: d.value or d.key == "a")
guarantee g.notBoth(): always(now d.locked["a"] or now d.locked["b"])
guarantee g.mild(): always((forall h in now d.heat where h.key != "b": h.value <= 2) and now d.heat["b"] >= 0)
guarantee g.automaton():
  automaton(
    states "idle", "paid", "bad" start "idle"
    on "idle" p in d.pay where p.n > 1 -> "paid"
    on "paid" a in d.ask -> "idle"
    on "paid" p in label "out" where p.to == "b" -> "bad"
    error "bad"
  )
`;

interface Counts {
  standing: number;
  holds: number;
  other: number;
  /** Calls of which `judge` says that all holds, and the standing value does not. */
  lost: number;
}

test("of every form that stands, on calls that fail, overlap and are not made", options, () => {
  const read = readDocument(small);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { checked } = read.value;
  const formulas = formulasOf(checked);
  const counts = nothing();
  fc.assert(
    fc.property(anySeed(), fc.constantFrom(0, 25), (seed, failing) => {
      const chance = Chance.seeded(seed);
      const trace = chance.times(0, 14, (position) => smallCall(chance, checked, position, failing));
      const run = { inputs: noInputs, trace, initial: [] };
      for (const formula of formulas) told(checked, formula, run, chance, counts, seed);
    }),
    { numRuns: runs(200) },
  );
  expect(counts.standing).toBeGreaterThan(atLeast(200 * (formulas.length - 1)));
  expect(counts.holds).toBeGreaterThan(atLeast(5_000));
  expect(counts.other).toBeGreaterThan(atLeast(2_000));
  // Where calls that do not pass are not made, nothing is lost but searches among later calls.
  expect(counts.lost).toBe(0);
});

const manyFormulas: ProgramOptions = { commands: 0, guarantees: 6, tools: 3 };

test("of random formulas on random traces, a standing value that holds is right", options, () => {
  const counts = nothing();
  fc.assert(
    fc.property(anyProgram(manyFormulas), anySeed(), (program, seed) => {
      const chance = Chance.seeded(seed);
      const run = someTrace(chance, program, { length: 6, failing: 25, unknown: true });
      for (const formula of formulasOf(program.checked))
        told(program.checked, formula, { initial: [], ...run }, chance, counts, seed);
    }),
    { numRuns: runs(400) },
  );
  expect(counts.standing).toBeGreaterThan(atLeast(100));
  expect(counts.holds).toBeGreaterThan(atLeast(200));
});

const noInputs: RecordValue = { kind: "record", fields: {} };

function formulasOf({ document }: Checked): readonly Expr[] {
  return document.guarantees.flatMap(({ formula }) => formula ?? []);
}

function nothing(): Counts {
  return { standing: 0, holds: 0, other: 0, lost: 0 };
}

function smallCall(chance: Chance, checked: Checked, position: number, failing: number): TraceEntry {
  const tool = chance.pick([...checked.tools.values()].filter(({ name }) => name.startsWith("d.")));
  const fields = tool.params.map(({ name }) => [
    name,
    name === "to" ? chance.pick(["a", "b"]) : BigInt(chance.int(-1, 3)),
  ]);
  const result =
    tool.result === undefined
      ? {}
      : {
          result: tool.name === "d.ask" ? chance.odds(70) : chance.times(0, 2, () => chance.pick(["a", "b"])),
        };
  const outcome: Outcome = chance.odds(failing)
    ? { kind: "failed", reason: "out of order" }
    : { kind: "returned", ...result };
  const args: RecordValue = { kind: "record", fields: Object.fromEntries(fields) };
  return { position, id: `c${position}`, indices: [], tool: tool.name, args, outcome };
}

interface Open {
  readonly at: number;
  readonly index: number;
  readonly outcome: Outcome;
}

/** Goes through the calls of a trace, some at the same time; some that do not pass are made all the same. */
function told(
  checked: Checked,
  formula: Expr,
  {
    inputs,
    initial,
    trace,
  }: { inputs: RecordValue; initial?: readonly Cell[]; trace: readonly TraceEntry[] },
  chance: Chance,
  counts: Counts,
  seed: number,
): void {
  const standing = new Standing(checked, [formula], { inputs, ...(initial && { initial }) });
  if (standing.whyNot(formula) !== undefined) return;
  counts.standing++;
  const made: TraceEntry[] = [];
  const open: Open[] = [];
  let moments = 0;
  let isClean = true;
  const isLax = chance.odds(30);
  const end = (one: Open): void => {
    open.splice(open.indexOf(one), 1);
    const entry = made[one.index];
    if (entry === undefined) throw new Error("a call is missing");
    made[one.index] = { ...entry, outcome: one.outcome, ended: moments++ };
    standing.end(one.at, one.outcome);
  };
  for (const { tool, args, outcome } of trace) {
    while (open.length > 0 && chance.odds(60)) end(chance.pick(open));
    const pending: TraceEntry = {
      position: made.length,
      id: `c${made.length}`,
      indices: [],
      tool,
      args,
      outcome: { kind: "failed", reason: "it has not ended" },
    };
    let last = moments + 1;
    const isOpen = (index: number) => open.some((one) => one.index === index);
    const whole = [...made, pending].map((entry, i) =>
      i === made.length || isOpen(i) ? { ...entry, ended: last++ } : entry,
    );
    const run = { inputs, trace: whole, ...(initial && { initial }) };
    const reference = judge(checked, formula, run).kind;
    const looked = standing.look({ tool, args });
    const verdict = looked.verdict(formula).kind;
    const about = () => `${seed}: ${verdict}, and it ${reference} on ${JSON.stringify(whole, withBigInts)}`;
    if (verdict !== "unknown" && verdict !== reference) throw new Error(about());
    counts[verdict === "holds" ? "holds" : "other"]++;
    const isLost = reference === "holds" && verdict !== "holds";
    if (isLost && isClean) counts.lost++;
    if (verdict !== "holds" && !isLax) continue;
    if (verdict !== "holds") isClean = false;
    const at = standing.begin(looked);
    moments++;
    if (chance.odds(8)) {
      standing.cancel(at);
      moments--;
      continue;
    }
    made.push(pending);
    open.push({ at, index: made.length - 1, outcome });
    if (chance.odds(60)) end(open[open.length - 1] ?? never());
  }
}

function never(): never {
  throw new Error("it was just begun");
}

function withBigInts(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
