/** Email: an outbox and an address book in memory, and promises about who is written to, how often and what. */
import { contract, coverage, labelled, tool } from "foreclaim";

export interface Message {
  from: string;
  subject: string;
  urgent: boolean;
}

const outbox: { addr: string; msg: string; subject: string; cc: string[] }[] = [];
const addresses = new Map([
  ["bob", "bob@example.com"],
  ["carol", "carol@example.com"],
]);
const waiting: Message[] = [{ from: "bob@example.com", subject: "Lunch?", urgent: false }];

/** Sends one email. */
export const send = tool({
  labels: ["message"],
  requires: ({ addr }) => addr.includes("@"),
  run: async (mail: { addr: string; msg: string; subject?: string; cc?: string[] }): Promise<void> => {
    outbox.push({ subject: "(no subject)", cc: [], ...mail });
    console.log(`email to ${mail.addr}: ${mail.msg}`);
  },
});

/** Puts a text where the user sees it at the next login; nobody else gets it. */
export const note = tool({
  labels: ["message"],
  run: async ({ addr, msg }: { addr: string; msg: string }): Promise<void> => {
    console.log(`note for ${addr}: ${msg}`);
  },
});

/** The address of somebody in the address book. */
export const lookup = tool({
  reads: true,
  ensures: (found) => found === undefined || found.includes("@"),
  run: async ({ name }: { name: string }): Promise<string | undefined> => addresses.get(name),
});

/** The emails that wait to be read, the newest first. */
export const inbox = tool({
  reads: true,
  source: "untrusted",
  ensures: (mails) => mails.length <= 50,
  run: async (): Promise<Message[]> => waiting,
});

/** The number of unread emails. */
export const unread = tool({
  reads: true,
  ensures: (n) => n >= 0,
  run: async (): Promise<number> => waiting.length,
});

/** Every email goes to one of these addresses, and so does every copy. */
export const only = contract(
  (allowed: string[]) => send.all((e) => allowed.includes(e.addr)) && copiesOnly(allowed),
);

/** Every copy goes to one of these addresses. */
export const copiesOnly = contract((allowed: string[]) =>
  send.all((e) => e.cc === undefined || e.cc.every((one) => allowed.includes(one))),
);

/** No email is sent. */
export const none = contract(() => send.none());

/** At least one email is sent to this address. */
export const reaches = contract((addr: string) => send.some((e) => e.addr === addr));

/** Nobody gets two emails. */
export const uniqueRecipients = contract(() => send.distinct((e) => e.addr));

/** At most so many emails are sent. */
export const atMost = contract((n: number) => send.count() <= n);

/** Nobody gets more than so many emails. */
export const eachAtMost = contract((n: number) => send.perKey((e) => e.addr).count() <= n);

/** This address gets at most so many emails. */
export const recipientAtMost = contract(
  (addr: string, n: number) => send.where((e) => e.addr === addr).count() <= n,
);

/** No text is longer than this. */
export const contentLengthAtMost = contract((n: number) => send.all((e) => e.msg.length <= n));

/** Two addresses get a text in common. */
export const sameContent = contract((a: string, b: string) =>
  send
    .where((e) => e.addr === a)
    .sharesValue(
      send.where((e) => e.addr === b),
      (e) => e.msg,
    ),
);

/** Every email and every note stays inside this domain. */
export const insideDomain = contract((domain: string) =>
  labelled<{ addr: string; msg: string }>("message").all((m) => m.addr.endsWith(`@${domain}`)),
);

/** Everything has a subject that starts so. */
export const subjectStartsWith = contract((prefix: string) =>
  send.all((e) => e.subject !== undefined && e.subject.startsWith(prefix)),
);

/** Nothing at all is promised. */
export const noGuarantees = contract(() => true);

export const policy = coverage({
  whenUsed: [send],
  recommended: [only, uniqueRecipients],
  required: [],
  label: "email",
});
