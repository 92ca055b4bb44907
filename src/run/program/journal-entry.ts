/** Journal entries of calls. */
import { encodeValue, type Outcome, type PendingCall, type PlainJson } from "../../ir/index.ts";
import { decodeValue, type Problem } from "../../kernel/index.ts";

/** Returns the recorded form of a tool result: exact, or omitted if it does not fit an entry. */
export function journalOutcome(
  { tool }: Pick<PendingCall, "tool">,
  { result }: Outcome & { readonly kind: "returned" },
): PlainJson {
  if (result === undefined || tool.result === undefined) return { returned: true };
  const encoded = encodeValue(result, tool.result);
  return decodeValue(encoded).ok ? { returned: true, result: encoded } : { returned: true, tooBig: true };
}

/** A trace takes no half of a surrogate pair. */
export function journalText(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

export function wordsOf(reasons: readonly Pick<Problem, "message">[]): string {
  return reasons.map(({ message }) => message).join("; ") || "no reason given";
}
