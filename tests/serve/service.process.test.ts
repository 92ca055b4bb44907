/** The service as agents and reviewers use it, over a real socket. */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inputsDigest } from "../../src/approve/check-receipt.ts";
import { readReceipt, signatureProblem } from "../../src/approve/receipt.ts";
import { readDocument, readInputs, readJson } from "../../src/ir/index.ts";
import { build, foreclaim } from "../cli/built.ts";
import { answers, hardInputs, project, remove, Serve } from "./serve-process.ts";

const policy = {
  version: 1,
  rules: [
    { name: "pennies", decision: "auto_approved", whenProven: ["bank.maxSpend(10)"], reason: "it is little" },
    {
      name: "nobody else",
      decision: "auto_rejected",
      unlessProven: ["bank.onlyPays(['power'])"],
      reason: "who is it",
    },
  ],
};

let folder: string;
let serve: Serve;
let second: string;
beforeAll(async () => {
  answers.splice(0);
  await build();
  folder = project({ "policy.json": JSON.stringify(policy) });
  serve = await Serve.start(folder, "--policy", "policy.json", "--prove-timeout", "8s", "--workers", "2");
  const made = await foreclaim(["serve", "credential", "make", "--name", "second", "--role", "agent"], {
    cwd: folder,
  });
  second = made.out.trim();
});
afterAll(async () => {
  expect(await serve?.stop()).toBe(0);
  remove(folder);
});

describe("a request", () => {
  it("is filed, proved, decided, and has a receipt for exactly what was proved", async () => {
    const id = await serve.file("pay.ts", { budget: "100", words: "please" });
    const found = await serve.proved(id);
    expect(found).toMatchObject({
      status: "pending",
      revision: 2,
      agent: "agent",
      file: "pay.ts",
      worst: "covered",
      counts: { proved: 2, refuted: 0, unknown: 0 },
      words: "please",
      proof: {
        verdict: "proved",
        guarantees: [
          {
            name: "bank.maxSpend(100)",
            text: expect.stringContaining("at most 100"),
            doc: "All payments together are at most this much.",
            verdict: "proved",
            by: expect.any(String),
            enforced: false,
            line: 5,
          },
          { name: 'bank.onlyPays(["power"])' },
        ],
      },
    });
    const receiptBefore = await serve.ask(serve.agent, `/api/requests/${id}/receipt`);
    expect(receiptBefore.json.error.code).toBe("FC4108");
    const decided = await serve.decide(id, "approved_remember", 2, { text: "fine" });
    expect(decided.json).toMatchObject({
      status: "decided",
      revision: 3,
      decision: "approved_remember",
      decided: {
        by: "reviewer",
        text: "fine",
        proposed: { whenProven: ["bank.maxSpend(100)", 'bank.onlyPays(["power"])'] },
      },
    });
    const receipt = await serve.ask(serve.agent, `/api/requests/${id}/receipt`);
    const read = readReceipt(receipt.text);
    if (!read.ok) throw new Error(receipt.text);
    const publicKey = readFileSync(join(folder, "approvals.db.pub"), "utf8");
    expect(signatureProblem(read.value, publicKey)).toBeUndefined();
    const { json: detail } = await serve.ask(serve.reviewer, `/api/requests/${id}`);
    expect(read.value).toMatchObject({
      program: detail.proof.hash,
      modules: detail.proof.modules,
      kernel: "a".repeat(64),
      budget: "100",
      uses: 1,
      decision: "approved_remember",
      by: "reviewer",
    });
    expect(read.value.expires - read.value.notBefore).toBe(600_000);
  });

  it("has the same hashes as on the side of the agent, whatever it is called there", async () => {
    const shown = await foreclaim(["prove", "pay-amount.ts", "--json", "--show", "ir"], { cwd: folder });
    const agentSide = JSON.parse(shown.out);
    const other = join(folder, "another name.mts");
    renameSync(join(folder, "pay-amount.ts"), other);
    const again = JSON.parse((await foreclaim(["prove", other, "--json"], { cwd: folder })).out);
    renameSync(other, join(folder, "pay-amount.ts"));
    expect(again.hash).toBe(agentSide.hash);
    const id = await serve.file("pay-amount.ts", { inputs: { amount: 0.1 } });
    const { proof } = await serve.proved(id);
    expect(proof.hash).toBe(agentSide.hash);
    expect(agentSide.relativeTo).toContain(proof.modules);
    const checked = readDocument(agentSide.shown);
    if (!checked.ok) throw new Error("the document does not check");
    const given = readInputs(checked.value.checked, JSON.parse('{"amount": 0.1}'));
    const exact = readJson('{"amount": 1e-1}');
    const same = exact.ok ? readInputs(checked.value.checked, exact.value.value) : exact;
    if (!given.ok || !same.ok) throw new Error("the inputs are none");
    await serve.decide(id, "approved_once", 2);
    const receipt = readReceipt((await serve.ask(serve.agent, `/api/requests/${id}/receipt`)).text);
    if (!receipt.ok) throw new Error("no receipt");
    expect(receipt.value.inputs).toBe(inputsDigest(checked.value.checked, given.value));
    expect(receipt.value.inputs).toBe(inputsDigest(checked.value.checked, same.value));
  });

  it("is decided by rules, of which those that reject come first", async () => {
    const small = await serve.proved(await serve.file("pay-small.ts"));
    expect(small).toMatchObject({
      status: "decided",
      decision: "auto_approved",
      decided: { by: "rule pennies", rule: "pennies", text: "it is little" },
    });
    const receipt = await serve.ask(serve.agent, `/api/requests/${small.id}/receipt`);
    expect(receipt.json ?? JSON.parse(receipt.text)).toMatchObject({
      decision: "auto_approved",
      by: "rule pennies",
    });
    const who = await serve.proved(await serve.file("pay-what.ts", { inputs: { to: "gas", amount: 1 } }));
    expect(who).toMatchObject({ decision: "auto_rejected", decided: { rule: "nobody else" } });
    expect((await serve.ask(serve.agent, `/api/requests/${who.id}/receipt`)).status).toBe(409);
  });

  it("that is not proved says why, call by call, and can be rejected, never approved", async () => {
    const found = await serve.proved(await serve.file("too-much.ts"));
    expect(found.status).toBe("not_proved");
    expect(found.proof.guarantees[0]).toMatchObject({
      verdict: "refuted",
      counterexample: {
        steps: [
          {
            tool: "bank.pay",
            args: [
              { name: "to", value: '"power"' },
              { name: "amount", value: "101" },
            ],
            failed: false,
            line: 7,
          },
        ],
      },
    });
    for (const decision of ["approved_once", "approved_remember"])
      expect(await serve.decide(found.id, decision, 2)).toMatchObject({
        status: 409,
        json: { error: { code: "FC4108" } },
      });
    const more = await serve.decide(found.id, "request_more", 2, { text: "spend less" });
    expect(more.json).toMatchObject({ decision: "request_more", decided: { text: "spend less" } });
    const follows = await serve.file("pay.ts", { follows: found.id });
    expect((await serve.proved(follows)).follows).toBe(found.id);
  });

  it("that does not compile, or has other inputs, says what is wrong and where", async () => {
    const wrong = await serve.proved(await serve.file("wrong.ts"));
    expect(wrong).toMatchObject({ status: "invalid", proof: null, problems: [{ line: 7, column: 11 }] });
    const inputs = await serve.proved(await serve.file("pay-what.ts", { inputs: { to: 1 } }));
    expect(inputs.status).toBe("invalid");
    expect(inputs.problems.map((one: { message: string }) => one.message)).toEqual([
      expect.stringContaining("the inputs, at `to`"),
      expect.stringContaining("the inputs, at `amount`"),
    ]);
    expect((await serve.decide(wrong.id, "rejected", 2)).status).toBe(409);
  });

  it("that takes too long is not proved, says so, and an easy one does not wait for it", async () => {
    const hard = await serve.file("hard.ts", { inputs: hardInputs });
    const easy = await serve.proved(await serve.file("pay.ts"));
    expect(easy.status).toBe("pending");
    expect((await serve.ask(serve.agent, `/api/requests/${hard}`)).json.status).toBe("proving");
    const found = await serve.proved(hard);
    expect(found).toMatchObject({
      status: "not_proved",
      counts: { proved: 0, refuted: 0, unknown: 3 },
      proof: { verdict: "unknown", obligations: [{ verdict: "unknown", why: "it takes longer than 8 s" }] },
    });
    expect(found.proof.guarantees[0].name).toBe("bank.noCubes(0)");
  });

  it("tells how its run goes, to the one who filed it alone", async () => {
    const { id } = await serve.proved(await serve.file("pay-small.ts"));
    const progress = {
      run: "5f2c81",
      state: "running",
      calls: [{ number: 1, tool: "bank.pay", args: "to: power", state: "running", result: null }],
      text: null,
    };
    const put = (who: string, body: object) =>
      serve.ask(who, `/api/requests/${id}/progress`, { method: "PUT", body });
    expect((await put(serve.agent, progress)).status).toBe(204);
    expect((await serve.ask(serve.reviewer, `/api/requests/${id}`)).json).toMatchObject({
      run: "running",
      progress,
    });
    expect((await put(serve.reviewer, progress)).status).toBe(403);
    expect((await put(second, progress)).status).toBe(404);
    expect((await put(serve.agent, { ...progress, state: "done" })).status).toBe(204);
    expect((await put(serve.agent, progress)).json.error.code).toBe("FC4108");
    const pending = await serve.proved(await serve.file("pay.ts"));
    const early = await serve.ask(serve.agent, `/api/requests/${pending.id}/progress`, {
      method: "PUT",
      body: progress,
    });
    expect(early.status).toBe(409);
  });
});

describe("two reviewers", () => {
  it("decide at once, and one of them is told what the other decided", async () => {
    const { id } = await serve.proved(await serve.file("pay.ts"));
    const both = await Promise.all([serve.decide(id, "approved_once", 2), serve.decide(id, "rejected", 2)]);
    const [won, lost] = both[0].status === 200 ? both : [both[1], both[0]];
    expect(won.status).toBe(200);
    expect(lost).toMatchObject({
      status: 409,
      json: { error: { code: "FC4106" }, decided: won.json.decided, revision: 3, status: "decided" },
    });
  });

  it("cannot decide on what they have not read", async () => {
    const { id } = await serve.proved(await serve.file("pay.ts"));
    expect((await serve.decide(id, "approved_once", 1)).json.error.code).toBe("FC4107");
    expect((await serve.decide(id, "approved_once", 9)).json.error.code).toBe("FC4107");
  });
});

describe("the list", () => {
  it("is for whom it is, filtered and page by page", async () => {
    const mine = await serve.file("pay.ts", {}, second);
    await serve.proved(mine, second);
    const own = await serve.ask(second, "/api/requests");
    expect(own.json.requests.map((one: { id: string }) => one.id)).toEqual([mine]);
    const asked = await serve.ask(second, "/api/requests?agent=agent");
    expect(asked.json.requests.map((one: { id: string }) => one.id)).toEqual([mine]);
    const all = await serve.ask(serve.reviewer, "/api/requests?limit=200");
    const pages: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const page = await serve.ask(serve.reviewer, `/api/requests?limit=3&before=${next}`);
      pages.push(...page.json.requests.map((one: { id: string }) => one.id));
      next = page.json.next;
    }
    expect(pages).toEqual(all.json.requests.map((one: { id: string }) => one.id));
    const rejected = await serve.ask(serve.reviewer, "/api/requests?decision=auto_rejected&q=PAY-WHAT");
    expect(rejected.json.requests.length).toBeGreaterThan(0);
    for (const query of ["status=x", "limit=0x", "limit=201", "before=1", "more=1", "worst=1"])
      expect((await serve.ask(serve.reviewer, `/api/requests?${query}`)).status).toBe(400);
  });
});

describe("events", () => {
  const listen = async (who: string, since?: string) => {
    const stop = new AbortController();
    const answer = await fetch(`${serve.address}/api/events`, {
      headers: { authorization: `Bearer ${who}`, ...(since !== undefined && { "last-event-id": since }) },
      signal: stop.signal,
    });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const reader = answer.body!.getReader();
    let text = "";
    return {
      /** Reads until this word appears. */
      until: async (word: string) => {
        while (!text.includes(word)) text += Buffer.from((await reader.read()).value ?? []).toString();
        return text;
      },
      stop: () => stop.abort(),
    };
  };

  it("come as things change, to those who may see them", async () => {
    const all = await listen(serve.reviewer);
    const other = await listen(second);
    await all.until("retry:");
    await other.until("retry:");
    const id = await serve.file("pay.ts");
    const text = await all.until(`"id":"${id}","revision":2,"status":"pending"`);
    expect(text).toMatch(/id: \d+\nevent: request\ndata: \{/);
    const mine = await serve.file("pay.ts", {}, second);
    expect(await other.until(mine)).not.toContain(id);
    all.stop();
    other.stop();
  });

  it("go on from where a listener was", async () => {
    const first = await listen(serve.reviewer);
    const [, since] = /id: (\d+)/.exec(await first.until("retry:")) ?? [];
    first.stop();
    const id = await serve.file("pay.ts");
    await serve.proved(id);
    const again = await listen(serve.reviewer, since);
    await again.until(`"id":"${id}"`);
    again.stop();
  });
});

describe("waiting", () => {
  it("ends when its time is up, and begins at once if there is something new", async () => {
    const { id } = await serve.proved(await serve.file("pay.ts"));
    const startMs = performance.now();
    const { json } = await serve.ask(serve.agent, `/api/requests/${id}/wait?revision=2&seconds=1`);
    expect(json.revision).toBe(2);
    expect(performance.now() - startMs).toBeGreaterThan(900);
    const waiting = serve.ask(serve.agent, `/api/requests/${id}/wait?revision=2&seconds=60`);
    await serve.decide(id, "rejected", 2, { text: "no" });
    expect((await waiting).json.decided).toMatchObject({ decision: "rejected", text: "no" });
    expect((await serve.ask(serve.agent, `/api/requests/${id}/wait?revision=0&seconds=61`)).status).toBe(400);
  });
});

describe("the description", () => {
  it("is what the service really answers", async () => {
    const { json } = await serve.ask(undefined, "/openapi.json");
    await serve.ask(undefined, "/healthz");
    await serve.ask(undefined, "/readyz");
    await serve.ask(serve.agent, "/api/session");
    expect((await serve.ask(serve.reviewer, "/api/policy")).json.rules).toHaveLength(2);
    expect((await serve.ask(serve.reviewer, "/api/policy/rules", { body: {} })).status).toBe(403);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema({ $id: "api", ...json });
    const seen = new Set<string>();
    for (const { method, path, answer } of answers) {
      const plain = path.replace(/\?.*$/, "").replace(/\/r[0-9a-f]{24}/, "/{id}");
      const at = `${plain.replaceAll("/", "~1")}/${method}`;
      const operation = json.paths[plain]?.[method];
      expect(operation, at).toBeDefined();
      const isGood = answer.status < 400;
      if (isGood) expect(Object.keys(operation.responses)).toContain(String(answer.status));
      if (answer.json === undefined || plain === "/openapi.json") continue;
      const good = `api#/paths/${at}/responses/${answer.status}/content/application~1json/schema`;
      const validate = ajv.getSchema(isGood ? good : "api#/components/schemas/ErrorBody");
      expect(
        validate?.(answer.json),
        `${at} ${JSON.stringify(validate?.errors)} ${answer.text.slice(0, 300)}`,
      ).toBe(true);
      seen.add(`${method} ${plain} ${isGood}`);
    }
    expect(seen.size).toBeGreaterThan(12);
  });
});
