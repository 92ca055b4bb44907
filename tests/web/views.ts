/** Requests as the service gives them, made by the real prover of the programs under examples/. */
import { join } from "node:path";
import { coverageOf, describeObligation, describeStop, loudestFirst } from "../../src/analyze/index.ts";
import { mayDo } from "../../src/analyze/may-do.ts";
import type {
  CounterexampleView,
  CoverageView,
  ProofView,
  RequestDetail,
  Wire,
} from "../../src/approve/wire.ts";
import { guaranteeText } from "../../src/cli/guarantee-text.ts";
import { stepsOf } from "../../src/cli/prove/steps.ts";
import { verdictOf } from "../../src/cli/prove/verdict.ts";
import { type Compiled, compileProgram } from "../../src/frontend/index.ts";
import { encodeValue } from "../../src/ir/convert/encode.ts";
import {
  type Checked,
  check,
  hashDocument,
  type Path,
  placeOf,
  printValue,
  Unknown,
} from "../../src/ir/index.ts";
import { recordOf } from "../../src/ir/type.ts";
import { prove, type Verdict } from "../../src/prove/prove.ts";
import type { Solver } from "../../src/prove/solver/port.ts";
import { folder, readFile } from "../examples/examples.ts";

const limits = { timeoutMs: 20_000, resources: 20_000_000 };

/** What there is to read about a program; nothing of how it was filed. */
export type Proved = Pick<RequestDetail, "status" | "program" | "proof" | "problems" | "worst" | "counts">;

/** @param name `email/first-mail` */
export async function provedExample(name: string, solver: Solver): Promise<Proved> {
  const path = join(folder, `${name}.ts`);
  const text = readFile(path) ?? "";
  const program = { file: `${name.split("/").at(-1)}.ts`, text };
  const compiled = compileProgram(path, { readFile });
  const counts = { proved: 0, refuted: 0, unknown: 0 };
  if (!compiled.ok) {
    const problems = compiled.problems.map(({ code, message, help, span }) => {
      const before = text.slice(0, span.start).split("\n");
      return {
        code,
        message,
        help: help ?? null,
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
      };
    });
    return { status: "invalid", program, proof: null, problems, worst: null, counts };
  }
  const proof = await proofView(compiled.value, solver);
  for (const { verdict } of proof.guarantees) counts[verdict]++;
  const status = proof.verdict === "proved" ? "pending" : "not_proved";
  return { status, program, proof, problems: [], worst: proof.coverage[0]?.status ?? null, counts };
}

async function proofView(compiled: Compiled, solver: Solver): Promise<ProofView> {
  const checked = check(compiled.document);
  if (!checked.ok) throw new TypeError("a compiled document does not check");
  const options = { solver: async () => solver, limits };
  const proof = await prove(checked.value, options);
  const coverage = await coverageOf(compiled.document, proof, compiled.used, options);
  const added = new Set(compiled.used.flatMap(({ contracts }) => contracts.map((one) => one.added)));
  const lineOf = (path: Path) => placeOf(compiled.sourceMap, path)?.startLine;
  const verdict = verdictOf(proof);
  return {
    verdict: verdict === "invalid" ? "unknown" : verdict,
    hash: hashDocument(compiled.document),
    modules: compiled.modules,
    ms: 12,
    guarantees: proof.guarantees.map(({ guarantee, verdict: found, interruption }, i) => ({
      name: guaranteeText(checked.value, guarantee).stated,
      text: guaranteeText(checked.value, guarantee).sentence ?? "",
      doc: null,
      verdict: found.kind,
      by: found.kind === "proved" ? (found.by === "smt" ? "z3 4.15" : found.by) : null,
      enforced: added.has(i),
      interruption:
        interruption === undefined
          ? null
          : {
              safe: interruption.kind === "safe",
              text:
                interruption.kind === "safe"
                  ? null
                  : interruption.at
                      .slice(0, 2)
                      .map((stop) => describeStop(stop, (path) => `line ${lineOf(path)}`))
                      .join("; "),
            },
      why: found.kind === "proved" ? null : found.why,
      counterexample: runView(checked.value, found, (id) => lineOf(callPath(checked.value, id))),
      line: lineOf(["guarantees", i]) ?? null,
    })),
    obligations: proof.obligations.map(({ obligation, verdict: found }) => ({
      kind: obligation.kind,
      text: describeObligation(obligation, checked.value),
      verdict: found.kind,
      why: found.kind === "proved" ? null : found.why,
      counterexample: runView(checked.value, found, (id) => lineOf(callPath(checked.value, id))),
      line: lineOf(obligation.path) ?? null,
    })),
    coverage: loudestFirst(coverage).map((one): CoverageView => ({ ...one, text: "" })),
    mayDo: mayDo(checked.value, proof, lineOf),
  };
}

function callPath({ document }: Checked, id: string): Path {
  let found: Path = [];
  const visit = (node: unknown, path: Path): void => {
    if (typeof node !== "object" || node === null) return;
    if (Reflect.get(node, "kind") === "call" && Reflect.get(node, "id") === id) found = path;
    for (const [key, part] of Object.entries(node))
      visit(part, [...path, Array.isArray(node) ? Number(key) : key]);
  };
  visit(document.program.body, ["program", "body"]);
  return found;
}

function runView(
  checked: Checked,
  verdict: Verdict,
  lineOf: (id: string) => number | undefined,
): CounterexampleView | null {
  if (verdict.kind !== "refuted") return null;
  const inputs = encodeValue(verdict.run.inputs, recordOf(checked.document.program.inputs));
  const held = (value: Parameters<typeof printValue>[0] | Unknown) =>
    value instanceof Unknown ? "not known" : printValue(value);
  return {
    // What is encoded is plain JSON.
    inputs: inputs as { [name: string]: Wire },
    why: verdict.why,
    steps: stepsOf(checked, verdict.run).steps.map(({ entry, changes }) => ({
      tool: entry.tool,
      args: Object.entries(entry.args.fields).map(([name, value]) => ({ name, value: printValue(value) })),
      result:
        entry.outcome.kind === "returned"
          ? entry.outcome.result === undefined
            ? null
            : printValue(entry.outcome.result)
          : entry.outcome.reason,
      failed: entry.outcome.kind !== "returned",
      line: lineOf(entry.id) ?? null,
      changes: changes.map(({ fluent, key, before, after }) => ({
        fluent,
        key: key === undefined ? "some key" : printValue(key),
        from: held(before),
        to: held(after),
      })),
    })),
  };
}
