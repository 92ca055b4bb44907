/**
 * An unmodified client of the protocol's SDK from the first search to the result: refuted, repaired, pending, approved on
 * the page in Chromium by a reviewer, asked there in the middle of the run, and waited for.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build } from "../cli/built.ts";
import { project, remove, Serve } from "../serve/serve-process.ts";
import { isMissing, startBrowser, watch } from "../web/browser.ts";
import { eras } from "./client.ts";

const world = `
import { appendFileSync } from "node:fs";
import { contract, tool } from "foreclaim";
import { approve, approveList, ask as askPerson } from "foreclaim/tools";
/** Writes a line to the world. */
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
/** Only these lines are written. */
export const only = contract((lines: string[]) => write.all((w) => lines.includes(w.line)));
`;
const programWith = (condition: string) => `
import { program } from "foreclaim";
import * as world from "./tools/world";
export default program({ guarantees: [world.only(["p"])], async run({ line }: { line: string }) {
  ${condition}
  const text = await world.consent({ text: "<img src=x onerror=alert(1)> \\u202E" });
  const some = await world.choose({ items: ["red", "green", "blue"] });
  const said = await world.ask({ question: "how many?" });
  await world.write({ line });
  return { some, said, length: text.length };
} });
`;

describe.skipIf(isMissing).each(eras)("in the era of %s", (_, era) => {
  let folder: string;
  let serve: Serve;
  let browser: Browser;
  beforeAll(async () => {
    await build();
    folder = project({ "tools/world.ts": world });
    serve = await Serve.start(folder, "--workers", "1");
    browser = await startBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await serve?.stop();
    remove(folder);
  });

  test("search, refuted, repaired, pending, approved in Chromium, asked there, waited for, done", async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${serve.address}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${serve.agent}` } },
      }),
    );
    const call = async (name: string, args: object): Promise<ReturnType<typeof JSON.parse>> =>
      (await client.callTool({ name, arguments: { ...args } })).structuredContent;

    expect((await call("search_tools", { query: "write a line" })).tools[0].name).toBe("world.write");
    const refuted = await call("prove", { program: programWith("") });
    expect(refuted.guarantees[0]).toMatchObject({
      verdict: "refuted",
      counterexample: { calls: expect.anything() },
    });
    const program = programWith('if (line !== "p") return null;');
    expect((await call("prove", { program })).verdict).toBe("proved");
    const pending = await call("run", { program, inputs: { line: "p" } });
    expect(pending).toMatchObject({ status: "pending", calls: [], receipt: null });
    expect(existsSync(join(folder, "world.txt"))).toBe(false);

    const { page, trouble } = watch(await browser.newPage(), serve.address);
    const { address } = pending;
    await page.goto(address);
    await page.getByLabel("Credential").fill(serve.reviewer);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Approve once", exact: true }).click();
    await page.getByRole("button", { name: "Confirm: approve once" }).click();

    await page.getByRole("heading", { name: "The run asks you" }).waitFor();
    await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
    await page.getByRole("button", { name: "Approve this text" }).click();
    await page.getByLabel("green").check();
    await page.getByRole("button", { name: "Approve the chosen ones" }).click();
    await page.getByLabel("Your answer").fill("seven");
    await page.getByRole("button", { name: "Send", exact: true }).click();

    const done = await call("wait", { request: pending.request, seconds: 60 });
    expect(done).toMatchObject({
      status: "done",
      result: { some: ["green"], said: "seven", length: 30 },
      receipt: { decision: "approved_once", by: "reviewer" },
    });
    expect(readFileSync(join(folder, "world.txt"), "utf8")).toBe("p\n");
    await page.getByText("finished").first().waitFor();
    expect(trouble).toEqual([]);
    await page.close();
    await client.close();
  });
});
