/** Approvals of people: several of them, for later requests, of other values, and against the last time. */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReceipt } from "../../src/approve/receipt.ts";
import { signatureOf } from "../../src/approve/service/webhooks.ts";
import { build, foreclaim } from "../cli/built.ts";
import { answers, project, remove, Serve } from "./serve-process.ts";

let folder: string;
let serve: Serve;
const secrets = new Map<string, string>();

/** A webhook on this machine. */
interface Hook {
  readonly server: Server;
  readonly got: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[];
  /** The status of its answers, or none ever. */
  status: number | "hangs";
}

async function hook(): Promise<Hook & { readonly url: string }> {
  const found: Hook = {
    got: [],
    status: 200,
    server: createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        found.got.push({ headers: request.headers, body });
        if (found.status === "hangs") return;
        response.writeHead(found.status, found.status === 302 ? { location: `${url}/elsewhere` } : {});
        response.end();
      });
    }),
  };
  await new Promise<void>((resolve) => found.server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(found.server.address() as AddressInfo).port}`;
  return Object.assign(found, { url });
}

let plain: Awaited<ReturnType<typeof hook>>;
let slack: Awaited<ReturnType<typeof hook>>;
let stuck: Awaited<ReturnType<typeof hook>>;

beforeAll(async () => {
  answers.splice(0);
  await build();
  [plain, slack, stuck] = [await hook(), await hook(), await hook()];
  stuck.status = "hangs";
  const webhooks = [
    { name: "plain", url: plain.url, secretFile: "hook.secret", events: ["pending", "decided"] },
    { name: "slack", url: slack.url, format: "slack" },
    { name: "stuck", url: stuck.url },
  ];
  folder = project({
    "hook.secret": "0123456789abcdef-secret\n",
    "webhooks.json": JSON.stringify({ webhooks }),
    "policy.json": JSON.stringify({ version: 1, rules: [] }),
    "twice.json": JSON.stringify({ version: 1, reviewers: 2, rules: [] }),
  });
  serve = await Serve.start(
    folder,
    "--policy",
    "policy.json",
    "--webhooks",
    "webhooks.json",
    "--workers",
    "1",
  );
  for (const [name, role, person] of [
    ["ann", "reviewer", "ann"],
    ["ann-too", "admin", "ann"],
    ["bea", "reviewer", "bea"],
    ["cleo", "reader", "cleo"],
    ["bea-agent", "agent", "bea"],
  ] as const) {
    const args = ["serve", "credential", "make", "--name", name, "--role", role, "--person", person];
    secrets.set(name, (await foreclaim(args, { cwd: folder })).out.trim());
  }
}, 120_000);
afterAll(async () => {
  for (const { server } of [plain, slack, stuck]) {
    server.closeAllConnections();
    server.close();
  }
  expect(await serve?.stop()).toBe(0);
  remove(folder);
});

const secretOf = (name: string) => secrets.get(name) ?? expect.fail(name);
const terms = { uses: 2, seconds: 3_600, cap: null };

async function filed(file = "pay.ts", more: object = { budget: "100" }, who = serve.agent) {
  return serve.proved(await serve.file(file, more, who), who);
}

async function receiptOf(id: string, who = serve.agent) {
  const read = readReceipt((await serve.ask(who, `/api/requests/${id}/receipt`)).text);
  return read.ok ? read.value : expect.fail("there is no receipt");
}

async function stands(file: string, given: object, more: object = { budget: "100" }): Promise<string> {
  const { id } = await filed(file, more);
  const { json, status } = await serve.decide(id, "approved_once", 2, { standing: given });
  expect([status, json.status]).toEqual([200, "decided"]);
  return json.decided.standing;
}

describe("an approval that stands", () => {
  it("passes later requests for the same, as often as it says, each with a receipt of its own", async () => {
    const id = await stands("pay.ts", terms);
    const nonces = new Set<string>();
    for (const _ of [1, 2]) {
      const found = await filed();
      expect(found).toMatchObject({
        status: "decided",
        decision: "auto_approved",
        decided: { standing: id, rule: null, by: "standing approval of reviewer" },
      });
      const receipt = await receiptOf(found.id);
      expect(receipt).toMatchObject({ uses: 1, budget: "100", decision: "auto_approved" });
      nonces.add(receipt.nonce);
    }
    expect(nonces.size).toBe(2);
    const third = await filed();
    expect(third.status).toBe("pending");
    const { json } = await serve.ask(serve.reviewer, "/api/standing");
    expect(json.standing[0]).toMatchObject({ id, used: 2, uses: 2, state: "used_up", charged: "200" });
    // A decision that was sent again gives nothing twice.
    expect(
      (await serve.decide(json.standing[0].request, "approved_once", 2, { standing: terms })).status,
    ).toBe(409);
  });

  it("is for no other program, inputs, budget, kernel, agent or runner", async () => {
    const id = await stands(
      "pay-amount.ts",
      { ...terms, uses: 100 },
      { inputs: { amount: 5 }, budget: "10" },
    );
    const same = { inputs: { amount: 5 }, budget: "10" };
    const others: [string, object, string?][] = [
      ["pay-amount.ts", { ...same, inputs: { amount: 6 } }],
      ["pay-amount.ts", { ...same, budget: "10.01" }],
      ["pay-amount.ts", { ...same, budget: null }],
      ["pay-amount.ts", { ...same, kernel: "b".repeat(64) }],
      ["pay-amount.ts", same, secretOf("bea-agent")],
      ["pay.ts", { budget: "10" }],
    ];
    for (const [file, more, who] of others) {
      const found = await filed(file, more, who ?? serve.agent);
      expect([more, found.status]).toEqual([more, "pending"]);
    }
    expect((await filed("pay-amount.ts", { ...same, budget: "9.99" })).decided.standing).toBe(id);
    expect((await filed("pay-amount.ts", { ...same, inputs: { amount: 5.0 } })).decided.standing).toBe(id);
  });

  it("gives its last use once, whoever asks at the same moment", async () => {
    const more = { inputs: { amount: 7 }, budget: "7" };
    const id = await stands("pay-amount.ts", { ...terms, uses: 1 }, more);
    const all = await Promise.all(Array.from({ length: 6 }, () => filed("pay-amount.ts", more)));
    expect(all.filter(({ decided }) => decided?.standing === id)).toHaveLength(1);
    expect(all.filter(({ status }) => status === "pending")).toHaveLength(5);
  });

  it("ends at its cap, and a cap needs a budget", async () => {
    const more = (budget: string) => ({ inputs: { amount: 8 }, budget });
    const id = await stands("pay-amount.ts", { uses: 9, seconds: 600, cap: "10.5" }, more("8"));
    expect((await filed("pay-amount.ts", more("8"))).decided.standing).toBe(id);
    expect((await filed("pay-amount.ts", more("2.51"))).status).toBe("pending");
    expect((await filed("pay-amount.ts", more("2.5"))).decided.standing).toBe(id);
    expect((await filed("pay-amount.ts", more("0.01"))).status).toBe("pending");
    const without = await filed("pay-amount.ts", { inputs: { amount: 80 } });
    const refused = await serve.decide(without.id, "approved_once", 2, { standing: { ...terms, cap: "5" } });
    expect(refused.json.error).toMatchObject({
      code: "FC4108",
      message: expect.stringContaining("a cap needs"),
    });
    expect((await serve.ask(serve.agent, `/api/requests/${without.id}`)).json.status).toBe("pending");
  });

  it("is revoked at once, and with the credential of who gave it", async () => {
    const more = { inputs: { amount: 9 }, budget: "9" };
    const id = await stands("pay-amount.ts", terms, more);
    const path = `/api/standing/${id}`;
    expect((await serve.ask(serve.agent, path, { method: "DELETE" })).status).toBe(403);
    expect((await serve.ask(secretOf("cleo"), path, { method: "DELETE" })).status).toBe(403);
    const revoked = await serve.ask(secretOf("bea"), path, { method: "DELETE" });
    expect(revoked.json).toMatchObject({ state: "revoked", revoked: { by: "bea" }, used: 0 });
    const next = await filed("pay-amount.ts", more);
    expect(next.status).toBe("pending");

    const made = await foreclaim(["serve", "credential", "make", "--name", "dan", "--role", "reviewer"], {
      cwd: folder,
    });
    const given = { standing: terms };
    expect((await serve.decide(next.id, "approved_once", 2, given, made.out.trim())).json.status).toBe(
      "decided",
    );
    await foreclaim(["serve", "credential", "revoke", "dan"], { cwd: folder });
    expect((await filed("pay-amount.ts", more)).status).toBe("pending");
  });

  it("has bounds", async () => {
    const { id } = await filed("pay-amount.ts", { inputs: { amount: 11 } });
    for (const wrong of [
      { uses: 0 },
      { uses: 1_001 },
      { seconds: 59 },
      { seconds: 90 * 86_400 + 1 },
      { cap: "x" },
      { uses: 1.5 },
      { more: 1 },
    ]) {
      const { status } = await serve.decide(id, "approved_once", 2, { standing: { ...terms, ...wrong } });
      expect([wrong, status]).toEqual([wrong, 400]);
    }
    for (const decision of ["approved_remember", "rejected"])
      expect((await serve.decide(id, decision, 2, { standing: terms })).status).toBe(400);
  });
});

describe("other values", () => {
  it("are proved again, and the receipt is for them", async () => {
    const { id, revision } = await filed("pay-amount.ts", { inputs: { amount: 50 }, budget: "60" });
    const edit = (values: object, who = serve.reviewer) =>
      serve.ask(who, `/api/requests/${id}/edit`, {
        body: { inputs: { amount: 50 }, budget: "60", revision, ...values },
      });
    expect((await edit({ budget: "60.01" })).json.error.message).toContain("more than the agent asked for");
    expect((await edit({ budget: null })).status).toBe(409);
    expect((await edit({ budget: "5" }, serve.agent)).status).toBe(403);
    expect((await edit({ budget: "5" }, secretOf("cleo"))).status).toBe(403);
    expect((await edit({ budget: "5", revision: revision + 1 })).json.error.code).toBe("FC4107");
    const lower = await edit({ budget: "20" });
    expect(lower.json).toMatchObject({
      status: "pending",
      budget: "20",
      edited: { budget: "60", by: "reviewer" },
    });
    const other = await edit({ inputs: { amount: 12 }, budget: "20", revision: lower.json.revision });
    expect(other.json).toMatchObject({ status: "proving", inputs: { amount: 12 } });
    const found = await until(id, ({ status }) => status !== "proving");
    expect(found).toMatchObject({ status: "pending", edited: { inputs: { amount: 50 }, problem: null } });
    // A decision on what was read before the edit is refused.
    expect((await serve.decide(id, "approved_once", lower.json.revision)).json.error.code).toBe("FC4107");
    await serve.decide(id, "approved_once", found.revision);
    const receipt = await receiptOf(id);
    expect(receipt.budget).toBe("20");
    // The same values filed by the agent have the same digest; its own have another.
    const [same, asked] = [{ amount: 12 }, { amount: 50 }].map(async (inputs) => {
      const one = await filed("pay-amount.ts", { inputs, budget: "20" });
      await serve.decide(one.id, "approved_once", one.revision);
      return (await receiptOf(one.id)).inputs;
    });
    expect(receipt.inputs).toBe(await same);
    expect(receipt.inputs).not.toBe(await asked);
    // And nothing is edited after it was decided.
    expect((await edit({ budget: "1", revision: found.revision + 1 })).json.error.code).toBe("FC4106");
  });

  it("that the program does not take leave the request as it was", async () => {
    const before = await filed("pay-amount.ts", { inputs: { amount: 3 } });
    const path = `/api/requests/${before.id}/edit`;
    const body = { inputs: { amount: "three" }, budget: null, revision: before.revision };
    expect((await serve.ask(serve.reviewer, path, { body })).status).toBe(200);
    const after = await until(before.id, ({ status }) => status !== "proving");
    expect(after).toMatchObject({
      status: "pending",
      inputs: { amount: 3 },
      proof: { hash: before.proof.hash },
    });
    expect(after.edited.problem).toContain("amount");
  });
});

async function until(id: string, is: (found: { status: string }) => boolean) {
  for (let { json } = await serve.ask(serve.reviewer, `/api/requests/${id}`); ; ) {
    if (is(json)) return json;
    json = (await serve.ask(serve.reviewer, `/api/requests/${id}/wait?revision=${json.revision}&seconds=30`))
      .json;
  }
}

describe("the list", () => {
  it("is filtered, counted, ordered and paged by the service", async () => {
    const of = async (query: string, who = serve.reviewer) =>
      (await serve.ask(who, `/api/requests?${query}`)).json;
    const all = await of("limit=200");
    const { waiting, open, decided } = all.totals;
    expect(waiting + open + decided).toBe(all.requests.length);
    const pages: { id: string; risk?: { level: string } }[] = [];
    let next = "";
    do {
      const page = await of(`group=waiting&order=risk&limit=3${next}`);
      pages.push(...page.requests);
      next = page.next === null ? "" : `&before=${page.next}`;
    } while (next !== "");
    expect(pages).toHaveLength(waiting);
    expect(new Set(pages.map(({ id }) => id)).size).toBe(waiting);
    const ranks = pages.map(({ risk }) => ["red", "amber", "green"].indexOf(risk?.level ?? ""));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    const mine = await of("agent=bea-agent&file=pay-amount.ts");
    expect(mine.requests.length).toBeGreaterThan(0);
    expect(mine.totals.waiting).toBe(mine.requests.length);
    expect((await of("file=pay")).requests).toEqual([]);
    const hash = (await serve.ask(serve.reviewer, `/api/requests/${mine.requests[0].id}`)).json.proof.hash;
    expect((await of(`program=${hash}&limit=200`)).requests.length).toBeGreaterThan(mine.requests.length);
    expect((await of("group=waiting", secretOf("cleo"))).totals.waiting).toBe(waiting);
    expect(
      (await of("agent=agent", secretOf("bea-agent"))).requests.every(
        ({ agent }: { agent: string }) => agent === "bea-agent",
      ),
    ).toBe(true);
    for (const wrong of ["group=x", "risk=blue", "order=age", "before=1-r-3"])
      expect((await serve.ask(serve.reviewer, `/api/requests?${wrong}`)).status).toBe(400);
  });

  it("is for a reader to see, and for nothing else", async () => {
    const { id, revision } = await filed("pay-amount.ts", { inputs: { amount: 21 } });
    const cleo = secretOf("cleo");
    expect((await serve.ask(cleo, `/api/requests/${id}`)).status).toBe(200);
    expect((await serve.decide(id, "approved_once", revision, {}, cleo)).status).toBe(403);
    expect((await serve.decide(id, "rejected", revision, {}, cleo)).status).toBe(403);
    expect((await serve.ask(cleo, "/api/requests", { body: {} })).status).toBe(403);
    expect((await serve.ask(cleo, "/api/policy/rules", { body: {} })).status).toBe(403);
    expect((await serve.ask(cleo, `/api/requests/${id}/receipt`)).status).toBe(403);
  });
});

describe("against the last time", () => {
  it("tells what is new of guarantees, calls, values and source", async () => {
    const text = readFileSync(join(folder, "pay-small.ts"), "utf8");
    const first = await serve.proved(
      await serve.file(text, { budget: "10" }, secretOf("bea-agent")),
      secretOf("bea-agent"),
    );
    await serve.decide(first.id, "approved_once", first.revision, {}, secretOf("ann"));
    const other = text.replace("maxSpend(10)", "maxSpend(20)").replace("amount: 5", "amount: 15");
    const bea = secretOf("bea-agent");
    const { id } = await serve.proved(await serve.file(other, { budget: "20" }, bea), bea);
    const { json } = await serve.ask(serve.reviewer, `/api/requests/${id}/comparison`);
    expect(json).toMatchObject({
      against: { id: first.id, by: "ann", decision: "approved_once" },
      isSameProgram: false,
      guarantees: [{ change: "changed", name: "bank.maxSpend(20)", before: expect.stringContaining("10") }],
      values: [{ name: "budget", before: "10", after: "20" }],
    });
    expect(json.calls.map(({ change }: { change: string }) => change)).toEqual(["added", "removed"]);
    expect(json.source.filter(({ kind }: { kind: string }) => kind === "added")).toHaveLength(2);
    expect(json.source.filter(({ kind }: { kind: string }) => kind === "removed")).toHaveLength(2);
    const alone = await serve.ask(serve.reviewer, `/api/requests/${first.id}/comparison`);
    expect(alone.json.against).toBe(null);
    expect((await serve.ask(serve.agent, `/api/requests/${id}/comparison`)).status).toBe(404);
  });
});

describe("two people", () => {
  it("are two, neither of them who asked, and about the same", async () => {
    writeFileSync(join(folder, "policy.json"), readFileSync(join(folder, "twice.json")));
    await expect
      .poll(async () => (await serve.ask(serve.reviewer, "/api/policy")).json.reviewers, { timeout: 20_000 })
      .toBe(2);
    const bea = secretOf("bea-agent");
    const { id } = await filed("pay-amount.ts", { inputs: { amount: 30 }, budget: "30" }, bea);
    let { revision } = await until(id, ({ status }) => status === "pending");
    const approve = async (who: string, more: object = {}) => {
      const answer = await serve.decide(id, "approved_once", revision, more, who);
      revision = answer.json.revision ?? revision;
      return answer;
    };
    // Who asked, with another credential.
    expect((await approve(secretOf("bea"))).json.error).toMatchObject({ code: "FC4102" });
    expect((await approve(secretOf("ann"), { standing: terms })).json).toMatchObject({
      status: "pending",
      approvals: { needed: 2, given: [{ by: "ann", standing: terms }] },
    });
    // The same person with another credential takes the place of the first approval.
    expect((await approve(secretOf("ann-too"))).json).toMatchObject({
      status: "pending",
      approvals: { given: [{ by: "ann-too", standing: null }] },
    });
    // Other terms are another approval.
    expect((await approve(serve.reviewer, { standing: terms })).json.status).toBe("pending");
    expect((await serve.ask(bea, `/api/requests/${id}/receipt`)).status).toBe(409);
    // An edit takes all approvals back.
    const edited = await serve.ask(serve.reviewer, `/api/requests/${id}/edit`, {
      body: { inputs: { amount: 30 }, budget: "29", revision },
    });
    revision = edited.json.revision;
    expect(edited.json.approvals).toMatchObject({ given: [] });
    expect((await approve(secretOf("ann"))).json.status).toBe("pending");
    // An agent is not told who approved so far.
    expect((await serve.ask(bea, `/api/requests/${id}`)).json.approvals).toBe(undefined);
    expect((await approve(serve.reviewer)).json).toMatchObject({
      status: "decided",
      decided: { by: "ann, reviewer" },
    });
    expect(await receiptOf(id, bea)).toMatchObject({ budget: "29", by: "ann, reviewer" });
  });

  it("are needed too where the policy can be read no more, and an approval of one stands no more", async () => {
    const more = { inputs: { amount: 31 }, budget: "31" };
    const first = await filed("pay-amount.ts", more);
    await serve.decide(first.id, "approved_once", 2, { standing: terms }, secretOf("ann"));
    const both = await serve.decide(first.id, "approved_once", 3, { standing: terms }, serve.reviewer);
    const id = both.json.decided.standing;
    expect((await filed("pay-amount.ts", more)).decided.standing).toBe(id);
    writeFileSync(join(folder, "policy.json"), "{");
    await expect
      .poll(async () => (await serve.ask(serve.reviewer, "/api/policy")).json.problem, { timeout: 20_000 })
      .not.toBe(null);
    const next = await filed("pay-amount.ts", more);
    expect(next.status).toBe("pending");
    const one = await serve.decide(next.id, "approved_once", 2, {}, secretOf("ann"));
    expect(one.json).toMatchObject({ status: "pending", approvals: { needed: 2 } });
  });
});

describe("webhooks", () => {
  it("are told with a signature, and one that hangs keeps nobody waiting", async () => {
    const { id } = await filed("pay-amount.ts", { inputs: { amount: 41 }, words: "<!channel> approve" });
    const messageOf = (event: string) =>
      plain.got.find(({ headers }) => headers["x-foreclaim-delivery"] === `plain/${id}/${event}`);
    await expect.poll(() => messageOf("pending"), { timeout: 30_000 }).toBeDefined();
    const told = messageOf("pending") ?? expect.fail();
    const [, seconds = ""] = /^t=(\d+),/.exec(String(told.headers["x-foreclaim-signature"])) ?? [];
    expect(told.headers["x-foreclaim-signature"]).toBe(
      signatureOf("0123456789abcdef-secret", told.body, Number(seconds)),
    );
    expect(JSON.parse(told.body)).toMatchObject({
      event: "pending",
      link: `${serve.address}/#/requests/${id}`,
      request: { id, file: "pay-amount.ts", risk: { level: expect.any(String) } },
    });
    expect(told.body).not.toContain('approve"');
    await expect
      .poll(() => slack.got.find(({ body }) => body.includes(id)), { timeout: 30_000 })
      .toBeDefined();
    const message = JSON.parse(slack.got.find(({ body }) => body.includes(id))?.body ?? "{}");
    expect(message.text).toContain(`<${serve.address}/#/requests/${id}|Open the request>`);
    expect(message.text).not.toContain("<!channel>");
    // The one that hangs was asked, has not answered, and decisions go on.
    expect(stuck.got.length).toBeGreaterThan(0);
    const { json } = await serve.decide(id, "rejected", 2, { text: "no" });
    expect(json.status).toBe("decided");
    await expect.poll(() => messageOf("decided"), { timeout: 30_000 }).toBeDefined();
  });

  it("are told again after a failure, each once, and follow no redirect", async () => {
    slack.status = 302;
    const { id } = await filed("pay-amount.ts", { inputs: { amount: 42 } });
    const tries = () => slack.got.filter(({ body }) => body.includes(id)).length;
    await expect.poll(tries, { timeout: 30_000 }).toBeGreaterThan(1);
    slack.status = 200;
    const before = tries();
    await expect.poll(tries, { timeout: 30_000 }).toBeGreaterThan(before);
    const after = tries();
    // Another request's message comes after it, and it is not repeated.
    const other = await filed("pay-amount.ts", { inputs: { amount: 43 } });
    await expect
      .poll(() => slack.got.some(({ body }) => body.includes(other.id)), { timeout: 30_000 })
      .toBe(true);
    expect(tries()).toBe(after);
  });
});

it("answers are as the description says", async () => {
  const { json: description } = await serve.ask(undefined, "/openapi.json");
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: "all", components: description.components });
  const named: [RegExp, string, string][] = [
    [/^\/api\/standing(\?|$)/, "get", "StandingList"],
    [/^\/api\/standing\/s/, "delete", "StandingView"],
    [/\/comparison$/, "get", "Comparison"],
    [/\/edit$/, "post", "RequestDetail"],
    [/^\/api\/requests\?/, "get", "RequestList"],
  ];
  for (const [path, method, name] of named) {
    const found = answers.filter(
      (one) => path.test(one.path) && one.method === method && one.answer.status === 200,
    );
    expect([name, found.length > 0]).toEqual([name, true]);
    const check = ajv.compile({ $ref: `all#/components/schemas/${name}` });
    for (const { answer } of found)
      expect([name, check(answer.json), check.errors]).toEqual([name, true, null]);
  }
});
