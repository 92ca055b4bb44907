/** Drift is resolved by a person, who says which side is right, or by the rule of a fluent; each time by an entry. */
import { describe, expect, test } from "vitest";
import { isJsonObject, readJson } from "../../src/ir/index.ts";
import { Kernel, MemoryLog, newKeys } from "../../src/kernel/index.ts";
import { codesOf, entriesOf, kernelOn, verified } from "../run/lab.ts";
import { programOn, reconcileOn, runOn, World } from "./lab.ts";

const checked = programOn(["seen"], `await seen.use({ key: "a" });`);

async function drifted() {
  const kernel = await kernelOn(undefined, { state: { "seen.cell[a]": true } });
  const world = new World({ "seen[a]": false });
  expect(await codesOf(runOn(checked, world, { kernel }))).toEqual(["FC4512"]);
  return { kernel, world };
}

async function lastEntries(kernel: Kernel, count: number): Promise<readonly string[]> {
  const all = (await entriesOf(kernel)).slice(-count);
  return all.map(({ bytes }) => {
    const read = readJson(new TextDecoder().decode(bytes));
    const entry = read.ok && isJsonObject(read.value.value) ? read.value.value : {};
    return `${entry.kind} ${entry.verdict} ${entry.principal}`;
  });
}

describe("a person", () => {
  test("takes the world's values, and the kernel goes on", async () => {
    const { kernel, world } = await drifted();
    const found = await reconcileOn(checked, world, kernel, { accept: "world" });
    expect(found.cells.map(({ state }) => state)).toEqual(["agrees"]);
    expect(kernel.cell("seen.cell[a]")).toBe("false");
    expect(kernel.stopped).toBeUndefined();
    expect(await lastEntries(kernel, 2)).toEqual(["observe allowed local", "resume allowed local"]);
    expect(await codesOf(runOn(checked, world, { kernel, runId: "r2" }))).toEqual([]);
    expect(await verified(kernel)).toBe(true);
  });

  test("repairs the world, and the kernel goes on only once it agrees", async () => {
    const { kernel, world } = await drifted();
    const still = await reconcileOn(checked, world, kernel, { accept: "model" });
    expect(still.resumed).toBeUndefined();
    expect(kernel.stopped?.reason).toBe("drift");
    world.cells.set("seen[a]", true);
    const now = await reconcileOn(checked, world, kernel, { accept: "model" });
    expect(now.resumed?.verdict).toBe("allowed");
    expect(kernel.cell("seen.cell[a]")).toBe("true");
    expect(await codesOf(runOn(checked, world, { kernel, runId: "r2" }))).toEqual([]);
  });

  test("makes a missing cell missing in the state as well", async () => {
    const { kernel, world } = await drifted();
    world.cells.delete("seen[a]");
    await reconcileOn(checked, world, kernel, { accept: "world" });
    expect(kernel.cell("seen.cell[a]")).toBeUndefined();
    expect(kernel.stopped).toBeUndefined();
  });

  test("lets the world say what a failed call has left unknown", async () => {
    const kernel = await kernelOn(undefined, {
      state: { "seen.cell[a]": true, "unknown seen.cell[a]": "lost" },
    });
    const world = new World({ "seen[a]": false });
    expect((await reconcileOn(checked, world, kernel)).cells.map(({ state }) => state)).toEqual(["unknown"]);
    expect(kernel.stopped).toBeUndefined();
    await reconcileOn(checked, world, kernel, { accept: "world" });
    expect(kernel.cell("unknown seen.cell[a]")).toBeUndefined();
    expect(kernel.cell("seen.cell[a]")).toBe("false");
  });

  test("does not let a kernel go on that somebody stopped for another reason", async () => {
    const { kernel, world } = await drifted();
    await kernel.stop("wrong account");
    await reconcileOn(checked, world, kernel, { accept: "world" });
    expect(kernel.stopped?.reason).toBe("said");
  });

  test("does not let it go on while a probe fails, or a call is in doubt", async () => {
    const { kernel, world } = await drifted();
    const fine = world.probes.get("seen.cell");
    world.probes.set("seen.cell", { probe: () => Promise.reject(new Error("gone")), takes: false });
    expect((await reconcileOn(checked, world, kernel, { accept: "world" })).resumed).toBeUndefined();
    expect(kernel.stopped?.reason).toBe("drift");
    if (fine !== undefined) world.probes.set("seen.cell", fine);
    const doubtful = await kernelOn(undefined, { state: { "seen.cell[a]": true } });
    await doubtful.reserve({ id: "other", effects: [{ key: "seen.cell[a]", op: "set", value: false }] });
    const found = await reconcileOn(checked, world, doubtful, { accept: "world" });
    expect(found.cells.map(({ state }) => state)).toEqual(["in doubt"]);
    expect(doubtful.cell("seen.cell[a]")).toBe("true");
  });

  test("cannot take what a rule of the kernel forbids", async () => {
    const rules = [{ name: "seen", enforcement: "blocking", rule: "readOnly", keys: ["seen.cell[a]"] }];
    const kernel = await kernelOn(undefined, { state: { "seen.cell[a]": true }, policy: { rules } });
    const world = new World({ "seen[a]": false });
    const found = await reconcileOn(checked, world, kernel, { accept: "world" });
    expect(found.outcomes.map(({ verdict }) => verdict)).toEqual(["refused"]);
    expect(kernel.cell("seen.cell[a]")).toBe("true");
    expect(kernel.stopped?.reason).toBe("drift");
  });
});

describe("principals", () => {
  const ops = newKeys();
  const policy = {
    principals: [{ name: "ops", operator: true, key: ops.publicKey }, { name: "agent" }],
  };

  test("the entries name the operator, and an agent can resolve nothing", async () => {
    const ledger = new MemoryLog();
    const opened = await Kernel.open({
      ledger,
      clock: () => 1,
      policy,
      state: { "seen.cell[a]": true },
      principal: "ops",
      privateKey: ops.privateKey,
    });
    if (!opened.ok) throw new Error(opened.problem.message);
    const agent = opened.value.as("agent");
    if (!agent.ok) throw new Error(agent.problem.message);
    const world = new World({ "seen[a]": false });
    // The run of the agent does not begin, although the agent cannot stop the kernel.
    expect(await codesOf(runOn(checked, world, { kernel: agent.value }))).toEqual(["FC4512"]);
    expect(world.done).toEqual([]);
    expect(agent.value.stopped).toBeUndefined();
    await reconcileOn(checked, world, agent.value, { accept: "world" });
    expect(agent.value.cell("seen.cell[a]")).toBe("true");
    await reconcileOn(checked, world, opened.value, {});
    expect(opened.value.stopped?.reason).toBe("drift");
    await reconcileOn(checked, world, opened.value, { accept: "world" });
    expect(await lastEntries(opened.value, 2)).toEqual(["observe allowed ops", "resume allowed ops"]);
  });
});

describe("a rule", () => {
  test("takes the world's value, and the run begins with it", async () => {
    const kernel = await kernelOn(undefined, { state: { "seen.cell[a]": true } });
    const world = new World({ "seen[a]": false }, { seen: { takes: true } });
    expect(await codesOf(runOn(checked, world, { kernel }))).toEqual([]);
    expect(kernel.cell("seen.cell[a]")).toBe("false");
    expect(await verified(kernel)).toBe(true);
  });

  test("does not hide it from a run that has begun", async () => {
    const both = programOn(["locked"], `await locked.set({ key: "a" }); await locked.use({ key: "a" });`);
    const world = new World({}, { locked: { takes: true } });
    world.after = (call) => {
      if (call === "locked.set a") world.cells.set("locked[a]", true);
    };
    const run = await runOn(both, world, { when: "calls" });
    expect(run.ok ? [run.value.kind, run.value.endedBy?.code] : []).toEqual(["stopped", "FC4504"]);
    expect(world.done).toEqual(["locked.set a"]);
  });
});

describe("the kernel", () => {
  const seen = { keys: ["seen.cell[a]"], values: { "seen.cell[a]": false }, reads: 0 };

  test("takes observations of cells of one fluent, of its own version, and of nothing that is held", async () => {
    const kernel = await kernelOn(undefined, { state: { "seen.cell[a]": true, limit: 5 } });
    const codes = async (fluent: string, what: object) =>
      (await kernel.observeCells(fluent, { ...seen, ...what }, true)).reasons.map(({ code }) => code);
    expect(await codes("seen.cell", { keys: ["limit"], values: { limit: 9 } })).toEqual(["shape"]);
    expect(await codes("seen", {})).toEqual(["shape"]);
    expect(await codes("seen.cell", { values: { limit: 9 } })).toEqual(["shape"]);
    expect(await codes("seen.cell", { keys: [] })).toEqual(["shape"]);
    expect(
      await codes("seen.cell", { keys: Array.from({ length: 1_001 }, (_, i) => `seen.cell[${i}]`) }),
    ).toEqual(["limit"]);
    expect(await codes("seen.cell", { reads: 1 })).toEqual(["version"]);
    await kernel.reserve({ id: "other", effects: [{ key: "seen.cell[a]", op: "set", value: false }] });
    expect(await codes("seen.cell", {})).toEqual(["held"]);
    expect(kernel.stopped).toBeUndefined();
    expect([kernel.cell("limit"), kernel.cell("seen.cell[a]")]).toEqual(["5", "true"]);
  });

  test("keeps that it was stopped by drift in a snapshot's state, and across processes", async () => {
    const ledger = new MemoryLog();
    const kernel = await kernelOn(ledger, { state: { "seen.cell[a]": true } });
    await kernel.observeCells("seen.cell", seen);
    const other = await kernelOn(ledger);
    expect(other.stopped).toEqual({ reason: "drift", args: { keys: ["seen.cell[a]"] } });
    expect(await verified(other)).toBe(true);
  });
});
