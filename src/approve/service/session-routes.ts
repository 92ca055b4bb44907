/** The routes of sessions: a browser gives a credential once, and holds a cookie in its place. */
import { Hono } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { sessionMs } from "../requests/credentials.ts";
import type { Session } from "../wire.ts";
import { authenticated, noteFailure } from "./authenticate.ts";
import { Refusal } from "./codes.ts";
import type { Ask, Env, Shared } from "./context.ts";
import { cookieName, csrfHeader } from "./cookie.ts";
import { credentialIn } from "./new-request.ts";
import { bodyText } from "./read-body.ts";

export function sessionRoutes(shared: Shared): Hono<Env> {
  const { credentials, clock, log, settings } = shared.ports;
  const app = new Hono<Env>();
  const guard = authenticated(shared);

  app.get("/", guard, (c) => {
    const { credential, session } = c.get("who");
    const { name, role } = credential;
    return c.json<Session>({
      name,
      role,
      csrf: session === null ? null : (c.req.header(csrfHeader) ?? null),
    });
  });

  app.post("/", async (c) => {
    const given = credentialIn(await bodyText(c.req.raw, 4096));
    const found = given.startsWith("fci_")
      ? await credentials.accept(given, clock())
      : await credentials.find(given);
    if (found === undefined) {
      noteFailure(c, shared);
      throw new Refusal("FC4101", "the credential is unknown or revoked");
    }
    const { name, role } = found;
    if (role === "agent")
      throw new Refusal("FC4102", "the page is for reviewers", "sign in with a reviewer's credential");
    const { secret, csrf } = await credentials.open(name, clock());
    setCookie(c, cookieName, secret, {
      path: "/",
      httpOnly: true,
      sameSite: "Strict",
      secure: isSecure(c),
      maxAge: sessionMs / 1000,
    });
    log("info", "signed in", { who: name });
    return c.json<Session>({ name, role, csrf });
  });

  app.delete("/", guard, async (c) => {
    const { session } = c.get("who");
    if (session !== null) await credentials.end(session);
    deleteCookie(c, cookieName, { path: "/", secure: isSecure(c) });
    return c.body(null, 204);
  });

  return app;

  /** A page that came over TLS, through a proxy that ends it, has an origin that says so. */
  function isSecure(c: Ask): boolean {
    const origin = c.req.header("origin") ?? "";
    return origin.startsWith("https:") && settings.origins.includes(origin);
  }
}
