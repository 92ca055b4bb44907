/** Kernels that meet every kind of entry and every kind of refusal, for the golden ledgers. */
import { type Checkpoint, Kernel, type KernelOptions, type Log } from "../../../src/kernel/index.ts";

export interface Clock {
  now: number;
}

/** Opens a kernel of the golden ledger, and closes it after the work, which leaves a snapshot. */
export async function withKernel(
  ledger: Log,
  name: string,
  work: (kernel: Kernel, clock: Clock) => Promise<void>,
  more: Partial<KernelOptions> = {},
): Promise<void> {
  const clock = { now: 1_000 };
  const opened = await Kernel.open({ ledger, name, clock: () => clock.now, ...more });
  if (!opened.ok) throw new Error(`${name}: ${opened.problem.message}`);
  await work(opened.value, clock);
  await opened.value.close();
}

export const set = (key: string, value: unknown) => ({ key, op: "set", value });
export const act = (...effects: readonly object[]) => ({ id: "act", effects });
/** Budgets, steps, reservations, rollbacks, operators: the kernel without rules. */
export async function steps(ledger: Log, keep: (one: Checkpoint) => void, privateKey: string): Promise<void> {
  const policy = {
    budgets: {
      all: { limit: "40", quantum: "0.01" },
      usd: { limit: "10", quantum: "0.01", within: "all" },
      hourly: { limit: "3", windowMs: 3_600_000 },
      tokens: { limit: "1000", quantum: "1" },
    },
    maxSteps: 24,
    emergencies: [
      { id: "halt", effects: [set("halted", true)], cap: 2 },
      { id: "never", cap: 0 },
    ],
    protected: ["approved"],
    probes: [
      { name: "sensor", keys: ["n", "room"], threshold: "0.5" },
      { name: "many", keys: ["a", "b", "c", "d", "e", "f", "g"] },
    ],
    undoSteps: 6,
  };
  const state = { n: 0, room: "cold", list: [1, 2], approved: false, text: "" };
  const checkpoint = { privateKey, every: 20, keep };
  await withKernel(
    ledger,
    "steps",
    async (kernel, clock) => {
      const first = await kernel.execute({ ...act(set("n", 1)), cost: { usd: "1.25" }, tool: "bank.pay" });
      await kernel.execute({
        id: "all of it",
        tool: "mail.send",
        args: { to: "ann@example.org", body: "grüße\n\u0000`quoted`" },
        effects: [
          { key: "n", op: "increment", value: 2 },
          { key: "n", op: "decrement", value: 1 },
          { key: "n", op: "multiply", value: 3 },
          { key: "list", op: "append", value: { deep: [null, true, 1.5, 123456789012345678901234567890n] } },
          { key: "list", op: "remove", value: 1 },
          set("later", "there"),
          { key: "later", op: "delete" },
        ],
        cost: { usd: "0.5", tokens: 7 },
        undo: { id: "unsend", effects: [] },
      });
      // ── refusals of actions
      await kernel.execute({ ...act(set("n", 9)), cost: { usd: "100" } });
      await kernel.execute({ ...act(set("n", 9)), cost: { usd: "9", hourly: "4" }, reads: 77 });
      await kernel.execute(act(set("approved", true)));
      await kernel.execute(act({ key: "nothing", op: "delete" }));
      await kernel.execute(act({ key: "nothing", op: "increment", value: 1 }));
      await kernel.execute(act({ key: "room", op: "increment", value: 1 }));
      await kernel.execute(act({ key: "n", op: "increment", value: "1" }));
      await kernel.execute(act({ key: "n", op: "append", value: 1 }));
      await kernel.execute(act({ key: "list", op: "remove", value: "absent" }));
      await kernel.execute(act({ key: "n", op: "multiply", value: 2n ** 1_023n }));
      // ── emergencies
      await kernel.execute({ id: "halt" });
      await kernel.execute({ id: "halt", effects: [set("halted", false)] });
      await kernel.execute({ id: "halt", cost: { usd: "1" } });
      await kernel.execute({ id: "halt", effects: [set("halted", true)] });
      await kernel.execute({ id: "halt" });
      await kernel.execute({ id: "never" });
      await kernel.reserve({ id: "halt" });
      // ── reservations
      const held = await kernel.reserve({ ...act(set("room", "warm")), cost: { usd: "2" } }, "order 1");
      await kernel.execute(act(set("room", "hot")));
      await kernel.reserve({ ...act(set("room", "warm")), cost: { usd: "2" } }, "order 1");
      await kernel.reserve(act(set("text", "another")), "order 1");
      await kernel.settle(held.receipt ?? "", { cost: { usd: "3" } });
      await kernel.settle(held.receipt ?? "", {
        cost: { usd: "1.75" },
        outcome: { heated: true, by: "2.5" },
      });
      await kernel.reserve({ ...act(set("room", "warm")), cost: { usd: "2" } }, "order 1");
      await kernel.settle(held.receipt ?? "");
      await kernel.release(held.receipt ?? "", "settled before");
      await kernel.settle("r7-none");
      const gone = await kernel.reserve(act(set("text", "x")), "order 2");
      await kernel.release(gone.receipt ?? "", "it did not happen: ‘nobody’ answered");
      const again = await kernel.reserve(act(set("text", "x")), "order 2");
      await kernel.settle(again.receipt ?? "", { drop: true });
      await kernel.perform(
        { id: "performed", effects: [set("text", "performed")] },
        () => {
          throw new Error("it broke");
        },
        { key: "performed", whenItFails: "release" },
      );
      // ── rollbacks
      const one = await kernel.execute({ ...act(set("text", "one")), cost: { usd: "0.01" } });
      const two = await kernel.execute({
        ...act(set("other", "two")),
        cost: { usd: "0.02" },
        undo: { id: "untwo" },
      });
      await kernel.rollback(first.receipt ?? "");
      const three = await kernel.execute(act(set("text", "three")));
      await kernel.rollback(one.receipt ?? "");
      await kernel.rollback(three.receipt ?? "", one.receipt ?? "");
      await kernel.rollback(one.receipt ?? "", three.receipt ?? "");
      await kernel.rollback(two.receipt ?? "");
      await kernel.rollback("s1-nothing");
      const four = await kernel.execute(act(set("kept", 1)));
      await kernel.grant("approved", true, "an operator");
      const five = await kernel.execute(act(set("kept", 2)));
      await kernel.rollback(four.receipt ?? "", five.receipt ?? "");
      const held2 = await kernel.reserve(act(set("kept", 3)), "holds kept");
      await kernel.rollback(five.receipt ?? "");
      await kernel.grant("room", "mild");
      await kernel.release(held2.receipt ?? "", "not needed");
      // ── operators
      await kernel.observe("nobody", {});
      await kernel.observe("sensor", { n: 1, stray: 2 });
      await kernel.observe("sensor", { n: kernel.view().get("n"), room: kernel.view().get("room") });
      await kernel.observe("many", {}, true);
      await kernel.observe("many", { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 });
      await kernel.execute(act(set("n", 2)));
      await kernel.resume("looked at it");
      await kernel.observe("sensor", { n: 1_000, room: "hot" });
      await kernel.execute(act(set("n", 2)));
      await kernel.resume("looked at it again");
      await kernel.observe("sensor", { n: 5, room: "hot" }, true);
      const hold = await kernel.reserve(act(set("room", "held")), "holds the room");
      await kernel.observe("sensor", { n: 500, room: "cold" }, true);
      await kernel.resume("the room is held");
      await kernel.release(hold.receipt ?? "", "no");
      await kernel.stop("for the night ‘zzz’");
      await kernel.execute(act(set("n", 2)));
      await kernel.reserve(act(set("n", 2)), "while stopped");
      await kernel.resume("morning");
      // ── windows and the end of all steps
      clock.now += 3_600_000;
      for (let n = 0; n < 12; n++) await kernel.execute({ ...act(set("n", n)), cost: { hourly: "0.5" } });
      clock.now -= 1_000_000;
      await kernel.execute({ ...act(), cost: { hourly: "0.5" } });
      await kernel.reserve(act(set("pending", true)), "left without an outcome");
      while ((await kernel.execute(act(set("n", 0)))).verdict === "allowed");
    },
    { policy, state, checkpoint },
  );
}

/** Sends a malformed form of every command. */
export async function malformed(ledger: Log): Promise<void> {
  const policy = {
    budgets: { usd: { limit: "10", quantum: "0.01", minCost: "0.01" }, eur: "5" },
    minCost: { eur: "0.5" },
    emergencies: [{ id: "halt" }],
  };
  const nested: unknown[] = [];
  nested.push(nested);
  const hostile = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error("no");
      },
    },
  );
  let deep: unknown = 1;
  for (let n = 0; n < 70; n++) deep = [deep];
  const actions: readonly unknown[] = [
    undefined,
    null,
    7,
    "text",
    [],
    {},
    hostile,
    new Date(0),
    { id: "" },
    { id: 5 },
    { id: "x".repeat(600) },
    { id: "half \ud800 pair" },
    { id: "a", tool: 5 },
    { id: "a", unknown: 1 },
    { id: "a", "strange `name` \u0000 \u202e which is longer than forty code units": 1 },
    { id: "a", args: () => 1 },
    { id: "a", args: undefined },
    { id: "a", args: Symbol("s") },
    { id: "a", args: nested },
    { id: "a", args: deep },
    { id: "a", args: Array.from({ length: 20_001 }, () => 0) },
    { id: "a", args: Number.NaN },
    { id: "a", args: Number.POSITIVE_INFINITY },
    { id: "a", args: -0 },
    { id: "a", args: 2 ** 60 },
    { id: "a", args: 2n ** 1_030n },
    { id: "a", args: 5e-324 },
    { id: "a", args: "x".repeat(100_001) },
    { id: "a", args: "\udc00" },
    { id: "a", args: { ["k".repeat(100_001)]: 1 } },
    { id: "a", args: new Array(2) },
    { id: "a", args: Object.assign([1], { more: 2 }) },
    { id: "a", args: { [Symbol("s")]: 1 } },
    { id: "a", args: Object.defineProperty({}, "hidden", { get: () => 1, enumerable: true }) },
    { id: "a", effects: {} },
    { id: "a", effects: [5] },
    { id: "a", effects: [{ op: "set", value: 1 }] },
    { id: "a", effects: [{ key: "k", value: 1 }] },
    { id: "a", effects: [{ key: "k", op: "put", value: 1 }] },
    { id: "a", effects: [{ key: "k", op: "set" }] },
    { id: "a", effects: [{ key: "k", op: "delete", value: 1 }] },
    { id: "a", effects: [{ key: "k", op: "set", value: 1, more: 1 }] },
    { id: "a", effects: Array.from({ length: 1_001 }, () => set("k", 1)) },
    { id: "a", cost: "much" },
    { id: "a", cost: "-1" },
    { id: "a", cost: "-0" },
    { id: "a", cost: true },
    { id: "a", cost: "0.001" },
    { id: "a", cost: { gbp: "1" } },
    { id: "a", cost: { eur: -2 } },
    { id: "a", reads: -1 },
    { id: "a", reads: 1.5 },
  ];
  await withKernel(
    ledger,
    "malformed",
    async (kernel) => {
      for (const action of actions) await kernel.execute(action);
      await kernel.execute({ id: "cheap", effects: [] });
      await kernel.execute({ id: "fine", effects: [], cost: { usd: "0.01", eur: "0.5" } });
      await kernel.refuse("line 3 is not JSON: here are the caller's own words");
      await kernel.reserve({ id: "" }, "k");
      for (const key of ["", "x".repeat(600), "\ud800"]) await kernel.reserve({ id: "a" }, key);
      const wrong = <T>(value: unknown): T => {
        // SAFETY: what is not of its type is what this is about.
        return value as T;
      };
      await kernel.settle(wrong(5));
      await kernel.settle("r1", { drop: wrong("yes") });
      await kernel.settle("r1", { cost: { usd: "x" } });
      await kernel.settle("r1", wrong({ other: 1 }));
      await kernel.release("", "r");
      await kernel.release("r1", wrong(5));
      await kernel.release("r1", "x".repeat(100_001));
      await kernel.rollback(wrong({}));
      await kernel.grant("", 1);
      await kernel.grant("k", undefined);
      await kernel.grant("k", 1, wrong(5));
      await kernel.observe("", {});
      await kernel.observe("p", 5);
      await kernel.observe("p", {}, wrong("yes"));
      await kernel.stop(wrong(undefined));
      await kernel.resume("\ud800");
    },
    { policy },
  );
}
