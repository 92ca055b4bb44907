/** The example programs of examples/<domain>/, what is expected of each, and what is found. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Coverage, coverageOf } from "../../src/coverage/index.ts";
import { type Compiled, compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check, type Path, placeOf, printExpr } from "../../src/ir/index.ts";
import type { Solver } from "../../src/prove/decide/solver/port.ts";
import { type Proof, prove } from "../../src/prove/prove.ts";

export const folder = join(import.meta.dirname, "../../examples");

export interface Example {
  readonly domain: string;
  /** Without its extension. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** An entry of `expected.json` for a program. */
export interface Expected {
  readonly verdict: "proved" | "refuted" | "unknown" | "invalid";
  /** For an invalid program: the codes, in the order in which they are told. */
  readonly codes?: readonly string[];
  /** For an invalid program: an editor refuses it as well, because its types are wrong. */
  readonly typeError?: boolean;
  readonly guarantees?: readonly ExpectedGuarantee[];
  /** Obligations of the program that are not proved. */
  readonly obligations?: readonly ExpectedObligation[];
  /** Domains whose tools the program calls; lists that are empty are omitted. */
  readonly coverage?: readonly ExpectedCoverage[];
  /** For people: why it is not proved. */
  readonly why?: string;
}

interface ExpectedGuarantee {
  readonly guarantee: string;
  readonly verdict: string;
  /** For a proved guarantee: `safe`, or the lines after which it is open if the run stops there. */
  readonly interruption?: string;
  /** A policy requires it, and the program does not state it. */
  readonly enforced?: true;
}

type ExpectedCoverage = Pick<Coverage, "domain" | "status"> & Partial<Coverage>;

interface ExpectedObligation {
  readonly kind: string;
  readonly tool?: string;
  readonly line: number;
  readonly verdict: string;
}

export const domains: readonly string[] = readdirSync(folder, { withFileTypes: true })
  // Agents have programs in their own files, and tests/adapters runs them.
  .filter((entry) => entry.isDirectory() && entry.name !== "agents")
  .map(({ name }) => name);

export const examples: readonly Example[] = domains.flatMap((domain) =>
  readdirSync(join(folder, domain))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => {
      const path = join(folder, domain, file);
      return { domain, name: file.replace(/\.ts$/, ""), path, text: readFileSync(path, "utf8") };
    }),
);

export function expectedOf(domain: string): Readonly<Record<string, Expected>> {
  return JSON.parse(readFileSync(join(folder, domain, "expected.json"), "utf8"));
}

/** The first comment of the file, which says what it shows. */
export function summaryOf({ text }: Pick<Example, "text">): string {
  return /^\/\*\* (.+) \*\/\n/.exec(text)?.[1] ?? "";
}

export interface Found {
  readonly expected: Expected;
  /** Unless it is invalid. */
  readonly checked?: Checked;
  readonly proof?: Proof;
}

/** LIMIT: the work that the command allows if nothing else is said, and many times the time, so that a slow machine finds the same. */
const limits = { timeoutMs: 60_000, workMs: 10_000, resources: 20_000_000 };

/** Compiles and proves the program; what is found has the form of what is expected. */
export async function find({ path }: Example, solver: Solver): Promise<Found> {
  const compiled = compileProgram(path, { readFile });
  if (!compiled.ok)
    return { expected: { verdict: "invalid", codes: compiled.problems.map(({ code }) => code) } };
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new TypeError("a compiled document does not check");
  const options = { solver: async () => solver, limits };
  const proof = await prove(checked.value, options);
  const { document, used } = compiled.value;
  const coverage = await coverageOf(document, proof, used, options);
  return { checked: checked.value, proof, expected: asExpected(compiled.value, proof, coverage) };
}

function asExpected(
  { sourceMap, used }: Compiled,
  { guarantees, obligations }: Proof,
  domains: readonly Coverage[],
): Expected {
  const lineOf = (path: Path) => placeOf(sourceMap, path)?.startLine ?? 0;
  const added = new Set(used.flatMap(({ contracts }) => contracts.map((one) => one.added)));
  const stated = guarantees.map(({ guarantee: { name, args }, verdict, interruption }, i) => {
    const row = {
      guarantee: `${name}(${args.map(printExpr).join(", ")})`,
      verdict: verdict.kind,
      ...(added.has(i) ? { enforced: true as const } : {}),
    };
    if (interruption === undefined) return row;
    if (interruption.kind === "safe") return { ...row, interruption: "safe" };
    const lines = interruption.at.map(({ after, certain }) => {
      const where = after === undefined ? "the start" : `line ${lineOf(after.path)}`;
      return certain ? where : `perhaps ${where}`;
    });
    return { ...row, interruption: `open after ${[...new Set(lines)].join(", ")}` };
  });
  const open = obligations
    .filter(({ verdict }) => verdict.kind !== "proved")
    .map(({ obligation: { kind, fact, path }, verdict }) => ({
      kind,
      ...(fact === undefined ? {} : { tool: fact.tool.name }),
      line: lineOf(path),
      verdict: verdict.kind,
    }));
  const kinds = [...stated, ...open].map(({ verdict }) => verdict);
  const verdict = kinds.includes("refuted") ? "refuted" : kinds.includes("unknown") ? "unknown" : "proved";
  const coverage = domains.map((one) => {
    const said = Object.entries(one).filter(([, value]) => value.length > 0);
    return { domain: one.domain, status: one.status, ...Object.fromEntries(said) };
  });
  return {
    verdict,
    guarantees: stated,
    ...(open.length === 0 ? {} : { obligations: open }),
    ...(coverage.length === 0 ? {} : { coverage }),
  };
}

export function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
