/** Nine programs that a reviewer meets, each with the tools of an example, and the headline that is read first. */

export interface Kind {
  /** The example whose tools it uses. */
  readonly tools: string;
  readonly body: string;
  readonly headline: string;
  readonly level: "red" | "amber" | "green";
}

const sends = Array.from(
  { length: 24 },
  (_, i) => `await email.send({ addr: "p${i}@example.com", msg: "Hello ${i}" });`,
);

export const kinds: Readonly<Record<string, Kind>> = {
  "silent-with-untrusted-choice": {
    tools: "email",
    body: `guarantees: [email.noGuarantees()],
  async run() {
    for (const mail of await email.inbox())
      if (mail.urgent && mail.from.includes("@")) await email.send({ addr: mail.from, msg: "Thank you." });
  },`,
    level: "red",
    headline:
      "Untrusted text chooses `addr` of `email.send`, by results of `email.inbox` (line 8); and 2 more risks",
  },
  "small-and-good": {
    tools: "email",
    body: `guarantees: [email.only(["bob@example.com"]), email.atMost(1), email.uniqueRecipients()],
  async run() {
    await email.send({ addr: "bob@example.com", msg: "Lunch at noon?" });
  },`,
    level: "green",
    headline: "All 3 guarantees hold in every run, and cover every change that it makes",
  },
  gaps: {
    tools: "email",
    body: `guarantees: [email.atMost(1)],
  async run({ name }: { name: string }) {
    const addr = await email.lookup({ name });
    if (addr !== undefined) await email.send({ addr, msg: "Lunch at noon?" });
  },`,
    level: "amber",
    headline: "Recommended, but not guaranteed: `email.only`",
  },
  "refuted-flow": {
    tools: "guardians",
    body: `guarantees: [mail.inboxStays("corp.example"), mail.trustedRecipient()],
  async run() {
    const mails = await mail.fetch();
    const text = await mail.summarize({ text: mails.map((one) => one.body).join(" ") });
    const to = await mail.addressIn({ text });
    await mail.send({ to, body: text });
  },`,
    level: "red",
    headline:
      'Refuted: every `mail.send` has `to` ending with "@corp.example" or `body` that carries no data from `mail.fetch` (or both); and 3 more risks',
  },
  loop: {
    tools: "policies",
    body: `guarantees: [data.agreedOnly()],
  async run() {
    for (const person of await data.people()) if (person.agreed) await data.dial({ phone: person.phone });
  },`,
    level: "green",
    headline: "Its guarantee holds in every run, and covers every change that it makes",
  },
  "big-13-guarantees": {
    tools: "email",
    body: `guarantees: [
    email.only(["bob@example.com", "carol@example.com", "dan@example.com"]),
    email.copiesOnly(["carol@example.com"]),
    email.atMost(12),
    email.eachAtMost(4),
    email.reaches("bob@example.com"),
    email.reaches("carol@example.com"),
    email.reaches("dan@example.com"),
    email.recipientAtMost("bob@example.com", 4),
    email.recipientAtMost("carol@example.com", 4),
    email.recipientAtMost("dan@example.com", 4),
    email.contentLengthAtMost(200),
    email.insideDomain("example.com"),
    email.subjectStartsWith("[club]"),
  ],
  async run({ note }: { note: string }) {
    const text = note.slice(0, 100);
    for (const [i, name] of ["bob", "carol", "dan"].entries()) {
      const addr = \`\${name}@example.com\`;
      await email.send({ addr, msg: text, subject: \`[club] News \${i}\` });
      await email.send({ addr, msg: "The minutes are here.", subject: "[club] Minutes", cc: ["carol@example.com"] });
      await email.send({ addr, msg: "Please vote.", subject: "[club] Vote" });
      await email.send({ addr, msg: "Thank you.", subject: "[club] Thanks" });
    }
  },`,
    level: "amber",
    headline: "3 guarantees may not hold if the run stops early; and one more risk",
  },
  "long-counterexample": {
    tools: "email",
    body: `guarantees: [email.atMost(23)],
  async run() {
    ${sends.join("\n    ")}
  },`,
    level: "red",
    headline: "Refuted: `email.send` is called at most 23 times; and 2 more risks",
  },
  "answer-with-private-data": {
    tools: "agentdojo",
    body: `guarantees: [banking.onlyTools(["send_money"])],
  async run() {
    const balance = await banking.get_balance({});
    const made = await banking.get_most_recent_transactions({ n: 3 });
    return { balance, made };
  },`,
    level: "amber",
    headline: "It tells the agent results of `banking.get_balance`, which only some may read",
  },
  "mixed-script-address": {
    tools: "email",
    body: `guarantees: [email.only(["b\u043eb@example.com"]), email.uniqueRecipients()],
  async run() {
    await email.send({ addr: "b\u043eb@example.com", msg: "The figures." });
  },`,
    level: "amber",
    headline: '"b\\u043eb@example.com" has letters that look like others',
  },
};

const modules: Readonly<Record<string, string>> = {
  email: "email",
  guardians: "mail",
  policies: "data",
  agentdojo: "banking",
};

export function textOf({ tools, body }: Kind): string {
  const module = modules[tools] ?? tools;
  return `import { program } from "foreclaim";\nimport * as ${module} from "./tools/${module}";\n\nexport default program({\n  ${body}\n});\n`;
}
