/** The suite that every adapter passes, with the offline double of its SDK. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ForeclaimOptions } from "../../src/adapters/core.ts";
import { type Brain, careful, careless, folder, repairer, scripted, shop } from "./shop.ts";

/** An agent of one SDK: a loop of model and tools. */
export interface Driver {
  /**
   * Runs the loop until the model is done.
   * @param person decides, in the way of the SDK, on the question that it shows
   */
  readonly drive: (
    options: ForeclaimOptions,
    brain: Brain,
    person: (question: string) => boolean,
  ) => Promise<void>;
  /** Calls the function of a tool without the loop, as code that the model wrote might. */
  readonly direct: (options: ForeclaimOptions, tool: string, args: object) => Promise<unknown>;
}

export function adapterSuite(name: string, { drive, direct }: Driver): void {
  describe(name, () => {
    test("a refuted program is repaired, approved and run, and its result comes back", async () => {
      const { paid, handlers } = shop();
      const { brain, heard } = repairer();
      const asked: string[] = [];
      await drive({ folder, handlers }, brain, (question) => {
        asked.push(question);
        return true;
      });
      const [found, proof, run] = heard;
      expect(found).toMatchObject({
        tools: expect.arrayContaining([expect.objectContaining({ name: "shop.pay" })]),
      });
      expect(proof).toMatchObject({ verdict: "refuted" });
      expect(run).toMatchObject({
        verdict: "proved",
        status: "done",
        result: "paid a-1",
        calls: [
          { tool: "shop.invoices", count: 1 },
          { tool: "shop.pay", count: 1 },
        ],
        receipt: { decision: "approved_once" },
      });
      expect(paid).toEqual([{ payee: "paper & co", amount: 40 }]);
      expect(asked).toHaveLength(1);
    });

    test("a program that is not approved does not run", async () => {
      const { paid, handlers } = shop();
      const { brain, heard } = scripted({ tool: "run", args: { program: careful } });
      await drive({ folder, handlers }, brain, () => false);
      expect(paid).toEqual([]);
      expect(JSON.stringify(heard)).not.toContain('"done"');
    });

    test("a program that is not proved runs for nobody, and nobody is asked", async () => {
      const { paid, handlers } = shop();
      const { brain, heard } = scripted(
        { tool: "run", args: { program: careless } },
        { tool: "run", args: { program: "export default 1;" } },
      );
      await drive({ folder, handlers }, brain, () => {
        throw new Error("somebody was asked");
      });
      expect(heard).toMatchObject([
        { verdict: "refuted", status: "not proved" },
        { verdict: "invalid", status: "not proved" },
      ]);
      expect(paid).toEqual([]);
    });

    test("a policy approves without asking, and rejects above everybody", async () => {
      for (const [decision, status] of [
        ["auto_approved", "done"],
        ["auto_rejected", "rejected"],
      ] as const) {
        const { paid, handlers } = shop();
        const { brain, heard } = scripted({ tool: "run", args: { program: careful } });
        await drive({ folder, handlers, policy: policyFile(decision) }, brain, () => {
          throw new Error("somebody was asked");
        });
        expect(heard).toMatchObject([{ verdict: "proved", status }]);
        expect(paid).toHaveLength(status === "done" ? 1 : 0);
      }
    });

    test("code that calls `run` by itself runs nothing that nobody was asked about", async () => {
      const { paid, handlers } = shop();
      const answer = await direct({ folder, handlers }, "run", { program: careful });
      expect(answer).toMatchObject({ verdict: "proved", status: "rejected" });
      expect(paid).toEqual([]);
    });

    test("wrong arguments are said to be wrong", async () => {
      const { brain, heard } = scripted(
        { tool: "wait", args: { request: "run-0" } },
        { tool: "prove", args: { program: careful, more: true } },
      );
      await drive({ folder }, brain, () => false);
      expect(JSON.stringify(heard[0])).toContain("FC9102");
      expect(JSON.stringify(heard[1])).toMatch(/FC9001|more/);
    });

    test("a tool result of another type stops the run, and the agent learns no word of it", async () => {
      const { paid, handlers } = shop([{ id: "a-1", payee: "paper & co", amount: "secret" }]);
      const { brain, heard } = scripted({ tool: "run", args: { program: careful } });
      await drive({ folder, handlers }, brain, () => true);
      expect(heard).toMatchObject([{ verdict: "proved", status: "stopped", reason: /^FC/ }].map(loosened));
      expect(JSON.stringify(heard)).not.toContain("secret");
      expect(paid).toEqual([]);
    });
  });
}

function loosened({
  reason,
  ...rest
}: {
  readonly reason: RegExp;
  readonly verdict: string;
  readonly status: string;
}) {
  return { ...rest, reason: expect.stringMatching(reason) };
}

function policyFile(decision: "auto_approved" | "auto_rejected"): string {
  const file = join(mkdtempSync(join(tmpdir(), "foreclaim-adapters-")), "policy.json");
  const rule = {
    name: "small-payments",
    decision,
    reason: "it is so",
    whenProven: ["shop.spendsAtMost(100)"],
    ...(decision === "auto_approved" && { tools: ["shop.invoices", "shop.pay", "foreclaim.answer"] }),
  };
  writeFileSync(file, JSON.stringify({ version: 1, rules: [rule] }));
  return file;
}
