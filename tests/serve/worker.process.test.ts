/** Workers on PostgreSQL: what is approved runs, once, whichever worker dies. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, foreclaim } from "../cli/built.ts";
import { PostgresServer } from "../support/postgres.ts";
import { timeout } from "../support/timeout.ts";
import { Field, programs } from "./worker-field.ts";

const server = await PostgresServer.start();

describe.skipIf(server === undefined)("a worker", { timeout: timeout(120) }, () => {
  let field: Field;
  beforeAll(async () => {
    await build();
    field = await Field.start(server!.ledgerUrl("worker"));
  }, timeout(120));
  afterAll(async () => {
    await field?.stop();
    await server?.stop();
  });

  it("runs what was approved, and nothing else", async () => {
    const [first, second] = [await field.file(programs.steps), await field.file(programs.steps)];
    await field.approve(first);
    await field.until(second, ({ status }) => status === "pending");
    await field.worker("--drain").ended;
    expect(field.world().map((line) => line.slice(0, 7).trim())).toHaveLength(5);
    expect(await field.until(first, () => true)).toMatchObject({
      run: "done",
      progress: { run: first, state: "done", answer: { value: "done" } },
    });
    expect((await field.until(second, () => true)).run).toBeNull();
    // The agent neither gets the receipt of such a run, nor reports on it.
    const { agent } = field.serve;
    expect((await field.serve.ask(agent, `/api/requests/${first}/receipt`)).status).toBe(409);
    const body = { run: first, state: "done", calls: [], text: null };
    const told = await field.serve.ask(agent, `/api/requests/${first}/progress`, { method: "PUT", body });
    expect(told.status).toBe(409);
    await field.command("trace", "verify", field.url);
  });

  it("waits for a person, dies, and the next one has the reply", async () => {
    const before = field.world().length;
    const id = await field.file(programs.asks);
    await field.approve(id);
    const dying = field.worker("--lease", "2s");
    const { progress } = await field.until(id, (one) => one.progress?.question !== undefined);
    dying.child.kill("SIGKILL");
    await dying.ended;
    expect(field.world()).toHaveLength(before + 1);
    const { question } = progress;
    const replied = await field.serve.ask(field.serve.reviewer, `/api/requests/${id}/answer`, {
      body: { question, approved: true, chosen: [], words: null },
    });
    expect(replied.status).toBe(200);
    await field.worker("--drain", "--lease", "2s").ended;
    const ended = await field.until(id, () => true);
    expect(ended.progress).toMatchObject({ state: "done", answer: { value: "the second call" } });
    expect(field.world()).toHaveLength(before + 2);
  });

  it("leaves a run that waits for a person when it is stopped, and the next one asks the same", async () => {
    const id = await field.file(programs.asks);
    await field.approve(id);
    const first = field.worker();
    const { progress } = await field.until(id, (one) => one.progress?.question !== undefined);
    first.child.kill("SIGTERM");
    expect(await first.ended).toContain('"left":1');
    expect(first.child.exitCode).toBe(0);
    // The lease was given back: the next one need not wait for its end.
    const second = field.worker();
    const { reviewer } = field.serve;
    const body = { question: progress.question, approved: false, chosen: [], words: null };
    while (!(await field.serve.ask(reviewer, `/api/requests/${id}/answer`, { body })).json.progress?.reply)
      await sleep(50);
    const ended = await field.until(id, (one) => one.run !== "running");
    expect(ended.progress.state).toBe("stopped");
    second.child.kill("SIGTERM");
    await second.ended;
  });

  it("holds the fluents of a run that waits while no worker lives, by a lease that others respect", async () => {
    const ids = [await field.file(programs.door), await field.file(programs.door)];
    for (const id of ids) await field.approve(id);
    const [first = "", second = ""] = ids;
    const asks = (one: { progress?: { question?: object } }) => one.progress?.question !== undefined;
    const dying = field.worker("--lease", "2s");
    await Promise.race(ids.map((id) => field.until(id, asks)));
    dying.child.kill("SIGKILL");
    await dying.ended;
    const held = await field.onKernel(async (kernel) => {
      const all = kernel.reservationsOn(["run:door.locked"]);
      // Also once its lease is over, a run without an outcome keeps others from its fluents.
      for (const { until = 0 } of all) expect(until).toBeGreaterThan(Date.now());
      return all.map(({ action }) => action);
    });
    expect(held).toHaveLength(1);
    const [begun = "", waiting = ""] = held[0] === `run ${first}` ? [first, second] : [second, first];
    const next = field.worker("--lease", "2s");
    for (const id of [begun, waiting]) {
      const { progress } = await field.until(id, asks);
      if (id === begun) expect((await field.until(waiting, () => true)).progress).toBeNull();
      const body = { question: progress.question, approved: true, chosen: [], words: null };
      await field.serve.ask(field.serve.reviewer, `/api/requests/${id}/answer`, { body });
      expect((await field.until(id, (one) => one.run === "done")).run).toBe("done");
    }
    next.child.kill("SIGTERM");
    await next.ended;
  });

  it("is what `run --worker` asks", async () => {
    field.write("steps.ts", programs.steps);
    const files = ["--service", field.serve.address, "--credential", "approvals.db.agent"];
    const asking = foreclaim(["run", "steps.ts", "--approve", "page", ...files, "--worker", "--json"], {
      cwd: field.folder,
    });
    let id = "";
    while (id === "") {
      const { json } = await field.serve.ask(field.serve.reviewer, "/api/requests?status=pending");
      id = json.requests.find(({ file }: { file: string }) => file === "steps.ts")?.id ?? "";
      await sleep(50);
    }
    await field.approve(id);
    await field.worker("--drain").ended;
    const { code, out } = await asking;
    expect(JSON.parse(out)).toMatchObject({ outcome: "done", runId: id, result: "done" });
    expect(code).toBe(0);
  });
});
