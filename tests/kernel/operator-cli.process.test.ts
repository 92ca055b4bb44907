/** A living kernel from the command line, and a ledger that is read without the right to write. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newKeys } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-operator-"));
afterAll(() => {
  chmodSync(join(folder, "closed"), 0o755);
  rmSync(folder, { recursive: true, force: true });
});

const main = join(process.cwd(), "dist/cli/main.js");
const cli = (args: readonly string[], input = "") =>
  spawnSync(process.execPath, [main, ...args], { encoding: "utf8", cwd: folder, input });
const json = (args: readonly string[], input = "") => {
  const { status, stdout, stderr } = cli([...args, "--json"], input);
  return { status, stderr, ...JSON.parse(stdout.trim().split("\n").at(-1) || "{}") };
};
const file = (name: string, value: unknown) => {
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
  return name;
};

test("an operator stops, resumes, grants, observes and changes the policy, each an entry with its principal", () => {
  const keys = newKeys();
  file("ops.pem", keys.privateKey);
  file("principals.json", [{ name: "ops", operator: true, key: keys.publicKey }, { name: "ann" }]);
  file("rules.json", [{ name: "gate", enforcement: "blocking", rule: "approvalGate", key: "ok" }]);
  file("state.json", { ok: false, n: 1 });
  const made = json([
    "kernel",
    "init",
    "l.db",
    "--budget",
    "usd=2",
    "--rules",
    "rules.json",
    "--state",
    "state.json",
    "--principals",
    "principals.json",
    "--emergency",
    "halt",
  ]);
  expect(made).toMatchObject({ status: 0, ok: true });
  const ops = ["--principal", "ops", "--principal-key", "ops.pem"];
  const pay = '{"id":"pay","cost":"2"}\n';
  // Without a credential one is `local`, whom this policy does not know.
  expect(json(["kernel", "exec", "l.db"], pay)).toMatchObject({
    status: 1,
    reasons: [{ code: "principal" }],
  });
  expect(json(["kernel", "exec", "l.db", "--principal", "ann"], pay)).toMatchObject({
    reasons: [{ code: "invariant" }],
  });
  expect(json(["kernel", "grant", "l.db", "ok", "--principal", "ann"])).toMatchObject({
    status: 1,
    reasons: [{ code: "principal" }],
  });
  expect(cli(["kernel", "grant", "l.db", "ok", "--principal", "ops"])).toMatchObject({ status: 2 });
  expect(json(["kernel", "grant", "l.db", "ok", ...ops])).toMatchObject({ status: 0, verdict: "allowed" });
  expect(json(["kernel", "exec", "l.db", "--principal", "ann"], pay)).toMatchObject({ verdict: "allowed" });
  expect(json(["kernel", "exec", "l.db", "--principal", "ann"], pay)).toMatchObject({
    reasons: [{ code: "budget" }],
  });
  expect(json(["kernel", "grant", "l.db", "--budget", "usd=0.5", ...ops])).toMatchObject({ status: 0 });
  expect(json(["kernel", "status", "l.db"]).budgets.usd).toMatchObject({ limit: "2.5", left: "0.5" });
  const policy = JSON.parse(cli(["kernel", "policy", "l.db", ...ops]).stdout);
  file("policy.json", { ...policy, probes: [{ name: "world", keys: ["n"] }] });
  expect(json(["kernel", "policy", "l.db", "policy.json", "--principal", "ann"])).toMatchObject({
    status: 1,
  });
  expect(json(["kernel", "policy", "l.db", "policy.json", ...ops])).toMatchObject({ status: 0 });
  expect(json(["kernel", "observe", "l.db", "world", ...ops], '{"n":1}')).toMatchObject({ status: 0 });
  expect(json(["kernel", "observe", "l.db", "world", ...ops], '{"n":5}')).toMatchObject({
    status: 1,
    reasons: [{ code: "drift" }],
  });
  expect(json(["kernel", "status", "l.db"]).stopped).toContain("differs");
  expect(json(["kernel", "observe", "l.db", "world", "--take", ...ops], '{"n":5}')).toMatchObject({
    status: 0,
  });
  expect(json(["kernel", "resume", "l.db", "looked", ...ops])).toMatchObject({ status: 0 });
  expect(json(["kernel", "stop", "l.db", "enough", ...ops])).toMatchObject({ status: 0 });
  expect(json(["kernel", "exec", "l.db", "--principal", "ann"], '{"id":"halt"}\n')).toMatchObject({
    verdict: "allowed",
  });
  expect(json(["trace", "verify", "l.db"])).toMatchObject({ status: 0, ok: true });
  const shown = cli(["trace", "show", "l.db", "--json"])
    .stdout.trim()
    .split("\n")
    .map((line) => JSON.parse(line).entry);
  expect(shown.map(({ principal }) => principal)).toEqual(expect.arrayContaining(["ops", "ann", "local"]));
  expect(cli(["kernel", "grant", "l.db", ...ops]).status).toBe(2);
  expect(cli(["kernel", "grant", "l.db", "ok", "no json", ...ops]).status).toBe(2);
  expect(cli(["kernel", "grant", "l.db", "--budget", "usd", ...ops]).status).toBe(2);
});

test("verifying, showing and exporting need no right to write, and change nothing", async () => {
  const closed = join(folder, "closed");
  mkdirSync(closed);
  expect(cli(["kernel", "init", "closed/l.db", "--budget", "usd=2"]).status).toBe(0);
  expect(cli(["kernel", "exec", "closed/l.db"], '{"id":"pay","cost":"2"}\n').status).toBe(0);
  // The modes of files stop everybody but root, which therefore becomes somebody else.
  for (const name of readdirSync(closed)) chmodSync(join(closed, name), 0o444);
  chmodSync(closed, 0o555);
  chmodSync(folder, 0o755);
  const before = statSync(join(closed, "l.db"));
  const asOther = process.getuid?.() === 0 ? "process.setgid(65534); process.setuid(65534);" : "";
  const run = (args: readonly string[]) =>
    spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `${asOther} process.argv.splice(1, 0, "cli"); await import(${JSON.stringify(main)});`,
        ...args,
      ],
      { encoding: "utf8", cwd: folder, env: { ...process.env, HOME: folder } },
    );
  for (const args of [
    ["trace", "verify"],
    ["trace", "show"],
    ["trace", "export"],
    ["kernel", "status"],
  ]) {
    const { status, stderr } = run([...args, "closed/l.db"]);
    expect([args, status, stderr]).toEqual([args, 0, ""]);
  }
  expect(readdirSync(closed).sort()).toEqual(["l.db", "l.db-reserve", "l.db.key", "l.db.pub"]);
  expect(statSync(join(closed, "l.db")).mtimeMs).toBe(before.mtimeMs);
  await using ledger = await openLedger(`sqlite:${join(closed, "l.db")}`, { readOnly: true });
  expect(await ledger.read("main", 1, 9)).toHaveLength(2);
  await expect(ledger.transact("main", 2, () => [])).rejects.toThrow("open for reading only");
});
