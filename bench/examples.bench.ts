/**
 * Costs of the example programs, warm and in one process: compiling a program with its tool modules, and proving it.
 * Programs that need the solver are apart, and so are those that loop over lists that are not known, which is other
 * work: a proof by induction, runs with lists of several lengths. Also the whole of `foreclaim prove` as a process of
 * its own.
 */

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { coverageOf } from "../src/coverage/index.ts";
import { compileProgram } from "../src/frontend/index.ts";
import { check } from "../src/ir/index.ts";
import { z3Wasm } from "../src/prove/decide/solver/z3-wasm.ts";
import { type Proof, prove } from "../src/prove/prove.ts";
import { report, type Timing } from "./harness.ts";

/** A program is compiled and proved so often before it is timed, and so often again. */
const WARM_UP = 150;
const SAMPLES = 101;
const COLD_SAMPLES = 11;
/** One that asks the solver costs so much more that a few times must do. */
const ASKED_SAMPLES = 9;
const limits = { timeoutMs: 20_000, resources: 20_000_000 };
const solver = z3Wasm({ engines: 1 });

const programs = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) =>
    readdirSync(join("examples", name))
      .filter((file) => file.endsWith(".ts"))
      .map((file) => resolve("examples", name, file)),
  );
const files = new Map<string, string | undefined>();
const host = { readFile: (path: string) => files.get(path) ?? keep(path) };

interface Cost {
  readonly compile: number;
  readonly prove: number;
  readonly asked: boolean;
  readonly loops: boolean;
  readonly verdict: "proved" | "refuted" | "unknown";
  readonly coverage: number;
  /** True if a coverage policy has a gap. */
  readonly hasGaps: boolean;
}

const costs: Cost[] = [];
for (const program of programs) {
  const cost = await costOf(program);
  if (cost !== undefined) costs.push(cost);
}
const ground = costs.filter(({ asked }) => !asked);
const asked = costs.filter((cost) => cost.asked);
const plain = ground.filter((cost) => !cost.loops);
const looped = ground.filter((cost) => cost.loops);

report(`example programs, warm: ${ground.length} decided without the solver, ${asked.length} with it`, [
  ...spread(
    "compile",
    costs.map(({ compile }) => compile),
  ),
  ...proving("prove, without the solver, no loop over an unknown list", plain),
  ...(["proved", "refuted", "unknown"] as const).flatMap((verdict) =>
    proving(
      `  of these, ${verdict}`,
      plain.filter((cost) => cost.verdict === verdict),
    ),
  ),
  ...proving("prove, without the solver, a loop over an unknown list", looped),
  ...proving("prove, with the solver", asked),
  ...spread(
    "both, without the solver",
    ground.map((cost) => cost.compile + cost.prove),
  ),
  ...spread(
    "coverage, without gaps",
    costs.filter(({ hasGaps }) => !hasGaps).map(({ coverage }) => coverage),
  ),
  ...spread(
    "coverage, with gaps",
    costs.filter(({ hasGaps }) => hasGaps).map(({ coverage }) => coverage),
  ),
]);
await solver.close();

const loops = costs.filter((cost) => cost.loops);
const became = (verdict: Cost["verdict"]) => loops.filter((cost) => cost.verdict === verdict);
const share = ((100 * became("unknown").length) / loops.length).toFixed(1);
report(
  `example programs with loops over unknown lists, warm: ${loops.length}, of which ${share} % are unknown`,
  (["proved", "refuted", "unknown"] as const).flatMap((verdict) => {
    const times = became(verdict).map((cost) => cost.prove);
    return times.length === 0
      ? []
      : [
          ...proving(verdict, became(verdict)),
          { name: `${verdict}, worst`, size: 1, nsPerRun: quantile(times, 1) },
        ];
  }),
);

const [simple = ""] = programs.filter((path) => path.endsWith("pay-card.ts"));
report("one program, cold", [
  { name: "node -e 0", size: 1, nsPerRun: median(times(COLD_SAMPLES, () => spawn(["-e", "0"]))) },
  {
    name: "foreclaim prove",
    size: 1,
    nsPerRun: median(times(COLD_SAMPLES, () => spawn(["dist/cli/main.js", "prove", simple]))),
  },
]);

async function costOf(path: string): Promise<Cost | undefined> {
  let wasAsked = false;
  const ask = async () => {
    wasAsked = true;
    return solver;
  };
  const compiles: number[] = [];
  const proofs: number[] = [];
  let found: Pick<Cost, "loops" | "verdict"> = { loops: false, verdict: "proved" };
  const coverages: number[] = [];
  let hasGaps = false;
  const until = performance.now() + 3_000;
  const enough = () => (wasAsked ? ASKED_SAMPLES : WARM_UP + SAMPLES);
  for (let sample = 0; sample < enough() && (sample < 3 || performance.now() < until); sample++) {
    const start = performance.now();
    const compiled = compileProgram(path, host);
    if (!compiled.ok) return undefined;
    const checked = check(compiled.value.document);
    if (!checked.ok) return undefined;
    const middle = performance.now();
    const proof = await prove(checked.value, { solver: ask, limits });
    const end = performance.now();
    const { document, used } = compiled.value;
    await coverageOf(document, proof, used, { solver: async () => solver, limits });
    coverages.push((performance.now() - end) * 1e6);
    proofs.push((end - middle) * 1e6);
    compiles.push((middle - start) * 1e6);
    found = { loops: hasLoops(proof), verdict: verdictOf(proof) };
    hasGaps = used.some(({ contracts }) => contracts.some(({ stated }) => stated === undefined));
  }
  const warm = (values: readonly number[]) => median(values.slice(-SAMPLES));
  return {
    compile: warm(compiles),
    prove: warm(proofs),
    asked: wasAsked,
    coverage: warm(coverages),
    hasGaps,
    ...found,
  };
}

function hasLoops({ walk }: Proof): boolean {
  return walk?.facts.some(({ loop }) => loop !== undefined) ?? false;
}

/** Returns the verdict over all guarantees and obligations. */
function verdictOf({ guarantees, obligations }: Proof): Cost["verdict"] {
  const kinds = [...guarantees, ...obligations].map(({ verdict }) => verdict.kind);
  return kinds.includes("refuted") ? "refuted" : kinds.includes("unknown") ? "unknown" : "proved";
}

function keep(path: string): string | undefined {
  try {
    files.set(path, readFileSync(path, "utf8"));
  } catch {
    files.set(path, undefined);
  }
  return files.get(path);
}

function spawn(args: readonly string[]): number {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  return Number(process.hrtime.bigint() - start);
}

function times(n: number, run: () => number): number[] {
  return Array.from({ length: n }, run);
}

/** Says also of how many programs. */
function proving(name: string, programs: readonly Cost[]): Timing[] {
  if (programs.length === 0) return [];
  return spread(
    `${name}, ${programs.length}`,
    programs.map((cost) => cost.prove),
  );
}

function spread(name: string, values: readonly number[]): Timing[] {
  return [
    { name: `${name}, median`, size: 1, nsPerRun: quantile(values, 0.5) },
    { name: `${name}, p95`, size: 1, nsPerRun: quantile(values, 0.95) },
  ];
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
