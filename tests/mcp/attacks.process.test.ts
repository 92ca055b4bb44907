/** A server of others that misbehaves, behind both faces of the gateway; and what a model may learn of tool results. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";
import { type Connected, connect } from "./client.ts";

const server = join(root, "tests/mcp/hostile-server.mjs");
const env = { TOKEN: "s3cret-token" };
const planted = "planted-secret";
let folder: string;
let at: Connected;
const said: string[] = [];

const policy = {
  version: 1,
  rules: [
    {
      name: "any",
      decision: "auto_approved",
      whenProven: ["hostile.noGuarantees()"],
      reason: "a test",
    },
  ],
};

beforeAll(async () => {
  await build();
  folder = mkdtempSync(join(tmpdir(), "foreclaim-hostile-"));
  const added = await foreclaim(["mcp", "add", "hostile", "--env", "TOKEN", "--", process.execPath, server], {
    cwd: folder,
    env,
  });
  expect(added).toMatchObject({ code: 0 });
  said.push(added.out, added.err);
  writeFileSync(join(folder, "policy.json"), JSON.stringify(policy));
  const made = await foreclaim(["kernel", "init", "ledger.db"], { cwd: folder });
  expect(made).toMatchObject({ code: 0 });
  at = await connect(
    folder,
    ["serve", "--policy", "policy.json", "--ledger", "ledger.db", "--call-timeout", "20"],
    "legacy",
    env,
  );
}, 120_000);
afterAll(async () => {
  await at?.close();
  rmSync(folder, { recursive: true, force: true });
});

const calls = (): string[] =>
  readFileSync(join(folder, "hostile.log"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("call"));

const programWith = (body: string) => `
import { program } from "foreclaim";
import * as hostile from "./tools/hostile";
export default program({ guarantees: [hostile.noGuarantees()], async run() { ${body} } });
`;
const run = async (body: string) => {
  const answer = await at.call("run", { program: programWith(body) });
  said.push(JSON.stringify(answer));
  return answer;
};
const passed = async (name: string) => {
  const answer = await at.client.callTool({ name, arguments: {} });
  return { isError: answer.isError === true, text: JSON.stringify(answer.content) };
};

test("a description cannot leave its comment, and turns nothing around", async () => {
  const module = readFileSync(join(folder, "tools/hostile.ts"), "utf8");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  expect(module).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
  expect(module).not.toMatch(/^[^*/]*process\.exit/m);
  expect((await at.call("prove", { program: programWith("await hostile.words({});") })).verdict).toBe(
    "proved",
  );
});

test("an answer of 100 MB is a failed call, and the server can be used again", async () => {
  const refused = await passed("big");
  expect(refused.isError).toBe(true);
  expect(refused.text.length).toBeLessThan(10_000);
  expect((await passed("words")).isError).toBe(false);
}, 60_000);

test("a result of another type is a failed call on both faces", async () => {
  expect(await passed("wrong")).toMatchObject({ isError: true });
  const ran = await run("const { n } = await hostile.wrong({}); return n;");
  expect(ran.status).not.toBe("done");
  expect(JSON.stringify(ran)).not.toContain(planted);
});

test("a server that dies in a call leaves a failed call or a doubt, and nothing hangs", async () => {
  expect((await passed("die")).isError).toBe(true);
  expect((await passed("words")).isError).toBe(false);
  expect(["stopped", "in doubt"]).toContain((await run("await hostile.die({});")).status);
});

describe("what a model learns of a result that it may not see", () => {
  const text = "const said = await hostile.words({});";
  test.each([
    ["a failed cast", `${text} const n = (JSON.parse(said) as { n: number }).n; return n;`],
    ["an exception of the program", `${text} throw new Error(said);`],
    ["a length, which the program tells", `${text} return said.length;`],
  ])("%s: nothing of the text", async (_, body) => {
    const ran = await run(body);
    expect(JSON.stringify(ran)).not.toContain(planted);
    expect(JSON.stringify(ran)).not.toContain("SYSTEM");
    if (ran.request !== undefined) {
      const { contents } = await at.client.readResource({ uri: `foreclaim://requests/${ran.request}` });
      expect(JSON.stringify(contents)).not.toContain(planted);
      expect(JSON.stringify(await at.call("wait", { request: ran.request, seconds: 0 }))).not.toContain(
        planted,
      );
    }
  });
});

test("a tool that changes between list and call is not called, though the server says nothing", async () => {
  expect((await passed("shift")).isError).toBe(false);
  const before = calls().length;
  writeFileSync(join(folder, "shifted"), "");
  try {
    const refused = await passed("shift");
    expect(refused.text).toContain("FC9144");
    expect((await run("await hostile.shift({});")).status).toBe("stopped");
    expect(calls()).toHaveLength(before);
    // The others have not changed.
    expect((await passed("words")).isError).toBe(false);
  } finally {
    rmSync(join(folder, "shifted"));
  }
});

test("the token of the server is nowhere but in its own environment", async () => {
  expect(readFileSync(join(folder, "hostile.log"), "utf8")).toContain("start with token");
  await at.client
    .readResource({ uri: "foreclaim://tools.d.ts" })
    .then((one) => said.push(JSON.stringify(one)));
  said.push(at.errors());
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  expect(files.some((path) => path.endsWith("ledger.db"))).toBe(true);
  for (const path of files) expect(readFileSync(path).includes(env.TOKEN), path).toBe(false);
  expect(said.join("\n")).not.toContain(env.TOKEN);
  expect(existsSync(join(folder, "foreclaim.json"))).toBe(true);
});
