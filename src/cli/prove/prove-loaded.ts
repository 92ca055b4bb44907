/** Proves what was loaded: a plan knows more of its runs than its document says. */
import type { Checked } from "../../ir/index.ts";
import { type Proof, type ProveOptions, prove } from "../../prove/index.ts";
import type { LoadedDocument } from "../load.ts";
import type { LoadedProgram } from "../load-program.ts";

/** @param checked its document, or the same with further guarantees */
export async function proveLoaded(
  document: LoadedDocument | LoadedProgram,
  options: ProveOptions,
  checked: Checked = document.checked,
): Promise<Proof> {
  const plan = "plan" in document ? document.plan : undefined;
  if (plan === undefined) return prove(checked, options);
  const { provePlan } = await import("../../plan/index.ts");
  return provePlan(plan.lowered, checked, options);
}
