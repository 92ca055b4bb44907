/** Approval by a form that the client's host answers: off by default, told in the receipt, refused by policy. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, foreclaim } from "../cli/built.ts";
import { project, remove } from "../serve/serve-process.ts";
import { connect, eras } from "./client.ts";

const world = `
import { appendFileSync } from "node:fs";
import { contract, tool } from "foreclaim";
import { approve, approveList, ask as askPerson } from "foreclaim/tools";
export const write = tool({
  run: async ({ line }: { line: string }): Promise<void> => appendFileSync("world.txt", line + "\\n"),
});
export const consent = tool({
  run: async ({ text }: { text: string }, call): Promise<string> => approve({ what: "Say this?", text }, call),
});
export const choose = tool({
  run: async ({ items }: { items: string[] }, call): Promise<string[]> => approveList({ what: "Which?", items }, call),
});
export const ask = tool({
  run: async ({ question }: { question: string }, call): Promise<string> => askPerson({ question }, call),
});
export const only = contract((lines: string[]) => write.all((w) => lines.includes(w.line)));
`;
const program = `
import { program } from "foreclaim";
import * as world from "./tools/world";
export default program({ guarantees: [world.only(["p"])], async run() {
  const yes = await world.consent({ text: "hello \\u202Eworld" });
  const some = await world.choose({ items: ["x", "y", "z"] });
  const said = await world.ask({ question: "which line?" });
  if (said === "p") await world.write({ line: "p" });
  return [yes.length, some.length];
} });
`;

let folder: string;
beforeAll(async () => {
  await build();
  folder = project({
    "tools/world.ts": world,
    "refusing.json": JSON.stringify({ version: 1, rules: [], forms: "refused" }),
    "wrong.json": JSON.stringify({ version: 1, rules: [], forms: "allowed" }),
  });
}, 120_000);
afterAll(() => remove(folder));

const worldText = (): string =>
  existsSync(join(folder, "world.txt")) ? readFileSync(join(folder, "world.txt"), "utf8") : "";

/** A host that says yes to everything. */
const yes = ({ requestedSchema }: { readonly requestedSchema?: { readonly properties: object } }) => {
  const has = (name: string) => Object.hasOwn(requestedSchema?.properties ?? {}, name);
  if (has("approve")) return { action: "accept", content: { approve: true } };
  if (has("chosen")) return { action: "accept", content: { chosen: ["1", "3", "7"] } };
  return { action: "accept", content: { answer: "p" } };
};

describe.each(eras)("in the era of %s", (_, era) => {
  test("a form approves where the operator has turned it on, and the receipt says so", async () => {
    const before = worldText();
    const at = await connect(folder, ["--forms"], era, {}, yes);
    const ran = await at.call("run", { program });
    expect(ran).toMatchObject({
      status: "done",
      result: [12, 2],
      receipt: { decision: "approved_once", by: 'form of the client "test"' },
    });
    expect(at.asked).toHaveLength(4);
    expect(at.asked[0]?.message).toContain("May this program run?");
    // What a tool shows cannot turn the line around.
    expect(at.asked[1]?.message).not.toContain("\u202E");
    expect(worldText()).toBe(`${before}p\n`);
    await at.close();
  });

  test("a form that is declined, cancelled or answered in another way approves nothing", async () => {
    const before = worldText();
    const answers = [
      { action: "decline" },
      { action: "accept", content: { approve: false } },
      { action: "accept", content: { approve: "true" } },
      { action: "accept", content: {} },
    ];
    const at = await connect(folder, ["--forms"], era, {}, () => answers.shift() ?? { action: "cancel" });
    for (let i = 0; i < 5; i++) expect((await at.call("run", { program })).status).toBe("rejected");
    expect(worldText()).toBe(before);
    await at.close();
  });
});

test("a host that says yes approves nothing unless the operator wants it, the policy allows it, and there is a form", async () => {
  const before = worldText();
  for (const [args, host] of [
    [[], yes],
    [["--forms", "--policy", "refusing.json"], yes],
    [["--forms"], undefined],
  ] as const) {
    const at = await connect(folder, args, "legacy", {}, host);
    expect(await at.call("run", { program })).toMatchObject({ status: "rejected", receipt: null, calls: [] });
    expect(at.asked).toEqual([]);
    await at.close();
  }
  expect(worldText()).toBe(before);
  expect((await foreclaim(["mcp", "--policy", "wrong.json"], { cwd: folder })).err).toContain("`forms`");
  const both = ["--forms", "--service", "http://127.0.0.1:1", "--credential", "a", "--key", "b"];
  expect((await foreclaim(["mcp", ...both], { cwd: folder })).err).toContain("do not go together");
});
