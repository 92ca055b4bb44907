/** A small service that speaks as the real one does, for tests of the page alone: everything is in memory. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Decide, RequestDetail, RequestSummary, RuleView } from "../../src/approve/wire.ts";

export const csp =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface FixtureService {
  readonly address: string;
  readonly decisions: (Decide & { readonly id: string })[];
  readonly rules: unknown[];
  /** Every path that was asked for. */
  readonly asked: string[];
  readonly put: (request: RequestDetail) => void;
  readonly get: (id: string) => RequestDetail | undefined;
  readonly close: () => Promise<void>;
}

export const credential = "fcr_fixture";

interface Options {
  /** The rule that is proposed when a request is approved and remembered. */
  readonly proposed?: RuleView;
  readonly canAddRules?: boolean;
}

/** @param page the folder of the built page */
export async function startFixture(page: string, options: Options = {}): Promise<FixtureService> {
  const requests = new Map<string, RequestDetail>();
  const decisions: (Decide & { id: string })[] = [];
  const rules: unknown[] = [];
  const asked: string[] = [];
  const listeners = new Set<ServerResponse>();
  const files = new Map<string, { readonly body: Buffer; readonly type: string }>();
  const { files: listed } = JSON.parse(readFileSync(join(page, "manifest.json"), "utf8"));
  for (const { path, type } of listed) files.set(`/${path}`, { body: readFileSync(join(page, path)), type });

  const put = (request: RequestDetail) => {
    requests.set(request.id, request);
    const { id, revision, status } = request;
    for (const one of listeners)
      one.write(`event: request\ndata: ${JSON.stringify({ id, revision, status })}\n\n`);
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((thrown) => {
      response.statusCode = 500;
      response.end(String(thrown));
    });
  });

  const policy = () => ({ rules, problem: null, isKept: options.canAddRules === true });

  /** Filtered, counted, ordered and paged as by the service. */
  function listOf(query: URLSearchParams) {
    const get = (name: string) => query.get(name) ?? undefined;
    const fits = (one: RequestDetail) =>
      (get("worst") ?? one.worst) === one.worst &&
      (get("agent") ?? one.agent) === one.agent &&
      (get("file") ?? one.file) === one.file &&
      JSON.stringify([one.file, one.agent, one.risk])
        .toLowerCase()
        .includes((get("q") ?? "").toLowerCase());
    const groupOf = ({ status }: RequestDetail) =>
      status === "pending" ? "waiting" : status === "decided" ? "decided" : "open";
    const found = [...requests.values()].filter(fits);
    const totals = { waiting: 0, open: 0, decided: 0 };
    for (const one of found) totals[groupOf(one)]++;
    const rank = ({ risk }: RequestDetail) =>
      risk === undefined ? -1 : ["red", "amber", "green"].indexOf(risk.level);
    const all = found
      .filter((one) => (get("group") ?? groupOf(one)) === groupOf(one))
      .sort((a, b) => (get("order") === "risk" ? rank(a) - rank(b) : 0) || b.filedAt - a.filedAt);
    const before = get("before")?.split("-");
    const from = before === undefined ? 0 : all.findIndex(({ filedAt }) => String(filedAt) === before[0]) + 1;
    const page = all.slice(from, from + Number(get("limit") ?? 50));
    const last = page.at(-1);
    const next = last !== undefined && from + page.length < all.length ? `${last.filedAt}-${last.id}-` : null;
    return { requests: page.map(summaryOf), next, totals };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    asked.push(`${request.method} ${pathname}`);
    response.setHeader("content-security-policy", csp);
    response.setHeader("x-content-type-options", "nosniff");
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const refuse = (status: number, message: string) => json(status, { error: { code: "FC4100", message } });
    const file = files.get(pathname === "/" ? "/index.html" : pathname);
    if (file !== undefined) {
      response.setHeader("content-type", file.type);
      response.end(file.body);
      return;
    }
    const isIn = request.headers.cookie?.includes("fixture=1") === true;
    const body = await bodyOf(request);
    if (pathname === "/api/session" && request.method === "POST") {
      if (JSON.parse(body).credential !== credential)
        return refuse(401, "the credential is unknown or revoked");
      response.setHeader("set-cookie", "fixture=1; HttpOnly; SameSite=Strict; Path=/");
      return json(200, { name: "Ada", role: "admin", csrf: "c" });
    }
    if (!isIn) return refuse(401, "sign in first");
    if (request.method !== "GET" && request.headers["x-foreclaim-csrf"] !== "c")
      return refuse(403, "this came from another page");
    if (pathname === "/api/session") {
      if (request.method === "DELETE") response.setHeader("set-cookie", "fixture=; Max-Age=0; Path=/");
      return json(200, { name: "Ada", role: "admin", csrf: "c" });
    }
    if (pathname === "/api/events") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": hello\n\n");
      listeners.add(response);
      request.on("close", () => listeners.delete(response));
      return;
    }
    if (pathname === "/api/policy") return json(200, policy());
    if (pathname === "/api/policy/rules") {
      try {
        rules.push(JSON.parse(body));
      } catch {
        return refuse(400, "a rule is an object");
      }
      return json(201, policy());
    }
    if (pathname === "/api/requests") {
      return json(200, listOf(searchParams));
    }
    if (pathname === "/api/standing") return json(200, { standing: [] });
    const [, id = "", part] = /^\/api\/requests\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    const found = requests.get(decodeURIComponent(id));
    if (found === undefined) return refuse(404, "there is no such request");
    if (part === undefined) return json(200, found);
    if (part === "comparison")
      return json(200, {
        against: null,
        isSameProgram: false,
        guarantees: [],
        calls: [],
        values: [],
        source: [],
      });
    const decision: Decide = JSON.parse(body);
    if (decision.revision !== found.revision)
      return refuse(409, "this is about revision 1, and there is a newer one");
    decisions.push({ ...decision, id: found.id });
    const decided = {
      decision: decision.decision,
      by: "Ada",
      at: Date.now(),
      text: decision.text ?? null,
      rule: null,
      proposed: decision.decision === "approved_remember" ? (options.proposed ?? null) : null,
    };
    put({ ...found, status: "decided", decision: decision.decision, revision: found.revision + 1, decided });
    return json(200, requests.get(found.id));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    decisions,
    rules,
    asked,
    put,
    get: (id) => requests.get(id),
    close: () =>
      new Promise((resolve) => {
        for (const one of listeners) one.end();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function summaryOf(detail: RequestDetail): RequestSummary {
  const { id, revision, status, agent, file, filedAt, expiresAt, decision, worst, counts, run, risk } =
    detail;
  const base = { id, revision, status, agent, file, filedAt, expiresAt, decision, worst, counts, run };
  return { ...base, ...(risk && { risk }) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
