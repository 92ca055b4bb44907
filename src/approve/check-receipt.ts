/**
 * Checks that a receipt covers a run: this program, these tools and inputs, this kernel and time. Part of what must
 * be trusted.
 */
import {
  type Checked,
  canonicalJson,
  encodeValue,
  type RecordValue,
  recordOf,
  sha256Hex,
} from "../ir/index.ts";
import type { ApproveCode, ReceiptProblem } from "./codes.ts";
import { problem, type Receipt, signatureProblem } from "./receipt.ts";

/** The run that needs the receipt. */
export interface Asked {
  readonly program: string;
  readonly modules: string;
  readonly inputs: string;
  readonly kernel: string;
  readonly nowMs: number;
}

/** Returns the digest of the exact input values, independent of the file's formatting. */
export function inputsDigest(checked: Checked, inputs: RecordValue): string {
  const json = encodeValue(inputs, recordOf(checked.document.program.inputs));
  return `in1-${sha256Hex(`foreclaim inputs\n${canonicalJson(json)}`)}`;
}

/**
 * Everything that is wrong; none if it is good, but for whether it was used, which only the ledger can say.
 * SOUNDNESS: what was not signed is not looked into, so the signature comes first and alone.
 */
export function receiptProblems(
  receipt: Receipt,
  publicKey: string,
  asked: Asked,
): readonly ReceiptProblem[] {
  const forged = signatureProblem(receipt, publicKey);
  if (forged !== undefined) return [forged];
  const found: ReceiptProblem[] = [];
  const bound: readonly (readonly [ApproveCode, string, string, string])[] = [
    ["FC4004", "the program", receipt.program, asked.program],
    ["FC4005", "tools", receipt.modules, asked.modules],
    ["FC4006", "inputs", receipt.inputs, asked.inputs],
    ["FC4007", "the kernel that begins with", receipt.kernel, asked.kernel],
  ];
  for (const [code, what, is, wanted] of bound) {
    if (is !== wanted)
      found.push(problem(code, `the receipt is for ${what} \`${is}\`, and this is \`${wanted}\``));
  }
  const { nowMs } = asked;
  // A clock that is no time at all is within no receipt's time.
  if (!(nowMs < receipt.expires))
    found.push(problem("FC4008", `the receipt expired at ${timeText(receipt.expires)}`, "ask for a new one"));
  else if (!(nowMs >= receipt.notBefore))
    found.push(problem("FC4009", `the receipt is valid from ${timeText(receipt.notBefore)}`));
  return found;
}

function timeText(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? `${ms} ms` : time.toISOString();
}
