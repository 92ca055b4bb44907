/** Tools that print wherever they can: with `--json`, standard output is one JSON document all the same. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";

/** Every way to print; \`where\` tells the calls apart. */
const loud = `
import { execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process";
import { log } from "node:console";
import { appendFileSync, createWriteStream, writeFileSync, writeSync } from "node:fs";
import { stdout } from "node:process";
import { Worker } from "node:worker_threads";
import { contract, tool } from "foreclaim";

const shout = (where: string): void => {
  console.log("log", where);
  console.info("info", where);
  console.debug("debug", where);
  console.dir({ dir: where });
  console.table([{ table: where }]);
  new console.Console(process.stdout).log("own console", where);
  log("named log", where);
  process.stdout.write("write " + where + "\\n");
  stdout.write("named write " + where + "\\n");
  writeSync(1, "descriptor " + where + "\\n");
  writeFileSync(1, "whole " + where + "\\n");
  appendFileSync(1, "appended " + where + "\\n");
  execSync("echo exec " + where, { stdio: "inherit" });
  execFileSync("echo", ["execFile", where], { stdio: ["ignore", "inherit", "inherit"] });
  spawnSync("echo", ["spawnSync", where], { stdio: [0, 1, 2] });
  spawnSync("echo", ["stream", where], { stdio: ["ignore", process.stdout, "ignore"] });
};
const late = (where: string): void => {
  spawn("sh", ["-c", "echo spawn " + where + "; sleep 0.2; echo later " + where], { stdio: "inherit" });
  fork("./child.mjs");
  new Worker("console.log('worker'); process.stdout.write('worker write\\\\n')", { eval: true });
  createWriteStream("", { fd: 1, autoClose: false }).write("file stream " + where + "\\n");
  setImmediate(() => shout("soon after " + where));
  setTimeout(() => shout("long after " + where), 100);
};

shout("load");
process.on("exit", () => {
  shout("exit");
  process.stdout.end("ended at exit\\n");
  process.stdout.write("after the end\\n");
});

export const pay = tool({
  run: async ({ amount }: { amount: number }): Promise<void> => {
    shout("call");
    late("call");
    await new Promise((done) => setTimeout(done, 20));
  },
});
export const few = contract((n: number) => pay.count() <= n);
`;
const program = `
import { program } from "foreclaim";
import * as loud from "./tools/loud";
export default program({
  guarantees: [loud.few(1)],
  async run() {
    await loud.pay({ amount: 1 });
  },
});
`;
const plan = `{"actions": [{"id": "a", "type": "tool_call", "tool": "loud.pay", "parameters": {"amount": 1}}]}`;

const folder = mkdtempSync(join(tmpdir(), "foreclaim-prints-"));
beforeAll(async () => {
  await build();
  mkdirSync(join(folder, "tools"));
  const files = {
    "tools/loud.ts": loud,
    "pay.ts": program,
    "plan.json": plan,
    "child.mjs": "console.log('fork');",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Outputs in which each text must appear, so that it is known to have been printed. */
const printed = [
  ...[
    "log",
    "write",
    "descriptor",
    "exec",
    "execFile",
    "spawnSync",
    "stream",
    "named log",
    "named write",
  ].flatMap((how) =>
    ["load", "call", "soon after call", "long after call", "exit"].map((when) => `${how} ${when}`),
  ),
  ...["spawn call", "later call", "fork", "worker", "worker write", "file stream call", "ended at exit"],
];

test.each([
  ["run", ["run", "pay.ts", "--yes", "--json"]],
  ["run on a ledger", ["run", "pay.ts", "--yes", "--json", "--ledger", "new.db", "--budget", "5"]],
  ["plan run", ["plan", "run", "plan.json", "--yes", "--json"]],
])("`%s --json` through a pipe", async (_, args) => {
  const { code, out, err } = await foreclaim(args, { cwd: folder });
  expect(JSON.parse(out)).toMatchObject({ outcome: "done" });
  expect(code).toBe(0);
  const lines = new Set(err.split("\n"));
  expect(printed.filter((line) => !lines.has(line))).toEqual([]);
});

test("`run --json` into a file", async () => {
  const out = join(folder, "out.json");
  const files = [openSync(out, "w"), openSync(join(folder, "err.txt"), "a")] as const;
  const main = join(root, "dist/cli/main.js");
  const child = spawn(process.execPath, [main, "run", "pay.ts", "--yes", "--json"], {
    cwd: folder,
    stdio: ["ignore", ...files],
  });
  expect(await new Promise((done) => child.once("close", done))).toBe(0);
  for (const file of files) closeSync(file);
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ outcome: "done" });
});

test("without `--json`, a tool prints on standard output as ever", async () => {
  const { code, out } = await foreclaim(["run", "pay.ts", "--yes"], { cwd: folder });
  expect(code).toBe(0);
  expect(out).toContain("log call\n");
  expect(out).toContain("descriptor call\n");
});
