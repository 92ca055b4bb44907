/** Preconditions as the Common Agent Runtime checks them; what it does not publish is reconstructed. */
import { isJsonArray, type Json, JsonNumber } from "../../ir/index.ts";
import type { Precondition, State } from "../plan.ts";
import { writtenText } from "../values.ts";
import { sameValue, toNumber } from "./values.ts";

/** Why it fails, or undefined if it holds. */
export function checkPrecondition({ key, operator, value }: Precondition, state: State): string | undefined {
  const actual = state.get(key);
  if (operator === "exists") return actual === undefined ? `state key '${key}' does not exist` : undefined;
  if (operator === "not_exists") return actual === undefined ? undefined : `state key '${key}' exists`;
  if (actual === undefined) return `state key '${key}' does not exist`;
  if (meets(operator, actual, value)) return undefined;
  return `'${key}' ${operator} ${writtenText(value)} (actual: ${writtenText(actual)})`;
}

function meets(
  operator: Exclude<Precondition["operator"], "exists" | "not_exists">,
  actual: Json,
  value: Json,
) {
  const [a, b] = [toNumber(actual), toNumber(value)];
  const both = a !== undefined && b !== undefined;
  switch (operator) {
    case "eq":
      return sameValue(actual, value);
    case "neq":
      return !sameValue(actual, value);
    case "gt":
      return both && a > b;
    case "lt":
      return both && a < b;
    case "gte":
      return both && a >= b;
    case "lte":
      return both && a <= b;
    case "contains":
      return has(actual, value);
  }
}

function has(whole: Json, part: Json): boolean {
  if (typeof whole === "string") return typeof part === "string" && whole.includes(part);
  if (typeof whole !== "object" || whole === null || JsonNumber.is(whole)) return false;
  return isJsonArray(whole) && whole.some((item) => sameValue(item, part));
}
