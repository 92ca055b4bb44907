import { describe, expect, it } from "vitest";
import { fakeHost } from "../../../../tests/cli/fake-host.ts";
import { exampleFiles } from "../../../../tests/frontend/examples.ts";
import { runCli } from "../../run-cli.ts";

async function foreclaim(line: string, options: Parameters<typeof fakeHost>[0] = {}) {
  const host = fakeHost({ files: exampleFiles, ...options });
  const code = await runCli(line.split(" "), host, "0");
  return { code, out: host.out(), err: host.err() };
}

describe("foreclaim tools", () => {
  it("says of each tool, fluent and contract what a program needs to know", async () => {
    const { code, out } = await foreclaim("tools");
    expect(code).toBe(0);
    for (const part of [
      'tools/email.ts\n  import * as email from "./tools/email";\n',
      '  tool email.send({ addr: string; msg: string }): Promise<void>\n    Sends one email.\n    requires contains(addr, "@")\n    labels message\n',
      "  contract email.only(addresses: string[])\n    Every email goes to one of these addresses.\n    means forall e in email.send: contains(addresses, e.addr)\n",
      "  coverage email.policy (email)\n    when used: email.send\n    recommended: email.only, email.uniqueRecipients\n",
      "  tool bank.withdraw({ account: string; amount: number }): Promise<void>\n    requires amount >= 0\n    cost amount\n    note can be undone\n",
      "  fluent home.doorLocked[string]: boolean\n    initial true\n",
      "    sets home.doorLocked[door] = false\n",
      "  tool db.query({ table: string; where?: { consented?: boolean } }): Promise<{ name: string;\n      email: string; consented: boolean; role: string }[]>\n    ensures length(result) <= 100\n",
      "\n6 tools, 1 fluent and 13 contracts in 4 modules\n",
    ])
      expect(out).toContain(part);
  });

  it("says the same as data", async () => {
    const { out } = await foreclaim("tools --json");
    const { ok, modules } = JSON.parse(out);
    expect(ok).toBe(true);
    expect(modules.map(({ file }: { file: string }) => file)).toEqual([
      "tools/bank.ts",
      "tools/db.ts",
      "tools/email.ts",
      "tools/home.ts",
    ]);
    expect(modules[0].tools[0]).toEqual({
      name: "bank.withdraw",
      signature: "bank.withdraw({ account: string; amount: number }): Promise<void>",
      doc: null,
      requires: ["amount >= 0"],
      ensures: [],
      sets: [],
      cost: "amount",
      stores: null,
      endorses: null,
      readers: null,
      labels: [],
      flags: ["undoable"],
    });
    expect(modules[2].coverage).toEqual([
      {
        name: "email.policy",
        label: "email",
        whenUsed: ["email.send"],
        required: [],
        recommended: ["email.only", "email.uniqueRecipients"],
      },
    ]);
    expect(modules[3].fluents).toEqual([
      { name: "home.doorLocked", signature: "home.doorLocked[string]: boolean", doc: null, initial: "true" },
    ]);
  });

  it("says what a tool keeps, endorses and lets read", async () => {
    const text = `import { input, labelled, tool } from "foreclaim";
export const fetch = tool({ stores: ["mail", "drive"], readers: (row) => [row.to], run: async (): Promise<{ to: string }[]> => [] });
export const ask = tool({ stores: [], endorses: [fetch, labelled("x"), input(), "untrusted"], run: async (): Promise<string> => "" });
`;
    const { out } = await foreclaim("tools", { files: { "tools/mail.ts": text } });
    expect(out).toContain("    stores mail, drive\n    readers [row.to]\n");
    expect(out).toContain('    stores none\n    endorses tool mail.fetch, label "x", inputs, untrusted\n');
    const json = await foreclaim("tools --json", { files: { "tools/mail.ts": text } });
    expect(JSON.parse(json.out).modules[0].tools[0]).toMatchObject({
      stores: "mail, drive",
      endorses: null,
      readers: "[row.to]",
    });
  });

  it("looks from where the programs are", async () => {
    const files = {
      "agent/tools/a.ts": exampleFiles["tools/home.ts"] ?? "",
      "agent/deep/x.ts": "",
      ...exampleFiles,
    };
    const { out } = await foreclaim("tools agent/deep", { files });
    expect(out).toContain('import * as a from "../tools/a";');
    expect(out).toContain('import * as bank from "../../tools/bank";');
    const only = await foreclaim("tools agent --tools agent/tools", { files });
    expect(only.out).toMatch(/in 1 module\n$/);
  });

  it("fits the width", async () => {
    const { out } = await foreclaim("tools", { columns: 60 });
    for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(60);
  });

  it.each<[line: string, files: Record<string, string>, says: RegExp]>([
    [
      "tools",
      { "a.ts": "" },
      /^error FC9002: there is no tools folder here or above\n {2}help: make a folder `tools`/,
    ],
    [
      "tools nowhere",
      { "tools/a.ts": "" },
      /^error FC9002: cannot read `nowhere`: there is no such folder\n$/,
    ],
    ["tools --tools nowhere", { "tools/a.ts": "" }, /cannot read the folder `nowhere`, which --tools names/],
    [
      "tools",
      { "tools/a.ts": 'import { tool } from "foreclaim";\nexport const a = tool({ run: async () => 1 });\n' },
      /^error FC2102[\s\S]*tools\/a\.ts:2:/,
    ],
    ["tools", { "tools/a.ts": "export const = 1;\n" }, /^error FC2001/],
    ["tools", { "tools/a.ts": "", "foreclaim.json": "{" }, /^error FC9001: `foreclaim\.json` is not JSON/],
  ])("%s with what is wrong: %#", async (line, files, says) => {
    const told = await foreclaim(line, { files });
    expect(told.err).toMatch(says);
    expect(told).toMatchObject({ code: 2, out: "" });
    const json = await foreclaim(`${line} --json`, { files });
    expect(json).toMatchObject({ code: 2, err: "" });
    expect(JSON.parse(json.out).problems.length).toBeGreaterThan(0);
  });
});
