/** Reads how a reservation in doubt is resolved. */
import { type Json, ok, type Result, readJson } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";

export interface ResolveChoice {
  readonly settle?: boolean;
  readonly release?: string;
  readonly cost?: readonly string[];
  readonly outcome?: string;
  readonly dropEffects?: boolean;
}

export interface Settlement {
  readonly cost?: Json | Readonly<Record<string, string>>;
  readonly outcome?: Json;
  readonly drop?: boolean;
}

export function settlementOf({
  settle,
  release,
  cost,
  outcome,
  dropEffects,
}: ResolveChoice): Result<Settlement, Failure> {
  const wrong = (message: string, help: string) => plainFailure("FC9001", message, help);
  if ((settle === true) === (release !== undefined))
    return wrong(
      "a reservation needs either `--settle` or `--release`",
      "`--settle` if its effect happened, `--release <reason>` if it did not",
    );
  if (release !== undefined && (cost !== undefined || outcome !== undefined || dropEffects === true))
    return wrong(
      "`--cost`, `--outcome` and `--drop-effects` belong to `--settle`",
      "a released reservation costs nothing",
    );
  const said = outcome === undefined ? undefined : readJson(outcome);
  if (said?.ok === false) return wrong("`--outcome` is not JSON", "write a text as `'\"sent\"'`");
  const amounts = cost === undefined ? undefined : costOf(cost);
  if (amounts?.ok === false) return amounts;
  return ok({
    ...(amounts === undefined ? {} : { cost: amounts.value }),
    ...(said === undefined ? {} : { outcome: said.value.value }),
    ...(dropEffects === true ? { drop: true } : {}),
  });
}

/** Reads `1.50` as a cost in the first budget, and `usd=1.50` as one by name. */
function costOf(given: readonly string[]): Result<Json | Readonly<Record<string, string>>, Failure> {
  const [first = ""] = given;
  if (given.length === 1 && !first.includes("=")) return ok(first);
  const named = given.map((text) => /^([^=]+)=(.+)$/s.exec(text));
  if (named.every((match) => match !== null))
    return ok(Object.fromEntries(named.map((match) => [match[1] ?? "", match[2] ?? ""])));
  const message = "several `--cost` need the names of budgets";
  return plainFailure("FC9001", message, "write `--cost usd=1.50 --cost calls=1`");
}
