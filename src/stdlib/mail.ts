/**
 * `foreclaim/std/mail`: mails to the addresses and domains that the operator lists, over one server. Every recipient is named
 * in the call, the sender is a constant, and no text of a call reaches the lines of the protocol or of the headers as it is.
 */

import { createRequire } from "node:module";
import { type Folder, type FolderOptions, folder } from "./fs.ts";
import { Refused, refused } from "./refused.ts";

export { Refused } from "./refused.ts";

export interface MailerOptions {
  readonly host: string;
  /** Default 587, or 465 with `secure`. */
  readonly port?: number;
  /** TLS from the first byte; otherwise STARTTLS, without which nothing is sent (default false). */
  readonly secure?: boolean;
  /** Sends without TLS; only to a server on this machine (default false). */
  readonly plain?: boolean;
  /** Certificates that the server's is signed by, if not by a public authority. */
  readonly ca?: string;
  readonly user?: string;
  readonly password?: string;
  /** The sender of every mail. */
  readonly from: string;
  /** Whom mails may go to: addresses, and domains as `@example.com`. */
  readonly recipients: readonly string[];
  /** A folder whose files may be attached (default none). */
  readonly attachments?: FolderOptions;
  /** Mails in all (default 20). */
  readonly maxMails?: number;
  /** Recipients of one mail (default 10). */
  readonly maxRecipients?: number;
  /** Bytes of a mail with what is attached (default 256 KiB). */
  readonly maxBytes?: number;
  /** Milliseconds for a mail (default 30,000). */
  readonly timeoutMs?: number;
}

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Paths in the folder of attachments. */
  readonly attachments?: readonly string[];
}

export interface Mailer {
  /** Sends a mail. A failure on the way leaves open whether it was sent. */
  readonly send: (mail: Mail) => Promise<void>;
}

const MAX_SUBJECT = 200;
const MAX_ATTACHMENTS = 10;
const ADDRESS =
  /^[A-Za-z0-9](?:[A-Za-z0-9._+-]{0,62}[A-Za-z0-9])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);
const require = createRequire(import.meta.url);

/** A sender of mails for tools. */
export function mailer(options: MailerOptions): Mailer {
  const { from, maxMails = 20, maxRecipients = 10, maxBytes = 256 * 1024, timeoutMs = 30_000 } = options;
  if (!isAddress(from)) refused("bad-options", "`from` is no plain address");
  if (options.plain === true && !LOOPBACK.has(options.host))
    refused("bad-options", "without TLS mails go to a server on this machine alone");
  const allowed = new Set(options.recipients.map((one) => one.toLowerCase()));
  for (const one of allowed)
    if (!isAddress(one.startsWith("@") ? `x${one}` : one))
      refused("bad-options", `\`${one}\` is no address and no domain`);
  const files = options.attachments === undefined ? undefined : folder(options.attachments);
  let sent = 0;

  function checkRecipient(address: string): void {
    if (!isAddress(address)) refused("address", "a recipient is no plain address");
    const plain = address.toLowerCase();
    if (!allowed.has(plain) && !allowed.has(plain.slice(plain.lastIndexOf("@"))))
      refused("recipient", `\`${address}\` is not among the recipients of this tool`);
  }

  return {
    send: async ({ to, subject, text, attachments = [] }) => {
      if (to.length === 0 || to.length > maxRecipients)
        return refused("too-many", `a mail has 1 to ${maxRecipients} recipients`);
      for (const address of to) checkRecipient(address);
      if (new Set(to.map((one) => one.toLowerCase())).size < to.length)
        return refused("address", "a recipient is named twice");
      if (
        typeof subject !== "string" ||
        subject.length > MAX_SUBJECT ||
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ud800-\udfff]/u.test(subject)
      )
        return refused("subject", `a subject is one line of at most ${MAX_SUBJECT} characters`);
      if (typeof text !== "string" || /[\0\ud800-\udfff]/u.test(text) || /\r(?!\n)/.test(text))
        return refused("bad-text", "the text holds characters that mails have not");
      const attached = await contentsOf(files, attachments);
      const bytes = [text, ...attached.map(({ content }) => content)].reduce(
        (sum, one) => sum + Buffer.byteLength(one),
        0,
      );
      if (bytes > maxBytes) return refused("too-large", `a mail has at most ${maxBytes} bytes`);
      if (sent >= maxMails) return refused("too-many", `more than ${maxMails} mails would be sent`);
      // Counted before it is sent: a failure leaves open whether it was.
      sent += 1;
      await deliver(options, timeoutMs, {
        from,
        to: [...to],
        envelope: { from, to: [...to] },
        subject,
        text,
        // No line of the text is a line of the protocol.
        encoding: "base64",
        attachments: attached.map(({ name, content }) => ({
          filename: name,
          content,
          contentType: "text/plain; charset=utf-8",
          contentTransferEncoding: "base64",
        })),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
  };
}

function isAddress(text: string): boolean {
  return typeof text === "string" && text.length <= 254 && ADDRESS.test(text) && !text.includes("..");
}

async function contentsOf(
  files: Folder | undefined,
  paths: readonly string[],
): Promise<readonly { readonly name: string; readonly content: string }[]> {
  if (paths.length === 0) return [];
  if (files === undefined) return refused("attachment", "this tool attaches no files");
  if (paths.length > MAX_ATTACHMENTS)
    return refused("too-many", `a mail has at most ${MAX_ATTACHMENTS} attachments`);
  const contents = [];
  for (const path of paths) {
    const content = await files.read(path);
    if (content === undefined) return refused("attachment", `there is no file \`${path}\``);
    contents.push({ name: path.slice(path.lastIndexOf("/") + 1), content });
  }
  return contents;
}

interface Transport {
  sendMail(mail: object): Promise<{ readonly rejected?: readonly unknown[] }>;
  close(): void;
}

async function deliver(options: MailerOptions, timeoutMs: number, mail: object): Promise<void> {
  const { host, secure = false, plain = false, ca, user, password } = options;
  const transport = loadNodemailer().createTransport({
    host,
    port: options.port ?? (secure ? 465 : 587),
    secure,
    ...(plain ? { ignoreTLS: true } : { requireTLS: !secure }),
    ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
    tls: { minVersion: "TLSv1.2", rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    maxResponseSize: 65_536,
    // Nothing that it says is written anywhere: it may hold secrets.
    logger: false,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Refused("too-slow", "the mail server took too long")), timeoutMs);
  });
  try {
    const { rejected = [] } = await Promise.race([transport.sendMail(mail), late]);
    if (rejected.length > 0) refused("rejected", `the server refused ${rejected.length} of the recipients`);
  } catch (error) {
    throw error instanceof Refused ? error : failureOf(error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

function failureOf(error: unknown): Refused {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  if (code === "ETLS" || code === "ESOCKET")
    return new Refused("tls", "there is no safe connection to the mail server");
  if (code === "EAUTH") return new Refused("credentials", "the mail server does not take the credentials");
  if (code === "ETIMEDOUT") return new Refused("too-slow", "the mail server took too long");
  if (code === "EENVELOPE") return new Refused("rejected", "the mail server refused the recipients");
  return new Refused("failed", `the mail server: ${code === "" ? "failed" : code}`);
}

function loadNodemailer(): { readonly createTransport: (options: object) => Transport } {
  try {
    return require("nodemailer");
  } catch {
    return refused("no-client", "mails need nodemailer beside foreclaim: `npm install nodemailer@10.5.0`");
  }
}
