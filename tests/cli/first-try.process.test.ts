/**
 * Programs as agents write them, each right and with one mistake, by the command with default settings: no verdict is
 * "unknown".
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toolModule } from "../refute/broken-programs.ts";
import { inTurns } from "../support/runs.ts";
import { build, foreclaim } from "./built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-first-try-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  readonly name: string;
  readonly guarantee: string;
  readonly body: string;
  /** The change that breaks the guarantee. */
  readonly mistake: readonly [from: string, to: string];
}

const all = `const rows = await t.rows({ query: "all" });`;
const send = (to: string, body = '""') => `await t.send({ to: ${to}, subject: "", body: ${body} });`;

const cases: readonly Case[] = [
  {
    name: "the first ten of a longer list",
    guarantee: "t.atMost(10)",
    body: `${all} for (const r of rows.slice(0, 10)) ${send("r.email")}`,
    mistake: ["slice(0, 10)", "slice(0, 11)"],
  },
  {
    name: "a pattern as a guard",
    guarantee: 't.toDomain("@corp.com")',
    body: `${all} for (const r of rows) if (/@corp\\.com$/.test(r.email)) ${send("r.email")}`,
    mistake: ["com$/", "com/"],
  },
  {
    name: "entries with their positions",
    guarantee: "t.atMost(10)",
    body: `${all} for (const [i, r] of rows.entries()) { if (i >= 10) break; ${send("r.email")} }`,
    mistake: ["i >= 10", "i > 10"],
  },
  {
    name: "an inner query",
    guarantee: "t.dropMax(60)",
    body: `for (const r of await t.few({ id: "a" })) { const inner = await t.few({ id: r.id }); for (const x of inner.slice(0, 3)) await t.drop({ id: x.id }); }`,
    mistake: ["inner.slice(0, 3)", "inner"],
  },
  {
    name: "a counter for each recipient in a map",
    guarantee: "t.sentPer(2)",
    body: `${all} const sent = new Map<string, number>(); for (const r of rows) { const n = sent.get(r.email) ?? 0; if (n >= 2) continue; sent.set(r.email, n + 1); ${send("r.email")} }`,
    mistake: ["n >= 2", "n > 2"],
  },
  {
    name: "an index loop",
    guarantee: "t.atMost(10)",
    body: `${all} for (let i = 0; i < 10; i++) { const r = rows[i]; if (r) ${send("r.email")} }`,
    mistake: ["i < 10", "i <= 10"],
  },
  {
    name: "the address of the last row",
    guarantee: 't.toDomain("@corp.com")',
    body: `${all} let to = "me@corp.com"; for (const r of rows) if (r.email.endsWith("@corp.com")) to = r.email; ${send("to")}`,
    mistake: ['r.email.endsWith("@corp.com")', "r.note"],
  },
  {
    name: "a body that is built in a loop",
    guarantee: "t.bodyMax(200)",
    body: `${all} let body = ""; for (const r of rows) { const line = r.id + "\\n"; if (body.length + line.length > 200) break; body += line; } ${send('"a"', "body")}`,
    mistake: ["body.length + line.length > 200", "body.length > 200"],
  },
  {
    name: "up to 100 rows",
    guarantee: "t.atMost(100)",
    body: `${all} for (const r of rows) ${send("r.email")}`,
    mistake: ["t.atMost(100)", "t.atMost(10)"],
  },
  {
    name: "up to 100 rows that are open",
    guarantee: "t.atMost(100)",
    body: `${all} for (const r of rows) { if (r.status !== "open") continue; ${send("r.email")} }`,
    mistake: ["t.atMost(100)", "t.atMost(10)"],
  },
  {
    name: "20 in a loop",
    guarantee: "t.payAtMost(20)",
    body: `for (const r of await t.few({ id: "a" })) await t.pay({ id: r.id, amount: 1 });`,
    mistake: ["t.payAtMost(20)", "t.payAtMost(19)"],
  },
];

const programOf = ({
  guarantee,
  body,
}: Pick<Case, "guarantee" | "body">) => `import { program } from "foreclaim";
import * as t from "./tools/t";
export default program({ guarantees: [${guarantee}], async run() {
${body}
} });
`;

/** Each case right, and with its mistake. */
const files = cases.flatMap((one, i) => {
  const { mistake, name } = one;
  const [from, to] = mistake;
  const [guarantee, body] = [one.guarantee, one.body].map((text) => text.replace(from, () => to));
  if (guarantee === undefined || body === undefined || guarantee + body === one.guarantee + one.body)
    throw new Error(`${name}: there is no ${from}`);
  return [
    { path: `right-${i}.ts`, name, text: programOf(one), verdict: "proved" },
    {
      path: `wrong-${i}.ts`,
      name: `${name}: ${to}`,
      text: programOf({ guarantee, body }),
      verdict: "refuted",
    },
  ];
});

beforeAll(async () => {
  await build();
  mkdirSync(join(folder, "tools"));
  writeFileSync(join(folder, "tools/t.ts"), toolModule);
});

it("decides all of them", { timeout: 300_000 }, async () => {
  const some = inTurns(files, 4);
  for (const { path, text } of some) writeFileSync(join(folder, path), text);
  const { out } = await foreclaim(["prove", "--json", ...some.map(({ path }) => path)], { cwd: folder });
  const verdicts = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ verdict }) => verdict);
  expect(some.map(({ name }, i) => `${name}: ${verdicts[i]}`)).toEqual(
    some.map(({ name, verdict }) => `${name}: ${verdict}`),
  );
});
