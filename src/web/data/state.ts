/** State of the page: the signed-in user, the requests, the open request, and the last message. */
import { computed, effect, signal } from "@preact/signals";
import type { RequestDetail, RequestEvent, RequestSummary, Session } from "../../approve/wire.ts";
import { visibleText } from "../../explain/visible.ts";
import type { Refusal } from "./answer.ts";
import { readList, readRequest, readSession } from "./api.ts";
import { listWithWaiting, merged } from "./list.ts";
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
  () => (requests.value ?? []).filter(({ status, id }) => status === "pending" && !seen.value.has(id)).length,
);

export function isUnread({ status, id }: RequestSummary): boolean {
  return status === "pending" && !seen.value.has(id);
}

/** Only one answer counts: that to the last question. */
let asked = 0;

export async function loadSession(): Promise<void> {
  const answer = await readSession();
  session.value = answer.ok ? answer.value : null;
  if (!answer.ok && answer.refusal.status !== 401) trouble.value = answer.refusal;
}

/** The newest requests, and all that wait, however old: the server filters them. */
export async function loadList(): Promise<void> {
  const answer = await listWithWaiting(readList);
  if (!answer.ok) return troubled(answer.refusal);
  trouble.value = undefined;
  requests.value = answer.value.requests;
  more.value = answer.value.next;
}

export async function loadMore(): Promise<void> {
  const answer = await readList(more.value);
  if (!answer.ok) return troubled(answer.refusal);
  requests.value = merged(requests.value ?? [], answer.value.requests);
  more.value = answer.value.next;
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
  requests.value = requests.value?.map((one) => (one.id === detail.id ? detail : one));
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

effect(() => {
  const { value } = route;
  opened.value = undefined;
  trouble.value = undefined;
  if (value.kind === "request" && session.peek() !== null) void loadRequest(value.id);
});

effect(() => {
  const count = unread.value === 0 ? "" : `(${unread.value}) `;
  const file = opened.value === undefined ? "" : `${visibleText(opened.value.file)} · `;
  document.title = `${count}${file}Foreclaim`;
});
