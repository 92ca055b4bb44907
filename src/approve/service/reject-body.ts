/** Methods that carry no body carry none: what nobody reads would only be waited for. */
import type { MiddlewareHandler } from "hono";
import type { Env } from "./context.ts";
import { malformed } from "./read-body.ts";

export function rejectBody(): MiddlewareHandler<Env> {
  return async (c, next) => {
    const hasBody =
      Number(c.req.header("content-length") ?? 0) > 0 || c.req.header("transfer-encoding") !== undefined;
    if (hasBody && (c.req.method === "GET" || c.req.method === "DELETE"))
      throw malformed(`\`${c.req.method}\` has no body here`);
    return next();
  };
}
