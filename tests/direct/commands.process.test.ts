/** Documents wherever a program is taken: which tool modules they are linked with, and what is refused. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/app/files/node.ts";
import { SolverPool } from "../../src/app/prove/solver-pool.ts";
import { proveJob } from "../../src/app/service/prove-job.ts";
import { readToolFiles } from "../../src/app/service/tool-files.ts";
import { canonicalJson, documentToJson, parseDocument } from "../../src/ir/index.ts";
import { build, foreclaim } from "../cli/built.ts";
import { command } from "../cli/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-direct-"));
const at = (path: string) => join(folder, path);

function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

const bank = (most: number) => `import { appendFileSync } from "node:fs";
import { contract, tool } from "foreclaim";
export const pay = tool({
  requires: ({ amount }) => amount >= 0 && amount <= ${most},
  run: async ({ amount }: { amount: number }): Promise<void> => appendFileSync(${JSON.stringify(at("world.txt"))}, "paid " + amount + "\\n"),
});
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
`;
const pays = (amount: string, stated = "guarantee bank.maxSpend(500)") =>
  `effect-ir 1\nprogram () {\n  call bank.pay(amount: ${amount})\n}\n${stated}\n`;
const alone = `effect-ir 1
tool bank.pay(amount: real)
program () {
  call bank.pay(amount: 5)
}
guarantee bank.maxSpend(500): sum(p in bank.pay: p.amount) <= 500
`;
const asJson = (text: string) => {
  const read = parseDocument(text);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return canonicalJson(documentToJson(read.value.document));
};

beforeAll(async () => {
  await build();
  put("p/tools/bank.ts", bank(100));
  put("p/pay.eir", pays("50"));
  put("p/deep/pay.eir", pays("50"));
  put("p/pay.json", asJson(pays("50")));
  put("p/much.eir", pays("200"));
  put("p/wrong.eir", pays("50").replace("program", "tool bank.pay(amount: real)\nprogram"));
  put("p/own.eir", pays("50", "guarantee my.limit(): count(p in bank.pay) <= 1"));
  put("p/none.eir", pays("50", ""));
  put("p/tools.ts", "");
  put("other/bank.ts", bank(1000));
  put("named/foreclaim.json", '{"tools": ["../other"]}');
  put("named/much.eir", pays("200"));
  put("empty/foreclaim.json", '{"tools": ["./mine"]}');
  put("empty/mine/readme.md", "nothing here");
  put("empty/alone.eir", alone);
  put("unrelated/tools/helper.ts", "export const two = 2;\n");
  put("unrelated/alone.eir", alone);
  put("alone/alone.eir", alone);
  put("broken/tools/bank.ts", "export const pay = tool(;\n");
  put("broken/pay.eir", pays("50"));
  put("both/tools/bank.ts", bank(100));
  put("both/in/tools/bank.ts", bank(100));
  put("both/in/pay.eir", pays("50"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Shown {
  readonly verdict: string;
  readonly relativeTo?: string;
  readonly errors: readonly { readonly code: string; readonly span: unknown }[];
  readonly guarantees: readonly { readonly name: string; readonly own?: true }[];
}

describe("prove", () => {
  it.each<[line: string, verdict: string, code?: string]>([
    ["p/pay.eir", "proved"],
    ["p/deep/pay.eir", "proved"],
    ["p/pay.json", "proved"],
    ["p/much.eir", "refuted"],
    ["p/much.eir --tools other", "proved"],
    ["named/much.eir", "proved"],
    ["p/wrong.eir", "invalid", "FC2602"],
    ["p/none.eir", "invalid", "FC2608"],
    ["empty/alone.eir", "invalid", "FC2601"],
    ["p/pay.eir --tools empty/mine", "invalid", "FC2601"],
    ["p/pay.eir --tools nowhere", "invalid", "FC9002"],
    ["broken/pay.eir", "invalid", "FC2001"],
    ["both/in/pay.eir", "invalid", "FC2609"],
    ["both/in/pay.eir --tools both/tools", "proved"],
    ["alone/alone.eir", "proved"],
    ["unrelated/alone.eir", "proved"],
  ])("%s", async (line, verdict, code) => {
    const words = line.split(" ").map((word) => (word.startsWith("--") ? word : at(word)));
    const { json } = await command(["prove", ...words, "--json"]);
    const found = json() as Shown;
    expect(found.verdict).toBe(verdict);
    expect(found.errors[0]?.code).toBe(code);
    if (verdict === "invalid") return;
    const isAlone = line.includes("alone");
    expect(found.relativeTo).toMatch(
      isAlone ? /^the document itself$/ : /^the tool modules fcm1-[0-9a-f]{64}$/,
    );
  });

  it("reads standard input, with the tools of where it stands", async () => {
    const { out, code } = await foreclaim(["prove", "-"], { cwd: at("p"), stdin: pays("50") });
    expect(out).toContain("allowed by the tool modules");
    expect(code).toBe(0);
    const { out: other } = await foreclaim(["prove", "-"], { cwd: at("alone"), stdin: alone });
    expect(other).toContain("allowed by the document itself");
  });

  it("tells the agent's own statements from contracts", async () => {
    const { out } = await command(["prove", at("p/own.eir")]);
    expect(out).toContain("the agent's own statement, which is no contract of a tool module");
    const { json } = await command(["prove", at("p/own.eir"), "--json"]);
    expect((json() as Shown).guarantees).toMatchObject([{ name: "my.limit", own: true }]);
  });
});

describe("certify and policy check", () => {
  it("take what is linked", async () => {
    const { out, code } = await command(["certify", at("p/pay.eir")]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ modules: expect.stringMatching(/^fcm1-/) });
  });

  it("refuse what speaks for itself where it matters", async () => {
    put("policy.json", JSON.stringify({ version: 1, rules: [] }));
    const { err, code } = await command(["policy", "check", at("policy.json"), at("alone/alone.eir")]);
    expect(err).toContain("FC2610");
    expect(code).toBe(2);
  });
});

describe("run", () => {
  it("runs a document by the tool modules", async () => {
    const { code, err } = await foreclaim(["run", "pay.eir", "--yes"], { cwd: at("p") });
    expect(err + code).toMatch(/0$/);
    expect(readFileSync(at("world.txt"), "utf8")).toBe("paid 50\n");
    rmSync(at("world.txt"));
  });

  it.each<[path: string, code: number, says: RegExp]>([
    ["alone/alone.eir", 2, /FC2610.*declares its tools itself/],
    ["p/wrong.eir", 1, /FC2602/],
    ["p/much.eir", 1, /refuted/],
  ])("does not run %s", async (path, code, says) => {
    const found = await foreclaim(["run", at(path), "--yes"], { cwd: folder });
    expect(found.out + found.err).toMatch(says);
    expect(found.code).toBe(code);
    expect(existsSync(at("world.txt"))).toBe(false);
  });

  it("takes no file from the source map of a document", async () => {
    put("evil.ts", bank(100).replace('"paid "', '"stolen "'));
    const { effectIr, ...rest } = JSON.parse(asJson(pays("50")));
    const place = [0, 1, 1, 1, 2];
    const sourceMap = { files: [at("evil.ts")], places: { "/tools/0": place, "/program/body/0": place } };
    put("p/mapped.json", JSON.stringify({ effectIr, ...rest, sourceMap }));
    const { code, err } = await foreclaim(["run", "mapped.json", "--yes"], { cwd: at("p") });
    expect(err + code).toMatch(/0$/);
    expect(readFileSync(at("world.txt"), "utf8")).toBe("paid 50\n");
    rmSync(at("world.txt"));
  });
});

describe("the service", () => {
  it("proves a document that was filed, with its own tool modules", async () => {
    const tools = await readToolFiles(nodeFiles, at("p"), undefined);
    if (!tools.ok) throw new Error(tools.problems[0]?.message);
    const how = { pool: new SolverPool(), timeoutMs: 1 };
    const context = { tools: tools.value, policy: undefined, how, nowMs: () => 0 };
    const job = async (text: string) => (await proveJob(context, { text, inputs: {} }, () => {})).found;
    expect(await job(pays("50"))).toMatchObject({ kind: "proof", view: { verdict: "proved" } });
    expect(await job(`// a comment\n${pays("50")}`)).toMatchObject({ kind: "proof" });
    expect(await job(asJson(pays("50")))).toMatchObject({
      kind: "proof",
      binding: { modules: expect.stringMatching(/^fcm1-/) },
    });
    expect(await job(alone)).toMatchObject({ kind: "invalid", problems: [{ code: "FC2602" }] });
    const own = await job(pays("50", "guarantee my.limit(): count(p in bank.pay) <= 1"));
    expect(own).toMatchObject({ view: { guarantees: [{ text: expect.stringContaining("own statement") }] } });
  });
});
