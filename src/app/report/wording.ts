/** Guarantees, obligations, calls and values as reports name them. */
import { codeText, describeObligation, isAbout, mentions, sentence } from "../../explain/index.ts";
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

/** LIMIT: of a guarantee in a message, as it was stated. */
const longestStated = 200;

/**
 * A guarantee as it was stated, and its parts that speak of calls of one tool: a call of the tool can break no other. A
 * contract for many tools is long, and refusals are read by people in a hurry.
 */
export function guaranteeAbout(checked: Checked, guarantee: Guarantee, tool: string): string {
  const { stated } = guaranteeText(checked, guarantee);
  const shown = codeText(stated.length <= longestStated ? stated : `${stated.slice(0, longestStated)}…`);
  const { formula } = guarantee;
  if (formula === undefined) return shown;
  const parts = conjunctsOf(formula).filter((one) => isAbout(checked, one)(tool));
  const said = [...new Set(parts.map((one) => sentence(one, checked)))];
  return `${shown}: ${said.length === 0 ? sentence(formula, checked) : said.join("; ")}`;
}

/**
 * The parts of a conjunction. The front end gives names to parts of long ones, which are followed; a formula that uses such a
 * name in another way is one part.
 */
function conjunctsOf(formula: Expr): readonly Expr[] {
  const named = new Map<string, Expr>();
  const parts = (expr: Expr): readonly Expr[] => {
    if (expr.kind === "let") {
      named.set(expr.name, expr.value);
      return parts(expr.body);
    }
    if (expr.kind === "op" && expr.op === "and") return expr.args.flatMap(parts);
    const value = expr.kind === "var" ? named.get(expr.name) : undefined;
    return value === undefined ? [expr] : parts(value);
  };
  const found = parts(formula);
  const isAlone = (part: Expr) => ![...named.keys()].some((name) => mentions(part, name));
  return found.every(isAlone) ? found : [formula];
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
