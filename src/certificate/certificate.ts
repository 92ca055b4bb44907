/**
 * The certificate format: one line of canonical JSON. The strict reader makes the file form unique, and checks or
 * refuses every byte. Part of what must be trusted.
 */
import {
  canonicalJson,
  defaultLimits,
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  type Path,
  type PlainJson,
  readJson,
  sha256Hex,
} from "../ir/index.ts";

/** Solver limits. INVARIANT: they belong to the format; the reader refuses a certificate with other limits. */
export const solverLimits = { resources: 20_000_000, timeoutMs: 60_000 } as const;

/** LIMIT: of a certificate, in UTF-16 code units. */
export const mostCertificateLength = 32 * 1024 * 1024;

export interface Certificate {
  readonly certificate: 1;
  readonly document: PlainJson;
  readonly documentHash: string;
  /** Digest of the tool modules that the document was compiled against. */
  readonly modules: string | null;
  readonly guarantees: readonly CertifiedGuarantee[];
  /** The loops over lists of any length, in the order in which they are met. */
  readonly loops: readonly CertifiedLoop[];
  readonly obligations: readonly CertifiedObligation[];
  /** The solver that answered; null if evaluation decides everything. */
  readonly solver: CertifiedSolver | null;
}

export interface CertifiedGuarantee {
  readonly name: string;
  readonly args: readonly string[];
  readonly formula: string;
}

export interface CertifiedLoop {
  readonly path: Path;
  /** Loop invariants, which hold before every iteration and after the last, as Effect IR expressions. */
  readonly invariants: readonly string[];
}

export interface CertifiedObligation {
  readonly kind: string;
  readonly path: Path;
  readonly verdict: "unsat" | "sat";
  readonly by: "evaluation" | "solver";
  /** Indices of the assumptions that the verdict needs (an unsat core). */
  readonly uses: readonly number[];
  readonly smtLib: string;
  /** SHA-256 of the SMT-LIB text. */
  readonly hash: string;
}

export interface CertifiedSolver {
  readonly name: string;
  readonly version: string;
  /** Solver options besides the limits. */
  readonly options: string;
  readonly resources: number;
  readonly timeoutMs: number;
}

export function certificateText(certificate: Certificate): string {
  return `${canonicalJson({ ...toJson(certificate), integrity: integrityOf(certificate) })}\n`;
}

/** SHA-256 of the canonical JSON of all else. */
export function integrityOf(certificate: Certificate): string {
  return sha256Hex(canonicalJson(toJson(certificate)));
}

function toJson({ guarantees, loops, obligations, solver, ...rest }: Certificate): {
  readonly [key: string]: PlainJson;
} {
  return {
    ...rest,
    guarantees: guarantees.map(({ name, args, formula }) => ({ name, args, formula })),
    loops: loops.map((loop) => ({ ...loop })),
    obligations: obligations.map((obligation) => ({ ...obligation })),
    solver: solver && { ...solver },
  };
}

export type ReadCertificate =
  | { readonly ok: true; readonly certificate: Certificate; readonly json: Json; readonly integrity: string }
  | { readonly ok: false; readonly message: string };

export function readCertificate(text: string): ReadCertificate {
  if (text.length > mostCertificateLength)
    return { ok: false, message: `it is ${text.length} characters long, more than ${mostCertificateLength}` };
  const depth = 3 * defaultLimits.depth + 16;
  const read = readJson(text, { ...defaultLimits, depth, stringLength: mostCertificateLength });
  if (!read.ok) return { ok: false, message: read.problems[0]?.message ?? "it is not JSON" };
  try {
    return { ok: true, ...decode(read.value.value) };
  } catch (thrown) {
    if (thrown instanceof Misshapen) return { ok: false, message: thrown.message };
    throw thrown;
  }
}

/** Left with what is wrong, and caught where reading began. */
class Misshapen extends Error {}

const topNames = [
  "certificate",
  "document",
  "documentHash",
  "modules",
  "guarantees",
  "loops",
  "obligations",
  "solver",
  "integrity",
];

function decode(json: Json): { certificate: Certificate; json: Json; integrity: string } {
  const top = fieldsOf(json, "the certificate", topNames);
  const { certificate: version, document = null, documentHash, modules, solver, integrity } = top;
  const { guarantees, loops, obligations } = top;
  if (numberOf(version, "`certificate`") !== 1) throw new Misshapen("its version is not known");
  const certificate: Certificate = {
    certificate: 1,
    document: plainOf(document),
    documentHash: textOf(documentHash, "`documentHash`"),
    modules: modules === null ? null : textOf(modules, "`modules`"),
    guarantees: itemsOf(guarantees, "`guarantees`").map(decodeGuarantee),
    loops: itemsOf(loops, "`loops`").map(decodeLoop),
    obligations: itemsOf(obligations, "`obligations`").map(decodeObligation),
    solver: solver === null ? null : decodeSolver(solver),
  };
  return { certificate, json: document, integrity: textOf(integrity, "`integrity`") };
}

function decodeGuarantee(json: Json): CertifiedGuarantee {
  const { name, args, formula } = fieldsOf(json, "a guarantee", ["name", "args", "formula"]);
  return {
    name: textOf(name, "`name`"),
    args: itemsOf(args, "`args`").map((arg) => textOf(arg, "an argument")),
    formula: textOf(formula, "`formula`"),
  };
}

function decodeLoop(json: Json): CertifiedLoop {
  const { path, invariants } = fieldsOf(json, "a loop", ["path", "invariants"]);
  return {
    path: pathOf(path),
    invariants: itemsOf(invariants, "`invariants`").map((one) => textOf(one, "an invariant")),
  };
}

function pathOf(json: Json | undefined): Path {
  return itemsOf(json, "`path`").map((step) => (typeof step === "string" ? step : numberOf(step, "a step")));
}

function decodeObligation(json: Json): CertifiedObligation {
  const names = ["kind", "path", "verdict", "by", "uses", "smtLib", "hash"];
  const { kind, path, verdict, by, uses, smtLib, hash } = fieldsOf(json, "an obligation", names);
  if (verdict !== "unsat" && verdict !== "sat") throw new Misshapen("a verdict is `unsat` or `sat`");
  if (by !== "evaluation" && by !== "solver") throw new Misshapen("`by` is `evaluation` or `solver`");
  return {
    kind: textOf(kind, "`kind`"),
    path: pathOf(path),
    verdict,
    by,
    uses: itemsOf(uses, "`uses`").map((use) => numberOf(use, "an assumption")),
    smtLib: textOf(smtLib, "`smtLib`"),
    hash: textOf(hash, "`hash`"),
  };
}

function decodeSolver(json: Json | undefined): CertifiedSolver {
  const names = ["name", "version", "options", "resources", "timeoutMs"];
  const { name, version, options, resources, timeoutMs } = fieldsOf(json, "the solver", names);
  return {
    name: textOf(name, "`name`"),
    version: textOf(version, "`version`"),
    options: textOf(options, "`options`"),
    resources: numberOf(resources, "`resources`"),
    timeoutMs: numberOf(timeoutMs, "`timeoutMs`"),
  };
}

/** All of these fields, and no others. */
function fieldsOf(json: Json | undefined, what: string, names: readonly string[]): JsonObject {
  if (json === undefined || !isJsonObject(json)) throw new Misshapen(`${what} is not an object`);
  const missing = names.find((name) => !Object.hasOwn(json, name));
  if (missing !== undefined) throw new Misshapen(`${what} has no \`${missing}\``);
  const other = Object.keys(json).find((name) => !names.includes(name));
  if (other !== undefined) throw new Misshapen(`${what} has a field \`${other}\`, which is not known`);
  return json;
}

function itemsOf(json: Json | undefined, what: string): readonly Json[] {
  if (json !== undefined && isJsonArray(json)) return json;
  throw new Misshapen(`${what} is not a list`);
}

function textOf(json: Json | undefined, what: string): string {
  if (typeof json === "string") return json;
  throw new Misshapen(`${what} is not a text`);
}

function numberOf(json: Json | undefined, what: string): number {
  const value = json !== undefined && JsonNumber.is(json) ? Number(json.text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) return value;
  throw new Misshapen(`${what} is not a small whole number`);
}

/** JSON of a document, which has texts for its numbers, but for a few small ones. */
function plainOf(json: Json): PlainJson {
  if (json === null || typeof json === "boolean" || typeof json === "string") return json;
  if (JsonNumber.is(json)) return numberOf(json, "a number of the document");
  if (isJsonArray(json)) return json.map(plainOf);
  const object: { [key: string]: PlainJson } = Object.create(null);
  for (const [name, value] of Object.entries(json)) object[name] = plainOf(value);
  return object;
}
