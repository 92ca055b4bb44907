/** `foreclaim kernel`, on ledgers in real files. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Kernel } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { PostgresServer } from "../support/postgres.ts";
import { build, foreclaim, shell } from "./built.ts";
import { command } from "./in-process.ts";

const server = await PostgresServer.start();
let folder: string;
let number = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-kernel-cli-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

const fresh = (): string => join(folder, `ledger-${++number}.db`);

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const pay = { id: "pay", effects: [{ key: "paid", op: "set", value: true }], cost: { usd: "1.50" } };
const line = (value: unknown) => `${JSON.stringify(value)}\n`;

async function made(...options: readonly string[]): Promise<string> {
  const ledger = fresh();
  const { code, err } = await command(["kernel", "init", ledger, "--budget", "usd=10", ...options]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return ledger;
}

async function status(ledger: string): Promise<Record<string, unknown>> {
  const found: unknown = (await command(["kernel", "status", ledger, "--json"])).json();
  expect(found).toBeTypeOf("object");
  return { ...(found as object) };
}

describe("kernel init", () => {
  it("makes a kernel with everything that was asked for", async () => {
    const ledger = fresh();
    const rules = [{ name: "few", enforcement: "blocking", rule: "rateLimit", key: "sent", max: 2 }];
    const { code, json } = await command(
      ["kernel", "init", ledger, "--budget", "usd=10", "--budget", "calls=5", "--min-cost", "1"]
        .concat(["--max-steps", "100", "--emergency", "halt", "--json"])
        .concat(["--state", file("s.json", { sent: 0 }), "--rules", file("rules.json", rules)]),
    );
    expect(code).toBe(0);
    expect(json()).toMatchObject({ ok: true, kernel: "main", version: 0, seq: 1, key: `${ledger}.key` });
    expect(await status(ledger)).toMatchObject({
      version: 0,
      state: { sent: 0 },
      steps: 0,
      budgets: {
        usd: { limit: "10", gross: "0", net: "0", reserved: "0" },
        calls: { limit: "5", gross: "0", net: "0", reserved: "0" },
      },
      inDoubt: [],
    });
  });

  it("keeps the key from others", async () => {
    const ledger = await made();
    expect(statSync(`${ledger}.key`).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${ledger}.key`, "utf8")).toContain("PRIVATE KEY");
    expect(readFileSync(`${ledger}.pub`, "utf8")).toContain("PUBLIC KEY");
  });

  it("changes nothing when the kernel is there", async () => {
    const ledger = await made();
    // What it holds, not its bytes: the engine may still be moving its log into the file.
    const before = await status(ledger);
    const key = readFileSync(`${ledger}.key`);
    const { code, json } = await command(["kernel", "init", ledger, "--budget", "usd=99", "--json"]);
    expect(code).toBe(2);
    expect(json()).toMatchObject({ ok: false, problems: [{ code: "FC9008" }] });
    expect(await status(ledger)).toEqual(before);
    expect(readFileSync(`${ledger}.key`).equals(key)).toBe(true);
  });

  it("makes several kernels on one ledger", async () => {
    const ledger = await made();
    expect((await command(["kernel", "init", ledger, "--kernel", "b", "--budget", "eur=1"])).code).toBe(0);
    const { out } = await command(["kernel", "status", ledger, "--kernel", "b", "--json"]);
    expect(out).toContain('"eur"');
    const { code, err } = await command(["kernel", "status", ledger, "--kernel", "c"]);
    expect(code).toBe(2);
    expect(err).toContain("it has `b` and `main`; choose one with --kernel");
  });

  it.each([
    ["a budget without an amount", ["--budget", "usd"]],
    ["a budget that is no number", ["--budget", "usd=ten"]],
    ["a negative budget", ["--budget", "usd=-1"]],
    ["a budget finer than its quantum", ["--budget", "usd=0.0000001"]],
    ["a budget twice", ["--budget", "usd=1", "--budget", "usd=2"]],
    ["a least cost without a budget", ["--min-cost", "1"]],
    ["a least cost of no budget", ["--budget", "usd=1", "--min-cost", "eur=1"]],
    ["a number of steps that is none", ["--budget", "usd=1", "--max-steps", "many"]],
    ["an unknown rule", ["--rules", '[{"name":"a","enforcement":"blocking","rule":"nice","key":"k"}]']],
    [
      "an unknown field",
      ["--rules", '[{"name":"a","enforcement":"blocking","rule":"rateLimit","key":"k","mx":1}]'],
    ],
    [
      "an unknown enforcement",
      ["--rules", '[{"name":"a","enforcement":"blokcing","rule":"rateLimit","key":"k","max":1}]'],
    ],
    ["a rule that is no JSON", ["--rules", "[{"]],
    ["rules that are no list", ["--rules", "{}"]],
    ["a state that is no object", ["--state", "[]"]],
    [
      "a state that breaks a rule",
      ["--rules", '[{"name":"a","enforcement":"blocking","rule":"rateLimit","key":"k","max":1}]'],
    ],
    ["an option that is unknown", ["--budgets", "usd=1"]],
  ])("refuses %s, and makes nothing", async (_, options) => {
    const ledger = fresh();
    const before = readdirSync(folder);
    const args = options.map((text, i) =>
      ["--rules", "--state"].includes(options[i - 1] ?? "") ? file("bad.json", text) : text,
    );
    const { code, out, err } = await command(["kernel", "init", ledger, ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^error FC\d{4}: /);
    expect(readdirSync(folder).filter((name) => !before.includes(name) && name !== "bad.json")).toEqual([]);
  });

  it("is only for ledgers that last", async () => {
    const { code, err } = await command(["kernel", "init", "memory:", "--budget", "usd=1"]);
    expect(code).toBe(2);
    expect(err).toContain("help: name a file");
  });
});

describe("kernel exec", () => {
  it("gives a line for each line, in order", async () => {
    const ledger = await made();
    const stdin = line(pay) + line({ id: "big", effects: [], cost: "100" }) + line(pay);
    const { code, lines, err } = await command(["kernel", "exec", ledger, "-", "--json"], { stdin });
    expect({ code, err }).toEqual({ code: 1, err: "" });
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    const receipt = expect.stringMatching(/^s\d+-[0-9a-f]{64}$/);
    const message = "it costs `100` of `usd`, and `8.5` is left";
    expect(lines()).toEqual([
      { verdict: "allowed", reasons: [], seq: 2, hash, version: 1, receipt },
      {
        verdict: "refused",
        reasons: [
          {
            code: "budget",
            message,
            reason: "over budget",
            args: { budget: "usd", cost: "100", left: "8.5" },
          },
        ],
        seq: 3,
        hash,
        version: 1,
      },
      { verdict: "allowed", reasons: [], seq: 4, hash, version: 2, receipt },
    ]);
    expect(await status(ledger)).toMatchObject({ version: 2, state: { paid: true }, steps: 2 });
  });

  it("reads a file, one that is laid out, a list, and standard input if nothing is named", async () => {
    const ledger = await made();
    const several = JSON.stringify([pay, pay], null, 2);
    const exec = (path: string[], stdin = "") =>
      command(["kernel", "exec", ledger, ...path, "--json"], { stdin });
    expect((await exec([file("a.json", pay)])).lines()).toHaveLength(1);
    expect((await exec([file("b.json", JSON.stringify(pay, null, 2))])).lines()).toHaveLength(1);
    expect((await exec([], several)).lines()).toHaveLength(2);
    expect(await status(ledger)).toMatchObject({ steps: 4 });
  });

  it("refuses a line that cannot be read, keeps that in the trace, and goes on", async () => {
    const ledger = await made();
    const stdin = `${line(pay)}{"id": "pay"\n\n[1]\nnull\n"text"\n{"id": 5}\n${line(pay)}`;
    const { code, lines } = await command(["kernel", "exec", ledger, "--json"], { stdin });
    expect(code).toBe(2);
    expect(lines()).toMatchObject([
      { verdict: "allowed" },
      {
        verdict: "refused",
        reasons: [{ code: "shape", message: expect.stringContaining("line 2 is not JSON") }],
      },
      { verdict: "refused" },
      { verdict: "refused" },
      { verdict: "refused" },
      { verdict: "refused" },
      { verdict: "allowed", seq: 8, version: 2 },
    ]);
    expect((await command(["trace", "verify", ledger, "--json"])).json()).toMatchObject({
      ok: true,
      entries: 8,
    });
  });

  it("takes 1 for an exit code if what is wrong is in an action, and not in the lines", async () => {
    const ledger = await made();
    const { code } = await command(["kernel", "exec", ledger, "--json"], {
      stdin: '{"id": "", "cost": true}\n',
    });
    expect(code).toBe(1);
  });

  it("is exact, also where JavaScript is not", async () => {
    const ledger = await made();
    const stdin = `{"id":"n","effects":[{"key":"n","op":"set","value":12345678901234567890.1}],"cost":0.1}\n`;
    await command(["kernel", "exec", ledger], { stdin: stdin + stdin + stdin });
    const { out } = await command(["kernel", "status", ledger, "--json"]);
    expect(out).toContain('"n":12345678901234567890.1');
    expect(out).toContain('"gross":"0.3"');
  });

  it("refuses bytes that are no UTF-8, and lines that are stale", async () => {
    const ledger = await made();
    const stdin = Buffer.concat([
      Buffer.from([0x22, 0xff, 0x22, 10]),
      Buffer.from(line({ ...pay, reads: 7 })),
    ]);
    const { code, lines } = await command(["kernel", "exec", ledger, "--json"], { stdin });
    expect(code).toBe(2);
    expect(lines()).toMatchObject([
      { reasons: [{ code: "shape", message: "line 1: the line is not UTF-8" }] },
      { reasons: [{ code: "version" }] },
    ]);
  });

  it.each([
    ["no such ledger", (ledger: string) => [`${ledger}.none`, "-"], "FC9006", "kernel init"],
    ["no such file", (ledger: string) => [ledger, "none.json"], "FC9002", "an action is"],
    ["no action at all", (ledger: string) => [ledger, "-"], "FC9002", "give one on each line"],
  ])("exits with 2 for %s", async (_, args, code, help) => {
    const found = await command(["kernel", "exec", ...args(await made()), "--json"], { stdin: "\n \n" });
    expect(found.code).toBe(2);
    expect(found.json()).toMatchObject({
      ok: false,
      problems: [{ code, help: expect.stringContaining(help) }],
    });
  });

  it("takes thousands at once, in order", async () => {
    const ledger = fresh();
    await command(["kernel", "init", ledger, "--budget", "usd=2000"]);
    const stdin = line({ id: "one", effects: [{ key: "n", op: "set", value: 1 }], cost: 1 }).repeat(3000);
    const { code, lines } = await command(["kernel", "exec", ledger, "--json"], { stdin });
    expect(code).toBe(1);
    const all = lines().map((one) => one as { seq: number; verdict: string });
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 2));
    expect(all.map(({ verdict }) => verdict === "allowed")).toEqual(all.map((_, i) => i < 2000));
  });

  it("does an emergency action when nothing else is allowed", async () => {
    const ledger = await made("--emergency", "halt", "--max-steps", "0");
    expect((await command(["kernel", "exec", ledger], { stdin: line(pay) })).code).toBe(1);
    expect((await command(["kernel", "exec", ledger], { stdin: line({ id: "halt" }) })).code).toBe(0);
  });
});

describe("kernel eval", () => {
  it("says the same and changes nothing", async () => {
    const ledger = await made();
    await command(["kernel", "exec", ledger], { stdin: line(pay) });
    const before = await status(ledger);
    const stdin = `${line(pay)}nonsense\n${line({ ...pay, cost: "100" })}`;
    const { code, lines } = await command(["kernel", "eval", ledger, "--json"], { stdin });
    expect(code).toBe(2);
    const place = { seq: 2, hash: before.head, version: 1 };
    expect(lines()).toMatchObject([
      { verdict: "allowed", reasons: [], ...place },
      { verdict: "refused", reasons: [{ code: "shape" }], ...place },
      { verdict: "refused", reasons: [{ code: "budget" }], ...place },
    ]);
    expect(await status(ledger)).toEqual(before);
  });
});

describe("kernel rollback", () => {
  it("undoes a step once, by its receipt, and tells what would make up for it", async () => {
    const ledger = await made();
    const stdin = line({ ...pay, undo: { refund: 1.5 } });
    const done = (await command(["kernel", "exec", ledger, "--json"], { stdin })).json();
    const { receipt } = done as { receipt: string };
    const { code, json } = await command(["kernel", "rollback", ledger, receipt, "--json"]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      verdict: "allowed",
      seq: 3,
      version: 2,
      result: { undo: [{ refund: 1.5 }] },
    });
    expect(await status(ledger)).toMatchObject({
      state: {},
      steps: 1,
      budgets: { usd: { gross: "1.5", net: "0" } },
    });
    const again = await command(["kernel", "rollback", ledger, receipt, "--json"]);
    expect(again.code).toBe(1);
    expect(again.json()).toMatchObject({ verdict: "refused", reasons: [{ code: "receipt" }] });
  });
});

describe("kernel resolve", () => {
  async function inDoubt(): Promise<{ ledger: string; receipts: string[] }> {
    const ledger = await made();
    const opened = await openLedger(`sqlite:${ledger}`);
    const kernel = await Kernel.open({ ledger: opened, clock: Date.now });
    if (!kernel.ok) throw new Error(kernel.problem.message);
    const one = await kernel.value.reserve(
      { id: "mail", effects: [{ key: "a", op: "set", value: 1 }], cost: "2" },
      "k1",
    );
    const two = await kernel.value.reserve({ id: "mail", effects: [], cost: "3" });
    await kernel.value.close();
    await opened.close();
    return { ledger, receipts: [one.receipt ?? "", two.receipt ?? ""] };
  }

  it("settles or releases what is in doubt", async () => {
    const { ledger, receipts } = await inDoubt();
    const [one = "", two = ""] = receipts;
    expect(await status(ledger)).toMatchObject({
      budgets: { usd: { reserved: "5" } },
      inDoubt: [{ receipt: one, action: "mail", key: "k1" }, { receipt: two }],
    });
    const { out } = await command(["kernel", "status", ledger]);
    expect(out).toContain(one);
    expect(out).toContain("foreclaim kernel resolve");
    const settle = [
      "kernel",
      "resolve",
      ledger,
      one,
      "--settle",
      "--cost",
      "1.20",
      "--outcome",
      '"sent"',
      "--json",
    ];
    expect((await command(settle)).json()).toMatchObject({ verdict: "allowed" });
    expect((await command(settle)).code).toBe(1);
    expect((await command(["kernel", "resolve", ledger, two, "--release", "never sent"])).code).toBe(0);
    expect(await status(ledger)).toMatchObject({
      state: { a: 1 },
      budgets: { usd: { reserved: "0", net: "1.2" } },
      inDoubt: [],
    });
  });

  it("needs to be told which", async () => {
    const { ledger, receipts } = await inDoubt();
    const [one = ""] = receipts;
    const before = await status(ledger);
    for (const options of [
      [],
      ["--settle", "--release", "no"],
      ["--release", "no", "--cost", "1"],
      ["--settle", "--outcome", "{"],
      ["--settle", "--cost", "1", "--cost", "2"],
    ]) {
      const { code, json } = await command(["kernel", "resolve", ledger, one, ...options, "--json"]);
      expect(code).toBe(2);
      expect(json()).toMatchObject({ ok: false, problems: [{ code: "FC9001" }] });
    }
    expect(await status(ledger)).toEqual(before);
    const { code } = await command(["kernel", "resolve", ledger, one, "--settle", "--cost", "3"]);
    expect(code).toBe(1);
  });
});

describe("a kernel whose rules are functions", () => {
  it("can be looked at, and is not judged by those who have not got them", async () => {
    const ledger = fresh();
    const opened = await openLedger(`sqlite:${ledger}`);
    const functions = [{ name: "mine", enforcement: "blocking" as const, check: () => true }];
    const kernel = await Kernel.open({ ledger: opened, functions, clock: Date.now, policy: {} });
    if (!kernel.ok) throw new Error(kernel.problem.message);
    await kernel.value.execute({ id: "a", effects: [{ key: "k", op: "set", value: 1 }] });
    await opened.close();
    expect(await status(ledger)).toMatchObject({ state: { k: 1 } });
    const verified = (await command(["trace", "verify", ledger, "--json"])).json();
    expect(verified).toMatchObject({ ok: true, notReplayed: ["mine"] });
    const { code, err } = await command(["kernel", "exec", ledger], { stdin: line(pay) });
    expect(code).toBe(2);
    expect(err).toContain("some rules of this kernel are functions");
  });
});

describe.skipIf(server === undefined)("on PostgreSQL", () => {
  it("does the same, and never shows a password", async () => {
    const ledger = server!.ledgerUrl("cli");
    const secret = new URL(ledger).password;
    const key = join(folder, "ops.pem");
    const said: string[] = [];
    const foreclaimed = async (args: readonly string[], stdin = "") => {
      const { code, out, err } = await command(args, { stdin });
      said.push(out, err);
      return code;
    };
    const init = ["kernel", "init", ledger, "--budget", "usd=3", "--key", key];
    expect(await foreclaimed(["kernel", "status", ledger])).toBe(2);
    expect(await foreclaimed(init)).toBe(0);
    expect(await foreclaimed(init)).toBe(2);
    expect(await foreclaimed(["kernel", "exec", ledger], line(pay).repeat(3))).toBe(1);
    expect(await foreclaimed(["kernel", "status", ledger])).toBe(0);
    expect(await foreclaimed(["trace", "show", ledger])).toBe(0);
    const checkpoint = join(folder, "pg.checkpoint");
    expect(await foreclaimed(["trace", "checkpoint", ledger, "--key", key, "-o", checkpoint])).toBe(0);
    const against = ["--checkpoint", checkpoint, "--key", join(folder, "ops.pub")];
    expect(await foreclaimed(["trace", "verify", ledger, ...against])).toBe(0);
    expect(await foreclaimed(["trace", "verify", ledger, "--checkpoint", checkpoint])).toBe(0);
    expect(await foreclaimed(["trace", "export", ledger, "-o", join(folder, "pg.jsonl")])).toBe(0);
    expect(await foreclaimed(["trace", "verify", join(folder, "pg.jsonl"), ...against])).toBe(0);
    const wrong = ledger.replace(secret, "another-secret");
    expect(await foreclaimed(["kernel", "status", wrong, "--json"])).toBe(2);
    expect(secret.length).toBeGreaterThan(0);
    expect(said.join("")).not.toContain(secret);
    expect(said.join("")).not.toContain("another-secret");
    expect(said.join("")).toContain("2 allowed, 1 refused");
  });
});

describe("the built command", () => {
  it("works as it does here, with a pipe that waits for every answer", async () => {
    await build();
    const ledger = fresh();
    const { code, out } = await foreclaim(["kernel", "init", ledger, "--budget", "usd=10"]);
    expect({ code, out: out.split("\n")[0] }).toEqual({
      code: 0,
      out: `made  the kernel \`main\` in ${ledger}`,
    });
    const script = `
      coproc FC { foreclaim kernel exec ${ledger} - --json; }
      for n in 1 2 3; do
        echo '${JSON.stringify(pay)}' >&"\${FC[1]}"
        read -r answer <&"\${FC[0]}" && echo "\${answer:0:20}"
      done
      eval "exec \${FC[1]}>&-"; wait`;
    const piped = await shell(script);
    expect(piped.out).toBe('{"verdict":"allowed"\n'.repeat(3));
    expect(existsSync(ledger)).toBe(true);
  });
});
