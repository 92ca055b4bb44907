/** The service when it is killed, restarted, stopped, and when there are two of it. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, foreclaim } from "../cli/built.ts";
import { PostgresServer } from "../support/postgres.ts";
import { hardInputs, project, remove, Serve } from "./serve-process.ts";

let folder: string;
beforeAll(async () => {
  await build();
  folder = project();
});
afterAll(() => remove(folder));

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As a client does that is patient: asks again when the service is not there. */
async function until(address: string, who: string, id: string, revision: number) {
  for (;;) {
    try {
      const answer = await fetch(`${address}/api/requests/${id}/wait?revision=${revision}&seconds=60`, {
        headers: { authorization: `Bearer ${who}` },
      });
      const found = JSON.parse(await answer.text());
      if (answer.status === 200 && found.revision > revision) return found;
    } catch {
      await sleep(50);
    }
  }
}

/** The processes below that one. */
function below(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (existsSync(list)) return readFileSync(list, "utf8").trim().split(" ").filter(Boolean).map(Number);
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // What nobody has waited for yet is not alive.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("a service that is killed", () => {
  it("goes on where it was, and those who wait get their answers", async () => {
    const first = await Serve.start(folder, "--workers", "2");
    const { agent, reviewer, address, port } = first;
    const { id } = await first.proved(await first.file("pay.ts"));
    const waiting = until(address, agent, id, 2);
    const hard = await first.file("hard.ts", { inputs: hardInputs });
    const proving = until(address, agent, hard, 1);
    while (first.child.pid !== undefined && !first.logText.includes(hard)) await sleep(10);
    await sleep(300);
    const workers = below(first.child.pid ?? 0);
    expect(workers.length).toBeGreaterThan(1);
    await first.kill();
    const again = await Serve.start(folder, "--workers", "2", "--port", `${port}`, "--prove-timeout", "1s");
    try {
      expect(again.page).toBe(`${address}/`);
      expect((await again.decide(id, "approved_once", 2, { text: "now" }, reviewer)).status).toBe(200);
      expect(await waiting).toMatchObject({ decision: "approved_once", decided: { text: "now" } });
      expect((await again.ask(agent, `/api/requests/${id}/receipt`)).status).toBe(200);
      // What was being proved is proved again once the lease of the first is over, here with less patience.
      expect(await proving).toMatchObject({ status: "not_proved", revision: 2 });
      while (workers.some(isAlive)) await sleep(50);
    } finally {
      expect(await again.stop()).toBe(0);
    }
  });

  it("finds that the time of a request is over", async () => {
    const own = project();
    // Long enough to be proved before.
    const first = await Serve.start(own, "--workers", "1", "--expire", "10s");
    const { id } = await first.proved(await first.file("pay.ts"));
    const { agent } = first;
    await first.kill();
    await sleep(10_000);
    const again = await Serve.start(own, "--workers", "1");
    try {
      expect(await until(again.address, agent, id, 2)).toMatchObject({
        decision: "expired",
        decided: { by: "clock" },
      });
      expect((await again.decide(id, "approved_once", 2)).json.error.code).toBe("FC4106");
    } finally {
      await again.stop();
      remove(own);
    }
  });
});

describe("a request that nobody decides", () => {
  it("is over when its time is", async () => {
    const own = project();
    const serve = await Serve.start(own, "--workers", "1", "--expire", "1s");
    try {
      // It may be over before it is proved, or after.
      const { id, revision, decision } = await serve.proved(await serve.file("pay.ts"));
      const last = decision === null ? await until(serve.address, serve.agent, id, revision) : { decision };
      expect(last).toMatchObject({ decision: "expired" });
    } finally {
      await serve.stop();
      remove(own);
    }
  });
});

describe("a service that is stopped", () => {
  it("answers those who wait, lets listeners go, gives back what it proves, and leaves nobody behind", async () => {
    const own = project();
    const serve = await Serve.start(own, "--workers", "2");
    const { agent } = serve;
    const { id } = await serve.proved(await serve.file("pay.ts"));
    const hard = await serve.file("hard.ts", { inputs: hardInputs });
    const waiting = serve.ask(agent, `/api/requests/${id}/wait?revision=2&seconds=60`);
    const events = await fetch(`${serve.address}/api/events`, {
      headers: { authorization: `Bearer ${agent}` },
    });
    await sleep(300);
    const workers = below(serve.child.pid ?? 0);
    const startMs = performance.now();
    const code = serve.stop();
    expect((await waiting).json).toMatchObject({ id, revision: 2 });
    await events.text();
    expect(await code).toBe(0);
    expect(performance.now() - startMs).toBeLessThan(4_000);
    while (workers.some(isAlive)) await sleep(20);
    expect(readdirSync(own)).not.toContain("approvals.db-wal");
    // The next one need not wait for a lease.
    const again = await Serve.start(own, "--workers", "2", "--prove-timeout", "1s");
    const beginMs = performance.now();
    expect(await again.proved(hard)).toMatchObject({ status: "not_proved" });
    expect(performance.now() - beginMs).toBeLessThan(4_000);
    await again.stop();
    remove(own);
  });

  it("leaves at once when it is told twice", async () => {
    const own = project();
    const serve = await Serve.start(own, "--workers", "1");
    const slow = fetch(`${serve.address}/api/requests`, {
      method: "POST",
      headers: { authorization: `Bearer ${serve.agent}`, "content-type": "application/json" },
      body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("{")) }),
      duplex: "half",
    } as RequestInit).catch(() => undefined);
    await sleep(200);
    serve.child.kill("SIGTERM");
    await sleep(100);
    const startMs = performance.now();
    serve.child.kill("SIGTERM");
    await serve.ended();
    expect(performance.now() - startMs).toBeLessThan(1_000);
    await slow;
    remove(own);
  });

  it("says what is wrong when it cannot start", async () => {
    const own = project({ "bad.json": "{}", "tools/broken.ts": "export const = 1;" });
    const tried = async (...args: string[]) => foreclaim(["serve", "--port", "0", ...args], { cwd: own });
    expect(await tried()).toMatchObject({ code: 2, err: expect.stringContaining("broken.ts") });
    remove(join(own, "tools/broken.ts"));
    expect(await tried("--policy", "bad.json")).toMatchObject({ code: 2 });
    expect(await tried("--policy", "none.json")).toMatchObject({
      code: 2,
      err: expect.stringContaining("none.json"),
    });
    expect(await tried("--key", "bad.json")).toMatchObject({
      code: 2,
      err: expect.stringContaining("Ed25519"),
    });
    expect(await tried("--store", "tools")).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not a file"),
    });
    expect(await tried("--store", "postgres://127.0.0.1:1/x", "--key", "bad.json")).toMatchObject({
      code: 2,
    });
    expect(await tried("--expire", "1x")).toMatchObject({ code: 2 });
    const serve = await Serve.start(own, "--workers", "1");
    expect(
      await foreclaim(["serve", "--port", `${serve.port}`, "--store", "b.db"], { cwd: own }),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining("another process listens there already"),
    });
    await serve.stop();
    remove(own);
  });
});

const server = await PostgresServer.start();

describe.skipIf(server === undefined)("two instances on one PostgreSQL", () => {
  afterAll(() => server?.stop());

  it("are one service: filed at one, decided at the other, and who waits at the first sees it", async () => {
    const own = project();
    const store = server!.ledgerUrl("served");
    await foreclaim(["keys", "make", "approve.key"], { cwd: own });
    const make = async (name: string, role: string) => {
      const args = ["serve", "credential", "make", "--name", name, "--role", role, "--store", store];
      return (await foreclaim(args, { cwd: own })).out.trim();
    };
    const agent = await make("pay-agent", "agent");
    const reviewer = await make("ann", "reviewer");
    const args = ["--store", store, "--key", "approve.key", "--workers", "1"];
    const [a, b] = await Promise.all([Serve.start(own, ...args), Serve.start(own, ...args)]);
    try {
      const id = await a.file("pay.ts", {}, agent);
      const found = await b.proved(id, agent);
      expect(found.status).toBe("pending");
      const waiting = a.ask(agent, `/api/requests/${id}/wait?revision=2&seconds=60`);
      const events = await fetch(`${a.address}/api/events`, {
        headers: { authorization: `Bearer ${reviewer}` },
      });
      await sleep(100);
      const startMs = performance.now();
      const both = await Promise.all([
        b.decide(id, "approved_once", 2, {}, reviewer),
        a.decide(id, "rejected", 2, {}, reviewer),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const decided = (await waiting).json.decided;
      expect(performance.now() - startMs).toBeLessThan(1_500);
      for (const { json } of both) expect(json.decided).toEqual(decided);
      const reader = events.body!.getReader();
      let text = "";
      while (!text.includes(`"id":"${id}","revision":3`))
        text += Buffer.from((await reader.read()).value ?? []).toString();
      await reader.cancel();
      // What one of them was proving when it was killed, the other proves.
      const hard = await Promise.all([1, 2].map(() => a.file("hard.ts", { inputs: hardInputs }, agent)));
      await sleep(500);
      await a.kill();
      const c = await Serve.start(own, ...args, "--prove-timeout", "1s");
      await b.stop();
      for (const one of hard) expect((await c.proved(one, agent)).status).toBe("not_proved");
      await c.stop();
    } finally {
      a.child.kill("SIGKILL");
      b.child.kill("SIGKILL");
      remove(own);
    }
  });

  it("want the same key, which is not made for them", async () => {
    const args = ["serve", "--port", "0", "--store", server!.ledgerUrl("keyless")];
    expect(await foreclaim(args, { cwd: folder })).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no key to sign receipts with"),
    });
  });
});
