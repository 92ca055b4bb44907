/** Many clients of one service at the same time, and clients that die at each step. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build } from "../cli/built.ts";
import { project, remove, Serve } from "../serve/serve-process.ts";
import { eras } from "./client.ts";

const world = `
import { appendFileSync } from "node:fs";
import { contract, tool } from "foreclaim";
export const write = tool({
  run: async ({ line }: { line: string }): Promise<void> => {
    appendFileSync("world.txt", line + " begins\\n");
    await new Promise((done) => setTimeout(done, 300));
    appendFileSync("world.txt", line + " ends\\n");
  },
});
/** Only these lines are written. */
export const only = contract((lines: string[]) => write.all((w) => lines.includes(w.line)));
`;
const policy = {
  version: 1,
  rules: [
    {
      name: "line a",
      decision: "auto_approved",
      whenProven: ["world.only(['a'])"],
      tools: ["world.write"],
      reason: "it is harmless",
    },
  ],
};
const writing = (line: string) => `
import { program } from "foreclaim";
import * as world from "./tools/world";
export default program({ guarantees: [world.only(["${line}"])], async run() { await world.write({ line: "${line}" }); } });
`;

let folder: string;
let serve: Serve;
beforeAll(async () => {
  await build();
  folder = project({ "tools/world.ts": world, "policy.json": JSON.stringify(policy) });
  serve = await Serve.start(folder, "--workers", "1", "--policy", "policy.json", "--rate", "100000");
}, 120_000);
afterAll(async () => {
  await serve?.stop();
  remove(folder);
});

const lines = (): string[] =>
  existsSync(join(folder, "world.txt"))
    ? readFileSync(join(folder, "world.txt"), "utf8").split("\n").filter(Boolean)
    : [];

async function connect(mode: (typeof eras)[number][1], die?: AbortSignal): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${serve.address}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${serve.agent}` } },
      ...(die && {
        fetch: (url, init) =>
          fetch(url, { ...init, signal: AbortSignal.any([die, ...(init?.signal ? [init.signal] : [])]) }),
      }),
    }),
  );
  return client;
}

test("200 sessions at the same time, each with its own answers", async () => {
  const clients = await Promise.all(
    Array.from({ length: 200 }, (_, i) => connect(i % 2 === 0 ? "legacy" : { pin: "2026-07-28" })),
  );
  const verdicts = await Promise.all(
    clients.map(async (client, i) => {
      await client.listTools();
      // A proof for every fourth session: proofs share four processes.
      if (i % 4 !== 0) return undefined;
      // Half of them are refuted: nobody gets the answer of another one.
      const program = i % 8 === 0 ? writing("a") : writing("a").replace('line: "a"', `line: "b${i}"`);
      const answer = await client.callTool({ name: "prove", arguments: { program } }, { timeout: 120_000 });
      return { i, isError: answer.isError === true, text: JSON.stringify(answer.structuredContent) };
    }),
  );
  const answered = verdicts.flatMap((one) => (one === undefined || one.isError ? [] : [one]));
  for (const { i, text } of answered) {
    expect(text).toContain(i % 8 === 0 ? '"verdict":"proved"' : '"verdict":"refuted"');
    if (i % 8 !== 0) expect(text).toContain(`b${i}`);
  }
  expect(answered).toHaveLength(50);
  await Promise.all(clients.map((client) => client.close()));
  expect((await serve.ask(undefined, "/healthz")).status).toBe(200);
}, 180_000);

test.each(eras)(
  "clients that die at each step leave nothing half done (%s)",
  async (_, era) => {
    const steps = [
      async (client: Client) => void (await client.listTools()),
      async (client: Client) =>
        void client.callTool({ name: "prove", arguments: { program: writing("x") } }).catch(() => {}),
      async (client: Client) =>
        void client.callTool({ name: "run", arguments: { program: writing("x") } }).catch(() => {}),
      async (client: Client) =>
        void (await client.callTool({ name: "run", arguments: { program: writing("x") } })),
      async (client: Client) => {
        const before = lines().length;
        void client.callTool({ name: "run", arguments: { program: writing("a") } }).catch(() => {});
        await expect.poll(() => lines().length, { timeout: 20_000 }).toBeGreaterThan(before);
      },
    ];
    for (const step of steps) {
      const die = new AbortController();
      const client = await connect(era, die.signal);
      await step(client);
      die.abort();
      await client.close().catch(() => {});
    }
    // A call that was begun has ended, what nobody approved was not called, and the next client is served.
    await expect
      .poll(
        () =>
          lines().filter((line) => line.endsWith("begins")).length -
          lines().filter((line) => line.endsWith("ends")).length,
      )
      .toBe(0);
    expect(lines().some((line) => line.startsWith("x"))).toBe(false);
    const next = await connect(era);
    const answer = await next.callTool({ name: "run", arguments: { program: writing("a") } });
    expect(answer.structuredContent).toMatchObject({ status: "done" });
    await next.close();
  },
  60_000,
);
