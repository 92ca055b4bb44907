/** The web: promises about which hosts are asked, and what they are told. */
import { contract, labelled, tool, urlInside } from "foreclaim";

const log: string[] = [];

/** Fetches a page. */
export const get = tool({
  labels: ["request", "outside"],
  reads: true,
  source: "untrusted",
  run: async ({ url }: { url: string }): Promise<string> => {
    log.push(url);
    return "";
  },
});

/** Sends something to a page. */
export const post = tool({
  labels: ["request", "egress"],
  run: async ({ url, body }: { url: string; body: string }): Promise<void> => {
    log.push(`${url} ${body}`);
  },
});

/** Writes to a channel of the team. */
export const chat = tool({
  labels: ["egress"],
  run: async ({ channel, text }: { channel: string; text: string }): Promise<void> => {
    log.push(`${channel}: ${text}`);
  },
});

/** A password or a token of the user. */
export const secret = tool({
  labels: ["secret"],
  reads: true,
  run: async ({ name }: { name: string }): Promise<string> => `${name}-1234`,
});

/** The notes of the user. */
export const notes = tool({
  reads: true,
  run: async (): Promise<string[]> => ["buy milk"],
});

/** Every request goes to one of these origins, and below its path if it has one. */
export const onlyOrigins = contract((origins: string[]) =>
  labelled<{ url: string }>("request").all((r) => origins.some((one) => urlInside(r.url, one))),
);

/** Too little: `https://api.example.com@evil.example` begins so as well. */
export const startsWithOrigin = contract((origin: string) =>
  labelled<{ url: string }>("request").all((r) => r.url.startsWith(origin)),
);

/** No address carries data: no query, no fragment, only the words of a path. */
export const bareAddresses = contract(() => get.all((g) => /^https:\/\/[a-z.-]+(?:\/[a-z-]+)*$/.test(g.url)));

/** Nothing is sent anywhere once something from outside was read. */
export const sendsBeforeItReads = contract(() => labelled("egress").neverAfter(labelled("outside")));

/** No request goes outside after a secret was read. */
export const secretsLast = contract(() => labelled("request").neverAfter(labelled("secret")));
