/** The route of the page, in the URL fragment, which never leaves the browser. */
import { signal } from "@preact/signals";

export type Route =
  /** All requests, or those of an agent, or those of a program: the agent's file name. */
  | { readonly kind: "list"; readonly agent?: string; readonly file?: string }
  | { readonly kind: "request"; readonly id: string }
  | { readonly kind: "standing" };

export const route = signal<Route>(readRoute());

export function requestAddress(id: string): string {
  return `#/requests/${encodeURIComponent(id)}`;
}

export const listAddress = "#/";
export const standingAddress = "#/standing";

/** The list of all requests of an agent, or of one of its programs. */
export function filterAddress(agent: string, file?: string): string {
  const program = file === undefined ? "" : `/${encodeURIComponent(file)}`;
  return `#/of/${encodeURIComponent(agent)}${program}`;
}

export function go(address: string): void {
  location.hash = address;
}

/** The credential in the address, which is taken out of it and out of the history; a request may be named beside it. */
export function takeToken(): string | null {
  const match = /^#(?:token|sign-in)=([^&]+)(?:&request=(.+))?$/.exec(location.hash);
  if (match?.[1] === undefined) return null;
  const to = match[2] === undefined ? listAddress : requestAddress(decoded(match[2]));
  history.replaceState(null, "", `${location.pathname}${to}`);
  route.value = readRoute();
  return decoded(match[1]);
}

function readRoute(): Route {
  if (location.hash === standingAddress) return { kind: "standing" };
  const [, agent, file] = /^#\/of\/([^/]+)(?:\/([^/]+))?$/.exec(location.hash) ?? [];
  if (agent !== undefined)
    return { kind: "list", agent: decoded(agent), ...(file !== undefined && { file: decoded(file) }) };
  const id = /^#\/requests\/([^/]+)$/.exec(location.hash)?.[1];
  return id === undefined ? { kind: "list" } : { kind: "request", id: decoded(id) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

addEventListener("hashchange", () => {
  route.value = readRoute();
});
