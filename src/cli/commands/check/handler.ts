/** `check`: whether a certificate is valid, what it shows, and what that rests on. */
import { join } from "node:path";
import {
  checkerFolder,
  count,
  type Failure,
  grouped,
  plainFailure,
  readSource,
  type SolverName,
  SolverPool,
} from "../../../app/index.ts";
import { type Checking, checkCertificate, type Replayer, trusts } from "../../../certificate/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { replayerOf } from "../../../prove/index.ts";
import { badInput, type ExitCode, fine, notSo } from "../../exit-code.ts";
import { lookOf, reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { Progress } from "../../progress.ts";
import { paintFor } from "../../text/paint.ts";

export interface CheckCommandOptions {
  readonly json?: boolean;
  readonly document?: string;
  readonly solvers: "1" | "2";
  readonly otherVersion?: boolean;
}

/** By the names that certificates know solvers by; a second opinion is the first of them that is there and is another. */
const known: ReadonlyMap<string, SolverName> = new Map([
  ["cvc5", "native:cvc5"],
  ["z3", "native:z3"],
  ["z3-wasm", "z3"],
]);

export async function checkFile(host: Host, path: string, options: CheckCommandOptions): Promise<ExitCode> {
  const json = options.json === true;
  const source = await readSource(host, path);
  if (!source.ok) return reportFailure(host, source, json);
  const { file, text } = source.value;
  const pool = new SolverPool();
  const progress = new Progress(host);
  progress.waiting(`${file}: checking`);
  try {
    const checking = await checkCertificate(text, {
      solvers: (name) => solversFor(name, options.solvers === "2", pool),
      ...(options.document !== undefined && { document: options.document }),
      ...(options.otherVersion === true && { otherVersion: true }),
    });
    await progress.clear();
    return checking.kind === "valid"
      ? await report(host, file, checking, json)
      : await refuse(host, file, checking, json);
  } catch (thrown) {
    await progress.clear();
    if (!(thrown instanceof NoSolver)) throw thrown;
    return await reportFailure(host, thrown.failure, json);
  } finally {
    await pool.close();
  }
}

/** Leaves the checker, which does not know about solvers that are not there. */
class NoSolver extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.problems[0]?.message);
    this.failure = failure;
  }
}

async function solversFor(name: string, second: boolean, pool: SolverPool): Promise<readonly Replayer[]> {
  const chosen = known.get(name);
  if (chosen === undefined) return [];
  const open = async (solver: SolverName): Promise<Replayer | Failure> => {
    const found = await pool.take(solver);
    if (!found.ok) return found;
    return replayerOf(await found.value.get());
  };
  const first = await open(chosen);
  if ("problems" in first) throw new NoSolver(first);
  if (!second) return [first];
  for (const [, other] of known) {
    const found = other === chosen ? undefined : await open(other);
    if (found !== undefined && !("problems" in found)) return [first, found];
  }
  const help = "install cvc5 1.0.3 or newer, or z3 4.12 or newer";
  throw new NoSolver(plainFailure("FC9005", "there is no second solver to ask", help));
}

async function refuse(
  host: Host,
  file: string,
  { kind, problem }: Exclude<Checking, { kind: "valid" }>,
  json: boolean,
): Promise<ExitCode> {
  await reportFailure(host, { ok: false, file, problems: [{ ...problem, path: [] }] }, json);
  return kind === "unreadable" ? badInput : notSo;
}

async function report(
  host: Host,
  file: string,
  valid: Extract<Checking, { kind: "valid" }>,
  json: boolean,
): Promise<ExitCode> {
  const { documentHash, modules, guarantees, byEvaluation, bySolver, solvers } = valid;
  const lines = await checkerLines(host);
  const trusted = [...trusts(valid)];
  if (json) {
    const counts = { byEvaluation, bySolver, checkerLines: lines };
    const said = guarantees.map((one) => ({ ...one }));
    const asked = solvers.map((one) => ({ ...one }));
    await writeJsonLine(host.stdout, {
      ok: true,
      hash: documentHash,
      modules,
      guarantees: said,
      ...counts,
      solvers: asked,
      trusted,
    });
    return fine;
  }
  const { green, dim, signs } = paintFor(lookOf(host.stdout));
  const named = solvers.map(({ name, version }) => `${name} ${version}`).join(" and ");
  const how = [
    ...(byEvaluation > 0 ? [`${grouped(byEvaluation)} by evaluation`] : []),
    ...(bySolver > 0 ? [`${grouped(bySolver)} by ${visibleText(named)}`] : []),
  ];
  const out = [
    `${green(`${signs.holds}valid`)}  ${visibleText(file)}`,
    "",
    `document ${documentHash}`,
    ...guarantees.flatMap(({ name, args, formula }) => [
      `  ${visibleText(`${name}(${args.join(", ")})`)}`,
      dim(`    ${visibleText(formula)}`),
    ]),
    `${count(byEvaluation + bySolver, "obligation")} derived from it again${how.length === 0 ? "" : `: ${how.join(", ")}`}`,
    "",
    "what this rests on",
    ...trusted.map((one) => `  ${visibleText(one)}`),
    dim(`  the checker has ${grouped(lines)} lines besides the Effect IR`),
  ];
  await host.stdout.write(`${out.join("\n")}\n`);
  return fine;
}

/** Lines of the checker's own files that are neither blank nor comment. */
async function checkerLines(host: Host): Promise<number> {
  const folder = checkerFolder();
  const listing = await host.listFolder(folder);
  let lines = 0;
  for (const { name } of listing.kind === "entries" ? listing.entries : []) {
    if (!/(?<!\.d|\.test)\.[jt]s$/.test(name)) continue;
    const read = await host.readFile(join(folder, name), 1024 * 1024);
    const text = read.kind === "bytes" ? new TextDecoder().decode(read.bytes) : "";
    lines += text.split("\n").filter((line) => /^\s*(?!\/\/|\/?\*)\S/.test(line)).length;
  }
  return lines;
}
