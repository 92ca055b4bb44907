/** Checks on every request and headers of every response. Part of what must be trusted. */
import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { Refusal } from "./codes.ts";
import type { Env, Shared } from "./context.ts";

const headers: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

export function withHeaders(): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  };
}

/**
 * SOUNDNESS: a page of somebody else can have its own name lead here, and is then of the same origin as far as a browser
 * can tell. It cannot have a number for a name, nor one of ours.
 */
export function knownHost({ ports }: Shared): MiddlewareHandler<Env> {
  const known = new Set(["localhost", ...ports.settings.hosts.map((host) => host.toLowerCase())]);
  return async (c, next) => {
    const name = nameOf(c.req.header("host") ?? "");
    if (name !== undefined && (isIP(name) !== 0 || known.has(name))) return next();
    const help = "set its names with --host and --origin";
    throw new Refusal("FC4114", "the service does not have this host name", help);
  };
}

/** Pages of others have nothing to ask here, not even what is public. */
export function sameSite({ ports }: Shared): MiddlewareHandler<Env> {
  return async (c, next) => {
    const site = c.req.header("sec-fetch-site");
    const isOther = site === "cross-site" || site === "same-site";
    if (isOther || !isOwnOrigin(c.req.header("origin"), c.req.header("host"), ports.settings.origins))
      throw otherPage();
    return next();
  };
}

/** Checks that the browser names a page of this service; required for cookie authentication (CSRF). */
export function saysOwnPage(origin: string | undefined, site: string | undefined): boolean {
  return origin !== undefined || site === "same-origin";
}

export function otherPage(): Refusal {
  return new Refusal("FC4109", "the request comes from a page of another site");
}

/** True also where none is said. */
function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  origins: readonly string[],
): boolean {
  if (origin === undefined || origins.includes(origin)) return true;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

function nameOf(host: string): string | undefined {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
  return found?.replace(/^\[|\]$/g, "");
}
