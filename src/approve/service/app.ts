/** The service over HTTP: which route is for whom. */
import { Hono } from "hono";
import { StoreUnavailable } from "../requests/sql.ts";
import { authenticated, bearerIn } from "./authenticate.ts";
import { Refusal, statusOfCode } from "./codes.ts";
import { addressOf, type Env, type Shared } from "./context.ts";
import { Events } from "./events.ts";
import { knownHost, sameSite, withHeaders } from "./guard.ts";
import { openapi } from "./openapi.ts";
import { policyRoutes } from "./policy-routes.ts";
import { rejectBody } from "./reject-body.ts";
import { requestRoutes } from "./request-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { standingRoutes } from "./standing-routes.ts";

export function appOf(shared: Shared): Hono<Env> {
  const { ports, metrics, proving } = shared;
  const { log, store, pages } = ports;
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    const startMs = performance.now();
    await next();
    const ms = Math.round(performance.now() - startMs);
    metrics.count("foreclaim_answers_total", `status="${Math.floor(c.res.status / 100)}xx"`);
    // A path that was made up may hold anything; one of ours holds an id at most.
    const path = c.res.status === 404 ? "?" : c.req.path;
    log("info", "answered", { method: c.req.method, path, status: c.res.status, ms, from: addressOf(c) });
  });
  app.use(withHeaders());
  app.use(knownHost(shared));

  app.get("/healthz", (c) => c.json({ ok: true }));
  app.get("/readyz", async (c) => {
    if (shared.stopping.aborted) throw new Refusal("FC4113", "the service is stopping");
    await store.lastChange();
    return c.json({ ok: true });
  });
  app.get("/openapi.json", (c) => c.json(openapi));
  app.get("/metrics", authenticated(shared), async (c) => {
    if (c.get("who").credential.role === "agent") throw new Refusal("FC4102", "agents cannot read metrics");
    const gauges = new Map([
      ["foreclaim_proofs_under_way", proving.underWay],
      ["foreclaim_proofs_total", proving.settled],
      ["foreclaim_memory_bytes", process.memoryUsage.rss()],
    ]);
    for (const [status, n] of await store.counts()) gauges.set(`foreclaim_requests{status="${status}"}`, n);
    return c.text(metrics.text(gauges), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  });

  app.use("/api/*", sameSite(shared), rejectBody());
  app.route("/api/session", sessionRoutes(shared));
  app.use("/api/*", authenticated(shared));
  const events = new Events(shared);
  app.get("/api/events", (c) => events.answer(c));
  app.route("/api/requests", requestRoutes(shared));
  app.route("/api/policy", policyRoutes(shared));
  app.route("/api/standing", standingRoutes(shared));

  app.all("/mcp", sameSite(shared), authenticated(shared), async (c) => {
    const { credential, session } = c.get("who");
    if (ports.agents === undefined) throw new Refusal("FC4103", "no resource at this path");
    if (credential.role !== "agent" || session !== null)
      throw new Refusal("FC4102", "this is for agents", "use a credential with the role `agent`");
    const secret = bearerIn(c);
    if (secret === undefined) throw new Refusal("FC4101", "the request is not authenticated");
    return ports.agents.fetch(c.req.raw, { name: credential.name, secret });
  });

  app.get("*", (c) => {
    // SOUNDNESS: looked up among the files that were there at the start; a path is never one of the disk.
    const page = pages.get(pageName(c.req.path));
    if (page === undefined) throw new Refusal("FC4103", "no resource at this path");
    const cache = page.isLasting ? "public, max-age=31536000, immutable" : "no-cache";
    return c.body(page.bytes, 200, { "content-type": page.type, "cache-control": cache });
  });

  app.notFound((c) => answerTo(new Refusal("FC4103", "no resource at this path"), c.req.method));
  app.onError((error, c) => {
    if (error instanceof Refusal) return answerTo(error, c.req.method);
    if (error instanceof StoreUnavailable) {
      log("error", "store", { why: error.message });
      return answerTo(new Refusal("FC4113", "the store is unavailable", "try again"), c.req.method);
    }
    // A client that went away while it was sending is nobody's fault.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 400 });
    log("error", "fault", { path: c.req.path, why: error.stack ?? error.message });
    return Response.json(
      { error: { code: "fault", message: "internal error of the service" } },
      { status: 500 },
    );
  });
  return app;
}

/** The page finds its own way from there. */
function pageName(path: string): string {
  return path === "/" || /^\/requests(?:\/r[0-9a-f]{24})?$/.test(path) ? "/index.html" : path;
}

function answerTo({ code, message, help, more }: Refusal, method: string): Response {
  const body = { error: { code, message, ...(help !== undefined && { help }) }, ...more };
  const status = statusOfCode[code];
  const extra: Record<string, string> = status === 429 ? { "retry-after": "1" } : {};
  if (status === 401) extra["www-authenticate"] = "Bearer";
  // What is left of a body that was refused is not waited for.
  if (status === 413) extra.connection = "close";
  return Response.json(method === "HEAD" ? null : body, { status, headers: extra });
}
