/** What the program itself needs, in words. */
import { describeObligation } from "../../analyze/index.ts";
import type { Checked } from "../../ir/index.ts";
import type { Obligation } from "../../prove/facts.ts";

export function obligationText(checked: Checked, obligation: Obligation): string {
  const said = describeObligation(obligation, checked);
  return obligation.why === undefined ? said : `${said}: ${obligation.why}`;
}
