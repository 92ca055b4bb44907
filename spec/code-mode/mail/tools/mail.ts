/** Mail: the tools and contracts of `tools.md`. */
import { answer, contract, flowsFrom, labelled, resultOf, tool } from "foreclaim";
import { mock } from "../../mock.ts";

export type Message = {
  id: string;
  threadId: string;
  from: string;            // bare address, e.g. "ana@example.com"
  to: string[];
  cc?: string[];
  subject: string;
  snippet: string;
  receivedAt: string;      // ISO date-time
  labels: string[];        // "unread", "starred", "newsletter", …
  hasAttachments: boolean;
};
export type FullMessage = Message & {
  body: string;            // untrusted text written by the sender
  attachments?: { name: string; mimeType: string; sizeBytes: number }[];
};

export const search = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { query: string; label?: string; limit?: number; pageToken?: string }): Promise<{ messages: Message[]; nextPageToken?: string }> => mock("mail.search", args),
});

export const read = tool({
  reads: true,
  source: "untrusted",
  ensures: (message) =>
    (message.attachments ?? []).every((one) => one.sizeBytes >= 0 && Number.isInteger(one.sizeBytes)),
  run: async (args: { id: string }): Promise<FullMessage> => mock("mail.read", args),
});

/** JSON text: [{ "name": string, "total": number, "unread": number }] */
export const listLabels = tool({
  reads: true,
  run: async (args: {}): Promise<string> => mock("mail.listLabels", args),
});

/** Normally { email, name } or null */
export const findContact = tool({
  reads: true,
  run: async (args: { name: string }): Promise<unknown> => mock("mail.findContact", args),
});


export const send = tool({
  labels: ["change"],
  run: async (args: { to: string; cc?: string[]; subject: string; body: string; inReplyTo?: string }): Promise<{ id: string }> => mock("mail.send", args),
});

export const addLabel = tool({
  labels: ["change"],
  run: async (args: { id: string; label: string }): Promise<void> => mock("mail.addLabel", args),
});

export const removeLabel = tool({
  labels: ["change"],
  run: async (args: { id: string; label: string }): Promise<void> => mock("mail.removeLabel", args),
});

export const trash = tool({
  labels: ["change"],
  run: async (args: { id: string }): Promise<void> => mock("mail.trash", args),
});

/** The run never calls `send`, `addLabel`, `removeLabel` or `trash`. */
export const readOnly = contract(() => labelled("change").none());

/** The run never calls `send`. */
export const neverSends = contract(() => send.none());

/** The run never calls `trash`. */
export const neverTrashes = contract(() => trash.none());

/** Every `send` has `to` equal to `address` and has no `cc` entries. */
export const onlyTo = contract((address: string) => send.all((e) => e.to === address && (e.cc ?? []).length === 0));

/** In every `send`, `to` and each entry of `cc` end with `"@" + domain`. */
export const onlyToDomain = contract((domain: string) =>
  send.all((e) => e.to.endsWith(`@${domain}`) && (e.cc ?? []).every((one) => one.endsWith(`@${domain}`))));

/** The run calls `send` at most n times. */
export const atMost = contract((n: number) => send.count() <= n);

/** No two `send` calls of the run have the same `to`. */
export const eachOnce = contract(() => send.distinct((e) => e.to));

/** Every `addLabel` and `removeLabel` has `label` equal to one of the names. */
export const labelsOnly = contract((...names: string[]) =>
  addLabel.all((l) => names.includes(l.label)) && removeLabel.all((l) => names.includes(l.label)));

/** Every id given to `trash` is the id of a message that an earlier `search` of the run returned with `labels` not containing `label`. */
export const trashesOnlyWithout = contract((label: string) =>
  search.precedes(trash, (s, t) => resultOf(s)?.messages.some((m) => m.id === t.id && !m.labels.includes(label)) ?? false));

/** Every `send` has a `subject` of at most n UTF-16 code units. */
export const subjectMax = contract((n: number) => send.all((e) => e.subject.length <= n));

/**
 * The answer would be the same if only the values of that field in tool results were different.
 * @stronger A source is a whole tool result or one of its fields, not a field of a row inside it. A decision that rests on the field and leaves no trace in a value is not seen.
 */
export const answerHides = contract((field: "body" | "snippet" | "from") =>
  (field !== "body" || answer.none((a) => flowsFrom(a.value, read, "body"))) &&
  (field !== "snippet" || answer.none((a) => flowsFrom(a.value, search, "messages") || flowsFrom(a.value, read, "snippet"))) &&
  (field !== "from" || answer.none((a) => flowsFrom(a.value, search, "messages") || flowsFrom(a.value, read, "from"))));
