/** Mail: promises about who is written to, how often, and with what. */
import { contract, labelled, resultOf, tool } from "foreclaim";

export interface Message {
  thread: string;
  from: string;
  text: string;
}

const sent: string[] = [];

/** Sends an email. */
export const send = tool({
  labels: ["message"],
  run: async (mail: {
    to: string;
    text: string;
    cc?: string[];
    bcc?: string[];
    attachments?: string[];
    thread?: string;
  }): Promise<void> => {
    sent.push(mail.to);
  },
});

/** Sends a text message. */
export const sms = tool({
  labels: ["message"],
  run: async ({ to, text }: { to: string; text: string }): Promise<void> => {
    sent.push(`${to}: ${text}`);
  },
});

/** The messages of a thread. */
export const thread = tool({
  reads: true,
  source: "untrusted",
  ensures: (messages, { id }) => messages.length <= 20 && messages.every((one) => one.thread === id),
  run: async ({ id }: { id: string }): Promise<Message[]> => [
    { thread: id, from: "bob@example.com", text: "Lunch?" },
  ],
});

/** The people in the address book. */
export const contacts = tool({
  reads: true,
  ensures: (people) => people.length <= 50,
  run: async (): Promise<{ name: string; address: string }[]> => [
    { name: "Bob", address: "bob@example.com" },
  ],
});

/** Asks the owner whether somebody new may be written to. */
export const ask = tool({
  run: async ({ person }: { person: string }): Promise<boolean> => {
    sent.push(`may I write to ${person}?`);
    return true;
  },
});

/** The number of unread messages. */
export const unread = tool({
  reads: true,
  ensures: (n) => n >= 0,
  run: async (): Promise<number> => 0,
});

/** Letters, digits, dots and dashes around one `@`: one way to write an address, and no room for a second one. */
const isPlain = (address: string) => /^[a-z0-9.-]+@[a-z0-9.-]+$/.test(address);

const isInside = (address: string, domain: string) => isPlain(address) && address.endsWith(`@${domain}`);

/** Every email, and every open or blind copy, goes to one of these addresses. */
export const onlyTo = contract((allowed: string[]) =>
  send.all(
    (e) =>
      allowed.includes(e.to) &&
      (e.cc === undefined || e.cc.every((one) => allowed.includes(one))) &&
      (e.bcc === undefined || e.bcc.every((one) => allowed.includes(one))),
  ),
);

/** Every email goes to an address of this domain, and has no copies. */
export const insideDomain = contract((domain: string) =>
  send.all((e) => isInside(e.to, domain) && e.cc === undefined && e.bcc === undefined),
);

/** Too little: `bob@evilexample.com` ends with `example.com` as well. */
export const endsWithDomain = contract((domain: string) => send.all((e) => e.to.endsWith(domain)));

/** Nobody gets more than so many messages, and every address is written in the one way that can be counted. */
export const eachAtMost = contract(
  (n: number) => send.all((e) => isPlain(e.to)) && send.perKey((e) => e.to).count() <= n,
);

/** Too little: `bob@example.com`, `Bob@example.com` and `bob+1@example.com` are one person. */
export const addressAtMost = contract((n: number) => send.perKey((e) => e.to).count() <= n);

/** At most so many messages leave in one run, by email or by text message; what failed counts. */
export const messagesAtMost = contract((n: number) => labelled("message").count() <= n);

/** Emails with attachments stay inside this domain. */
export const attachmentsInside = contract((domain: string) =>
  send.all(
    (e) =>
      e.attachments === undefined ||
      e.attachments.length === 0 ||
      (isInside(e.to, domain) && e.cc === undefined && e.bcc === undefined),
  ),
);

/** Every recipient in a thread has written in that thread. */
export const onlyToThread = contract(() =>
  send.all((e) => thread.rows.some((one) => one.thread === e.thread && one.from === e.to)),
);

/** An address outside the address book is written to only after the owner said yes to that. */
export const asksBeforeNew = contract(() =>
  ask.precedes(
    send.where((e) => contacts.rows.none((one) => one.address === e.to)),
    (a, e) => resultOf(a) === true && a.person === e.to,
  ),
);

/** Every text is one of these, word for word. */
export const onlyTemplates = contract((texts: string[]) =>
  labelled<{ to: string; text: string }>("message").all((m) => texts.includes(m.text)),
);

/** Every text is the notice of shipment, with nothing but the number of an order filled in. */
export const onlyShippingNotice = contract(() =>
  send.all((e) => /^Your order [A-Z]{2}-[0-9]{4} has been shipped\.$/.test(e.text)),
);

/** No text is longer than this. */
export const shortTexts = contract((n: number) =>
  labelled<{ to: string; text: string }>("message").all((m) => m.text.length <= n),
);
