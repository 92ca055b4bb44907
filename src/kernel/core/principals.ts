/** Reads the principals of a policy, and writes them as data. Part of what must be trusted. */
import { isRecord, list, record, type Value } from "../../ir/index.ts";
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import type { Part } from "../reasons.ts";
import { type KeyObject, publicKeyOf } from "../signature.ts";
import { Fields } from "../values/fields.ts";
import { amountText, unitsOf } from "../values/units.ts";
import type { BudgetPolicy } from "./budget.ts";
import { checkNames } from "./invariant.ts";
import { fieldsValue } from "./policy.ts";
import { defaultRefusals, type PrincipalPolicy, type Quota } from "./principal.ts";

/** LIMIT: reservations of a principal for which the policy says nothing else. */
const ownReservations = 1_000;

/** The declared principals; undefined if the policy declares none, which is not the same as an empty list. */
export function readPrincipals(
  value: Value | undefined,
  fields: Fields,
  budgets: readonly BudgetPolicy[],
): readonly PrincipalPolicy[] | undefined {
  if (value === undefined) return undefined;
  const principals = fields.list("principals").map((one) => readPrincipal(one, budgets));
  if (principals.length > limits.principals)
    refuse("too many of", { what: "principals", most: limits.principals });
  checkNames(
    principals.map(({ name }) => name),
    "principals",
  );
  return principals;
}

function readPrincipal(value: Value, budgets: readonly BudgetPolicy[]): PrincipalPolicy {
  const name = new Fields(value, "principal").name("name");
  const what: Part = ["the principal", name];
  const fields = new Fields(value, what);
  fields.optional("name");
  const operator = fields.optional("operator") ?? false;
  if (typeof operator !== "boolean") return refuse("not a boolean", { what: "operator" });
  const key = fields.optional("key");
  const maxSteps = fields.optionalCount("maxSteps");
  const reservations = fields.optionalCount("reservations") ?? ownReservations;
  if (reservations > limits.pending) refuse("is above", { field: "reservations", most: limits.pending });
  const refusals = readQuota(fields.optional("refusals"), ["field", "refusals", what]) ?? defaultRefusals;
  const writes = readQuota(fields.optional("writes"), ["field", "writes", what]);
  const shares = readShares(fields.optional("shares"), budgets, what);
  fields.end();
  return Object.freeze({
    name,
    operator,
    ...(key === undefined ? {} : keyParts(key, ["field", "key", what])),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    reservations,
    refusals,
    ...(writes === undefined ? {} : { writes }),
    shares,
  });
}

function readQuota(value: Value | undefined, what: Part): Quota | undefined {
  if (value === undefined) return undefined;
  const fields = new Fields(value, what);
  const quota = { max: fields.count("max"), windowMs: fields.count("windowMs") };
  if (quota.windowMs === 0) refuse("is empty", { what: ["window", what] });
  fields.end();
  return Object.freeze(quota);
}

function readShares(
  value: Value | undefined,
  budgets: readonly BudgetPolicy[],
  what: Part,
): readonly (bigint | undefined)[] {
  if (value === undefined) return [];
  if (!isRecord(value)) return refuse("not an object", { what: ["field", "shares", what] });
  const shares: (bigint | undefined)[] = budgets.map(() => undefined);
  for (const [name, amount] of Object.entries(value.fields)) {
    const at = budgets.findIndex((budget) => budget.name === name);
    const budget = budgets[at];
    if (budget === undefined) return refuse("no such budget", { budget: name });
    shares[at] = unitsOf(amount, budget.quantum, ["share", what]);
  }
  return Object.freeze(shares);
}

function keyParts(key: Value, what: Part): { readonly key: string; readonly publicKey: KeyObject } {
  const publicKey = typeof key === "string" ? publicKeyOf(key) : undefined;
  if (typeof key !== "string" || publicKey === undefined) return refuse("not a public key", { what });
  return { key, publicKey };
}

/** The same as data; reading it again gives the same principals. */
export function principalsValue(
  principals: readonly PrincipalPolicy[] | undefined,
  budgets: readonly BudgetPolicy[],
): Value | undefined {
  if (principals === undefined) return undefined;
  return list(
    principals.map(({ name, operator, key, maxSteps, reservations, refusals, writes, shares }) =>
      fieldsValue({
        name,
        operator: operator ? true : undefined,
        key,
        maxSteps: maxSteps === undefined ? undefined : BigInt(maxSteps),
        reservations: BigInt(reservations),
        refusals: quotaValue(refusals),
        writes: writes === undefined ? undefined : quotaValue(writes),
        shares: sharesValue(shares, budgets),
      }),
    ),
  );
}

function quotaValue({ max, windowMs }: Quota): Value {
  return fieldsValue({ max: BigInt(max), windowMs: BigInt(windowMs) });
}

function sharesValue(
  shares: readonly (bigint | undefined)[],
  budgets: readonly BudgetPolicy[],
): Value | undefined {
  const named = budgets.flatMap(({ name, quantum }, at): [string, Value][] => {
    const units = shares[at];
    return units === undefined ? [] : [[name, amountText(units, quantum)]];
  });
  return named.length === 0 ? undefined : record(named);
}
