/** The policy, for reviewers to read and for admins to add to. */
import { Hono } from "hono";
import { isJsonObject, readJson } from "../../ir/index.ts";
import type { PolicyView } from "../wire.ts";
import { seesAll } from "./authenticate.ts";
import { Refusal } from "./codes.ts";
import type { Env, Shared } from "./context.ts";
import { bodyText, malformed } from "./read-body.ts";

export function policyRoutes({ ports, metrics }: Shared): Hono<Env> {
  const { policy, log } = ports;
  const app = new Hono<Env>();

  app.get("/", (c) => {
    if (!seesAll(c.get("who"))) throw new Refusal("FC4102", "agents cannot read the policy");
    return c.json<PolicyView>(policy?.view() ?? { rules: [], problem: null, isKept: false });
  });

  app.post("/rules", async (c) => {
    const { credential } = c.get("who");
    if (credential.role !== "admin")
      throw new Refusal("FC4102", "only admins can change the policy", "sign in with an admin's credential");
    if (policy === null)
      throw new Refusal("FC4108", "the service has no policy", "start it with `--policy policy.json`");
    const rule = await bodyText(c.req.raw);
    // The rule stays as it was written; the policy is read as a whole, and refused as a whole.
    const read = readJson(rule);
    if (!read.ok || !isJsonObject(read.value.value)) throw malformed("a rule is an object");
    const problem = await policy.add(rule);
    if (problem !== undefined) throw new Refusal("FC4104", `the rule is not valid: ${problem}`);
    metrics.count("foreclaim_rules_added_total");
    log("info", "rule added", { by: credential.name });
    return c.json<PolicyView>(policy.view(), 201);
  });

  return app;
}
