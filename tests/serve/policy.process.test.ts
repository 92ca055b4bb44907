/** The policy of a service that is running: it decides, is changed under way, and counts across requests. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PolicyView, RequestDetail } from "../../src/approve/wire.ts";
import { build, root } from "../cli/built.ts";
import { timeout } from "../support/timeout.ts";

const options = { timeout: timeout(60) };
const main = join(root, "dist/cli/main.js");
const mail = `
import { contract, tool } from "foreclaim";
export const send = tool({ run: async ({ to }: { to: string }): Promise<void> => {} });
export const only = contract((list: string[]) => send.all((s) => list.includes(s.to)));
export const atMost = contract((n: number) => send.count() <= n);
`;
const bank = `
import { contract, tool } from "foreclaim";
export const pay = tool({ run: async ({ amount }: { amount: number }): Promise<void> => {} });
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
`;
const paying = (...amounts: number[]) => `
import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({ guarantees: [bank.maxSpend(900)], async run() {
  ${amounts.map((amount) => `await bank.pay({ amount: ${amount} });`).join("\n  ")}
} });
`;
const mailTo = (...to: string[]) => `
import { program } from "foreclaim";
import * as mail from "./tools/mail";
export default program({ guarantees: [mail.atMost(9)], async run() {
  ${to.map((one) => `await mail.send({ to: "${one}" });`).join("\n  ")}
} });
`;
const rule = (name: string, decision: string, when: string, clause: string, limits?: object[]) => ({
  name,
  decision,
  [when]: [clause],
  ...(limits && { limits }),
  reason: `as ${name} says`,
});
const bob = rule("bob", "auto_approved", "whenProven", "mail.only(['bob'])", [
  { name: "mail to bob", clause: "mail.atMost(?)", atMost: 5, per: "day" },
]);

let folder = "";
let child: ChildProcess;
let url = "";
const policyText = (...rules: object[]) => JSON.stringify({ version: 1, rules });
const policy = (text: string) => writeFileSync(join(folder, "policy.json"), text);
const secrets = new Map<string, string>();

beforeAll(async () => {
  await build();
  folder = mkdtempSync(join(tmpdir(), "foreclaim-policy-"));
  mkdirSync(join(folder, "tools"));
  writeFileSync(join(folder, "tools/mail.ts"), mail);
  writeFileSync(join(folder, "tools/bank.ts"), bank);
  policy(policyText(bob));
  for (const role of ["agent", "reviewer", "admin"]) {
    const args = ["serve", "credential", "make", "--name", role, "--role", role, "--store", "a.db", "--json"];
    const made = spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: "utf8" });
    secrets.set(role, JSON.parse(made.stdout).credential);
  }
  const args = ["serve", "--store", "a.db", "--port", "0", "--policy", "policy.json", "--json"];
  child = spawn(process.execPath, [main, ...args], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    url = JSON.parse(line).address;
    break;
  }
});
afterAll(async () => {
  const ended = new Promise((done) => child.once("exit", done));
  child.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

async function ask(role: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${secrets.get(role)}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Files a request; returns the decision of a rule, or that people are asked. */
async function filed(text: string): Promise<string> {
  const { decided, status } = await settled(text);
  return decided?.decision ?? status;
}

/** As the agent sees it. */
async function settled(text: string): Promise<RequestDetail> {
  const request = { program: { file: "p.ts", text }, inputs: {}, budget: null, kernel: "0".repeat(64) };
  const answer = await ask("agent", "/api/requests", request);
  const { id } = (await answer.json()) as { id: string };
  for (let revision = 0; ; ) {
    const found = await ask("agent", `/api/requests/${id}/wait?revision=${revision}&seconds=20`);
    const detail = (await found.json()) as RequestDetail;
    if (detail.status !== "proving") return detail;
    ({ revision } = detail);
  }
}

const view = async () => (await (await ask("reviewer", "/api/policy")).json()) as PolicyView;
const inForce = (...names: string[]) =>
  expect.poll(async () => (await view()).rules.map(({ name }) => name), { timeout: 120_000 }).toEqual(names);

test("a rule decides until its limit is used up, and then people are asked", options, async () => {
  expect(await filed(mailTo("bob", "bob"))).toBe("auto_approved");
  expect(await filed(mailTo("ann"))).toBe("pending");
  expect(await filed(mailTo("bob", "bob"))).toBe("auto_approved");
  expect(await filed(mailTo("bob", "bob"))).toBe("pending");
  expect(await filed(mailTo("bob"))).toBe("auto_approved");
  expect(await filed(mailTo("bob"))).toBe("pending");
});

test("a policy that is changed is in force without a restart", options, async () => {
  policy(policyText(rule("nobody", "auto_rejected", "unlessProven", "mail.only(['bob'])")));
  await inForce("nobody");
  expect(await filed(mailTo("ann"))).toBe("auto_rejected");
  expect(await filed(mailTo("bob"))).toBe("pending");
});

test.each([
  ["not JSON", "{"],
  ["no policy", '{"version": 1}'],
  ["a contract that is not there", policyText(rule("x", "auto_approved", "whenProven", "mail.all()"))],
])("while the file is %s, no rule decides, and reviewers are told", options, async (_, text) => {
  policy(policyText(rule("everybody", "auto_approved", "whenProven", "mail.atMost(9)")));
  await inForce("everybody");
  expect(await filed(mailTo("ann"))).toBe("auto_approved");
  policy(text);
  await expect.poll(async () => (await view()).problem, { timeout: 120_000 }).not.toBe(null);
  expect(await filed(mailTo("ann"))).toBe("pending");
  policy(policyText());
  await expect.poll(async () => (await view()).problem, { timeout: 120_000 }).toBe(null);
});

test("an admin adds a rule, and nobody else does", options, async () => {
  policy(policyText());
  await inForce();
  const ann = rule("ann", "auto_approved", "whenProven", 'mail.only(["ann"])');
  for (const role of ["agent", "reviewer"])
    expect((await ask(role, "/api/policy/rules", ann)).status, role).toBe(403);
  expect((await ask("agent", "/api/policy")).status).toBe(403);
  for (const wrong of [{}, [], { ...ann, whenProven: ["mail.onyl()"] }, { ...ann, more: 1 }])
    expect((await ask("admin", "/api/policy/rules", wrong)).status, JSON.stringify(wrong)).toBe(400);
  expect(await filed(mailTo("ann"))).toBe("pending");
  expect((await ask("admin", "/api/policy/rules", ann)).status).toBe(201);
  expect((await ask("admin", "/api/policy/rules", ann)).status, "of one name").toBe(400);
  expect(await filed(mailTo("ann"))).toBe("auto_approved");
  expect(JSON.parse(readFileSync(join(folder, "policy.json"), "utf8"))).toEqual({ version: 1, rules: [ann] });
});

test("what is approved and remembered proposes a rule that does the same", options, async () => {
  policy(policyText());
  await inForce();
  const text = mailTo("eve").replace("mail.atMost(9)", 'mail.atMost(1), mail.only(["eve"])');
  expect(await filed(text)).toBe("pending");
  const list = await (await ask("reviewer", "/api/requests?status=pending&limit=1")).json();
  const [{ id, revision }] = (list as { requests: [RequestDetail] }).requests;
  const decision = { decision: "approved_remember", revision };
  const answer = await ask("reviewer", `/api/requests/${id}/decision`, decision);
  const proposed = ((await answer.json()) as RequestDetail).decided?.proposed;
  expect(proposed).toMatchObject({
    whenProven: ["mail.atMost(1)", 'mail.only(["eve"])'],
    tools: ["mail.send"],
  });
  expect((await ask("admin", "/api/policy/rules", proposed)).status).toBe(201);
  expect(await filed(text)).toBe("auto_approved");
  expect(await filed(mailTo("eve", "eve"))).toBe("pending");
});

test(
  "a clause that a run may break where it stops approves nothing, and reviewers are told where",
  options,
  async () => {
    const small = rule("small", "auto_approved", "whenProven", "bank.maxSpend(900)", [
      { name: "spent", clause: "bank.maxSpend(?)", atMost: 1000, per: "day" },
    ]);
    policy(policyText(small));
    await inForce("small");
    const asked = await settled(paying(100_000, -100_000));
    expect([asked.status, asked.decided]).toEqual(["pending", null]);
    expect(asked.policyStops, "agents cannot read the policy").toBeUndefined();
    const seen = (await (await ask("reviewer", `/api/requests/${asked.id}`)).json()) as RequestDetail;
    const text = "if the run stops after `bank.pay` (line 5) or `bank.pay` (line 6), this may be violated";
    expect(seen.policyStops).toEqual(
      ["bank.maxSpend(900)", "bank.maxSpend(1000)"].map((clause) => ({
        rule: "small",
        clause,
        text,
        counts: false,
      })),
    );
    // More than at the end is counted on the way.
    expect(await filed(paying(800, -700))).toBe("auto_approved");
    expect(await filed(paying(300))).toBe("pending");
    expect(await filed(paying(200))).toBe("auto_approved");
    policy(policyText({ ...small, name: "whole runs", stops: "allowed" }));
    await inForce("whole runs");
    expect((await view()).rules[0]?.stops).toBe("allowed");
    expect(await filed(paying(100_000, -100_000))).toBe("auto_approved");
    policy(policyText({ ...small, name: "whole", stops: "forbidden" }));
    await expect
      .poll(async () => (await view()).problem, { timeout: 120_000 })
      .toContain("`stops` cannot be");
    expect(await filed(paying(1))).toBe("pending");
  },
);

test(
  "the rule that is proposed does not approve what it was made from, if that may stop halfway",
  options,
  async () => {
    policy(policyText());
    await inForce();
    const { id, revision } = await settled(paying(100_000, -100_000));
    const answer = await ask("reviewer", `/api/requests/${id}/decision`, {
      decision: "approved_remember",
      revision,
    });
    const proposed = ((await answer.json()) as RequestDetail).decided?.proposed;
    expect(proposed).toMatchObject({ whenProven: ["bank.maxSpend(900)"] });
    expect(proposed).not.toHaveProperty("stops");
    expect((await ask("admin", "/api/policy/rules", proposed)).status).toBe(201);
    expect(await filed(paying(100_000, -100_000))).toBe("pending");
    expect(await filed(paying(300, 600))).toBe("auto_approved");
  },
);
