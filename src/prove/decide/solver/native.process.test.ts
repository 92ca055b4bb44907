/** Native solvers behind a pipe: accepted commands, and failures of the process. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nativeSolver } from "./native.ts";
import { type SolverLimits, SolverUnavailable } from "./port.ts";

const limits: SolverLimits = { timeoutMs: 20_000, resources: 1_000 };
const script = { text: "(assert false)", values: [] };
const folder = mkdtempSync(join(tmpdir(), "foreclaim-native-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each: what it prints as its version, and what is said about it. */
const versions: readonly (readonly [printed: string, message: string, help: string])[] = [
  [
    "Z3 version 4.8.12 - 64 bit",
    "the solver `COMMAND` is version 4.8.12, which is too old",
    "version 4.12.0 or newer is needed",
  ],
  [
    "Z3 version 4.11.2 - 64 bit",
    "the solver `COMMAND` is version 4.11.2, which is too old",
    "version 4.12.0 or newer is needed",
  ],
  [
    "This is cvc5 version 0.0.12",
    "the solver `COMMAND` is version 0.0.12, which is too old",
    "version 1.0.3 or newer is needed",
  ],
  ["GNU ed 1.19", "`COMMAND` is not a known solver", "it must be a z3 or a cvc5"],
  ["", "`COMMAND` is not a known solver", "it must be a z3 or a cvc5"],
];

describe("a command that is no solver", () => {
  it.each(versions)("because it prints %j", async (printed, message, help) => {
    const command = solverThat({ version: printed });
    const expected = message.replace("COMMAND", command);
    expect(await refusal(command)).toEqual([expected, help]);
    const answer = await nativeSolver(command).check(script, limits);
    expect(answer).toEqual({ kind: "unknown", reason: "error", detail: expected });
  });

  it("because there is none", async () => {
    expect(await refusal("no-such-solver")).toEqual([
      "the solver `no-such-solver` was not found",
      "install it, or choose no solver to use the bundled one",
    ]);
  });

  it("because it fails", async () => {
    const command = program("process.exit(1)");
    expect((await refusal(command))[0]).toBe(`the solver \`${command}\` could not be started`);
  });

  it("may be installed while we wait", async () => {
    const command = join(folder, "late");
    const solver = nativeSolver(command);
    await expect(solver.version()).rejects.toThrow("was not found");
    writeFileSync(command, solverText({ version: "Z3 version 4.15.0 - 64 bit" }));
    chmodSync(command, 0o755);
    expect(await solver.version()).toBe("4.15.0");
    await solver.close();
  });
});

it.each([
  ["Z3 version 4.12.0 - 64 bit", "4.12.0"],
  ["Z3 version 5.1.0 - 64 bit", "5.1.0"],
  ["Z3 version 10.0.2 - 64 bit - build hashcode 0", "10.0.2"],
  ["This is cvc5 version 1.0.3\ncompiled with GCC", "1.0.3"],
  ["This is cvc5 version 1.2.1-dev.12 [git]", "1.2.1"],
])("takes what prints %j", async (printed, version) => {
  const solver = nativeSolver(solverThat({ version: printed }));
  expect(await solver.version()).toBe(version);
  await solver.close();
});

/** Each: what the solver does when it is asked `(check-sat)`, and the answer that makes. */
const manners: readonly (readonly [name: string, check: string, answer: object])[] = [
  ["answers", "say('unsat\\n' + echo)", { kind: "unsat" }],
  ["answers in many parts", "for (const c of 'unsat\\n' + echo) { say(c); wait(1); }", { kind: "unsat" }],
  ["quotes what it echoes", `say('unsat\\n"' + mark + '"\\n')`, { kind: "unsat" }],
  ["ends its lines as others do", "say('unsat\\r\\n' + mark + '\\r\\n')", { kind: "unsat" }],
  [
    "also speaks of other things",
    "process.stderr.write('warning\\n'); say('unsat\\n' + echo)",
    { kind: "unsat" },
  ],
  ["crashes", "process.exit(9)", lost("crashed", /ended with code 9/)],
  [
    "says why it crashes",
    "console.error('segment fault'); process.exit(9)",
    lost("crashed", /code 9 segment fault/),
  ],
  ["is killed", "process.kill(process.pid, 'SIGKILL'); wait(9999)", lost("crashed", /SIGKILL/)],
  ["crashes after its answer", "say('unsat\\n'); process.exit(0)", lost("crashed", /code 0/)],
  ["closes its mouth", "require('fs').closeSync(1); wait(300); process.exit(0)", lost("crashed", /code 0/)],
  ["is out of memory", `say('(error "out of memory")\\n'); process.exit(101)`, lost("memory", /memory/)],
  ["ends with an error", `say('(error "no more")\\n'); process.exit(1)`, lost("error", /^no more$/)],
  ["hangs", "wait(60000)", lost("timeout", /no answer within 1000 ms/)],
  ["says nothing", "say(echo)", lost("error", /gave no answer/)],
  ["says something else", "say('perhaps\\n' + echo)", lost("error", /perhaps/)],
  ["says two things", "say('unsat\\nunsat\\n' + echo)", lost("error", /unsat\nunsat/)],
  ["complains first", `say('(error "bad")\\nunsat\\n' + echo)`, lost("error", /^bad$/)],
  ["speaks gibberish", "say(Buffer.from([0, 255, 254, 10]) + echo)", lost("error", /./)],
  ["never stops talking", "for (;;) say('x'.repeat(1 << 20))", lost("error", /says too much/)],
];

describe("a solver that", () => {
  it.each(manners)("%s is understood, and the next script is answered", async (_, check, answer) => {
    const solver = nativeSolver(solverThat({ check }), { engines: 1 });
    const timeoutMs = check.includes("60000") ? 1_000 : limits.timeoutMs;
    expect(await solver.check({ text: "; do as you like", values: [] }, { ...limits, timeoutMs })).toEqual(
      answer,
    );
    expect(await solver.check(script, limits)).toEqual({ kind: "unsat" });
    await solver.close();
  });
});

it("gives up on a solver that a script has started, and that outlives it", async () => {
  const inner = solverThat({ check: "wait(5000)" });
  const solver = nativeSolver(program(`#!/bin/sh\n"${inner}" "$@"\n`), { engines: 1 });
  const text = "; do as you like";
  expect(await solver.check({ text, values: [] }, { ...limits, timeoutMs: 500 })).toMatchObject({
    reason: "timeout",
  });
  expect(await solver.check(script, limits)).toEqual({ kind: "unsat" });
  await solver.close();
});

it("sets up every script with its own limits", async () => {
  const log = join(folder, "log");
  const solver = nativeSolver(solverThat({ log }), { engines: 1 });
  await solver.check({ text: "(assert (= 1 1))", values: [] }, { ...limits, resources: 77, memoryMb: 88 });
  await solver.close();
  const asked = readFileSync(log, "utf8");
  expect(asked.replaceAll(/end-of-reply-[-0-9a-f]+/g, "MARK")).toMatchInlineSnapshot(`
    "(reset)
    (set-option :encoding bmp)
    (set-option :tactic.default_tactic "(then simplify propagate-values solve-eqs smt)")
    (set-option :memory_max_size 88)
    (set-option :rlimit 77)
    (echo "MARK")
    (assert (= 1 1))
    (echo "MARK")
    (check-sat)
    (echo "MARK")
    "
  `);
});

async function refusal(command: string): Promise<readonly [message: string, help: string]> {
  try {
    await nativeSolver(command).version();
  } catch (error) {
    if (error instanceof SolverUnavailable) return [error.message, error.help];
    throw error;
  }
  throw new Error("it was taken for a solver");
}

function lost(reason: string, detail: RegExp): object {
  return { kind: "unknown", reason, detail: expect.stringMatching(detail) };
}

interface Manner {
  readonly version?: string;
  /** Its response to a script that asks for a verdict; otherwise `unsat`. */
  readonly check?: string;
  /** A file for all that it is told. */
  readonly log?: string;
}

function solverThat(manner: Manner): string {
  return program(solverText(manner));
}

function solverText({ version = "Z3 version 4.15.0 - 64 bit", check = "", log }: Manner): string {
  return `#!${process.execPath}
const fs = require("node:fs");
if (process.argv.includes("--version")) { console.log(${JSON.stringify(version)}); process.exit(); }
const say = (text) => fs.writeSync(1, text);
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
let read = "", free = false;
process.stdin.setEncoding("utf8").on("data", (text) => {
  read += text;
  const mark = /\\(echo "([^"]*)"\\)\\s*$/.exec(read)?.[1];
  if (mark === undefined) return;
  ${log === undefined ? "" : `fs.appendFileSync(${JSON.stringify(log)}, read);`}
  const asked = read, echo = mark + "\\n";
  read = "";
  if (asked.includes("do as you like")) free = true;
  if (asked.startsWith("(reset)")) free = false;
  if (!asked.includes("(check-sat)")) return say(echo);
  if (free) { ${check} } else say("unsat\\n" + echo);
});`;
}

let programs = 0;

function program(text: string): string {
  const path = join(folder, `program-${programs++}`);
  writeFileSync(path, text.startsWith("#!") ? text : `#!${process.execPath}\n${text}`);
  chmodSync(path, 0o755);
  return path;
}
