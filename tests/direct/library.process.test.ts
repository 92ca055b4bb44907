/** `load` and `prove` as users import them: the same as the command says, and nothing else happens. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoadedTools, load, type Proof, prove } from "../../src/index.ts";
import { build, root } from "../cli/built.ts";
import { command } from "../cli/in-process.ts";
import { folder as examples } from "../examples/examples.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-library-"));
const at = (path: string) => join(folder, path);

beforeAll(async () => {
  await build();
  mkdirSync(at("node_modules"));
  symlinkSync(root, at("node_modules/foreclaim"), "junction");
  cpSync(join(examples, "bank"), at("bank"), { recursive: true });
  writeFileSync(at("bank/broken.ts"), "export default {");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function byCommand(...args: readonly string[]): Promise<Proof> {
  const { json } = await command(["prove", ...args, "--json"]);
  return json() as Proof;
}

const timeless = (proof: Proof) => ({ ...proof, ms: 0 });

describe("prove", () => {
  it.each(["pay-card.ts", "pay-card.eir", "off-by-one.ts", "negative-amount.ts", "broken.ts", "nowhere.ts"])(
    "says what the command says of %s",
    async (name) => {
      const path = at(`bank/${name}`);
      expect(timeless(await prove(path))).toEqual(timeless(await byCommand(path)));
    },
  );

  it("takes what was loaded, and the text of a program", async () => {
    const tools = await load(at("bank/tools"));
    if (tools.kind !== "tools") throw new Error("these are tools");
    const text = `effect-ir 1
program () { call bank.withdraw(account: "card", amount: 5) }
guarantee bank.maxSpend(5)`;
    const program = await load({ text, folder: at("elsewhere") }, { tools });
    expect(program).toMatchObject({
      kind: "program",
      file: "program.eir",
      relativeTo: expect.stringContaining("fcm1-"),
    });
    expect(await prove(program)).toMatchObject({ verdict: "proved", file: "program.eir" });
    const source = `import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({ guarantees: [bank.maxSpend(5)], async run() { await bank.withdraw({ account: "card", amount: 6 }); } });`;
    expect(await prove({ text: source, folder: at("bank"), file: "six.ts" })).toMatchObject({
      verdict: "refuted",
      file: "six.ts",
      guarantees: [
        { verdict: "refuted", line: 3 },
        { verdict: "proved", enforced: true },
      ],
    });
  });

  it("takes the options of the command", async () => {
    const path = at("bank/pay-card.ts");
    expect((await prove(path, { show: "ir" })).shown).toContain("effect-ir 1");
    const plan = await prove(at("bank/rent.json"), { guarantee: ["bank.maxSpend(850)"] });
    expect(plan.guarantees[0]).toMatchObject({ name: "bank.maxSpend" });
    expect((await prove(path, { timeout: 0 })).errors).toMatchObject([{ code: "FC9001" }]);
    expect((await prove(path, { solver: "z4" as "z3" })).errors).toMatchObject([{ code: "FC9001" }]);
    expect((await prove(path, { tools: at("nowhere") })).errors).toMatchObject([{ code: "FC9002" }]);
  });
});

describe("load", () => {
  it("gives what tool modules declare", async () => {
    const loaded = (await load(at("bank/tools"))) as LoadedTools;
    expect(loaded.tools.map(({ name }) => name)).toContain("bank.withdraw");
    expect(loaded.contracts.find(({ name }) => name === "bank.maxSpend")?.params).toMatchObject([
      { name: "limit" },
    ]);
    expect(await prove(loaded)).toMatchObject({ verdict: "invalid", errors: [{ code: "FC9001" }] });
  });

  it("gives problems as data", async () => {
    const broken = await load(at("bank/broken.ts"));
    expect(broken).toMatchObject({
      kind: "invalid",
      errors: [{ code: "FC2001", span: { start: { line: 1 } } }],
    });
    expect(await prove(broken)).toMatchObject({ verdict: "invalid", errors: [{ code: "FC2001" }] });
    expect(await load("-")).toMatchObject({ kind: "invalid" });
  });

  it("takes nothing that was made up", async () => {
    const program = await load(at("bank/pay-card.ts"));
    if (program.kind !== "program") throw new Error("this is a program");
    await expect(prove({ ...program })).rejects.toThrow("`prove` takes what `load` gave");
  });
});

describe("the package", () => {
  it("proves with a solver, says nothing itself, and lets the process end", () => {
    const { stdout, stderr, status } = script(`import { prove } from "foreclaim";
const proof = await prove("bank/off-by-one.ts");
process.on("exit", () => console.log(proof.verdict, proof.guarantees.length > 0));`);
    expect({ stdout, stderr, status }).toEqual({ stdout: "refuted true\n", stderr: "", status: 0 });
  });

  it("loads nothing of all this until it is used", () => {
    const importing = 'import { load, prove } from "foreclaim"; console.log(typeof prove);';
    expect(executedBy(importing).filter(isOfApp)).toEqual([]);
    expect(executedBy(`${importing} await load("nowhere.ts");`).filter(isOfApp)).not.toEqual([]);
  });
});

function script(text: string, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(at("script.mjs"), text);
  const how = { cwd: folder, env: { ...process.env, ...env }, encoding: "utf8", timeout: 60_000 } as const;
  return spawnSync(process.execPath, ["script.mjs"], how);
}

const isOfApp = (url: string) => /[/]dist[/]app[/]/.test(url);

/** Returns the addresses of the modules that a script has executed, as the engine saw them. */
function executedBy(text: string): string[] {
  const coverage = mkdtempSync(join(folder, "coverage-"));
  const { stdout } = script(text, { NODE_V8_COVERAGE: coverage });
  expect(stdout).toBe("function\n");
  return readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), "utf8"));
    return result.map(({ url }: { readonly url: string }) => url);
  });
}
