/**
 * The question to a person before a run. All of it comes from the proof and from the proved document: no word is the
 * agent's, except constants of the program, which stand in quotation marks.
 */

import type { ApprovalChannel, LoadedProgram, TargetCoverage } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, printValue, type RecordValue } from "../../../ir/index.ts";
import type { Proof } from "../../../prove/index.ts";
import { columnsOf, paintOf } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import type { Typing } from "../../typing.ts";
import { proofText } from "../prove/render.ts";
import { mayDoLines } from "./effects-text.ts";

export interface Question {
  readonly document: LoadedProgram;
  readonly proof: Proof;
  readonly coverage: TargetCoverage;
  readonly inputs: RecordValue;
  readonly budget: string | undefined;
  /** As a person would name it; undefined if nothing is kept. */
  readonly ledger: string | undefined;
}

/** LIMIT: lines of calls that people see; `prove --show facts` has all of them. */
const mostLines = 40;

export function questionText(asked: Question, output: Output): string {
  const { document, proof, coverage, inputs, budget, ledger } = asked;
  const { bold, dim } = paintOf(output);
  const calls = mayDoLines(document, proof, inputs, columnsOf(output));
  const more = calls.length - mostLines;
  const given = Object.keys(inputs.fields).length === 0 ? "none" : printValue(inputs, 400);
  const about = [
    ["inputs", visibleText(given)],
    [
      "budget",
      budget !== undefined
        ? `at most ${budget} in all`
        : ledger === undefined
          ? "none"
          : "what the ledger has",
    ],
    ["ledger", ledger === undefined ? "none: nothing is kept" : visibleText(ledger)],
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

export interface Person {
  /** Given in place of a person's answer. */
  readonly yes: boolean;
  /** True if standard input is a keyboard, and not used up by the program. */
  readonly isTyped: boolean;
  readonly typing: Typing;
}

/** Asks the person at the host, unless `--yes` answers for them. */
export function personChannel(host: Host, { yes, isTyped, typing }: Person): ApprovalChannel {
  return {
    ask: async () => {
      if (yes) return ok({ kind: "approved", decision: "approved_once", by: "--yes" });
      if (!isTyped) {
        const why = "there is no person at a terminal to ask; --yes approves without asking";
        return ok({ kind: "rejected", why });
      }
      return ok(
        (await isApproved(host, typing))
          ? { kind: "approved", decision: "approved_once", by: "terminal" }
          : { kind: "rejected", why: "it was not approved" },
      );
    },
  };
}

/** Only what a person types counts: what comes out of a pipe may be anyone's. */
async function isApproved(host: Host, typing: Typing): Promise<boolean> {
  await host.stderr.write("approve this run? [y/N] ");
  const line = (await typing.line()) ?? "";
  return /^\s*(?:y|yes)\s*$/i.test(line);
}
