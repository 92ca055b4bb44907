/** Attacks on `foreclaim/std/mail` with real SMTP servers on this machine: each is refused, and no server hears of it. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Mail, type MailerOptions, mailer } from "../../src/stdlib/mail.ts";

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
let base = "";
let server: SMTPServer;
let port = 0;
let received: Received[] = [];
let commands: string[] = [];
const open: (Server | SMTPServer)[] = [];

/** Starts a server that keeps every mail. */
async function start(options: object): Promise<SMTPServer> {
  const made = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onMailFrom: (address: { address: string }, _session: unknown, done: (error?: Error) => void) => {
      commands.push(`MAIL ${address.address}`);
      done();
    },
    onRcptTo: (address: { address: string }, _session: unknown, done: (error?: Error) => void) => {
      commands.push(`RCPT ${address.address}`);
      done(address.address === "gone@example.com" ? new Error("no such user") : undefined);
    },
    onData: (stream: NodeJS.ReadableStream, session: never, done: (error?: Error) => void) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { envelope }: { envelope: { mailFrom: { address: string }; rcptTo: { address: string }[] } } =
          session;
        received.push({
          from: envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("latin1"),
        });
        done();
      });
    },
    ...options,
  });
  made.on("error", () => {});
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", () => resolve()));
  open.push(made);
  return made;
}

// SAFETY: a server that listens on a port has an address with one.
const portOf = (one: { address(): unknown }) => (one.address() as AddressInfo).port;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), "foreclaim-mail-"));
  mkdirSync(join(base, "files"));
  writeFileSync(join(base, "files/report.txt"), "Umsätze\n.\nQUIT\n");
  received = [];
  commands = [];
  server = await start({ disabledCommands: ["STARTTLS", "AUTH"] });
  port = portOf(server.server);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => new Promise<void>((resolve) => one.close(() => resolve()))));
  rmSync(base, { recursive: true, force: true });
});

const post = (more: Partial<MailerOptions> = {}) =>
  mailer({
    host: "127.0.0.1",
    port,
    plain: true,
    from: "desk@example.com",
    recipients: ["ann@partner.example.org", "@example.com"],
    attachments: { root: join(base, "files") },
    maxMails: 3,
    maxRecipients: 2,
    maxBytes: 1000,
    timeoutMs: 60_000,
    ...more,
  });
const plain: Mail = { to: ["bob@example.com"], subject: "Hello", text: "text" };

/** The decoded parts of a mail, and its headers. */
function read({ raw }: Received): { readonly headers: string; readonly bodies: readonly string[] } {
  const end = raw.indexOf("\r\n\r\n");
  const bodies = [
    ...raw.matchAll(/Content-Transfer-Encoding: base64\r\n(?:[A-Z][^\r\n]*\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/g),
  ].map(([, text = ""]) => Buffer.from(text, "base64").toString("utf8"));
  return { headers: raw.slice(0, end), bodies };
}

it("sends to several, with an attachment, as the one sender", async () => {
  await post().send({
    to: ["Ann@partner.example.org", "bob@EXAMPLE.com"],
    subject: "Grüße – 1",
    text: "Zeile eins\n.\nZeile drei\r\n..\r\n",
    attachments: ["report.txt"],
  });
  expect(received).toHaveLength(1);
  const [mail] = received;
  if (mail === undefined) return;
  expect(mail.from).toBe("desk@example.com");
  expect(mail.to).toEqual(["Ann@partner.example.org", "bob@example.com"]);
  const { headers, bodies } = read(mail);
  expect(headers).toMatch(/^From: desk@example\.com\r$/m);
  expect(headers).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(headers).not.toMatch(/^(Bcc|Cc|Reply-To|Sender):/im);
  expect(bodies.map((one) => one.replace(/\r\n/g, "\n"))).toEqual([
    "Zeile eins\n.\nZeile drei\n..\n",
    "Umsätze\n.\nQUIT\n",
  ]);
});

describe("attacks", () => {
  const addresses = [
    "eve@evil.example",
    "bob@example.com.evil.example",
    "bob@sub.example.com",
    "bob@example.com@evil.example",
    "eve@evil.example,bob@example.com",
    "bob@example.com, eve@evil.example",
    "bob@example.com;eve@evil.example",
    "bob@example.com eve@evil.example",
    "<eve@evil.example> bob@example.com",
    "bob@example.com>\r\nRCPT TO:<eve@evil.example",
    "bob@example.com\r\nBcc: eve@evil.example",
    "bob@example.com\n",
    "bob@example.com\0",
    '"bob\r\n"@example.com',
    '"eve@evil.example"@example.com',
    "bob%evil.example@example.com",
    "bob@[127.0.0.1]",
    "bob@example.com SIZE=1",
    "bob(comment)@example.com",
    "group:eve@evil.example;",
    "bob@exаmple.com",
    "bоb@example.com",
    "bob@example.com\u202e",
    ".bob@example.com",
    "bob..x@example.com",
    "-oQ/tmp@example.com",
    "|sh@example.com",
    "@example.com",
    "bob",
    "",
    `${"x".repeat(65)}@example.com`,
  ];
  it(`refuses each of ${addresses.length} recipients`, async () => {
    const passed: string[] = [];
    for (const address of addresses) {
      const [one] = await Promise.allSettled([post().send({ ...plain, to: [address] })]);
      if (one?.status !== "rejected" || !["address", "recipient"].includes(one.reason.code))
        passed.push(address);
    }
    expect(passed).toEqual([]);
    expect(commands).toEqual([]);
  });

  const subjects = [
    "x\r\nBcc: eve@evil.example",
    "x\nBcc: eve@evil.example",
    "x\rBcc: eve@evil.example",
    "x\r\n\r\nother text",
    "x\0y",
    "x\u2028Bcc: eve@evil.example",
    "x\u0085y",
    "x\u000by",
    "x\u202ey",
    "x\ud800",
    "x".repeat(201),
  ];
  it(`refuses each of ${subjects.length} subjects`, async () => {
    for (const subject of subjects)
      await expect(post().send({ ...plain, subject })).rejects.toMatchObject({ code: "subject" });
    expect(commands).toEqual([]);
    await post().send({ ...plain, subject: "x".repeat(200) });
    expect(received).toHaveLength(1);
  });

  const smuggled = [
    "a\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\r\nDATA\r\nx\r\n.\r\n",
    "a\n.\nMAIL FROM:<eve@evil.example>\n",
    "a\n.\r\nMAIL FROM:<eve@evil.example>\r\n",
    "a\r\n.\nMAIL FROM:<eve@evil.example>\n",
    "--boundary\r\nContent-Type: text/html\r\n\r\n<b>",
  ];
  it("sends lines of the protocol as text, and never as lines", async () => {
    for (const text of smuggled) await post().send({ ...plain, text });
    expect(received).toHaveLength(smuggled.length);
    for (const [at, mail] of received.entries()) {
      expect(mail.to).toEqual(["bob@example.com"]);
      expect(read(mail).bodies[0]?.replace(/\r?\n/g, "\n")).toBe(smuggled[at]?.replace(/\r?\n/g, "\n"));
    }
    expect(commands.filter((one) => one.includes("evil"))).toEqual([]);
    for (const text of ["a\r.\r", "a\0", "\ud800"])
      await expect(post().send({ ...plain, text })).rejects.toMatchObject({ code: "bad-text" });
  });

  it("attaches nothing from elsewhere", async () => {
    symlinkSync("/etc/passwd", join(base, "files/link.txt"));
    writeFileSync(join(base, "secret.txt"), "secret");
    for (const path of [
      "link.txt",
      "../secret.txt",
      "/etc/passwd",
      ".env",
      "missing.txt",
      "data:text/plain,x",
      "https://x.io/y",
      "",
    ])
      await expect(post().send({ ...plain, attachments: [path] })).rejects.toMatchObject({ name: "Refused" });
    const without = mailer({
      host: "127.0.0.1",
      port,
      plain: true,
      from: "desk@example.com",
      recipients: ["@example.com"],
    });
    await expect(without.send({ ...plain, attachments: ["report.txt"] })).rejects.toMatchObject({
      code: "attachment",
    });
    expect(commands).toEqual([]);
  });

  it("sends nothing without TLS, nor to a server that nobody vouches for", async () => {
    await expect(post({ plain: false }).send(plain)).rejects.toMatchObject({ name: "Refused" });
    expect(commands).toEqual([]);
    const unknown = await start({});
    await expect(post({ plain: false, port: portOf(unknown.server) }).send(plain)).rejects.toMatchObject({
      code: "tls",
    });
    await expect(post({ plain: false, secure: true }).send(plain)).rejects.toMatchObject({ name: "Refused" });
    expect(commands).toEqual([]);
    expect(() => post({ host: "mail.example.com" })).toThrow(
      expect.objectContaining({ code: "bad-options" }),
    );
    for (const recipients of [["@"], ["example.com"], ["@example.com\n"], ["*"]])
      expect(() => post({ recipients })).toThrow(expect.objectContaining({ code: "bad-options" }));
    expect(() => post({ from: "Desk <desk@example.com>" })).toThrow(
      expect.objectContaining({ code: "bad-options" }),
    );
  });

  it.skipIf(!hasOpenssl)(
    "sends with TLS to a server that the operator vouches for, and to no other",
    async () => {
      const [key, cert] = [join(base, "key.pem"), join(base, "cert.pem")];
      const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
      execFileSync(
        "openssl",
        [
          "req",
          "-x509",
          "-newkey",
          "rsa:2048",
          "-nodes",
          "-days",
          "2",
          ...subject,
          "-keyout",
          key,
          "-out",
          cert,
        ],
        { stdio: "ignore" },
      );
      const pair = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
      const starting = portOf((await start(pair)).server);
      const secured = portOf((await start({ ...pair, secure: true })).server);
      await expect(post({ plain: false, port: starting }).send(plain)).rejects.toMatchObject({ code: "tls" });
      await expect(post({ plain: false, secure: true, port: secured }).send(plain)).rejects.toMatchObject({
        code: "tls",
      });
      expect(received).toEqual([]);
      await post({ plain: false, port: starting, ca: pair.cert }).send(plain);
      await post({ plain: false, secure: true, port: secured, ca: pair.cert }).send(plain);
      expect(received).toHaveLength(2);
    },
  );

  it("says so if a recipient is refused by the server", async () => {
    await expect(post().send({ ...plain, to: ["gone@example.com"] })).rejects.toMatchObject({
      code: "rejected",
    });
    await expect(
      post().send({ ...plain, to: ["bob@example.com", "gone@example.com"] }),
    ).rejects.toMatchObject({
      code: "rejected",
    });
  });
});

describe("limits", () => {
  it("hold at and beyond mails, recipients and bytes", async () => {
    const limited = post();
    await expect(limited.send({ ...plain, to: [] })).rejects.toMatchObject({ code: "too-many" });
    await expect(
      limited.send({ ...plain, to: ["a@example.com", "b@example.com", "c@example.com"] }),
    ).rejects.toMatchObject({ code: "too-many" });
    await expect(limited.send({ ...plain, to: ["a@example.com", "A@example.com"] })).rejects.toMatchObject({
      code: "address",
    });
    await expect(limited.send({ ...plain, text: "x".repeat(1001) })).rejects.toMatchObject({
      code: "too-large",
    });
    await expect(
      limited.send({ ...plain, attachments: Array.from({ length: 11 }, () => "report.txt") }),
    ).rejects.toMatchObject({ code: "too-many" });
    expect(commands).toEqual([]);
    await limited.send({ ...plain, text: "x".repeat(1000) });
    await limited.send({ ...plain, to: ["a@example.com", "b@example.com"] });
    await limited.send(plain);
    await expect(limited.send(plain)).rejects.toMatchObject({ code: "too-many" });
    expect(received).toHaveLength(3);
  });

  it("end a server that is silent, drips, or talks without end", async () => {
    const servers: ((socket: Socket) => void)[] = [
      () => {},
      (socket) => {
        const timer = setInterval(() => socket.write("220-x\r\n"), 20);
        socket.on("close", () => clearInterval(timer));
      },
      (socket) => {
        const flood = () => {
          while (socket.writable && socket.write("x".repeat(65_536)));
        };
        socket.on("drain", flood);
        flood();
      },
    ];
    for (const talk of servers) {
      const hostile = createServer((socket) => {
        socket.on("error", () => {});
        talk(socket);
      });
      await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
      const sockets = new Set<Socket>();
      hostile.on("connection", (socket) => sockets.add(socket));
      await expect(post({ port: portOf(hostile), timeoutMs: 500 }).send(plain)).rejects.toMatchObject({
        name: "Refused",
      });
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => hostile.close(resolve));
    }
  });
});
