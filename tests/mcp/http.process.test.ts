/** MCP over Streamable HTTP inside of `foreclaim serve`, with the client of the protocol's own SDK, in both eras. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, foreclaim } from "../cli/built.ts";
import { project, remove, Serve } from "../serve/serve-process.ts";
import { type Era, eras, type Host } from "./client.ts";

const world = `
import { appendFileSync } from "node:fs";
import { contract, tool } from "foreclaim";
import { approve, approveList, ask as askPerson } from "foreclaim/tools";

export const write = tool({
  run: async ({ line }: { line: string }): Promise<string> => {
    appendFileSync("world.txt", line + "\\n");
    return "the secret of " + line;
  },
});
export const consent = tool({
  endorses: ["text"],
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

const policy = {
  version: 1,
  rules: [
    {
      name: "line a",
      decision: "auto_approved",
      whenProven: ["world.only(['a'])"],
      tools: ["world.write", "foreclaim.answer"],
      reason: "it is harmless",
    },
  ],
};

const writing = (guarantees: string, body: string) => `
import { program } from "foreclaim";
import * as world from "./tools/world";
export default program({ guarantees: [${guarantees}], async run() { ${body} } });
`;
const byRule = writing(
  'world.only(["a"])',
  'const said = await world.write({ line: "a" }); return said.length;',
);
const byPerson = writing('world.only(["p"])', 'await world.write({ line: "p" });');

let folder: string;
let serve: Serve;
let bob: string;
beforeAll(async () => {
  await build();
  folder = project({ "tools/world.ts": world, "policy.json": JSON.stringify(policy) });
  serve = await Serve.start(folder, "--workers", "1", "--policy", "policy.json");
  const made = await foreclaim(
    ["serve", "credential", "make", "--name", "bob", "--role", "agent", "--json"],
    { cwd: folder },
  );
  bob = JSON.parse(made.out).credential;
});
afterAll(async () => {
  await serve?.stop();
  remove(folder);
});

const worldText = (): string =>
  existsSync(join(folder, "world.txt")) ? readFileSync(join(folder, "world.txt"), "utf8") : "";

async function connect(era: Era, { secret = serve.agent, host }: { secret?: string; host?: Host } = {}) {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: era },
      ...(host && { capabilities: { elicitation: { url: {}, form: {} } } }),
    },
  );
  const asked: unknown[] = [];
  if (host !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params);
      return host(params as never) as never;
    });
  const sent: Sent[] = [];
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${serve.address}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
      fetch: (url, init) => {
        if (typeof init?.body === "string")
          sent.push({ headers: new Headers(init.headers), body: init.body });
        return fetch(url, init);
      },
    }),
  );
  const call = async (name: string, args: object): Promise<ReturnType<typeof JSON.parse>> => {
    const answer = await client.callTool({ name, arguments: { ...args } });
    return answer.isError === true ? answer : answer.structuredContent;
  };
  return { client, call, asked, sent };
}

interface Sent {
  readonly headers: Headers;
  readonly body: string;
}

/** Sends again what a client has sent, changed; gives the text of the answer. */
async function again(
  { headers, body }: Sent,
  change: (params: Record<string, unknown>) => void,
  who = serve.agent,
) {
  const message = JSON.parse(body);
  change(message.params);
  const all = new Headers(headers);
  all.set("authorization", `Bearer ${who}`);
  if (all.has("mcp-name")) all.set("mcp-name", String(message.params.name));
  const answer = await fetch(`${serve.address}/mcp`, {
    method: "POST",
    headers: all,
    body: JSON.stringify(message),
  });
  return answer.text();
}

const idIn = (address: string): string => address.slice(address.lastIndexOf("/") + 1);

async function approveAt(address: string): Promise<void> {
  const { revision } = await serve.proved(idIn(address));
  expect((await serve.decide(idIn(address), "approved_once", revision)).status).toBe(200);
}

describe.each(eras)("in the era of %s", (_, era) => {
  test("the policy of the service approves, and the result comes back", async () => {
    const { client, call } = await connect(era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("run");
    expect((await call("search_tools", { query: "write" })).tools[0].name).toBe("world.write");
    const refuted = writing('world.only(["b"])', 'await world.write({ line: "a" });');
    expect((await call("prove", { program: refuted })).verdict).toBe("refuted");
    const before = worldText();
    const ran = await call("run", { program: byRule });
    expect(ran).toMatchObject({ status: "done", result: 15, receipt: { by: "rule line a" } });
    expect(JSON.stringify(ran)).not.toContain("secret");
    expect(worldText()).toBe(`${before}a\n`);
    await client.close();
  });

  test("a client without elicitation gets the address, and waits", async () => {
    const { client, call } = await connect(era);
    const before = worldText();
    const pending = await call("run", { program: byPerson });
    expect(pending).toMatchObject({ status: "pending", verdict: "proved" });
    await approveAt(pending.address);
    expect(await call("wait", { request: pending.request, seconds: 60 })).toMatchObject({
      status: "done",
      receipt: { decision: "approved_once", by: "reviewer" },
    });
    expect(worldText()).toBe(`${before}p\n`);
    // Another agent knows nothing of it.
    const other = await connect(era, { secret: bob });
    expect((await other.call("wait", { request: pending.request })).isError).toBe(true);
    await other.client.close();
    await client.close();
  });

  test("a client that can open addresses is led to the page, and the call goes on by itself", async () => {
    const before = worldText();
    const { client, call, asked } = await connect(era, {
      host: ({ url }) => {
        void approveAt(url ?? "");
        return { action: "accept" };
      },
    });
    expect(await call("run", { program: byPerson })).toMatchObject({
      status: "done",
      receipt: { decision: "approved_once", by: "reviewer" },
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ mode: "url", url: expect.stringContaining(serve.address) });
    expect(worldText()).toBe(`${before}p\n`);
    await client.close();
  });

  test("a host that says yes to everything approves nothing", async () => {
    const before = worldText();
    const { client, asked } = await connect(era, {
      host: () => ({ action: "accept", content: { approve: true } }),
    });
    const controller = new AbortController();
    const answer = client
      .callTool({ name: "run", arguments: { program: byPerson } }, { signal: controller.signal })
      .catch(() => undefined);
    await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(1);
    controller.abort();
    await answer;
    expect(worldText()).toBe(before);
    await client.close();
  });

  test("a host that declines the page ends the run before any call", async () => {
    const before = worldText();
    const { client, call } = await connect(era, { host: () => ({ action: "decline" }) });
    expect((await call("run", { program: byPerson })).status).toBe("failed");
    expect(worldText()).toBe(before);
    await client.close();
  });
});

describe("the state of a question, which goes through the client's hands", () => {
  const refused = "Invalid or expired requestState";

  /** A client that was asked and has sent its answer. */
  async function answered(action: string) {
    const at = await connect({ pin: "2026-07-28" }, { host: () => ({ action }) });
    const answer = await at.call("run", { program: byPerson });
    const sent = at.sent.find(({ body }) => body.includes("requestState"));
    if (sent === undefined) throw new Error("nothing was asked");
    await at.client.close();
    return { answer, sent };
  }

  test("is good once, for one agent, one request and as it was made", async () => {
    const before = worldText();
    const { sent } = await answered("decline");
    // Replayed.
    expect(await again(sent, () => {})).toContain(refused);
    expect(
      await again(sent, (params) => {
        params.inputResponses = { answer: { action: "accept", content: { approve: true } } };
      }),
    ).toContain(refused);
    // Tampered, of another kind, too long.
    const state = String(JSON.parse(sent.body).params.requestState);
    const [version, payload = "", mac] = state.split(".");
    const other = JSON.parse(Buffer.from(payload, "base64url").toString());
    other.p.question = "page-2";
    const forged = Buffer.from(JSON.stringify(other)).toString("base64url");
    for (const wrong of [
      `${version}.${forged}.${mac}`,
      `${state}x`,
      "",
      "v1..",
      "x".repeat(100_000),
      payload,
    ])
      expect(
        await again(sent, (params) => {
          params.requestState = wrong;
        }),
      ).toContain(refused);
    expect(worldText()).toBe(before);
  });

  test("of one agent is none of another, and of one program none of another", async () => {
    const before = worldText();
    const at = await connect({ pin: "2026-07-28" });
    // A raw first round: the client declares that it can open addresses, and does not answer.
    await at.call("prove", { program: byPerson });
    const prove = at.sent.at(-1);
    if (prove === undefined) throw new Error("nothing was sent");
    const first = async (): Promise<string> => {
      const text = await again(prove, (params) => {
        params.name = "run";
        const meta = params._meta as Record<string, unknown>;
        meta["io.modelcontextprotocol/clientCapabilities"] = { elicitation: { url: {} } };
      });
      return /"requestState":"([^"]+)"/.exec(text)?.[1] ?? text;
    };
    const answerWith =
      (state: string, more: (params: Record<string, unknown>) => void) =>
      (params: Record<string, unknown>) => {
        params.name = "run";
        params.requestState = state;
        params.inputResponses = { answer: { action: "accept" } };
        more(params);
      };
    expect(
      await again(
        prove,
        answerWith(await first(), () => {}),
        bob,
      ),
    ).toContain(refused);
    const another = await again(
      prove,
      answerWith(await first(), (params) => {
        params.arguments = { program: byRule };
      }),
    );
    expect(another).toContain("FC9103");
    const asWait = await again(
      prove,
      answerWith(await first(), (params) => {
        params.name = "wait";
        params.arguments = { request: "run-0" };
      }),
    );
    expect(asWait).toMatch(/FC910[23]/);
    expect(worldText()).toBe(before);
    await at.client.close();
  });
});

describe.each(eras)("a question in the middle of a run, in the era of %s", (_, era) => {
  const asking = writing(
    'world.only(["p"])',
    `const yes = await world.consent({ text: "<b>p</b>" });
     const some = await world.choose({ items: ["x", "y", "z"] });
     const said = await world.ask({ question: "which line?" });
     if (said === "p") await world.write({ line: "p" });
     return [yes.length, some.length];`,
  );

  /** The open question of a request, as a reviewer reads it. */
  async function questionAt(id: string, known: string | undefined) {
    for (;;) {
      const { json } = await serve.ask(serve.reviewer, `/api/requests/${id}`);
      const question = json.progress?.question;
      if (question !== undefined && question.id !== known && json.progress.reply === undefined)
        return question;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  test("is answered by a reviewer on the page, and by nobody else", async () => {
    const before = worldText();
    const at = await connect(era, {
      host: ({ url = "", message }) => {
        if (message.includes("waits for approval")) void approveAt(url);
        return { action: "accept" };
      },
    });
    const running = at.call("run", { program: asking });
    const replies = [
      { approved: true, chosen: [], words: null },
      { approved: false, chosen: [0, 2], words: null },
      { approved: false, chosen: [], words: "p" },
    ];
    let id = "";
    let known: string | undefined;
    await expect.poll(() => at.asked.length, { timeout: 20_000 }).toBeGreaterThan(1);
    id = idIn((at.asked[0] as { url: string }).url);
    for (const reply of replies) {
      const question = await questionAt(id, known);
      known = question.id;
      const post = (who: string, body: object) => serve.ask(who, `/api/requests/${id}/answer`, { body });
      // Not by the agent, not another question, not an answer of another kind.
      expect((await post(serve.agent, { question, ...reply })).status).toBe(403);
      expect((await post(serve.reviewer, { question: { ...question, what: "else" }, ...reply })).status).toBe(
        409,
      );
      expect((await post(serve.reviewer, { question, approved: true, chosen: [9], words: "x" })).status).toBe(
        400,
      );
      // The agent reads neither the question nor the reply.
      const seen = await serve.ask(serve.agent, `/api/requests/${id}`);
      expect(seen.json.progress.question).toBeUndefined();
      expect((await serve.ask(serve.agent, `/api/requests/${id}/answer`)).status).toBe(404);
      expect((await post(serve.reviewer, { question, ...reply })).status).toBe(200);
      expect((await post(serve.reviewer, { question, ...reply })).status).toBe(409);
      const later = await serve.ask(serve.agent, `/api/requests/${id}`);
      expect(JSON.stringify(later.json.progress)).not.toContain("reply");
    }
    expect(await running).toMatchObject({ status: "done", result: [8, 2] });
    expect(worldText()).toBe(`${before}p\n`);
    await at.client.close();
  });

  test("that is refused fails its call", async () => {
    const before = worldText();
    const at = await connect(era);
    const pending = await at.call("run", { program: asking });
    const id = idIn(pending.address);
    await approveAt(pending.address);
    const question = await questionAt(id, undefined);
    expect(await at.call("wait", { request: pending.request, seconds: 1 })).toMatchObject({
      status: "pending",
      address: pending.address,
    });
    await serve.ask(serve.reviewer, `/api/requests/${id}/answer`, {
      body: { question, approved: false, chosen: [], words: null },
    });
    expect(await at.call("wait", { request: pending.request, seconds: 60 })).toMatchObject({
      status: "stopped",
    });
    expect(worldText()).toBe(before);
    await at.client.close();
  });
});

test("who may come in", async () => {
  const ask = (who: string | undefined, headers: Record<string, string> = {}) =>
    serve.ask(who, "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" }, headers });
  expect((await ask(undefined)).status).toBe(401);
  expect((await ask("fcc_wrong")).status).toBe(401);
  expect((await ask(serve.reviewer)).status).toBe(403);
  expect((await ask(serve.agent, { origin: "https://evil.example" })).status).toBe(403);
  const both = { accept: "application/json, text/event-stream" };
  expect((await serve.ask(serve.agent, "/mcp", { body: "{", headers: both })).status).toBe(400);
  const large = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "x",
    params: { a: "a".repeat(5 * 1024 * 1024) },
  });
  expect((await serve.ask(serve.agent, "/mcp", { body: large, headers: both })).status).toBe(413);
});

test("a session belongs to the agent that opened it", async () => {
  const { client } = await connect("legacy");
  const { sessionId } = client.transport ?? {};
  expect(sessionId).toBeDefined();
  const ask = (who: string) =>
    serve.ask(who, "/mcp", {
      body: { jsonrpc: "2.0", id: 9, method: "tools/list" },
      headers: { accept: "application/json, text/event-stream", "mcp-session-id": sessionId ?? "" },
    });
  expect((await ask(serve.agent)).status).toBe(200);
  expect((await ask(bob)).status).toBe(404);
  await client.close();
});
