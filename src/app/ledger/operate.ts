/** Reads what an operator gives a living kernel: values, amounts and policies. */
import { isJsonArray, isJsonObject, type Json, ok, type Result, readJson } from "../../ir/index.ts";
import type { Kernel, Outcome } from "../../kernel/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { loadJson } from "../load/documents.ts";

export interface GrantChoice {
  readonly budget?: readonly string[];
}

/** A decision that is asked of a kernel. */
export type AskedOfKernel = (kernel: Kernel) => Promise<Outcome>;

/** A protected key with its value, or amounts that are added to limits. */
export function grantOf(
  key: string | undefined,
  value: string | undefined,
  { budget }: GrantChoice,
): Result<AskedOfKernel, Failure> {
  if ((key === undefined) === (budget === undefined))
    return plainFailure(
      "FC9001",
      "grant either a key or amounts of budgets",
      "`grant ledger.db approved`, or `--budget usd=5`",
    );
  if (key !== undefined) {
    const read = readJson(value ?? "true");
    if (!read.ok) return plainFailure("FC9001", "the value is not JSON", "write a text as `'\"yes\"'`");
    const given = read.value.value;
    return ok((kernel) => kernel.grant(key, given));
  }
  const amounts = new Map<string, string>();
  for (const text of budget ?? []) {
    const [, name, amount] = /^([^=]+)=(\d{1,40}(?:\.\d{1,40})?)$/.exec(text) ?? [];
    if (name === undefined || amount === undefined || amounts.has(name))
      return plainFailure(
        "FC9001",
        `\`--budget ${text}\` is no amount of one budget`,
        "write `--budget usd=5`",
      );
    amounts.set(name, amount);
  }
  return ok((kernel) => addedTo(kernel, amounts));
}

/** LIMIT: attempts where others change the policy at the same time. */
const attempts = 8;

/** Adds to limits of the policy as it is when the kernel decides. */
async function addedTo(kernel: Kernel, amounts: ReadonlyMap<string, string>): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    await kernel.refresh();
    const { body, digest } = kernel.policy();
    const outcome = await kernel.amend(withAmounts(body, amounts), digest);
    const isLate = outcome.reasons.some(({ reason }) => reason === "replaces another policy");
    if (!isLate || attempt === attempts) return outcome;
  }
}

/** Read with all digits: a policy that is written again must not lose any. */
function withAmounts(body: string, amounts: ReadonlyMap<string, string>): unknown {
  const read = readJson(body);
  const policy = read.ok && isJsonObject(read.value.value) ? read.value.value : {};
  const known = new Set<string>();
  const given = policy.budgets !== undefined && isJsonArray(policy.budgets) ? policy.budgets : [];
  const budgets = given.map((budget) => {
    if (!isJsonObject(budget) || typeof budget.name !== "string" || typeof budget.limit !== "string")
      return budget;
    known.add(budget.name);
    const amount = amounts.get(budget.name);
    return amount === undefined ? budget : { ...budget, limit: sumText(budget.limit, amount) };
  });
  const added = [...amounts].filter(([name]) => !known.has(name)).map(([name, limit]) => ({ name, limit }));
  return { ...policy, budgets: [...budgets, ...added] };
}

/** The exact sum of two decimals. */
function sumText(a: string, b: string): string {
  const places = Math.max(placesOf(a), placesOf(b));
  const units = unitsOf(a, places) + unitsOf(b, places);
  if (places === 0) return units.toString();
  const digits = units.toString().padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function placesOf(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

function unitsOf(text: string, places: number): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(places, "0"));
}

/** A JSON object from a file or from standard input. */
export async function objectAt(
  fs: FileSystem,
  path: string,
): Promise<Result<{ readonly [name: string]: Json }, Failure>> {
  const read = await loadJson(fs, path);
  if (!read.ok) return read;
  const { value } = read.value;
  if (isJsonObject(value)) return ok(value);
  return plainFailure("FC9001", `\`${path}\` is not a JSON object`);
}
