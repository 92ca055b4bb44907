/** The routes of approvals that stand for later requests: made with a decision, listed and revoked here. */
import { Hono } from "hono";
import { standingId } from "../requests/standing.ts";
import type { StandingList, StandingView } from "../wire.ts";
import { isReviewer, seesAll } from "./authenticate.ts";
import { Refusal } from "./codes.ts";
import type { Env, Shared } from "./context.ts";
import { serviceLimits } from "./limits.ts";
import { malformed } from "./read-body.ts";

export function standingRoutes({ ports, metrics }: Shared): Hono<Env> {
  const { store, clock, log } = ports;
  const app = new Hono<Env>();

  app.get("/", async (c) => {
    if (!seesAll(c.get("who"))) throw new Refusal("FC4102", "agents cannot read standing approvals");
    const { state } = c.req.query();
    if (state !== undefined && state !== "active") throw malformed("`state` is active");
    const only = { active: state === "active" };
    return c.json<StandingList>({ standing: await store.standing(only, serviceLimits.listed, clock()) });
  });

  app.delete("/:id", async (c) => {
    const who = c.get("who");
    if (!isReviewer(who)) throw new Refusal("FC4102", "only reviewers can revoke standing approvals");
    const id = c.req.param("id");
    const { name } = who.credential;
    if (standingId.test(id)) await store.revokeStanding(id, name, Math.floor(clock()));
    const [view] = standingId.test(id) ? await store.standing({ id }, 1, clock()) : [];
    if (view === undefined) throw new Refusal("FC4103", "there is no such standing approval");
    metrics.count("foreclaim_standing_revoked_total");
    log("info", "standing approval revoked", { standing: id, by: name });
    return c.json<StandingView>(view);
  });

  return app;
}
