/** The tool module `tools/mail.ts` that `init --with mail` writes. */

export const mailModule = `/**
 * Mails over one server, as a tool. \`foreclaim/std/mail\` sends as one sender, with TLS, to the addresses and domains that are
 * listed here, and refuses whatever could be read as another recipient, another header or another mail.
 */
import { contract, coverage, tool, untrusted } from "foreclaim";
import { mailer } from "foreclaim/std/mail";

const post = mailer({
  host: "mail.example.com",
  ...(process.env.MAIL_USER !== undefined && { user: process.env.MAIL_USER }),
  ...(process.env.MAIL_PASSWORD !== undefined && { password: process.env.MAIL_PASSWORD }),
  from: "desk@example.com",
  recipients: ["@example.com"],
  attachments: { root: new URL("../files/", import.meta.url) },
  maxMails: 20,
});

/** Sends a mail to someone, with files of \`files/\` attached. */
export const send = tool({
  labels: ["sending"],
  stores: ["mail"],
  requires: ({ to, subject, text, attachments }) =>
    to.endsWith("@example.com") &&
    subject.length <= 200 &&
    text.length <= 100_000 &&
    attachments.length <= 10,
  run: async ({
    to,
    subject,
    text,
    attachments,
  }: {
    to: string;
    subject: string;
    text: string;
    attachments: string[];
  }): Promise<void> => post.send({ to: [to], subject, text, attachments }),
});

/** Mails go only to these people. */
export const only = contract((people: string[]) => send.all((m) => people.includes(m.to)));

/** Mails go only to this domain, as \`example.com\`. */
export const inDomain = contract((domain: string) => send.all((m) => m.to.endsWith(\`@\${domain}\`)));

/** At most so many mails. */
export const atMost = contract((n: number) => send.count() <= n);

/** Nobody gets more mails than this. */
export const eachAtMost = contract((n: number) => send.perKey((m) => m.to).count() <= n);

/** Nobody that others named gets a mail. */
export const ownRecipients = contract(() => send.none((m) => untrusted(m.to)));

/** Untrusted text goes to these people only. */
export const quotesOnlyTo = contract((people: string[]) =>
  send.where((m) => !people.includes(m.to)).none((m) => untrusted(m.text) || untrusted(m.subject)),
);

/** Only these files are attached. */
export const attachesOnly = contract((files: string[]) =>
  send.all((m) => m.attachments.every((path) => files.includes(path))),
);

/** Nothing is sent. */
export const sendsNothing = contract(() => send.none());

/** A program that sends mails should say to whom and how many. */
export const policy = coverage({ whenUsed: [send], recommended: [only, atMost], label: "mails" });
`;
