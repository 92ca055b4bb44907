/** The tool module `tools/http.ts` that `init --with http` writes. */

export const httpModule = `/**
 * Requests to named hosts, as tools. \`foreclaim/std/http\` checks every address after its name is resolved and at every
 * redirect, connects to the address that it checked, and bounds answers in bytes and in time.
 */
import { contract, coverage, type Int, labelled, tool, urlInside } from "foreclaim";
import { client } from "foreclaim/std/http";

const web = client({ hosts: ["api.example.com"], methods: ["POST"], maxBytes: 1_000_000, timeoutMs: 10_000 });

export interface Answer {
  status: Int;
  body: string;
}

/** Fetches an address. */
export const get = tool({
  labels: ["request"],
  reads: true,
  source: "untrusted",
  requires: ({ url }) => urlInside(url, "https://api.example.com"),
  ensures: (answer) => answer.status >= 100 && answer.status <= 599,
  run: async ({ url }: { url: string }): Promise<Answer> => web.request({ url }),
});

/** Sends a text to an address. */
export const post = tool({
  labels: ["request", "sending"],
  source: "untrusted",
  requires: ({ url, body }) => urlInside(url, "https://api.example.com") && body.length <= 16_000,
  ensures: (answer) => answer.status >= 100 && answer.status <= 599,
  run: async ({ url, body }: { url: string; body: string }): Promise<Answer> =>
    web.request({
      url,
      method: "POST",
      body,
      headers: [{ name: "content-type", value: "application/json" }],
    }),
});

/** Every request goes to this address or below it. */
export const inside = contract((origin: string) =>
  labelled<{ url: string }>("request").all((r) => urlInside(r.url, origin)),
);

/** Only these addresses are asked, word for word. */
export const onlyUrls = contract((urls: string[]) =>
  labelled<{ url: string }>("request").all((r) => urls.includes(r.url)),
);

/** Nothing is sent but questions. */
export const sendsNothing = contract(() => post.none());

/** At most so many requests are made. */
export const atMost = contract((n: number) => labelled("request").count() <= n);

/** No text that is sent is longer than this. */
export const shortBodies = contract((n: number) => post.all((p) => p.body.length <= n));

/** A program that asks others should say whom and how often. */
export const policy = coverage({ whenUsed: [get, post], recommended: [inside, atMost], label: "requests" });
`;
