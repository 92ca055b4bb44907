/** Requests: a small web in memory that answers them, and promises about where they go and what they carry. */
import { contract, coverage, fluent, type Int, labelled, tool, urlInside } from "foreclaim";

export interface Header {
  name: string;
  value: string;
}

export interface Answer {
  status: Int;
  body: string;
}

const pages = new Map([
  ["https://api.example.com/orders/17", '{"state":"open"}'],
  ["https://api.example.com/health", "ok"],
]);
const log: string[] = [];

function answer(method: string, url: string): Answer {
  log.push(`${method} ${url}`);
  const body = pages.get(url);
  return body === undefined ? { status: 404, body: "" } : { status: 200, body };
}

/** The number of requests of this run to a host, as far as the program names the host. */
export const requests = fluent<string, Int>({ initial: 0 });

/** True if the session is open. */
export const session = fluent<"session", boolean>({ initial: false });

/** Fetches a page. */
export const get = tool({
  labels: ["request"],
  reads: true,
  source: "untrusted",
  requires: ({ url }) => url.startsWith("https://"),
  ensures: (a) => a.status >= 100 && a.status <= 599,
  run: async ({ url }: { url: string; headers?: Header[] }): Promise<Answer> => answer("GET", url),
});

/** Sends data to an address. */
export const post = tool({
  labels: ["request", "sending"],
  requires: ({ url, body }) => url.startsWith("https://") && body.length <= 24,
  ensures: (a) => a.status >= 100 && a.status <= 599,
  run: async ({ url }: { url: string; body: string; headers?: Header[]; key?: string }): Promise<Answer> =>
    answer("POST", url),
});

/** Deletes what is behind an address. */
export const del = tool({
  labels: ["request", "sending"],
  requires: ({ url }) => url.startsWith("https://"),
  ensures: (a) => a.status >= 100 && a.status <= 599,
  run: async ({ url }: { url: string }): Promise<Answer> => answer("DELETE", url),
});

/** Asks a host whether it is there, at most three times in one run. */
export const ping = tool({
  requires: ({ host }) => requests.get(host) < 3,
  effects: ({ host }) => [requests.set(host, requests.get(host) + 1)],
  run: async ({ host }: { host: string }): Promise<boolean> => host.endsWith("example.com"),
});

/** Opens a session. */
export const login = tool({
  requires: () => !session.get("session"),
  effects: () => [session.set("session", true)],
  ensures: ({ token }) => token.length === 8,
  run: async ({ user }: { user: string }): Promise<{ token: string }> => ({
    token: user.padEnd(8, "-").slice(0, 8),
  }),
});

/** Closes the session. */
export const logout = tool({
  idempotent: true,
  effects: () => [session.set("session", false)],
  run: async (): Promise<void> => {
    log.push("logout");
  },
});

/** The addresses that wait to be fetched. */
export const queue = tool({
  reads: true,
  ensures: (urls) => urls.length <= 30,
  run: async (): Promise<string[]> => [...pages.keys()],
});

/** Only these addresses are asked, word for word. */
export const onlyUrls = contract((urls: string[]) =>
  labelled<{ url: string }>("request").all((r) => urls.includes(r.url)),
);

/** Every requested address has this origin, and is below its path if it has one, after normalizing. */
export const inside = contract((origin: string) =>
  labelled<{ url: string }>("request").all((r) => urlInside(r.url, origin)),
);

/** Nothing is sent or deleted. */
export const readOnly = contract(() => labelled("sending").none());

/** At most so many requests are made. */
export const atMost = contract((n: number) => labelled("request").count() <= n);

/** No address is asked more often than this. */
export const politeTo = contract(
  (n: number) => get.perKey((g) => g.url).count() <= n && ping.perKey((p) => p.host).count() <= n,
);

/** Every POST has a key by which the server can tell a repetition. */
export const keyed = contract(() => post.all((p) => p.key !== undefined && p.key !== ""));

/** No key is used twice. */
export const keysOnce = contract(() => post.distinct((p) => p.key));

/** Only these names of headers are sent. */
export const onlyHeaders = contract((names: string[]) =>
  post.all((p) => p.headers === undefined || p.headers.every((h) => names.includes(h.name))),
);

/** No header has this name, where an address does not start so. */
export const secretOnlyTo = contract((name: string, start: string) =>
  post.none(
    (p) => !p.url.startsWith(start) && p.headers !== undefined && p.headers.some((h) => h.name === name),
  ),
);

/** All bodies together are at most so long. */
export const sendsAtMost = contract((n: number) => post.sum((p) => p.body.length) <= n);

/** No session is left open. */
export const loggedOutAtEnd = contract(() => !session.final.get("session"));

/** Something is deleted only if it was fetched before. */
export const looksBeforeDelete = contract(() => get.precedes(del, (g, d) => g.url === d.url));

/** Nothing is sent once the session was closed. */
export const nothingAfterLogout = contract(() => post.neverAfter(logout) && del.neverAfter(logout));

/** More is fetched than sent. */
export const readsMoreThanItSends = contract(() => get.count() >= post.count() + del.count());

export const policy = coverage({
  whenUsed: [post, del],
  recommended: [atMost, keyed],
  required: [nothingAfterLogout],
  label: "http",
});
