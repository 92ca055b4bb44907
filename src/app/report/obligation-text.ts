/** What the program itself needs, in words. */
import { describeObligation } from "../../explain/index.ts";
import type { Checked } from "../../ir/index.ts";
import type { Obligation } from "../../prove/index.ts";

export function obligationText(checked: Checked, obligation: Obligation): string {
  const said = describeObligation(obligation, checked);
  return obligation.why === undefined ? said : `${said}: ${obligation.why}`;
}
