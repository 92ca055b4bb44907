/** Options before and after the program, several values of one option, and programs from standard input, as users give them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, foreclaim } from "./built.ts";

const bank = `
import { contract, tool } from "foreclaim";
export const pay = tool({
  requires: ({ amount }) => amount > 0,
  cost: ({ amount }) => amount,
  run: async ({ amount }: { amount: number }): Promise<void> => {},
});
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
export const atLeastOnce = contract(() => pay.count() >= 1);
`;
const program = `/** { "actions": [] } effect-ir 1 */
import { program } from "foreclaim";
import * as bank from "./mine/bank";
export default program({
  guarantees: [bank.maxSpend(5)],
  async run() {
    await bank.pay({ amount: 5 });
  },
});
`;
const plan = `{"actions": [{"id": "a", "type": "tool_call", "tool": "bank.pay", "parameters": {"amount": 5}}]}`;
const policy = `{"version": 1, "rules": [{"name": "few", "decision": "auto_approved", "whenProven": ["bank.maxSpend(5)"], "reason": "few"}]}`;

const folder = mkdtempSync(join(tmpdir(), "foreclaim-options-"));
let [document, documentJson] = ["", ""];

beforeAll(async () => {
  await build();
  for (const [file, text] of [
    ["mine/bank.ts", bank],
    ["more/mail.ts", bank],
    ["pay.ts", program],
    ["-odd.ts", program],
    ["plan.json", plan],
    ["policy.json", policy],
  ] as const) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const proved = await said(["prove", "pay.ts", "--tools", "mine", "--show", "ir", "--json"]);
  document = JSON.parse(proved.out).shown;
  documentJson = (await said(["ir", "json", "-"], document)).out;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function said(args: readonly string[], stdin = "") {
  return foreclaim(args, { cwd: folder, stdin });
}

describe("an option that is given once for each value", () => {
  test.each([
    ["before the program", "prove --tools mine pay.ts"],
    ["after the program", "prove pay.ts --tools mine"],
    ["with an equals sign", "prove --tools=mine pay.ts"],
    ["several times, around the program", "prove --tools mine pay.ts --tools more"],
    ["before `--`", "prove --tools mine -- pay.ts"],
    ["before `--` and a name with a dash", "prove --tools mine -- -odd.ts"],
    ["before two programs", "prove --tools mine pay.ts pay.ts"],
    ["of certify", "certify --tools mine pay.ts"],
    ["of view", "view --tools mine pay.ts"],
    ["of compare", "compare --tools mine pay.ts pay.ts"],
    ["of policy check", "policy check --tools mine policy.json pay.ts"],
    ["of run", "run --tools mine --dry-run pay.ts"],
    ["of lint", "lint --tools mine pay.ts"],
    ["of tools", "tools --tools mine --tools more ."],
    ["of plan verify", "plan verify --tools mine plan.json"],
    ["of plan run", "plan run --tools mine --yes plan.json"],
    ["a guarantee before a plan", "prove --tools mine --guarantee bank.maxSpend(5) plan.json"],
    [
      "two guarantees",
      "prove --tools mine --guarantee bank.maxSpend(5) --guarantee bank.atLeastOnce() plan.json",
    ],
  ])("%s", async (_, line) => {
    const { code, out, err } = await said(line.split(" "));
    expect(code, `${out}${err}`).toBe(0);
  });

  test("two guarantees after one option are both proved, as before", async () => {
    const both = ["--guarantee", "bank.maxSpend(5)", "bank.atLeastOnce()"];
    const { code, out } = await said(["prove", "plan.json", "--tools", "mine", ...both]);
    expect(out).toContain("2 guarantees proved");
    expect(code).toBe(0);
    const wrong = await said([
      "prove",
      "--tools",
      "mine",
      ...both.slice(0, 2),
      "bank.maxSpend(4)",
      "plan.json",
    ]);
    expect(wrong.out).toMatch(/refuted {2}bank\.maxSpend\(4\)/);
    expect(wrong.code).toBe(1);
    expect((await said(["prove", "--tools", "mine", ...both])).code).toBe(2);
  });

  test.each([
    ["prove pay.ts --tools mine more", "`--tools more`"],
    ["policy check policy.json pay.ts --tools mine more", "`--tools more`"],
    ["run pay.ts --tools mine more --dry-run", "`--tools mine --tools more`"],
    ["certify pay.ts --tools=mine more", "`--tools mine --tools more`"],
    ["plan verify plan.json --tools mine more", "`--tools mine --tools more`"],
    ["prove pay.ts --tools mine,more", "its own `--tools`"],
    ["serve --port 0 --origin http://a.example http://b.example", "--origin http://b.example`"],
  ])("a list is refused with the form that works: %s", async (line, form) => {
    const { code, out, err } = await said(line.split(" "));
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain(form);
  });
});

describe("a program from standard input", () => {
  const tools = ["--tools", "mine"];
  const texts = () => ({ ts: program, eir: document, json: documentJson, plan });

  test.each([
    ["prove", "ts", []],
    ["prove", "ts", ["--as", "ts"]],
    ["prove", "eir", []],
    ["prove", "eir", ["--as", "eir"]],
    ["prove", "json", []],
    ["prove", "json", ["--as", "eir"]],
    ["prove", "plan", ["--guarantee", "bank.maxSpend(5)"]],
    ["prove", "plan", ["--guarantee", "bank.maxSpend(5)", "--as", "plan"]],
    ["certify", "ts", []],
    ["certify", "json", []],
    ["view", "ts", []],
    ["run", "ts", ["--yes"]],
    ["run", "eir", ["--yes"]],
    ["run", "json", ["--yes", "--as", "eir"]],
  ] as const)("%s takes %s by its text and by its form: %j", async (command, kind, more) => {
    const { code, out, err } = await said([command, "-", ...tools, ...more], texts()[kind]);
    expect(code, `${out}${err}`).toBe(0);
  });

  test("compare and policy check take it too, and `--as` is about it alone", async () => {
    const { code, out } = await said(["compare", "pay.ts", "-", ...tools, "--as", "eir"], document);
    expect(out).toContain("<stdin>");
    expect(code, out).toBe(0);
    const checked = await said(["policy", "check", "policy.json", "pay.ts", "-", ...tools], program);
    expect(checked.code, checked.err).toBe(0);
  });

  test("problems and counterexamples have their places in it, and its own file name", async () => {
    const broken = await said(["prove", "-", ...tools, "--json"], program.replace("5)]", "5]"));
    expect(JSON.parse(broken.out)).toMatchObject({
      file: "<stdin>",
      errors: [{ span: { file: "<stdin>", start: { line: 5 } } }],
    });
    const wrong = await said(["prove", "-", ...tools], program.replace("(5)", "(4)"));
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain("--> <stdin>:5:16");
  });

  test("the same program is the same, wherever it is read", async () => {
    const hash = async (path: string, stdin?: string) =>
      JSON.parse((await said(["prove", path, ...tools, "--json"], stdin)).out).hash;
    expect(await hash("-", program)).toBe(await hash("pay.ts"));
  });

  test.each([
    [["prove", "-", "--as", "js"], program, "Allowed choices are ts, eir, plan"],
    [["run", "-", "--as", "txt", "--yes"], program, "Allowed choices are ts, eir, plan"],
    [["prove", "-", "-"], program, "standard input can be read only once"],
    [["run", "-", "--input", "-", "--yes"], program, "standard input can be read only once"],
    [["policy", "check", "-", "-"], program, "standard input can be read only once"],
    [["prove", "pay.ts", "--as", "eir"], "", "`--as eir` contradicts the name `pay.ts`"],
    [["prove", "-", "--guarantee", "bank.maxSpend(5)"], program, "is not a plan"],
  ])("%j is refused", async (args, stdin, message) => {
    const { code, out, err } = await said([...args, ...tools], stdin);
    expect(err).toContain(message);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });

  test("nobody can approve at the keyboard what came from it", async () => {
    const { code, err } = await said(["run", "-", ...tools], program);
    expect(err).toContain("no person at a terminal");
    expect(code).toBe(3);
  });
});
