/** `prove`: what a document guarantees, shown for every run, or a run that breaks it. */
import { hashDocument, type PlainJson, printExpr, printName, recordedRunToJson } from "../../ir/index.ts";
import type { Obligation } from "../../prove/facts.ts";
import { type Proof, prove, type Verdict } from "../../prove/prove.ts";
import type { Solver } from "../../prove/solver/port.ts";
import { type ExitCode, fine, notSo } from "../exit-code.ts";
import { columnsOf, lookOf, reportFailure, writeJson } from "../failure.ts";
import { type LoadedDocument, loadDocument } from "../load.ts";
import { isProgram, loadProgram } from "../load-program.ts";
import { Progress } from "../progress.ts";
import type { Output, Terminal } from "../terminal.ts";
import { Lines } from "../text/lines.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { argumentsText } from "../text/value-text.ts";
import { cut, visible } from "../text/width.ts";
import { traceTable } from "../trace-table.ts";

export interface ProveCommandOptions {
  readonly json?: boolean;
  /** For each question to the solver. */
  readonly timeout: number;
  /** Folders of trusted tool modules, for a TypeScript program. */
  readonly tools?: readonly string[];
}

/** LIMIT: a count of the solver's steps, the same on every machine; some seconds of work. */
const resources = 20_000_000;

export async function proveDocument(
  terminal: Terminal,
  path: string,
  options: ProveCommandOptions,
): Promise<ExitCode> {
  const document = isProgram(path)
    ? loadProgram(path, options.tools)
    : await loadDocument(terminal, path, new Progress(terminal));
  if (!document.ok) return reportFailure(terminal, document.failure, options.json === true);
  let solver: Solver | undefined;
  const proof = await prove(document.value.checked, {
    solver: async () => {
      const { z3Wasm } = await import("../../prove/solver/z3-wasm.ts");
      solver ??= z3Wasm();
      return solver;
    },
    limits: { timeoutMs: options.timeout, resources },
  });
  await solver?.close();
  if (options.json) await writeJson(terminal.stdout, proofToJson(document.value, proof));
  else await terminal.stdout.write(proofText(document.value, proof, terminal.stdout));
  return isProved(proof) ? fine : notSo;
}

/** Whose declarations of tools are believed. */
function relativeTo(document: LoadedDocument): string {
  const { modules } = document.checked.document;
  return isProgram(document.file) && modules !== undefined
    ? `the tool modules ${modules.slice(0, 21)}`
    : "the document itself";
}

function isProved({ guarantees, obligations }: Proof): boolean {
  return [...guarantees, ...obligations].every(({ verdict }) => verdict.kind === "proved");
}

// ── for programs ─────────────────────────────────────────────────────────────────────────────────────────

function proofToJson(document: LoadedDocument, proof: Proof): PlainJson {
  const { checked } = document;
  return {
    ok: isProved(proof),
    hash: hashDocument(checked.document),
    relativeTo: relativeTo(document),
    guarantees: proof.guarantees.map(({ guarantee: { name, args }, verdict }) => ({
      name,
      args: args.map(printExpr),
      ...verdictToJson(document, verdict),
    })),
    obligations: proof.obligations.map(({ obligation, verdict }) => ({
      kind: obligation.kind,
      says: saysOf(obligation),
      ...placeOf(document, obligation),
      ...verdictToJson(document, verdict),
    })),
  };
}

function verdictToJson({ checked }: LoadedDocument, verdict: Verdict): { readonly [key: string]: PlainJson } {
  switch (verdict.kind) {
    case "proved":
      return verdict.by === "smt"
        ? { verdict: "proved", by: "smt", solver: verdict.evidence.solver }
        : { verdict: "proved", by: "ground" };
    case "refuted":
      return { verdict: "refuted", why: verdict.why, run: recordedRunToJson(checked, verdict.run) };
    case "unknown": {
      const { candidate } = verdict;
      const tried = candidate === undefined ? {} : { candidate: recordedRunToJson(checked, candidate) };
      return { verdict: "unknown", why: verdict.why, ...tried };
    }
  }
}

function placeOf(
  { locate, text }: LoadedDocument,
  { path }: Obligation,
): { readonly line?: number; readonly column?: number } {
  const span = locate(path);
  return span === undefined ? {} : new Lines(text).positionOf(span.start);
}

// ── for people ───────────────────────────────────────────────────────────────────────────────────────────

function proofText(document: LoadedDocument, proof: Proof, output: Output): string {
  const paint = paintFor(lookOf(output));
  const hash = hashDocument(document.checked.document);
  const head = [
    `${paint.bold(visible(document.file))}  ${paint.dim(`${hash.slice(0, 21)}${paint.signs.cut}`)}`,
    paint.dim(`for all inputs and all answers of the tools, as declared in ${relativeTo(document)}`),
    "",
  ];
  const guarantees = proof.guarantees.flatMap(({ guarantee: { name, args }, verdict }) => {
    const stated = `${printName(name)}(${args.map(printExpr).join(", ")})`;
    return verdictLines(stated, verdict, output, paint);
  });
  const open = proof.obligations.filter(({ verdict }) => verdict.kind !== "proved");
  const obligations = open.flatMap(({ obligation, verdict }) => {
    const { line, column } = placeOf(document, obligation);
    const at = line === undefined ? "" : `  at ${document.file}:${line}:${column}`;
    return verdictLines(`${saysOf(obligation)}${at}`, verdict, output, paint);
  });
  const also = obligations.length === 0 ? [] : ["", "what the program itself needs", ...obligations];
  return [...head, ...guarantees, ...also].map((line) => `${line}\n`).join("");
}

function verdictLines(stated: string, verdict: Verdict, output: Output, paint: Paint): string[] {
  const look = {
    proved: [paint.green, paint.signs.holds],
    refuted: [paint.red, paint.signs.violated],
    unknown: [paint.yellow, paint.signs.unknown],
  } as const;
  const [colour, sign] = look[verdict.kind];
  const width = columnsOf(output);
  const line = `  ${colour(`${sign}${verdict.kind.padEnd("refuted".length)}`)}  ${cut(visible(stated), 4 * width, paint.signs.cut)}`;
  const indent = " ".repeat(sign.length + "  refuted  ".length);
  switch (verdict.kind) {
    case "proved":
      return [line];
    case "unknown":
      return [line, paint.dim(`${indent}${visible(verdict.why)}`)];
    case "refuted": {
      const inputs = argumentsText(verdict.run.inputs, 4 * width);
      const given = inputs === "" ? "" : ` with ${inputs}`;
      const calls = traceTable(verdict.run.trace, width - indent.length, paint).map((row) => indent + row);
      return [line, paint.dim(`${indent}${visible(`${verdict.why}; this run${given}:`)}`), ...calls];
    }
  }
}

function saysOf({ kind, condition, fact, why }: Obligation): string {
  const text = condition === undefined ? "" : `\`${printExpr(condition)}\``;
  if (kind === "requires") return `\`${fact?.tool.name}\` requires ${text}`;
  return kind === "require" ? `the program requires ${text}: ${why}` : "the list is not longer than `max`";
}
