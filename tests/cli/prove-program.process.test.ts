/** TypeScript programs, from the files on disk to the verdict. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

const write = (path: string, content: string | Uint8Array) => writeFileSync(join(folder, path), content);

beforeAll(async () => {
  await build();
  mkdirSync(join(folder, "tools"));
  mkdirSync(join(folder, "elsewhere"));
  mkdirSync(join(folder, "folder.ts"));
  write("tools/bank.ts", bank);
  write("fine.ts", program(500, "Math.min(owed, 500)"));
  write("split.ts", program(500, "owed + 2 * owed > 900 ? 0 : owed"));
  write("marked.ts", `\uFEFF${program(500, "Math.min(owed, 500)")}`);
  write("greedy.ts", program(500, "owed"));
  write("negative.ts", program(500, "Math.min(owed, 500) - 1"));
  write("misspelt.ts", program(500, "owd"));
  write("latin1.ts", Buffer.from([0x2f, 0x2f, 0xe9, 0x0a]));
  write("long.ts", `${" ".repeat(4 * 1024 * 1024)}\n`);
  write("same.eir", 'effect-ir 1\nprogram () {\n  require 1 < 0: "never"\n}\nguarantee my.own(): true\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("foreclaim prove program.ts", () => {
  it.each<[line: string, code: number, says: RegExp]>([
    ["prove fine.ts", 0, /proved +bank\.maxSpend\(500\)/],
    ["prove marked.ts", 0, /proved +bank\.maxSpend\(500\)/],
    ["prove greedy.ts", 1, /refuted +bank\.maxSpend\(500\)[\s\S]*bank\.withdraw[\s\S]*greedy\.ts:4:16/],
    [
      "prove negative.ts",
      1,
      /refuted +`bank\.withdraw` is only called with `amount` at least 0, line 7[\s\S]*negative\.ts:7:11/,
    ],
    ["prove misspelt.ts", 1, /FC2401[\s\S]*misspelt\.ts:7:[\s\S]*did you mean `owed`[\s\S]*invalid/],
    ["prove none.ts", 2, /^error FC9002: cannot read `none\.ts`: there is no such file\n$/],
    ["prove folder.ts", 2, /^error FC9002: cannot read `folder\.ts`: it is a directory\n$/],
    ["prove latin1.ts", 2, /^error FC9003: cannot read `latin1\.ts`: its bytes are not UTF-8\n/],
    ["prove long.ts", 2, /^error FC9002: cannot read `long\.ts`: it is larger than 4 MiB\n$/],
    ["prove fine.ts --tools elsewhere", 1, /FC2003/],
    [
      "prove fine.ts --tools nowhere",
      2,
      /FC9002: cannot read the folder `nowhere`, which --tools names: there is/,
    ],
    ["prove fine.ts --tools fine.ts", 2, /which --tools names: it is not a folder/],
    ["prove fine.ts --tools tools", 0, /proved/],
    ["prove fine.ts greedy.ts", 1, /2 programs: 1 proved, 1 refuted\n$/],
    ["prove fine.ts marked.ts", 0, /2 programs: 2 proved\n$/],
    ["prove fine.ts none.ts greedy.ts", 2, /3 programs: 1 proved, 1 refuted, 1 unreadable\n/],
    ["prove fine.ts misspelt.ts same.eir", 1, /3 programs: 1 proved, 1 refuted, 1 invalid\n/],
    [
      "prove fine.ts --solver native:cvc5",
      2,
      /^error FC9005: the solver `cvc5` was not found\n {2}help: install it/,
    ],
  ])("%s", async (line, code, says) => {
    const { code: found, out, err } = await foreclaim(line.split(" "), { ...inFolder, env: { PATH: "" } });
    expect(out + err).toMatch(says);
    expect(found).toBe(code);
  });

  it("takes the tools folders from `foreclaim.json`, and refuses one that makes no sense", async () => {
    const tell = async (text: string | Uint8Array) => {
      write("foreclaim.json", text);
      const { code, err } = await foreclaim(["prove", "fine.ts"], inFolder);
      return { code, err };
    };
    expect((await tell('{"tools": ["./tools"]}')).code).toBe(0);
    expect((await tell("{}")).code).toBe(0);
    expect((await tell('{"tools": ["./elsewhere"]}')).err).toContain("FC2003");
    const bad: [text: string | Uint8Array, says: string][] = [
      ["{", "`foreclaim.json` is not JSON"],
      ["[]", "`foreclaim.json` is not an object"],
      ['{"tools": "x"}', "`tools` of `foreclaim.json` is not a list of folders"],
      ['{"tools": [1]}', "`tools` of `foreclaim.json` is not a list of folders"],
      ['{"tool": []}', "`foreclaim.json` has an unknown field `tool`"],
      ['{"tools": ["./nowhere"]}', "cannot read the folder `nowhere`, which `foreclaim.json` names"],
      [Buffer.from([0xff, 0xfe, 0x7b]), "cannot read `foreclaim.json`: its bytes are not UTF-8"],
      [`{"tools": ["./tools"]}${" ".repeat(70_000)}`, "cannot read `foreclaim.json`: it is larger than"],
    ];
    for (const [text, says] of bad) {
      const { code, err } = await tell(text);
      expect(err).toContain(says);
      expect(code).toBe(2);
    }
    rmSync(join(folder, "foreclaim.json"));
  });

  it("does not take a module that cannot be read for one that is not there", async () => {
    write("tools/broken.ts", Buffer.from([0xe9]));
    write("uses.ts", program(5, "1").replace("./tools/bank", "./tools/broken"));
    const { code, err } = await foreclaim(["prove", "uses.ts"], inFolder);
    expect(err).toContain("FC9003: cannot read `tools/broken.ts`: its bytes are not UTF-8");
    expect(code).toBe(2);
  });

  it.skipIf(process.getuid?.() === 0)("says that a file may not be read", async () => {
    write("secret.ts", "");
    chmodSync(join(folder, "secret.ts"), 0);
    const { code, err } = await foreclaim(["prove", "secret.ts"], inFolder);
    expect(err).toContain("permission denied");
    expect(code).toBe(2);
  });

  it("gives one line of JSON for each program, in their order", async () => {
    const { out, code, err } = await foreclaim(
      ["prove", "greedy.ts", "none.ts", "misspelt.ts", "split.ts", "--json"],
      inFolder,
    );
    expect({ code, err }).toEqual({ code: 2, err: "" });
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ file, verdict }) => [file, verdict])).toEqual([
      ["greedy.ts", "refuted"],
      ["none.ts", "invalid"],
      ["misspelt.ts", "invalid"],
      ["split.ts", "proved"],
    ]);
    expect(lines[0]).toMatchObject({
      relativeTo: expect.stringMatching(/^the tool modules fcm1-[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^eir1-/),
      guarantees: [
        { name: "bank.maxSpend", args: ["500"], verdict: "refuted", by: null, interruption: null },
      ],
      obligations: [{ kind: "requires", verdict: "proved", line: 7, column: 11 }],
      errors: [],
      ms: expect.any(Number),
    });
    const { counterexample } = lines[0].guarantees[0];
    expect(counterexample).toMatchObject({
      inputs: {},
      calls: [
        { call: "c1", tool: "bank.balance", args: { account: "card" }, line: 6, column: 24 },
        { call: "c2", tool: "bank.withdraw", result: null, line: 7, column: 11 },
      ],
      fluents: [],
      at: { line: 4, column: 16 },
    });
    expect(counterexample.calls[1].args).toEqual({ account: "card", amount: counterexample.calls[0].result });
    expect(lines[1].errors).toEqual([
      { code: "FC9002", message: "cannot read `none.ts`: there is no such file", span: null },
    ]);
    expect(lines[2].errors).toMatchObject([
      {
        code: "FC2401",
        span: { file: "misspelt.ts", start: { line: 7, column: 52 }, end: { line: 7, column: 55 } },
      },
    ]);
    expect(lines[3].guarantees[0]).toMatchObject({ verdict: "proved", by: "smt" });
    expect(lines[3].guarantees[0].evidence).toMatchObject({
      solver: "z3-wasm",
      version: expect.stringMatching(/\d/),
      limits: { timeoutMs: 10_000 },
      script: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});
