/** `run --ledger new.db --budget 50`: the ledger is made with the run, and only with it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { build, foreclaim } from "../cli/built.ts";

const bank = `
import { contract, tool } from "foreclaim";
export const pay = tool({
  requires: ({ amount }) => amount > 0,
  cost: ({ amount }) => amount,
  run: async ({ amount }: { amount: number }): Promise<void> => {},
});
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
`;
const program = (limit: number) => `
import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({
  guarantees: [bank.maxSpend(${limit})],
  async run() {
    await bank.pay({ amount: 20 });
  },
});
`;
const limited = {
  version: 1,
  rules: [
    {
      name: "few",
      decision: "auto_approved",
      whenProven: ["bank.maxSpend(20)"],
      limits: [{ name: "day", clause: "bank.maxSpend(?)", atMost: 30, per: "day" }],
      reason: "few",
    },
  ],
};

let folder = "";
beforeAll(() => build());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-new-ledger-"));
  put("tools/bank.ts", bank);
  put("pay.ts", program(20));
  put("much.ts", program(19));
  put("policy.json", JSON.stringify(limited));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

const said = (line: string) => foreclaim(line.split(" "), { cwd: folder });
const made = () =>
  readdirSync(folder)
    .filter((name) => name.startsWith("new.db"))
    .sort();

describe("a ledger that is not there", () => {
  test("is made with the budget, in one line, and the run is on it", async () => {
    const { code, out } = await said("run pay.ts --ledger new.db --budget 50 --yes");
    expect(code, out).toBe(0);
    expect(out.match(/^made the ledger new\.db with a budget of 50$/gm)).toHaveLength(1);
    expect(made()).toEqual(["new.db", "new.db-reserve", "new.db.key", "new.db.pub"]);
    expect(statSync(join(folder, "new.db.key")).mode & 0o077).toBe(0);
    expect((await said("trace verify new.db")).code).toBe(0);
    const status = JSON.parse((await said("kernel status new.db --json")).out);
    expect(status.budgets).toMatchObject({ total: { limit: "50", net: "20" } });
    expect((await said("trace checkpoint new.db")).code).toBe(0);
  });

  test("is used and never made again by the next run, whose budget is its own", async () => {
    for (const budget of [50, 30]) {
      const { code, out } = await said(`run pay.ts --ledger new.db --budget ${budget} --yes`);
      expect(code).toBe(0);
      expect(out.includes("made the ledger")).toBe(budget === 50);
    }
    const third = await said("run pay.ts --ledger new.db --budget 50 --yes");
    expect(third.code).toBe(4); // 40 of 50 are spent
    const { budgets } = JSON.parse((await said("kernel status new.db --json")).out);
    expect(budgets).toMatchObject({ total: { limit: "50", net: "40" } });
  });

  test("with --json the line goes to standard error", async () => {
    const { code, out, err } = await said("run pay.ts --ledger=new.db --budget=50 --yes --json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ outcome: "done" });
    expect(err).toContain("made the ledger new.db");
  });

  test("keeps what a policy has counted", async () => {
    const line = "run pay.ts --ledger new.db --budget 50 --approve policy --policy policy.json";
    expect((await said(line)).code).toBe(0);
    const again = await said(line);
    expect(again.err).toContain("of the limit `day`, 20 of 30 are used");
    expect(again.code).toBe(3);
    expect((await said("trace verify new.db")).code).toBe(0);
  });

  test.each([
    ["not proved", 1, "run much.ts --ledger new.db --budget 50 --yes"],
    ["not approved", 3, "run pay.ts --ledger new.db --budget 50"],
    ["tried only", 0, "run pay.ts --ledger new.db --budget 50 --dry-run"],
    ["no program", 2, "run none.ts --ledger new.db --budget 50 --yes"],
    ["no policy", 2, "run pay.ts --ledger new.db --budget 50 --approve policy --policy none.json"],
    ["no key", 2, "run pay.ts --ledger new.db --budget 50 --yes --key none.key"],
    ["resumed", 2, "run pay.ts --ledger new.db --resume 5f2c81a09b3e"],
    ["no budget", 2, "run pay.ts --ledger new.db --yes"],
    ["a negative budget", 2, "run pay.ts --ledger new.db --budget -5 --yes"],
    ["a budget in words", 2, "run pay.ts --ledger new.db --budget ten --yes"],
    ["a budget with a name", 2, "run pay.ts --ledger new.db --budget usd=5 --yes"],
    ["no folder", 2, "run pay.ts --ledger new.dbs/new.db --budget 50 --yes"],
  ])("is not made for a run that is refused: %s", async (_, code, line) => {
    const { code: found, out, err } = await said(line);
    expect(found, `${out}${err}`).toBe(code);
    expect(made()).toEqual([]);
  });

  test("is not made if a tool module cannot be loaded", async () => {
    put("tools/bank.ts", `${bank}\nthrow new Error("broken");\n`);
    const { code, err } = await said("run pay.ts --ledger new.db --budget 50 --yes");
    expect(err).toContain("broken");
    expect(code).toBe(2);
    expect(made()).toEqual([]);
  });

  test("without a budget both ways to get one are named", async () => {
    const { err } = await said("run pay.ts --ledger new.db --yes");
    expect(err).toContain("`foreclaim kernel init new.db --budget usd=10`");
    expect(err).toContain("`--budget 10`");
  });

  test("an empty file is none yet; one that is something else is refused and stays as it is", async () => {
    put("new.db", "");
    expect((await said("run pay.ts --ledger new.db --budget 50")).code).toBe(3);
    expect(readFileSync(join(folder, "new.db"), "utf8")).toBe("");
    put("new.db", "a text that is no ledger, and long enough to be one".repeat(100));
    const before = readFileSync(join(folder, "new.db"), "utf8");
    expect((await said("run pay.ts --ledger new.db --budget 50 --yes")).code).toBe(2);
    expect(readFileSync(join(folder, "new.db"), "utf8")).toBe(before);
  });

  test("of two runs at once, one makes it, and nothing is spent that is not in it", async () => {
    const line = "run pay.ts --ledger new.db --budget 50 --yes --json";
    const ended = await Promise.all([said(line), said(line)]);
    const done = ended.filter(({ code }) => code === 0).length;
    expect(done).toBeGreaterThanOrEqual(1);
    for (const { code, out } of ended) if (code !== 0) expect(out).toMatch(/somebody else|there already/);
    const { budgets } = JSON.parse((await said("kernel status new.db --json")).out);
    expect(budgets.total.net).toBe(String(20 * done));
    expect((await said("trace verify new.db")).code).toBe(0);
  });
});
