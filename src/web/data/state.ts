/** State of the page: the signed-in user, the requests, the open request, and the last message. */
import { computed, effect, signal, untracked } from "@preact/signals";
import type {
  CoverageStatus,
  RequestDetail,
  RequestEvent,
  RequestGroup,
  RequestList,
  RequestSummary,
  Session,
} from "../../approve/wire.ts";
import { visibleText } from "../../explain/visible.ts";
import type { Refusal } from "./answer.ts";
import { readList, readRequest, readSession } from "./api.ts";
import { route } from "./route.ts";

export const session = signal<Session | null | "unknown">("unknown");
export const requests = signal<readonly RequestSummary[] | undefined>(undefined);
export const more = signal<string | null>(null);
export const opened = signal<RequestDetail | undefined>(undefined);
/** Why the list or the request cannot be shown. */
export const trouble = signal<Refusal | undefined>(undefined);
/** Announced to screen readers. */
export const announced = signal("");
export const now = signal(Date.now());
/** True while changes by others arrive immediately. */
export const isLive = signal(false);

const seenKey = "foreclaim.seen";
const seen = signal<ReadonlySet<string>>(new Set(stored()));

export const unread = computed(
  () => waiting.value.filter(({ status, id }) => status === "pending" && !seen.value.has(id)).length,
);

export function isUnread({ status, id }: RequestSummary): boolean {
  return status === "pending" && !seen.value.has(id);
}

/** Returns true for those who decide. */
export function maySend(): boolean {
  const who = session.value;
  return who !== null && who !== "unknown" && (who.role === "reviewer" || who.role === "admin");
}

/** Only one answer counts: that to the last question. */
let asked = 0;

export async function loadSession(): Promise<void> {
  const answer = await readSession();
  session.value = answer.ok ? answer.value : null;
  if (!answer.ok && answer.refusal.status !== 401) trouble.value = answer.refusal;
}

/** LIMIT: of requests on a page of the list, and of waiting ones that are counted as unread. */
export const pageLength = 50;
const mostWaiting = 200;

/** The filters of the list. */
export const group = signal<RequestGroup | "all">("waiting");
export const coverage = signal<CoverageStatus | "any">("any");
export const words = signal("");
/** Cursors of the pages before this one; the last is that of this page. */
export const cursors = signal<readonly string[]>([]);
export const totals = signal<NonNullable<RequestList["totals"]>>({ waiting: 0, open: 0, decided: 0 });
/** All that wait, worst first: for the number of unread ones and for notifications. */
export const waiting = signal<readonly RequestSummary[]>([]);

/** Only one answer counts: that to the last question. */
let listed = 0;

/** A page of the list: the service filters, counts and orders. */
export async function loadList(): Promise<void> {
  listed++;
  const question = listed;
  const { value: at } = route;
  const of = at.kind === "list" ? at : { agent: undefined, file: undefined };
  const before = cursors.value.at(-1);
  const filter = {
    agent: of.agent,
    file: of.file,
    worst: coverage.value === "any" ? undefined : coverage.value,
    q: words.value.trim(),
  };
  const query = {
    ...filter,
    group: group.value === "all" ? undefined : group.value,
    order: group.value === "waiting" ? ("risk" as const) : undefined,
    limit: pageLength,
    before,
  };
  const isPlain = !Object.values(filter).some(Boolean) && group.value === "waiting" && before === undefined;
  const [answer, all] = await Promise.all([
    readList(isPlain ? { ...query, limit: mostWaiting } : query),
    isPlain ? undefined : readList({ group: "waiting", order: "risk", limit: mostWaiting }),
  ]);
  if (question !== listed) return;
  if (!answer.ok) return troubled(answer.refusal);
  trouble.value = undefined;
  const found = answer.value.requests;
  const rest = found[pageLength - 1];
  requests.value = found.slice(0, pageLength);
  more.value = found.length > pageLength && rest !== undefined ? cursorAfter(rest) : answer.value.next;
  if (answer.value.totals !== undefined) totals.value = answer.value.totals;
  if (isPlain) waiting.value = found;
  else if (all?.ok === true) waiting.value = all.value.requests;
}

const riskOrder = { red: "0", amber: "1", green: "2" } as const;

/** As the service writes it. */
function cursorAfter({ filedAt, id, risk }: RequestSummary): string {
  return `${filedAt}-${id}-${risk === undefined ? "" : riskOrder[risk.level]}`;
}

export async function turnPage(to: "next" | "previous"): Promise<void> {
  const next = more.value;
  if (to === "previous") cursors.value = cursors.value.slice(0, -1);
  else if (next !== null) cursors.value = [...cursors.value, next];
  await loadList();
}

/** The filters were changed: the first page of what fits now. */
export function filterChanged(): void {
  cursors.value = [];
  loadListSoon();
}

export async function loadRequest(id: string): Promise<void> {
  asked++;
  const question = asked;
  const answer = await readRequest(id);
  if (question !== asked) return;
  if (!answer.ok) return troubled(answer.refusal);
  trouble.value = undefined;
  opened.value = answer.value;
  seen.value = new Set([...seen.value, id]);
  keep([...seen.value]);
  renew(answer.value);
}

/** Something has changed at the service. */
export async function heard({ id, revision }: RequestEvent): Promise<void> {
  const open = route.value.kind === "request" && route.value.id === id;
  const known = requests.value?.find((one) => one.id === id);
  if (known !== undefined && known.revision >= revision && opened.value?.revision === revision) return;
  if (open) await loadRequest(id);
  loadListSoon();
}

/** Much may happen at once: the list is read once for all of it. */
const soonMs = 100;
let isDue = false;

function loadListSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    void loadList();
  }, soonMs);
}

function renew(detail: RequestDetail): void {
  const newest = (one: RequestSummary) => (one.id === detail.id ? detail : one);
  requests.value = requests.value?.map(newest);
  waiting.value = waiting.value.map(newest);
}

function troubled(refusal: Refusal): void {
  if (refusal.status === 401) session.value = null;
  trouble.value = refusal;
}

/** LIMIT: of requests that are remembered as read. */
const mostSeen = 500;

function stored(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(seenKey) ?? "[]");
    return Array.isArray(ids) ? ids.map(String) : [];
  } catch {
    return [];
  }
}

function keep(ids: readonly string[]): void {
  try {
    localStorage.setItem(seenKey, JSON.stringify(ids.slice(-mostSeen)));
  } catch {
    // A browser that keeps nothing shows everything as unread again, which does no harm.
  }
}

let wasOf = false;

effect(() => {
  const { value } = route;
  opened.value = undefined;
  trouble.value = undefined;
  if (value.kind === "request" && session.peek() !== null) void loadRequest(value.id);
  if (value.kind === "list" && session.peek() !== null && session.peek() !== "unknown") {
    cursors.value = [];
    // All requests of an agent: the decided ones too.
    const isOf = value.agent !== undefined;
    if (isOf !== wasOf) group.value = isOf ? "all" : "waiting";
    wasOf = isOf;
    untracked(() => void loadList());
  }
});

effect(() => {
  const count = unread.value === 0 ? "" : `(${unread.value}) `;
  const file = opened.value === undefined ? "" : `${visibleText(opened.value.file)} · `;
  document.title = `${count}${file}Foreclaim`;
});
