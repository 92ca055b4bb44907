/** Checks the certificate in a file, with the solvers that it names. */
import { join } from "node:path";
import { type Checking, checkCertificate, type Replayer, readCertificate } from "../certificate/index.ts";
import { check as checkDocument, documentFromJson, ok, type Result } from "../ir/index.ts";
import { replayerOf } from "../prove/index.ts";
import { type Verified, verifyDocument } from "../verified/index.ts";
import { type Failure, plainFailure } from "./failure.ts";
import type { FileSystem } from "./files/port.ts";
import { type SolverName, SolverPool } from "./prove/solver-pool.ts";
import { checkerFolder } from "./unbundled-imports.ts";

export interface CheckHow {
  /** The hash of the document that the certificate must be about. */
  readonly document?: string | undefined;
  /** Requires two different solvers to agree. */
  readonly twoSolvers: boolean;
  /** Accepts another version of the solver that the certificate names. */
  readonly otherVersion: boolean;
}

/** Solvers by their names in certificates. A second opinion comes from the first other one that is installed. */
const known: ReadonlyMap<string, SolverName> = new Map([
  ["cvc5", "native:cvc5"],
  ["z3", "native:z3"],
  ["z3-wasm", "z3"],
]);

export async function checkCertificateText(text: string, how: CheckHow): Promise<Result<Checking, Failure>> {
  const pool = new SolverPool();
  try {
    const checking = await checkCertificate(text, {
      solvers: (name) => solversFor(name, how.twoSolvers, pool),
      ...(how.document !== undefined && { document: how.document }),
      ...(how.otherVersion && { otherVersion: true }),
    });
    return ok(checking);
  } catch (thrown) {
    if (!(thrown instanceof NoSolver)) throw thrown;
    return thrown.failure;
  } finally {
    await pool.close();
  }
}

/** LIMIT: of one question of the third opinion. */
const verifiedLimits = { resources: 20_000_000, timeoutMs: 20_000 };

/**
 * The third opinion on the document of a certificate: obligations by the program that was extracted from proofs/ir, decided by
 * the bundled solver. `beyond` where its proof does not apply.
 */
export async function verifyCertificateText(text: string): Promise<Result<Verified, Failure>> {
  const read = readCertificate(text);
  const decoded = read.ok ? documentFromJson(read.json) : undefined;
  const checked = decoded?.ok ? checkDocument(decoded.value.document) : undefined;
  if (checked === undefined || !checked.ok)
    return ok({ kind: "beyond", why: "a certificate without its document" });
  const pool = new SolverPool();
  try {
    const found = await pool.take("z3");
    if (!found.ok) return found;
    const solver = await replayerOf(await found.value.get());
    return ok(await verifyDocument(checked.value, (smtLib) => solver.ask(smtLib, verifiedLimits)));
  } finally {
    await pool.close();
  }
}

/** Leaves the checker, which does not know about missing solvers. */
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
    return found.ok ? replayerOf(await found.value.get()) : found;
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

/** Counts the lines of the checker's own files that are neither blank nor comment. */
export async function checkerLines(fs: FileSystem): Promise<number> {
  const folder = checkerFolder();
  const listing = await fs.listFolder(folder);
  let lines = 0;
  for (const { name } of listing.kind === "entries" ? listing.entries : []) {
    if (!/(?<!\.d|\.test)\.[jt]s$/.test(name)) continue;
    const read = await fs.readFile(join(folder, name), 1024 * 1024);
    const text = read.kind === "bytes" ? new TextDecoder().decode(read.bytes) : "";
    lines += text.split("\n").filter((line) => /^\s*(?!\/\/|\/?\*)\S/.test(line)).length;
  }
  return lines;
}
