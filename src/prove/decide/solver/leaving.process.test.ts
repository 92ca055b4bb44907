/** The build solves as the sources do, and no idle solver keeps a process alive. */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { build, root } from "../../../../tests/cli/built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-leaving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(build);

/** Says `unsat` to everything but a hard script, and waits for more until it is sent away. */
const patient = `#!${process.execPath}
if (process.argv.includes("--version")) { console.log("Z3 version 4.15.0 - 64 bit"); process.exit(); }
const forever = setInterval(() => {}, 1000);
process.stdin.setEncoding("utf8").on("data", (asked) => {
  if (asked.includes("; hard")) for (;;);
  const [, mark] = /echo "(.*)"/.exec(asked);
  console.log((asked.includes("check-sat") ? "unsat\\n" : "") + mark);
}).on("end", () => clearInterval(forever));`;

it.each(["z3Wasm()", `nativeSolver(${JSON.stringify(join(folder, "patient"))})`])(
  "%s lets the process end without being closed",
  async (solver) => {
    writeFileSync(join(folder, "patient"), patient);
    chmodSync(join(folder, "patient"), 0o755);
    const built = (name: string) =>
      JSON.stringify(pathToFileURL(join(root, "dist/prove/decide/solver", name)).href);
    const program = `
import { nativeSolver } from ${built("native.js")};
import { z3Wasm } from ${built("z3-wasm.js")};
const solver = ${solver};
const check = (text, timeoutMs) => solver.check({ text, values: [] }, { timeoutMs, resources: 4_000_000_000 });
const answers = await Promise.all([check("(assert false)", 30_000), check("(assert (= 1 2))", 30_000)]);
const hard = "; hard\\n(declare-const x Int) (declare-const y Int) (assert (= (* x x x) (+ (* y y y) 1729001)))";
answers.push(await check(hard, 100));
console.log(answers.map(({ kind, reason }) => reason ?? kind).join(" "));
`;
    expect(await outcome(program)).toEqual({ said: "unsat unsat timeout", ending: 0 });
  },
);

async function outcome(program: string): Promise<{ said: string; ending: unknown }> {
  const path = join(folder, "program.mjs");
  writeFileSync(path, program);
  const child = spawn(process.execPath, [path], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const late = setTimeout(() => child.kill("SIGKILL"), 40_000);
  const ending = await new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));
  clearTimeout(late);
  return { said: said.trim(), ending };
}
