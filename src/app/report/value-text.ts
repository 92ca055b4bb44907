/** Values and names as reports write them: as the text form does. */
import { type Num, printExpr } from "../../ir/index.ts";

export { printFields as argumentsText, printValue as valueText } from "../../ir/index.ts";

export function numberText(value: Num): string {
  return printExpr({ kind: "number", value });
}

/** The name of a variable or of a call. */
export function nameText(name: string): string {
  return printExpr({ kind: "var", name });
}
