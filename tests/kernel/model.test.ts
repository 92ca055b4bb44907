/**
 * Random commands by several clients on one ledger: the kernel and the napkin agree on every verdict, and T1 to T8 hold
 * after every command.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePolicy, Kernel, type Outcome, verify } from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";
import { runs } from "../support/runs.ts";
import { type Cell, Model, type ModelAction, policy, setting, stepLimit } from "./model.ts";

/** Several clients of one ledger, and what they were told. */
interface Real {
  readonly ledger: MemoryLedger;
  readonly clients: Kernel[];
  readonly clock: { now: number };
  /** Receipts of steps, with the version each made. */
  readonly steps: { receipt: string; version: number }[];
  readonly reservations: string[];
  gross: number;
}

const clientCount = 3;
const compiled = decodePolicy(policy);
if (!compiled.ok) throw new Error(compiled.problem.message);
const judged = compiled.value;

async function start(): Promise<Real> {
  const [ledger, clock] = [new MemoryLedger(), { now: 0 }];
  const clients: Kernel[] = [];
  for (let i = 0; i < clientCount; i++) clients.push(await openOn(ledger, clock));
  return { ledger, clients, clock, steps: [], reservations: [], gross: 0 };
}

async function openOn(ledger: MemoryLedger, clock: { now: number }): Promise<Kernel> {
  const opened = await Kernel.open({
    ledger,
    policy: judged,
    state: setting.initial,
    clock: () => clock.now,
    snapshotEvery: 2,
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

type Run = (model: Model, real: Real) => Promise<void>;

class Command implements fc.AsyncCommand<Model, Real> {
  readonly words: string;
  readonly body: Run;
  constructor(words: string, body: Run) {
    this.words = words;
    this.body = body;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    // The kernel knows of a time only through an entry, so a dry run or a clock alone does not count.
    const { time, day, daySpent, entries } = model;
    model.tick(real.clock.now);
    await this.body(model, real);
    if (model.entries === entries) Object.assign(model, { time, day, daySpent });
    await assertTheorems(model, real);
  }
  toString(): string {
    return this.words;
  }
}

/** `expect` is too slow for what is asked some hundred thousand times. */
function must(words: string, found: unknown, expected: unknown): void {
  if (found !== expected)
    throw new Error(`${words}: ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`);
}

async function assertTheorems(model: Model, real: Real): Promise<void> {
  const kernel = real.clients[0]!;
  await kernel.refresh();
  const status = kernel.status();
  const { run, day } = status.budgets;
  must("state", status.state, model.stateText());
  must("version", status.version, model.version);
  must("steps", status.steps, model.steps);
  must("entries", status.seq, model.entries);
  must("gross", run!.gross, String(model.gross));
  must("net", run!.net, String(model.gross - model.refunded));
  must("reserved", run!.reserved, String(model.reserved));
  const inDoubt = kernel.inDoubt().map(({ receipt }) => receipt);
  must("in doubt", inDoubt.sort().join(), [...model.pending.keys()].sort().join());
  must(
    "T1: spent and held is within the budget",
    Number(run!.net) + Number(run!.reserved) <= setting.limit,
    true,
  );
  must("T1: nothing is overdrawn", Number(run!.left) >= 0 && Number(day!.left) >= 0, true);
  must("T2: at most ⌊B₀/ε⌋ steps, and no more than the limit", status.steps <= stepLimit, true);
  const state: Record<string, Cell> = JSON.parse(status.state);
  must("T3: n", Number(state.n) >= setting.nMin && Number(state.n) <= setting.nMax, true);
  must("T3: mails", Number(state.mails) <= setting.mailsMax && "note" in state, true);
  must("T4: gross spend goes up only", Number(run!.gross) >= real.gross, true);
  real.gross = Number(run!.gross);
  const halt = kernel.evaluate({ id: "halt" }).verdict;
  must("T8: the emergency action is possible", halt, model.halts < setting.haltCap ? "allowed" : "refused");
}

const seen = new Map<string, number>();

function agree(outcome: Outcome, expected: boolean): void {
  must(`verdict (${JSON.stringify(outcome.reasons)})`, outcome.verdict === "allowed", expected);
  for (const word of expected ? ["allowed"] : outcome.reasons.map(({ code }) => code)) {
    seen.set(word, (seen.get(word) ?? 0) + 1);
  }
}

function told(real: Real, outcome: Outcome): void {
  if (outcome.receipt?.startsWith("s"))
    real.steps.push({ receipt: outcome.receipt, version: outcome.version });
  if (outcome.receipt?.startsWith("r")) real.reservations.push(outcome.receipt);
}

const key = fc.constantFrom("n", "mails", "list", "done", "note", "new");
const cell: fc.Arbitrary<Cell> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 4 }) },
  fc.boolean(),
  fc.constant("y"),
  fc.constant([1]),
);
const effect = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      key: fc.constantFrom("n", "mails"),
      op: fc.constant("increment"),
      value: fc.integer({ min: 1, max: 2 }),
    }),
  },
  fc.record({
    key,
    op: fc.constantFrom("set", "increment", "decrement", "multiply", "append", "remove"),
    value: cell,
  }),
  fc.record({ key, op: fc.constant("delete") }),
);
const wild: fc.Arbitrary<ModelAction> = fc.record(
  {
    id: fc.constantFrom("a", "b"),
    effects: fc.array(effect, { maxLength: 3 }),
    cost: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constantFrom(0, 20)),
    reads: fc.nat({ max: 3 }),
  },
  { requiredKeys: ["id", "effects", "cost"] },
);
/** Most of what is asked should be possible: from a state in which nothing has happened yet, there is little to learn. */
const tame: fc.Arbitrary<ModelAction> = fc.record({
  id: fc.constantFrom("a", "b"),
  effects: fc.uniqueArray(
    fc.constantFrom(
      { key: "n", op: "increment", value: 1 },
      { key: "n", op: "decrement", value: 1 },
      { key: "new", op: "set", value: 1 },
      { key: "list", op: "append", value: 1 },
      { key: "note", op: "set", value: "y" },
      { key: "mails", op: "increment", value: 1 },
    ),
    { maxLength: 2 },
  ),
  cost: fc.constantFrom(1, 2),
});
const action = fc.oneof({ weight: 4, arbitrary: tame }, { weight: 1, arbitrary: wild });
const client = fc.nat({ max: clientCount - 1 });
const pick = fc.nat({ max: 5 });
/** One of those there are, and now and then none. */
const picked = <T>(all: readonly T[], at: number): T | undefined => all[at % (all.length + 1)];
const clientOf = (real: Real, i: number): Kernel => real.clients[i]!;

const execution = fc.tuple(client, action).map(
  ([i, one]) =>
    new Command(`${i} execute ${JSON.stringify(one)}`, async (model, real) => {
      const expected = model.execute(one);
      const outcome = await clientOf(real, i).execute(one);
      agree(outcome, expected);
      told(real, outcome);
    }),
);

const ticking = fc.integer({ min: -5, max: 60 }).map(
  (ms) =>
    new Command(`clock ${ms}`, async (_, real) => {
      real.clock.now += ms;
    }),
);

const commands = [
  client.map(
    (i) =>
      new Command(`${i} closes and opens again`, async (_, real) => {
        await clientOf(real, i).close();
        real.clients[i] = await openOn(real.ledger, real.clock);
      }),
  ),
  execution,
  execution,
  execution,
  ticking,
  ticking,
  fc.tuple(client, client, action, action).map(
    ([i, j, one, two]) =>
      new Command(`${i} and ${j} at once ${JSON.stringify([one, two])}`, async (model, real) => {
        const both = await Promise.all([clientOf(real, i).execute(one), clientOf(real, j).execute(two)]);
        // The first in the trace is first for the napkin too.
        const order = both[0].seq < both[1].seq ? ([0, 1] as const) : ([1, 0] as const);
        for (const at of order) {
          agree(both[at], model.execute([one, two][at]!));
          told(real, both[at]);
        }
      }),
  ),
  fc.tuple(client, action).map(
    ([i, one]) =>
      new Command(`${i} evaluate ${JSON.stringify(one)}`, async (model, real) => {
        await clientOf(real, i).refresh();
        const { verdict } = clientOf(real, i).evaluate(one);
        must("dry run", verdict === "allowed", model.judge(one) !== undefined);
      }),
  ),
  fc.tuple(client, action, fc.option(fc.constantFrom("k1", "k2"), { nil: undefined })).map(
    ([i, one, name]) =>
      new Command(`${i} reserve ${JSON.stringify(one)} ${name}`, async (model, real) => {
        const outcome = await clientOf(real, i).reserve(one, name);
        agree(outcome, model.reserve(outcome.receipt, one, name));
        told(real, outcome);
      }),
  ),
  fc.tuple(client, pick, fc.option(fc.nat({ max: 4 }), { nil: undefined })).map(
    ([i, at, cost]) =>
      new Command(`${i} settle ${at} ${cost}`, async (model, real) => {
        const receipt = picked(real.reservations, at) ?? `r9-${"0".repeat(64)}`;
        const expected = model.settle(receipt, cost);
        const outcome = await clientOf(real, i).settle(receipt, cost === undefined ? {} : { cost });
        agree(outcome, expected);
        told(real, outcome);
      }),
  ),
  fc.tuple(client, pick).map(
    ([i, at]) =>
      new Command(`${i} release ${at}`, async (model, real) => {
        const receipt = picked(real.reservations, at) ?? "nothing";
        const expected = model.release(receipt);
        agree(await clientOf(real, i).release(receipt, "no"), expected);
      }),
  ),
  fc.tuple(client, pick, pick).map(
    ([i, from, to]) =>
      new Command(`${i} rollback ${from} ${to}`, async (model, real) => {
        const [first, last] = [picked(real.steps, from), picked(real.steps, to)];
        const expected = model.rollback(first?.version, last?.version);
        const forged = `s1-${"0".repeat(64)}`;
        const outcome = await clientOf(real, i).rollback(first?.receipt ?? forged, last?.receipt ?? forged);
        agree(outcome, expected);
      }),
  ),
  client.map(
    (i) =>
      new Command(`${i} halt`, async (model, real) => {
        const expected = model.halt();
        agree(await clientOf(real, i).execute({ id: "halt" }), expected);
      }),
  ),
  fc
    .tuple(
      client,
      fc.constantFrom<unknown>(
        Number.NaN,
        { id: "a", cost: Number.NaN },
        null,
        { id: 1 },
        { id: "halt", cost: 1 },
      ),
    )
    .map(
      ([i, nonsense]) =>
        new Command(`${i} nonsense`, async (model, real) => {
          model.entries++;
          agree(await clientOf(real, i).execute(nonsense), false);
        }),
    ),
];

test("the kernel does what the napkin says, for any commands of several clients", {
  timeout: 120_000 * runs(1),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 12, size: "max" }), async (some) => {
      const real = await start();
      await fc.asyncModelRun(() => ({ model: new Model(), real }), some);
      // T5 and T6: what was told is in the trace, in one order, and the trace can be done again.
      const trace = await real.ledger.read("main", 1, 1_000);
      const { ok, entries } = await verify(trace, { functions: [], known: judged });
      must("T5 and T6: the trace holds", ok && entries === trace.length, true);
    }),
    { numRuns: runs(5_000) },
  );
  // The test would say nothing if the commands were all refused, or all for one reason.
  const reasons = ["budget", "min-cost", "step-limit", "invariant", "version", "effect", "protected", "held"];
  const more = ["receipt", "dependent", "idempotency-key", "emergency", "shape", "allowed"];
  if (runs(5_000) >= 5_000) expect([...reasons, ...more].filter((word) => !seen.has(word))).toEqual([]);
  expect(seen.get("allowed") ?? 0).toBeGreaterThan(2 * runs(5_000));
});
