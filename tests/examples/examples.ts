/** The example programs of examples/<domain>/, what is expected of each, and what is found. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Compiled, compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check, type Path, placeOf, printExpr } from "../../src/ir/index.ts";
import { type Proof, prove } from "../../src/prove/prove.ts";
import type { Solver } from "../../src/prove/solver/port.ts";

export const folder = join(import.meta.dirname, "../../examples");

export interface Example {
  readonly domain: string;
  /** Without its extension. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** What `expected.json` says of a program. */
export interface Expected {
  readonly verdict: "proved" | "refuted" | "unknown" | "invalid";
  /** For an invalid program: the codes, in the order in which they are told. */
  readonly codes?: readonly string[];
  /** For an invalid program: an editor refuses it as well, because its types are wrong. */
  readonly typeError?: boolean;
  readonly guarantees?: readonly ExpectedGuarantee[];
  /** What is not proved of what the program itself needs. */
  readonly obligations?: readonly ExpectedObligation[];
  /** For people: why it is not proved. */
  readonly why?: string;
}

interface ExpectedGuarantee {
  readonly guarantee: string;
  readonly verdict: string;
  /** Of what is proved: `safe`, or after which lines the promise is open if the run stops there. */
  readonly interruption?: string;
}

interface ExpectedObligation {
  readonly kind: string;
  readonly tool?: string;
  readonly line: number;
  readonly verdict: string;
}

export const domains: readonly string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
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

/** LIMIT: many times what any example needs, so that a slow machine finds the same. */
const limits = { timeoutMs: 60_000, resources: 20_000_000 };

/** Compiles and proves the program; what is found has the form of what is expected. */
export async function find({ path }: Example, solver: Solver): Promise<Found> {
  const compiled = compileProgram(path, { readFile });
  if (!compiled.ok)
    return { expected: { verdict: "invalid", codes: compiled.problems.map(({ code }) => code) } };
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new TypeError("a compiled document does not check");
  const proof = await prove(checked.value, { solver: async () => solver, limits });
  return { checked: checked.value, proof, expected: asExpected(compiled.value, proof) };
}

function asExpected({ sourceMap }: Compiled, { guarantees, obligations }: Proof): Expected {
  const lineOf = (path: Path) => placeOf(sourceMap, path)?.startLine ?? 0;
  const stated = guarantees.map(({ guarantee: { name, args }, verdict, interruption }) => {
    const row = { guarantee: `${name}(${args.map(printExpr).join(", ")})`, verdict: verdict.kind };
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
  return { verdict, guarantees: stated, ...(open.length === 0 ? {} : { obligations: open }) };
}

export function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
