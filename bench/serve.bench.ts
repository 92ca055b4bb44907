/**
 * The approval service: requests to a decision by policy, decisions beside many pending requests and live listeners, an
 * easy program alone and beside a hard one, and what the process keeps in memory of requests that are done with.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Credentials } from "../src/approve/requests/credentials.ts";
import { openStore } from "../src/approve/requests/open.ts";
import { RequestStore } from "../src/approve/requests/store.ts";
import { startService } from "../src/approve/service/service.ts";
import { unprovedResult } from "../src/approve/service/unproved-result.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-bench-"));
const program = (guarantees: string, body: string, inputs = "") =>
  `import { program } from "foreclaim";\nimport * as bank from "./tools/bank";\nexport default program({ guarantees: [${guarantees}], async run(${inputs}) { ${body} } });\n`;
const small = program("bank.maxSpend(10)", `await bank.pay({ to: "power", amount: 5 });`);
const large = program("bank.maxSpend(100)", `await bank.pay({ to: "power", amount: 50 });`);
const hard = program(
  "bank.noCubes(0), bank.noCubes(4), bank.noCubes(5)",
  "const x = a.length; const y = b.length; const z = c.length; if (x > 5 && y > 5 && z > 5 && x * y * z > 1000) await bank.cubes({ a: x, b: y, c: z });",
  "{ a, b, c }: { a: string; b: string; c: string }",
);
mkdirSync(join(folder, "tools"));
writeFileSync(
  join(folder, "tools/bank.ts"),
  `import { contract, tool } from "foreclaim";
export const pay = tool({ run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => { console.log(to, amount); } });
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
export const cubes = tool({ run: async ({ a, b, c }: { a: number; b: number; c: number }): Promise<void> => { console.log(a, b, c); } });
export const noCubes = contract((n: number) => cubes.all((p) => p.a * p.a * p.a + p.b * p.b * p.b !== p.c * p.c * p.c + n));
`,
);
const rule = {
  name: "small",
  decision: "auto_approved",
  whenProven: ["bank.maxSpend(10)"],
  reason: "little",
};
writeFileSync(join(folder, "policy.json"), JSON.stringify({ version: 1, rules: [rule] }));

const service = await started();
try {
  await throughput(300, 16);
  await beside(200, 20);
  await fairness(60);
} finally {
  service.child.kill("SIGTERM");
}
await memory([1_000, 5_000, 10_000]);
rmSync(folder, { recursive: true, force: true });

async function started(): Promise<{ child: ChildProcess; address: string; agent: string; reviewer: string }> {
  const args = ["serve", "--port", "0", "--json", "--policy", "policy.json", "--rate", "100000"];
  const more = ["--pending", "10000", "--prove-timeout", "120s"];
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), ...args, ...more], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  for await (const chunk of child.stdout) {
    out += chunk;
    if (out.includes("\n")) break;
  }
  const secret = (role: string) => readFileSync(join(folder, `approvals.db.${role}`), "utf8").trim();
  return { child, address: JSON.parse(out).address, agent: secret("agent"), reviewer: secret("reviewer") };
}

async function ask(who: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await fetch(`${service.address}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${who}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

async function file(text: string, inputs: object = {}): Promise<string> {
  const request = { program: { file: "a.ts", text }, inputs, budget: null, kernel: "a".repeat(64) };
  return (await ask(service.agent, "/api/requests", request)).id;
}

async function proved(id: string): Promise<void> {
  for (;;) {
    const found = await ask(service.agent, `/api/requests/${id}/wait?revision=1&seconds=60`);
    if (found.status !== "proving") return;
  }
}

async function throughput(many: number, clients: number): Promise<void> {
  const one = async () => proved(await file(small));
  for (let i = 0; i < 20; i++) await one();
  const alone: number[] = [];
  for (let i = 0; i < 20; i++) alone.push(await timed(one));
  let left = many;
  const ms = await timed(() =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        while (left-- > 0) await one();
      }),
    ),
  );
  say("to a decision by policy, one after the other", `${median(alone).toFixed(1)} ms each`);
  say(`to a decision by policy, ${clients} clients`, `${((1000 * many) / ms).toFixed(0)} requests/s`);
}

async function beside(pending: number, listeners: number): Promise<void> {
  const decide = async (id: string) => {
    const decision = { decision: "rejected", revision: 2 };
    return ask(service.reviewer, `/api/requests/${id}/decision`, decision);
  };
  const ids: string[] = [];
  for (let i = 0; i < pending; i++) ids.push(await file(large));
  for (const id of ids) await proved(id);
  const bare: number[] = [];
  for (const id of ids.slice(0, 20)) bare.push(await timed(() => decide(id)));
  const live = await Promise.all(Array.from({ length: listeners }, listen));
  const told: number[] = [];
  for (const id of ids.slice(20, 60)) {
    const startMs = performance.now();
    const heard = Promise.all(live.map((one) => one.until(`"id":"${id}","revision":3`)));
    await decide(id);
    await heard;
    told.push(performance.now() - startMs);
  }
  const list = await timed(() => ask(service.reviewer, "/api/requests?status=pending&limit=50"));
  for (const one of live) one.stop();
  say(`a decision, ${pending} pending, no listener`, `${median(bare).toFixed(1)} ms`);
  say(
    `a decision until all of ${listeners} listeners know`,
    `${median(told).toFixed(1)} ms, ${(median(told) / median(bare)).toFixed(1)}×`,
  );
  say("a page of the list", `${list.toFixed(1)} ms`);
}

async function listen(): Promise<{ until: (word: string) => Promise<void>; stop: () => void }> {
  const stop = new AbortController();
  const answer = await fetch(`${service.address}/api/events`, {
    headers: { authorization: `Bearer ${service.reviewer}` },
    signal: stop.signal,
  });
  const reader = answer.body?.getReader();
  let text = "";
  const until = async (word: string): Promise<void> => {
    while (!text.includes(word))
      text = (text + Buffer.from((await reader?.read())?.value ?? [])).slice(-5_000);
  };
  return { until, stop: () => stop.abort() };
}

async function fairness(rounds: number): Promise<void> {
  const easy = async () => proved(await file(large));
  const alone: number[] = [];
  const with_: number[] = [];
  for (let i = 0; i < rounds; i++) alone.push(await timed(easy));
  const hardOne = await file(hard, { a: "x", b: "y", c: "z" });
  // Until it is known to be a hard one, and gives way.
  await new Promise((done) => setTimeout(done, 1_500));
  for (let i = 0; i < rounds; i++) with_.push(await timed(easy));
  const isStill = (await ask(service.agent, `/api/requests/${hardOne}`)).status === "proving";
  const ratio = median(with_) / median(alone);
  say("an easy program alone", `${median(alone).toFixed(1)} ms`);
  say(
    `beside a hard one${isStill ? "" : " (which had ended)"}`,
    `${median(with_).toFixed(1)} ms, ${ratio.toFixed(2)}×`,
  );
}

/** In this process, where memory can be collected and looked at; nothing is proved. */
async function memory(marks: readonly number[]): Promise<void> {
  const database = await openStore(join(folder, "memory.db"));
  const credentials = new Credentials(database);
  const agent = (await credentials.make("agent", "agent", Date.now())) ?? "";
  const own = await startService({
    store: new RequestStore(database),
    credentials,
    prover: {
      hasRoom: () => true,
      onRoom: () => {},
      prove: async () => unprovedResult("nothing is proved here"),
      close: async () => {},
    },
    policy: null,
    sign: () => "",
    clock: Date.now,
    log: () => {},
    pages: new Map(),
    settings: {
      hosts: ["bench"],
      origins: [],
      expireMs: 3_600_000,
      receiptMs: 600_000,
      openPerAgent: 1_000_000,
      perSecond: 1_000_000,
      leaseMs: 5_000,
    },
  });
  const headers = { authorization: `Bearer ${agent}`, "content-type": "application/json", host: "bench" };
  const at: string[] = [];
  for (let i = 1; i <= (marks.at(-1) ?? 0); i++) {
    const body = JSON.stringify({
      program: { file: "a.ts", text: `${large}// ${i}` },
      inputs: {},
      budget: null,
      kernel: "a".repeat(64),
    });
    const filed = await own.fetch(
      new Request("http://bench/api/requests", { method: "POST", headers, body }),
    );
    const { id } = JSON.parse(await filed.text());
    const path = `http://bench/api/requests/${id}/wait?revision=1&seconds=60`;
    await (await own.fetch(new Request(path, { headers }))).text();
    if (!marks.includes(i)) continue;
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    at.push(`${i.toLocaleString("en")}: ${((heapUsed + external) / 2 ** 20).toFixed(1)} MB`);
  }
  say("memory after so many requests", at.join(", "));
  await own.stop();
  await database.close();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}

function say(what: string, found: string): void {
  console.log(`${what.padEnd(50)}  ${found}`);
}
