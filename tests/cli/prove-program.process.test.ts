/** TypeScript programs, from the files on disk to the verdict. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, foreclaim } from "./built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-program-"));
const inFolder = { cwd: folder };

const bank = `import { contract, tool } from "foreclaim";
export const balance = tool({
  ensures: (result) => result >= 0,
  run: async ({ account }: { account: string }): Promise<number> => { throw new Error("never executed: " + account); },
});
export const withdraw = tool({
  requires: ({ amount }) => amount >= 0,
  run: async ({ account, amount }: { account: string; amount: number }): Promise<void> => { throw new Error(account + amount); },
});
export const maxSpend = contract((limit: number) => withdraw.sum((w) => w.amount) <= limit);
`;

const program = (limit: number, amount: string) => `import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({
  guarantees: [bank.maxSpend(${limit})],
  async run() {
    const owed = await bank.balance({ account: "card" });
    await bank.withdraw({ account: "card", amount: ${amount} });
  },
});
`;

beforeAll(async () => {
  await build();
  mkdirSync(join(folder, "tools"));
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "tools/bank.ts"), bank);
  writeFileSync(join(folder, "fine.ts"), program(500, "Math.min(owed, 500)"));
  writeFileSync(join(folder, "greedy.ts"), program(500, "owed"));
  writeFileSync(join(folder, "negative.ts"), program(500, "Math.min(owed, 500) - 1"));
  writeFileSync(join(folder, "misspelt.ts"), program(500, "owd"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("foreclaim prove program.ts", () => {
  it.each<[line: string, code: number, says: RegExp]>([
    ["prove fine.ts", 0, /proved +bank\.maxSpend\(500\)/],
    ["prove greedy.ts", 1, /refuted +bank\.maxSpend\(500\)[\s\S]*bank\.withdraw/],
    ["prove negative.ts", 1, /refuted +`bank\.withdraw` requires `amount >= 0` {2}at negative\.ts:7:/],
    ["prove misspelt.ts", 2, /FC2401[\s\S]*misspelt\.ts:7:[\s\S]*did you mean `owed`/],
    ["prove none.ts", 2, /FC2002/],
    ["prove fine.ts --tools elsewhere", 2, /FC2003/],
    ["prove fine.ts --tools tools", 0, /proved/],
  ])("%s", async (line, code, says) => {
    const { code: found, out, err } = await foreclaim(line.split(" "), inFolder);
    expect(out + err).toMatch(says);
    expect(found).toBe(code);
  });

  it("takes the tools folders from `foreclaim.json`, and refuses one that makes no sense", async () => {
    const tell = async (text: string) => {
      writeFileSync(join(folder, "foreclaim.json"), text);
      const { code, err } = await foreclaim(["prove", "fine.ts"], inFolder);
      return { code, err };
    };
    expect((await tell('{"tools": ["./tools"]}')).code).toBe(0);
    expect((await tell('{"tools": ["./elsewhere"]}')).err).toContain("FC2003");
    for (const bad of ["{", "[]", '{"tools": "x"}', '{"tools": [1]}', '{"tool": []}'])
      expect((await tell(bad)).code).toBe(2);
    rmSync(join(folder, "foreclaim.json"));
  });

  it("gives the verdicts as data", async () => {
    const { out } = await foreclaim(["prove", "greedy.ts", "--json"], inFolder);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      relativeTo: expect.stringMatching(/^the tool modules fcm1-/),
      guarantees: [
        { name: "bank.maxSpend", args: ["500"], verdict: "refuted", run: { trace: expect.anything() } },
      ],
      obligations: [{ kind: "requires", verdict: "proved", line: 7 }],
    });
  });
});
