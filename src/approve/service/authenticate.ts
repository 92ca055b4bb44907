/** Authenticates a request by `Authorization: Bearer` or by a session cookie. Part of what must be trusted. */
import type { MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import type { OpenSession } from "../requests/credentials.ts";
import type { RequestRecord } from "../requests/record.ts";
import { Refusal } from "./codes.ts";
import { type Ask, addressOf, type Env, type Shared, type Who } from "./context.ts";
import { cookieName, csrfHeader } from "./cookie.ts";
import { otherPage, saysOwnPage } from "./guard.ts";

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export function authenticated(shared: Shared): MiddlewareHandler<Env> {
  return async (c, next) => {
    const who = await authenticate(c, shared);
    if (who === undefined) {
      const help = "send `Authorization: Bearer <credential>`, or sign in on the page";
      throw new Refusal("FC4101", "the request is not authenticated", help);
    }
    if (!shared.rate.take(who.credential.name, shared.ports.clock()))
      throw new Refusal("FC4110", "too many requests at once", "wait a moment");
    c.set("who", who);
    return next();
  };
}

async function authenticate(c: Ask, shared: Shared): Promise<Who | undefined> {
  const { credentials, clock } = shared.ports;
  const bearer = bearerIn(c);
  if (bearer !== undefined) {
    const credential = await credentials.find(bearer);
    if (credential === undefined) noteFailure(c, shared);
    return credential && { credential, session: null };
  }
  const session = getCookie(c, cookieName);
  if (session === undefined) return undefined;
  const open = await credentials.session(session, clock());
  if (open === undefined) return undefined;
  const isOfPage = open.isOfPage(c.req.header(csrfHeader) ?? "");
  // The browser sends a cookie for any page that asks, and to every port of a host: alone it is good for nothing
  // but to hear that something changed, where a browser can send no more.
  if (!isOfPage && c.req.method === "GET")
    return c.req.path === "/api/events" ? whoOf(open, session) : undefined;
  const { origin, site } = { origin: c.req.header("origin"), site: c.req.header("sec-fetch-site") };
  if (!isOfPage || (!safeMethods.has(c.req.method) && !saysOwnPage(origin, site))) throw otherPage();
  return whoOf(open, session);
}

export function bearerIn(c: Ask): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,200})$/i.exec(c.req.header("authorization") ?? "")?.[1];
}

function whoOf({ credential }: OpenSession, session: string): Who {
  return { credential, session };
}

/** SOUNDNESS: nobody guesses 256 bits; this bounds what wrong ones cost. A right one passes, or anyone could lock all out. */
export function noteFailure(c: Ask, { failures, ports, metrics }: Shared): void {
  metrics.count("foreclaim_failed_sign_ins_total");
  if (!failures.take(addressOf(c), ports.clock()))
    throw new Refusal("FC4110", "there were too many failed sign-ins from this address", "wait a minute");
  ports.log("warning", "sign-in failed", { from: addressOf(c) });
}

/** Returns true for those who decide. */
export function isReviewer({ credential }: Who): boolean {
  return credential.role === "reviewer" || credential.role === "admin";
}

/** Returns true for those who see the requests of all agents. */
export function seesAll(who: Who): boolean {
  return isReviewer(who) || who.credential.role === "reader";
}

/** An agent sees its own requests; that there are others, it is not told. */
export function maySee(who: Who, record: RequestRecord): boolean {
  return seesAll(who) || record.agent === who.credential.name;
}
