/**
 * Checking a certificate against proving the program from its source, for the examples that can be certified and ask the
 * solver: warm and in one process, and the slow ones also as commands, each in a process that loads all it needs. Both in
 * turns, and of each the least time of several.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkCertificate } from "../src/certificate/index.ts";
import { compileProgram } from "../src/frontend/index.ts";
import { type Checked, check } from "../src/ir/index.ts";
import { certify } from "../src/prove/certify/certify.ts";
import { replayerOf } from "../src/prove/certify/replayer.ts";
import { z3Wasm } from "../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../src/prove/prove.ts";
import { report, type Timing } from "./harness.ts";

const SAMPLES = 5;
const COLD_SAMPLES = 3;
/** The slow ones are shown one by one. */
const SHOWN = 10;
const limits = { timeoutMs: 20_000, resources: 20_000_000 };
const solver = z3Wasm({ engines: 1 });
const replayer = () => replayerOf(solver);
const host = { readFile };

interface Row {
  readonly name: string;
  readonly path: string;
  readonly certificate: string;
  readonly proveNs: number;
  readonly checkNs: number;
}

const rows: Row[] = [];
for (const { name: domain } of readdirSync("examples", { withFileTypes: true }).filter((one) =>
  one.isDirectory(),
)) {
  const expected = JSON.parse(readFileSync(join("examples", domain, "expected.json"), "utf8"));
  for (const name of Object.keys(expected).filter((one) => expected[one].verdict === "proved")) {
    const path = resolve("examples", domain, `${name}.ts`);
    const checked = compiled(path);
    const found = await certify(checked, replayer);
    if (found.kind !== "certified" || found.certificate.solver === null) continue;
    let [proveNs, checkNs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let i = 0; i < SAMPLES; i++) {
      proveNs = Math.min(
        proveNs,
        await timed(() => prove(compiled(path), { solver: async () => solver, limits })),
      );
      checkNs = Math.min(
        checkNs,
        await timed(async () => {
          const { kind } = await checkCertificate(found.text, { solvers: async () => [await replayer()] });
          if (kind !== "valid") throw new Error(`${path} has no valid certificate`);
        }),
      );
    }
    rows.push({ name: `${domain}/${name}`, path, certificate: found.text, proveNs, checkNs });
  }
}
await solver.close();

rows.sort((a, b) => b.proveNs - a.proveNs);
const slow = rows.slice(0, SHOWN);
show("certificates, warm: from source, and checked", slow, whole(`all ${rows.length}`, rows));

const folder = mkdtempSync(join(tmpdir(), "foreclaim-bench-"));
show("certificates, as commands: `prove`, and `check`", slow.map(cold), []);
rmSync(folder, { recursive: true, force: true });

/** Each by itself, so that none hides behind the others, and then together. */
function show(group: string, of: readonly Row[], more: readonly Timing[]): void {
  report(group, [
    ...of.flatMap(({ name, proveNs, checkNs }): Timing[] => [
      { name: `${name}: compile and prove`, size: 1, nsPerRun: proveNs },
      { name: `${name}: check, ${(proveNs / checkNs).toFixed(1)} times as fast`, size: 1, nsPerRun: checkNs },
    ]),
    ...whole(`the ${of.length} slowest`, of),
    ...more,
  ]);
}

function cold(row: Row): Row {
  const file = join(folder, "certificate.json");
  writeFileSync(file, row.certificate);
  let [proveNs, checkNs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < COLD_SAMPLES; i++) {
    proveNs = Math.min(proveNs, command("prove", row.path));
    checkNs = Math.min(checkNs, command("check", file));
  }
  return { ...row, proveNs, checkNs };
}

function command(name: string, file: string): number {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, ["dist/cli/main.js", name, file], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name} ${file} failed: ${stderr}`);
  return Number(process.hrtime.bigint() - start);
}

function whole(name: string, of: readonly Row[]): Timing[] {
  const proveNs = of.reduce((sum, row) => sum + row.proveNs, 0);
  const checkNs = of.reduce((sum, row) => sum + row.checkNs, 0);
  return [
    { name: `${name}: compile and prove`, size: of.length, nsPerRun: proveNs },
    {
      name: `${name}: check, ${(proveNs / checkNs).toFixed(1)} times as fast`,
      size: of.length,
      nsPerRun: checkNs,
    },
  ];
}

function compiled(path: string): Checked {
  const program = compileProgram(path, host);
  if (!program.ok) throw new Error(`${path} does not compile`);
  const checked = check(program.value.document);
  if (!checked.ok) throw new Error(`${path} does not check`);
  return checked.value;
}

function readFile(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}
