/**
 * Entries of the first form, which hold sentences. The hash of an entry is of the bytes as they were written, so no sentence
 * can be changed without that; and when such an entry is done again, everything in it must come out the same, the name, the
 * result and the code of every check included, and only the words of a sentence are taken as they are.
 * Part of what must be trusted.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../ir/index.ts";
import type { Check } from "../core/invariant.ts";
import { refuse } from "../problem.ts";
import { type Why, why } from "../reasons.ts";
import { textOf } from "../values/canonical.ts";
import type { Form } from "./entry.ts";
import { objectText } from "./entry.ts";

export function firstForm(then: Json): Form {
  const all = isJsonArray(then) ? then : [];
  const textAt = (check: Check, i: number) => checkTextThen(check, all[i]);
  return { v: 1, checks: (checks) => `[${checks.map(textAt).join(",")}]` };
}

function checkTextThen({ check, code, monitoring, result }: Check, then: Json | undefined): string {
  if (result === "ok") return textOf(check);
  return objectText({
    check: textOf(check),
    ...(code === undefined ? {} : { code: textOf(code), message: textOf(messageIn(then)) }),
    ...(monitoring === undefined ? {} : { monitoring: "true" }),
    result: textOf(result),
  });
}

function messageIn(then: Json | undefined): string {
  const message = then !== undefined && isJsonObject(then) ? then.message : undefined;
  return typeof message === "string" ? message : refuse("decided otherwise");
}

/** Why a check was violated, by the sentence that it holds. */
export function whyThen({ message }: JsonObject): Why | undefined {
  if (typeof message !== "string") return undefined;
  // These two say that a function gave no answer, which is not asked for again.
  if (message === "its module could not be loaded") return why("no module");
  const [, timeoutMs] = /^it gave no answer within ([0-9]{1,5}) ms$/.exec(message) ?? [];
  if (timeoutMs !== undefined) return why("no answer in time", { timeoutMs: Number(timeoutMs) });
  return why("said then", { text: message });
}
