/** Everything that is asked of the service, all of it below `/api` of where the page came from. */
import type {
  Comparison,
  CoverageStatus,
  Decide,
  Edit,
  ErrorBody,
  PolicyView,
  QuestionAnswer,
  RequestDetail,
  RequestGroup,
  RequestList,
  Session,
  SignIn,
  StandingList,
} from "../../approve/wire.ts";
import type { Answer, Refusal } from "./answer.ts";

/**
 * Told at sign-in. Kept where no page of another port can read it: the cookie alone, which goes to all of them, is good
 * for nothing.
 */
const kept = "foreclaim.csrf";
let csrf: string | null = read();

export async function readSession(): Promise<Answer<Session>> {
  return noted(await ask<Session>("GET", "/api/session"));
}

/** The credential goes to the service once, and what comes back is a cookie that no script can read. */
export async function signIn(credential: string): Promise<Answer<Session>> {
  return noted(await ask<Session>("POST", "/api/session", { credential } satisfies SignIn));
}

export async function signOut(): Promise<void> {
  await ask<unknown>("DELETE", "/api/session");
  keep(null);
}

/** The filters of the list; the service applies them. */
export interface ListQuery {
  readonly group?: RequestGroup | undefined;
  readonly worst?: CoverageStatus | undefined;
  readonly agent?: string | undefined;
  readonly file?: string | undefined;
  readonly q?: string | undefined;
  readonly order?: "risk" | undefined;
  readonly limit: number;
  readonly before?: string | undefined;
}

export function readList(query: ListQuery): Promise<Answer<RequestList>> {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return ask<RequestList>("GET", `/api/requests?${parts.join("&")}`);
}

export function readComparison(id: string): Promise<Answer<Comparison>> {
  return ask<Comparison>("GET", `/api/requests/${encodeURIComponent(id)}/comparison`);
}

export function edit(id: string, values: Edit): Promise<Answer<unknown>> {
  return ask<unknown>("POST", `/api/requests/${encodeURIComponent(id)}/edit`, values);
}

export function readStanding(): Promise<Answer<StandingList>> {
  return ask<StandingList>("GET", "/api/standing");
}

export function revokeStanding(id: string): Promise<Answer<unknown>> {
  return ask<unknown>("DELETE", `/api/standing/${encodeURIComponent(id)}`);
}

export function readRequest(id: string): Promise<Answer<RequestDetail>> {
  return ask<RequestDetail>("GET", `/api/requests/${encodeURIComponent(id)}`);
}

export function decide(id: string, decision: Decide): Promise<Answer<unknown>> {
  return ask<unknown>("POST", `/api/requests/${encodeURIComponent(id)}/decision`, decision);
}

export function answerQuestion(id: string, answer: QuestionAnswer): Promise<Answer<unknown>> {
  return ask<unknown>("POST", `/api/requests/${encodeURIComponent(id)}/answer`, answer);
}

export function readPolicy(): Promise<Answer<PolicyView>> {
  return ask<PolicyView>("GET", "/api/policy");
}

/** The rule as it is written: the service reads it, and keeps it so. */
export function addRule(text: string): Promise<Answer<PolicyView>> {
  return send<PolicyView>("POST", "/api/policy/rules", text);
}

function noted(answer: Answer<Session>): Answer<Session> {
  if (answer.ok) keep(answer.value.csrf);
  return answer;
}

function keep(value: string | null): void {
  csrf = value;
  try {
    if (value === null) localStorage.removeItem(kept);
    else localStorage.setItem(kept, value);
  } catch {
    // Where nothing is kept, the next page signs in again.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(kept);
  } catch {
    return null;
  }
}

function ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
  return send<T>(method, path, body === undefined ? undefined : JSON.stringify(body));
}

async function send<T>(method: string, path: string, body: string | undefined): Promise<Answer<T>> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (csrf !== null) headers["x-foreclaim-csrf"] = csrf;
  const options: RequestInit = { method, headers, credentials: "same-origin", redirect: "error" };
  if (body !== undefined) options.body = body;
  try {
    const response = await fetch(path, options);
    const text = await response.text();
    if (!response.ok) return { ok: false, refusal: refusalOf(response.status, text) };
    // SAFETY: the service is ours, and what it answers is of the types that both sides share.
    return { ok: true, value: (text === "" ? null : JSON.parse(text)) as T };
  } catch {
    return {
      ok: false,
      refusal: { status: 0, message: "the service does not respond", help: "the page tries again shortly" },
    };
  }
}

function refusalOf(status: number, text: string): Refusal {
  try {
    // SAFETY: every refusal of the service has this form, and what has not is caught.
    const { error } = JSON.parse(text) as ErrorBody;
    return { status, message: String(error.message), help: error.help ?? null };
  } catch {
    return { status, message: `the service refused with status ${status}`, help: null };
  }
}
