/** How a guarantee is shown to people: as the program states it, and in English. */
import { type Checked, type Guarantee, printExpr, printName } from "../ir/index.ts";

export interface GuaranteeText {
  /** The contract that is called, by its full name and with its constants. */
  readonly stated: string;
  /** What it says, as a sentence. */
  readonly sentence?: string;
}

export function guaranteeText(_checked: Checked, { name, args }: Guarantee): GuaranteeText {
  return { stated: `${printName(name)}(${args.map(printExpr).join(", ")})` };
}
