/** How a guarantee is shown to people: as the program states it, and in English. */
import { sentence } from "../../explain/index.ts";
import { type Checked, type Guarantee, printExpr, printName } from "../../ir/index.ts";

export interface GuaranteeText {
  /** The contract that is called, by its full name and with its constants. */
  readonly stated: string;
  /** What it says, as a sentence. */
  readonly sentence?: string;
}

export function guaranteeText(checked: Checked, { name, args, formula }: Guarantee): GuaranteeText {
  const stated = `${printName(name)}(${args.map(printExpr).join(", ")})`;
  return formula === undefined ? { stated } : { stated, sentence: sentence(formula, checked) };
}
