/** The query of `GET /api/requests`. */
import { riskOrder } from "../requests/rows.ts";
import type { ListPlace, ListQuery } from "../requests/store.ts";
import {
  coverages,
  decisions,
  levels,
  type RequestSummary,
  requestGroups,
  requestId,
  statuses,
} from "../wire.ts";
import { serviceLimits } from "./limits.ts";
import { malformed } from "./read-body.ts";

const known = [
  ...["status", "group", "decision", "worst", "risk", "agent", "file", "program"],
  ...["q", "order", "limit", "before"],
];

/** `only`: the agent that asks, which is shown nothing else. */
export function listQueryOf(query: Readonly<Record<string, string>>, only: string | undefined): ListQuery {
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined) throw malformed(`there is no parameter \`${unknown.slice(0, 60)}\``);
  const { q, before, file, program } = query;
  const group = wordIn("group", query.group, requestGroups);
  const risk = wordIn("risk", query.risk, levels);
  const order = wordIn("order", query.order, ["risk"] as const);
  const status = wordIn("status", query.status, statuses);
  const decision = wordIn("decision", query.decision, decisions);
  const worst = wordIn("worst", query.worst, coverages);
  const agent = only ?? (query.agent === "" ? undefined : query.agent);
  return {
    limit: Math.max(1, wholeIn(query.limit ?? "50", "limit", serviceLimits.listed)),
    ...(status !== undefined && { status }),
    ...(decision !== undefined && { decision }),
    ...(worst !== undefined && { worst }),
    ...(group !== undefined && { group }),
    ...(risk !== undefined && { risk }),
    ...(order !== undefined && { order }),
    ...(agent !== undefined && { agent: agent.slice(0, 200) }),
    ...(file !== undefined && file !== "" && { file: file.slice(0, serviceLimits.fileLength) }),
    ...(program !== undefined && program !== "" && { program: program.slice(0, 200) }),
    ...(q !== undefined && q !== "" && { q: q.slice(0, 200) }),
    ...(before !== undefined && before !== "" && { before: cursorIn(before) }),
  };
}

export function cursorOf({ filedAt, id, risk }: RequestSummary): string {
  return `${filedAt}-${id}-${risk === undefined ? "" : riskOrder[risk.level]}`;
}

function cursorIn(text: string): ListPlace {
  const [filedAt = "", id = "", risk = ""] = text.split("-");
  if (!requestId.test(id) || !/^[0-2]?$/.test(risk))
    throw malformed("`before` is the `next` of an earlier answer");
  const place = { filedAt: wholeIn(filedAt, "before", Number.MAX_SAFE_INTEGER), id };
  return risk === "" ? place : { ...place, risk: Number(risk) };
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
