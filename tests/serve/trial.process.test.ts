/** The service without a socket: what it is bounded by, and what it says of itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { serviceCodes, statusOfCode } from "../../src/approve/service/codes.ts";
import { serviceLimits } from "../../src/approve/service/limits.ts";
import { openapi, routes, schemas } from "../../src/approve/service/openapi.ts";
import { trialService } from "../../src/testing.ts";
import { formatJson } from "../support/spec-files.ts";

const service = await trialService();
const agent = await service.credential("pay-agent", "agent");
const ann = await service.credential("ann", "reviewer");
afterAll(() => service.close());

const request = { program: { file: "a.ts", text: "" }, inputs: {}, budget: null, kernel: "a".repeat(64) };
const events = (who: string, headers: Record<string, string> = {}) =>
  service.fetch(
    new Request("http://localhost/api/events", {
      headers: { host: "localhost", authorization: `Bearer ${who}`, ...headers },
    }),
  );

describe("the description", () => {
  it("is published as it is (if not: `npx vitest run tests/serve/trial.process.test.ts -u`)", async () => {
    const text = formatJson(JSON.parse(JSON.stringify(openapi)));
    await expect(text).toMatchFileSnapshot(`${ROOT}/docs/reference/openapi.json`);
  });

  it("has shapes that can be checked, and no route that is not there", async () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ $id: "api", ...openapi });
    for (const name of Object.keys(schemas))
      expect(ajv.getSchema(`api#/components/schemas/${name}`)).toBeDefined();
    for (const { path, method, status } of routes) {
      if (path === "/api/events") continue;
      const real = path.replace("{id}", `r${"0".repeat(24)}`);
      const body = method === "post" || method === "put" ? {} : undefined;
      const { problems, status: found } = await service.ask(ann, method.toUpperCase(), real, body);
      const message = problems[0]?.message ?? "";
      expect(message, `${method} ${path}: ${found}, not ${status}`).not.toBe("no resource at this path");
    }
  });

  it("has a status for every code", () => {
    expect(Object.keys(statusOfCode)).toEqual(Object.keys(serviceCodes));
  });
});

describe("listeners", () => {
  it("are a bounded number, and leave room when they go", async () => {
    const all = await Promise.all(Array.from({ length: serviceLimits.listenersEach }, () => events(ann)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect((await events(ann)).status).toBe(429);
    const other = await events(agent);
    expect(other.status).toBe(200);
    await Promise.all([...all, other].map(({ body }) => body?.cancel()));
    const again = await events(ann);
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });

  it("that do not read are let go, and are told all the rest when they come back", async () => {
    const slow = await events(ann);
    const ids = new Set<string>();
    const file = async () => {
      const { body, problems } = await service.ask(agent, "POST", "/api/requests", request);
      if (problems.length > 0) throw new Error(problems[0]?.message);
      ids.add((body as { id: string }).id);
    };
    // Each is filed and found to be not proved: two changes, of which a listener is told at least the last.
    for (let i = 0; i < serviceLimits.eventsBehind + 20; i++) await file();
    const told = new Set<string>();
    let last = "";
    const note = (text: string): void => {
      for (const [, id = ""] of text.matchAll(/"id":"(r[0-9a-f]+)"/g)) told.add(id);
      last = [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? last;
    };
    note(await slow.text());
    expect(told.size).toBeLessThan(ids.size);
    const again = await events(ann, { "last-event-id": last });
    const reader = again.body?.getReader();
    while (told.size < ids.size) note(Buffer.from((await reader?.read())?.value ?? []).toString());
    await reader?.cancel();
    expect(told).toEqual(ids);
  });

  it("of a service that stops are let go, and who waits is answered", async () => {
    const other = await trialService();
    const bob = await other.credential("bob", "agent");
    const filed = await other.ask(bob, "POST", "/api/requests", request);
    const { id } = filed.body as { id: string };
    await other.ask(bob, "GET", `/api/requests/${id}/wait?revision=1&seconds=10`);
    const stream = await other.fetch(
      new Request("http://localhost/api/events", {
        headers: { host: "localhost", authorization: `Bearer ${bob}` },
      }),
    );
    const waiting = other.ask(bob, "GET", `/api/requests/${id}/wait?revision=2&seconds=60`);
    await sleep(20);
    const closed = other.close();
    expect((await waiting).body).toMatchObject({ id, revision: 2 });
    await stream.text();
    await closed;
  });
});

it("a service on trial approves nothing", async () => {
  const { body } = await service.ask(agent, "POST", "/api/requests", request);
  const path = `/api/requests/${(body as { id: string }).id}`;
  const found = await service.ask(ann, "GET", `${path}/wait?revision=1&seconds=10`);
  expect(found.body).toMatchObject({ status: "not_proved", proof: { verdict: "unknown" } });
  const decided = await service.ask(ann, "POST", `${path}/decision`, {
    decision: "approved_once",
    revision: 2,
  });
  expect(decided).toMatchObject({ ok: false, status: 409, problems: [{ code: "FC4108" }] });
  expect((await service.ask(agent, "GET", `${path}/receipt`)).status).toBe(409);
});
