/**
 * What a person is shown before a run, and asked. Everything here comes from the proof and from the document that was
 * proved: no word of it is the agent's, but for constants of the program, which stand in quotation marks.
 */
import { printValue, type RecordValue } from "../../ir/index.ts";
import type { Proof } from "../../prove/index.ts";
import { columnsOf, lookOf } from "../failure.ts";
import type { LoadedProgram } from "../load-program.ts";
import type { SubjectCoverage } from "../prove/coverage.ts";
import { proofText } from "../prove/proof-text.ts";
import type { Output, Terminal } from "../terminal.ts";
import { paintFor } from "../text/paint.ts";
import { visible } from "../text/width.ts";
import { mayDoLines } from "./may-do-text.ts";

export interface Question {
  readonly document: LoadedProgram;
  readonly proof: Proof;
  readonly coverage: SubjectCoverage;
  readonly inputs: RecordValue;
  readonly budget: string | undefined;
  /** As a person would name it; undefined if nothing is kept. */
  readonly ledger: string | undefined;
}

/** LIMIT: lines of calls that people see; `prove --show facts` has all of them. */
const mostLines = 40;

export function questionText(asked: Question, output: Output): string {
  const { document, proof, coverage, inputs, budget, ledger } = asked;
  const { bold, dim } = paintFor(lookOf(output));
  const calls = mayDoLines(document, proof, columnsOf(output));
  const more = calls.length - mostLines;
  const given = Object.keys(inputs.fields).length === 0 ? "none" : printValue(inputs, 400);
  const about = [
    ["inputs", visible(given)],
    [
      "budget",
      budget !== undefined
        ? `at most ${budget} in all`
        : ledger === undefined
          ? "none"
          : "what the ledger has",
    ],
    ["ledger", ledger === undefined ? "none: nothing is kept" : visible(ledger)],
  ];
  return [
    proofText(document, proof, coverage, output).trimEnd(),
    "",
    bold("it may call"),
    ...calls.slice(0, mostLines),
    ...(more > 0 ? [dim(`  and ${more} more lines; \`foreclaim prove --show facts\` has all calls`)] : []),
    "",
    ...about.map(([name = "", text = ""]) => `${dim(name)}  ${text}`),
    "",
  ].join("\n");
}

/** Only what a person types counts: what comes out of a pipe may be anyone's. */
export async function isApproved(terminal: Terminal): Promise<boolean> {
  await terminal.stderr.write("approve this run? [y/N] ");
  const line = await typedLine(terminal);
  return /^\s*(?:y|yes)\s*$/i.test(line);
}

/** LIMIT: of a line that somebody types. */
const longestLine = 1_000;

async function typedLine(terminal: Terminal): Promise<string> {
  let text = "";
  for await (const chunk of terminal.chunks(undefined)) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.includes("\n") || text.length > longestLine) break;
  }
  return text.split("\n")[0] ?? "";
}
