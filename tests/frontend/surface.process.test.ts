/** The language surface: examples type-check as they stand, and wrong use is a type error. */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleFiles } from "./examples.ts";
import { officeModules } from "./natural/office.ts";
import { naturalPrograms } from "./natural/programs.ts";
import { wrongLine, wrongUses } from "./wrong-uses.ts";

const root = join(import.meta.dirname, "../..");
let folder = "";

beforeAll(() => {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  folder = realpathSync(mkdtempSync(join(root, "node_modules/.cache/surface-")));
  for (const [path, text] of Object.entries(exampleFiles)) write(path, text);
  write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        target: "es2023",
        lib: ["es2023"],
        types: ["node"],
        module: "esnext",
        moduleResolution: "bundler",
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        paths: { foreclaim: [join(root, "src/frontend/surface/index.ts")] },
      },
      include: ["**/*.ts"],
    }),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function typeErrors(): string[] {
  const result = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"],
    {
      encoding: "utf8",
      cwd: folder,
    },
  );
  return result.stdout.split("\n").filter((line) => line.includes("error TS"));
}

/** Each line is right, or has a type error where it says so. */
const uses = `import { automaton, contract, coverage, fluent, flowsFrom, influencedBy, input, type Int, labelled, mayRead, pathInside, program, tool, unknown, untrusted, urlInside } from "foreclaim";
import * as bank from "./tools/bank";
import * as email from "./tools/email";
import * as home from "./tools/home";
import * as db from "./tools/db";
const ping = tool({ reads: true, idempotent: true, source: "untrusted", run: async (): Promise<string> => "" });
const level = fluent<string, Int>({ initial: unknown });
const both = contract((n: number) => email.atMost(n) && !email.none() && level.final.get("a") >= 0);
const opened = contract(() => home.doorLocked.always.all((d) => d.value || d.key === "x"));
const told = contract(() => labelled<{ addr: string }>("message").all((m) => m.addr !== ""));
const rows = contract(() => db.query.rows.where((r) => r.consented).perKey((r) => r.role).count() <= 3);
const order = contract(() => bank.balance.before(bank.withdraw) && bank.balance.precedes(bank.withdraw, (a, b) => a.account === b.account));
const flow = contract(() => email.send.none((e) => flowsFrom(e.msg, db.query)));
const sources = contract(() => email.send.none((e) => flowsFrom(e.msg, db.query, "email") || flowsFrom(e, "message") || flowsFrom(e.msg, labelled("message")) || flowsFrom(e.msg, input()) || influencedBy(e, input("limit")) || influencedBy(e, db.query) || untrusted(e.msg)));
const readers = contract(() => email.send.all((e) => mayRead(e.msg, e.addr) && mayRead(e.msg, [e.addr, "me"])));
const steps = contract((limit: number) => automaton({ states: ["idle", "asked"], start: "idle", on: [{ from: "idle", call: bank.balance, to: "asked" }, { from: ["idle", "asked"], call: bank.withdraw, when: (w) => w.amount > limit, to: "bad" }, { from: "asked", call: email.send.where((e) => e.addr === "x"), when: (e) => e.msg !== "", to: "idle" }, { from: "asked", call: labelled<{ addr: string }>("message"), when: (m) => m.addr === "", to: "bad" }], error: ["bad"] }));
const marked = tool({ stores: ["mail"], endorses: [db.query, "private", labelled("x"), input(), "untrusted"], readers: (row, { n }) => [row.to, n], run: async ({ n }: { n: string }): Promise<{ to: string }[]> => [] });
const endorsed = tool({ stores: [], endorses: "untrusted", readers: (text) => [text.trim()], run: async (): Promise<string> => "" });
void [sources, readers, steps, marked, endorsed];
const texts = contract((root: string) => email.send.all((e) => pathInside(e.addr, root) || urlInside(e.msg, "https://a.b") || /^a$/i.test(e.msg)));
const near: boolean = pathInside("a", "b");
const some = coverage({ whenUsed: [bank.withdraw, email.send], recommended: [bank.maxSpend], required: [email.atMost(3), email.none] });
export default program({
  guarantees: [bank.maxSpend(500), both(2), opened(), told(), rows(), order(), flow()],
  async run({ limit }: { limit: number }) {
    await ping();
    await ping({});
    const users = await db.query({ table: "users" });
    for (const user of users) await email.send({ addr: user.email, msg: user.name });
    await bank.withdraw({ account: "a", amount: limit });
  },
});
void some;
void texts;
void near;
const w1 = email.send({ addr: "a" }); // error
const w2 = email.send({ addr: "a", msg: "b", cc: "c" }); // error
const w3 = email.only("a"); // error
const w4 = email.atMost(); // error
const w5 = program({ guarantees: [], async run() {} }); // error
const w6 = program({ guarantees: [true], async run() {} }); // error
const w7 = contract(() => email.send.all((e) => e.address === "x")); // error
const w8 = contract(() => email.send.count()); // error
const w9 = fluent<string, boolean>({ initial: 3 }); // error
const w10 = contract(() => email.send.rows.some()); // error
const w11 = home.doorLocked.set("a", 1); // error
const w12 = tool({ requires: ({ x }) => x > 1, run: async ({ x }: { x: string }): Promise<void> => {} }); // error
const w13 = tool({ source: "trusted", run: async (): Promise<void> => {} }); // error
const w14 = contract(() => email.send.max((e) => e.msg.length) <= 3); // error
const w15 = pathInside(1, "/"); // error
const w16 = program({ guarantees: [pathInside("a", "b")], async run() {} }); // error
const w17 = contract(() => email.send.none((e) => flowsFrom(e.msg, db.query, "mail"))); // error
const w18 = contract(() => email.send.none((e) => flowsFrom(e.msg, email.send.where((x) => true)))); // error
const w19 = contract(() => email.send.none((e) => flowsFrom(e.msg, "message", "addr"))); // error
const w20 = contract(() => email.send.none((e) => influencedBy(e.msg, db.query))); // error
const w21 = contract(() => email.send.all((e) => mayRead(e.msg, 1))); // error
const w22 = contract(() => automaton({ states: ["idle"], start: "idel", on: [], error: "bad" })); // error
const w23 = contract(() => automaton({ states: ["idle"], start: "idle", on: [{ from: "idle", call: bank.withdraw, to: "bda" }], error: "bad" })); // error
const w24 = contract(() => automaton({ states: ["idle"], start: "idle", on: [{ from: "idle", call: bank.withdraw, when: (w) => w.amnt > 1, to: "bad" }], error: "bad" })); // error
const w25 = contract(() => automaton({ states: ["idle"], start: "idle", on: [{ from: "idle", call: 3, to: "bad" }], error: "bad" })); // error
const w26 = tool({ endorses: "trusted", run: async (): Promise<string> => "" }); // error
const w27 = tool({ readers: (row) => row.too, run: async (): Promise<{ to: string[] }[]> => [] }); // error
const w28 = tool({ readers: (text) => text, run: async (): Promise<string> => "" }); // error
const w29 = tool({ stores: "mail", run: async (): Promise<string> => "" }); // error
`;

describe("the language surface", () => {
  it("marks wrong use in the line where the front end refuses it, and nothing that agents naturally write", () => {
    for (const { path, source } of wrongUses) write(path, source);
    for (const [name, text] of Object.entries(officeModules)) write(`office/tools/${name}.ts`, text);
    naturalPrograms.forEach(({ source }, i) => {
      write(`office/natural-${i}.ts`, source);
    });
    const found = new Set(typeErrors().map((line) => line.replace(/^(.*)\((\d+),.*$/, "$1 $2")));
    const expected = wrongUses.map((use) => `${use.path} ${wrongLine(use)}`);
    for (const { path } of wrongUses) rmSync(join(folder, path));
    expect([...found].sort()).toEqual(expected.sort());
  });

  it("takes the examples, and refuses wrong use", () => {
    write("uses.ts", uses);
    const lines = uses.split("\n");
    const expected = lines.flatMap((line, i) => (line.endsWith("// error") ? [i + 1] : []));
    const errors = typeErrors();
    const found = errors.map((line) => Number(/(?:^|\/)uses\.ts\((\d+),/.exec(line)?.[1] ?? -1));
    expect([...new Set(found)], errors.join("\n")).toEqual(expected);
  });
});
