/** Names that are the same whenever the same is meant: of a plan by its content, and of an action for the kernel. */
import { sha256Hex } from "../ir/index.ts";
import type { Plan } from "./plan.ts";
import { valueText } from "./values.ts";

/**
 * Returns the digest of the plan, independent of field order and number spelling. It excludes the guarantees, which
 * the document itself contains.
 */
export function planDigest({ json }: Pick<Plan, "json">): string {
  const { guarantees: _, ...said } = json;
  return sha256Hex(`foreclaim plan 1\n${valueText(said)}`);
}

/** LIMIT: a document takes 256 code units for a name, and a kernel no half of a surrogate pair. */
const longest = 160;

export function kernelName(id: string): string {
  const isPlain = id !== "" && id.length <= longest && !/\p{Cs}/u.test(id);
  return isPlain ? id : `#${sha256Hex(JSON.stringify(id))}`;
}
