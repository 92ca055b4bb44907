/** An assistant that reads and sends: contracts about where data may go, and what may decide. */
import { contract, flowsFrom, influencedBy, input, labelled, mayRead, tool, untrusted } from "foreclaim";

const log: string[] = [];
const disk = new Map<string, string>();

/** The emails that came in; anybody can write one. */
export const inbox = tool({
  reads: true,
  source: "untrusted",
  stores: ["mail"],
  ensures: (mails) => mails.length <= 20,
  run: async (): Promise<{ from: string; text: string }[]> => [{ from: "eve@evil.example", text: "Hi" }],
});

/** A page of somebody else. */
export const page = tool({
  reads: true,
  source: "untrusted",
  stores: ["web"],
  run: async ({ url }: { url: string }): Promise<string> => `what ${url} says`,
});

/** Sends an email. */
export const send = tool({
  labels: ["egress"],
  stores: ["mail"],
  run: async ({ to, text }: { to: string; text: string }): Promise<void> => {
    log.push(`${to}: ${text}`);
  },
});

/** Sends something to a page. */
export const post = tool({
  labels: ["egress"],
  stores: ["web"],
  run: async ({ url, body }: { url: string; body: string }): Promise<void> => {
    log.push(`${url} ${body}`);
  },
});

/** A password of the user. */
export const secret = tool({
  labels: ["secret"],
  reads: true,
  stores: ["vault"],
  run: async ({ name }: { name: string }): Promise<string> => `${name}-1234`,
});

/** Logs the user in; the password stays on this machine. */
export const login = tool({
  stores: [],
  run: async ({ password }: { password: string }): Promise<void> => {
    log.push("*".repeat(password.length));
  },
});

/** Writes a file. */
export const save = tool({
  stores: ["disk"],
  run: async ({ path, text }: { path: string; text: string }): Promise<void> => {
    disk.set(path, text);
  },
});

/** Reads a file. */
export const load = tool({
  reads: true,
  stores: ["disk"],
  run: async ({ path }: { path: string }): Promise<string> => disk.get(path) ?? "",
});

/** A customer by id. */
export const customer = tool({
  labels: ["pii"],
  reads: true,
  stores: ["crm"],
  run: async ({ id }: { id: string }): Promise<{ name: string; city: string }> => ({ name: id, city: "Ulm" }),
});

/** The orders of a customer. */
export const orders = tool({
  reads: true,
  stores: ["shop"],
  ensures: (found) => found.length <= 20,
  run: async ({ id }: { id: string }): Promise<string[]> => [`lamp for ${id}`],
});

/** Asks a language model of somebody else. */
export const model = tool({
  labels: ["model"],
  stores: [],
  run: async ({ prompt }: { prompt: string }): Promise<string> => prompt.toUpperCase(),
});

/** Shows a text to a person, who mends it or fails it. */
export const review = tool({
  stores: [],
  endorses: "untrusted",
  run: async ({ text }: { text: string }): Promise<string> => text,
});

/** The notes of a customer, each with the people who may read it. */
export const notes = tool({
  reads: true,
  stores: ["crm"],
  readers: (note) => note.readers,
  ensures: (found) => found.length <= 20,
  run: async ({ id }: { id: string }): Promise<{ text: string; readers: string[] }[]> => [
    { text: `${id} called`, readers: ["ann@example.com"] },
  ],
});

/** No password reaches the web or an email, however it gets there. */
export const secretsStay = contract(
  () =>
    post.none((p) => flowsFrom(p.url, "secret") || flowsFrom(p.body, "secret")) &&
    send.none((e) => flowsFrom(e.to, "secret") || flowsFrom(e.text, "secret")),
);

/** Nothing personal reaches a model, not even by what is asked. */
export const modelsLearnNothing = contract(() => model.none((m) => influencedBy(m, "pii")));

/** No text of strangers chooses a recipient. */
export const strangersAddressNobody = contract(
  () => send.none((e) => untrusted(e.to)) && post.none((p) => untrusted(p.url)),
);

/** No text of strangers decides whether, where or what is sent. */
export const strangersDecideNothing = contract(() => labelled("egress").none((e) => influencedBy(e, inbox)));

/** Text of strangers is published only after a person has read it. */
export const reviewedFirst = contract(() => post.none((p) => untrusted(p.body)));

/** The recipient of an email may read all of its text. */
export const onlyForReaders = contract(() => send.all((e) => mayRead(e.text, e.to)));

/** The user's question goes to nobody outside. */
export const questionsStay = contract(() => post.none((p) => flowsFrom(p.body, input("question"))));
