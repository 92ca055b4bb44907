/**
 * Values as literals of OWL 2. Numbers are exact: integers, decimals where they end, and otherwise rationals, which in
 * OWL 2 are values of one and the same kind.
 */
import { decimalText, isNum, type Num, numText, type Value } from "../ir/index.ts";

export interface Literal {
  readonly datatype: Datatype;
  /** As it is written between the quotation marks, before any escape of a format. */
  readonly text: string;
}

export type Datatype = "xsd:boolean" | "xsd:integer" | "xsd:decimal" | "owl:rational" | "xsd:string";

/** Undefined for lists, records, options and JSON: they are no data values. */
export function literalOf(value: Value): Literal | undefined {
  if (typeof value === "boolean") return { datatype: "xsd:boolean", text: String(value) };
  if (typeof value === "string") return { datatype: "xsd:string", text: xmlText(value) };
  return value !== null && isNum(value) ? numberLiteral(value) : undefined;
}

export function numberLiteral(value: Num): Literal {
  if (typeof value === "bigint") return { datatype: "xsd:integer", text: value.toString() };
  const decimal = decimalText(value);
  return decimal === undefined
    ? { datatype: "owl:rational", text: numText(value) }
    : { datatype: "xsd:decimal", text: decimal };
}

/** The sign for an escape: nobody writes it, and it is one that XML has. */
const sign = "\u241b";

/**
 * `xsd:string` has only the characters of XML. Others are written as the sign and four digits for each code unit, and so is
 * the sign itself, so that different strings stay different and all usual ones stay as they are.
 */
export function xmlText(text: string): string {
  return text.replace(notInXml, (char) =>
    Array.from({ length: char.length }, (_, i) => sign + hex(char.charCodeAt(i))).join(""),
  );
}

const notInXml = /[^\t\n\r\u0020-\u241a\u241c-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function hex(unit: number): string {
  return unit.toString(16).toUpperCase().padStart(4, "0");
}
