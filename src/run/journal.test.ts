import { describe, expect, it } from "vitest";
import { Kernel, MemoryLog } from "../kernel/index.ts";
import { type Owner, readJournal } from "./journal.ts";

const ofRun: Owner = {
  mentions: "r1",
  owns: ({ run }) => run === "r1",
  ownedThen: (key) => key.startsWith("run r1"),
};

async function kernelWith(...actions: readonly (readonly [action: object, key: string])[]): Promise<Kernel> {
  const opened = await Kernel.open({ ledger: new MemoryLog(), clock: () => 0 });
  if (!opened.ok) throw new Error(opened.problem.message);
  for (const [action, key] of actions) await opened.value.reserve(action, key);
  return opened.value;
}

describe("the reservations of a run", () => {
  it("are those whose origin says so, whatever their keys look like", async () => {
    const origin = { run: "r1", purpose: "call", call: "c1", attempt: 2 };
    const kernel = await kernelWith(
      [{ id: "c1", origin }, "any key"],
      [{ id: "c2" }, "run r1 call c2"],
      [{ id: "c3", origin: { run: "r2", purpose: "call", call: "c3" } }, "run r1 call c3"],
      [{ id: "c4", origin: { run: "r1", purpose: "a purpose of nobody's" } }, "run r1 call c4"],
    );
    const kept = await readJournal(kernel, ofRun, 1);
    expect([...kept.values()]).toMatchObject([{ key: "any key", origin, status: "pending" }]);
  });

  it("are the same action under one key, whoever asked for them", async () => {
    const kernel = await kernelWith([{ id: "undo", origin: { run: "r1", purpose: "undo" } }, "k"]);
    const [{ receipt = "" } = {}] = kernel.inDoubt();
    await kernel.settle(receipt);
    const again = await kernel.reserve({ id: "undo" }, "k");
    expect(again).toMatchObject({ verdict: "allowed" });
    expect(again.receipt).toBeUndefined();
  });
});
