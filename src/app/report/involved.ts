/** Which calls of a run a guarantee is about. */
import { isAbout } from "../../explain/index.ts";
import type { Checked, Expr, TraceEntry } from "../../ir/index.ts";

export function involvedIn(
  checked: Checked,
  formula: Expr | undefined,
  trace: readonly TraceEntry[],
): TraceEntry[] {
  const involves = isAbout(checked, formula);
  return trace.filter(({ tool }) => involves(tool));
}
