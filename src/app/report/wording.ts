/** Guarantees, obligations, calls and values as reports name them. */
import { describeObligation, isAbout, sentence } from "../../explain/index.ts";
import {
  type Checked,
  type Expr,
  type Guarantee,
  type Num,
  printExpr,
  printName,
  type TraceEntry,
} from "../../ir/index.ts";
import type { Obligation } from "../../prove/index.ts";
import type { LoadedDocument } from "../load/documents.ts";

export interface GuaranteeText {
  /** The contract that is called, by its full name and with its constants. */
  readonly stated: string;
  /** Its meaning, as a sentence. */
  readonly sentence?: string;
}

export function guaranteeText(checked: Checked, { name, args, formula }: Guarantee): GuaranteeText {
  const stated = `${printName(name)}(${args.map(printExpr).join(", ")})`;
  return formula === undefined ? { stated } : { stated, sentence: sentence(formula, checked) };
}

export function obligationText(checked: Checked, obligation: Obligation): string {
  const said = describeObligation(obligation, checked);
  return obligation.why === undefined ? said : `${said}: ${obligation.why}`;
}

/** Names the source of the assumptions about tools. */
export function relativeTo(document: LoadedDocument): string {
  const { modules } = document.checked.document;
  return "sources" in document && modules !== undefined
    ? `the tool modules ${modules}`
    : "the document itself";
}

/** `pay`, and in loops `pay[0]` or `pay[2,0]`. */
export function callText(id: string, indices: readonly number[]): string {
  // One that stands for any iteration has an index below zero.
  const shown = indices.map((index) => (index < 0 ? "*" : String(index)));
  return shown.length === 0 ? nameText(id) : `${nameText(id)}[${shown.join()}]`;
}

export function involvedIn(
  checked: Checked,
  formula: Expr | undefined,
  trace: readonly TraceEntry[],
): TraceEntry[] {
  const involves = isAbout(checked, formula);
  return trace.filter(({ tool }) => involves(tool));
}

export { printFields as argumentsText, printValue as valueText } from "../../ir/index.ts";

export function numberText(value: Num): string {
  return printExpr({ kind: "number", value });
}

/** The name of a variable or of a call. */
export function nameText(name: string): string {
  return printExpr({ kind: "var", name });
}
