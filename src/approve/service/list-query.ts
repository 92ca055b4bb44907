/** The query of `GET /api/requests`. */
import type { ListQuery } from "../requests/store.ts";
import { coverages, decisions, type RequestSummary, requestId, statuses } from "../wire.ts";
import { serviceLimits } from "./limits.ts";
import { malformed } from "./read-body.ts";

const known = ["status", "decision", "worst", "agent", "q", "limit", "before"];

/** `only`: the agent that asks, which is shown nothing else. */
export function listQueryOf(query: Readonly<Record<string, string>>, only: string | undefined): ListQuery {
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined) throw malformed(`there is no parameter \`${unknown.slice(0, 60)}\``);
  const { q, before } = query;
  const status = wordIn("status", query.status, statuses);
  const decision = wordIn("decision", query.decision, decisions);
  const worst = wordIn("worst", query.worst, coverages);
  const agent = only ?? (query.agent === "" ? undefined : query.agent);
  return {
    limit: Math.max(1, wholeIn(query.limit ?? "50", "limit", serviceLimits.listed)),
    ...(status !== undefined && { status }),
    ...(decision !== undefined && { decision }),
    ...(worst !== undefined && { worst }),
    ...(agent !== undefined && { agent: agent.slice(0, 200) }),
    ...(q !== undefined && q !== "" && { q: q.slice(0, 200) }),
    ...(before !== undefined && before !== "" && { before: cursorIn(before) }),
  };
}

export function cursorOf({ filedAt, id }: RequestSummary): string {
  return `${filedAt}-${id}`;
}

function cursorIn(text: string): { readonly filedAt: number; readonly id: string } {
  const [filedAt = "", id = ""] = text.split("-");
  if (!requestId.test(id)) throw malformed("`before` is the `next` of an earlier answer");
  return { filedAt: wholeIn(filedAt, "before", Number.MAX_SAFE_INTEGER), id };
}

export function wholeIn(text: string, name: string, most: number): number {
  const number = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw malformed(`\`${name}\` is a whole number up to ${most}`);
}

function wordIn<T extends string>(
  name: string,
  text: string | undefined,
  words: readonly T[],
): T | undefined {
  if (text === undefined || text === "") return undefined;
  const found = words.find((one) => one === text);
  if (found === undefined) throw malformed(`\`${name}\` is one of ${words.join(", ")}`);
  return found;
}
