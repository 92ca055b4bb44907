/** Who approves a run here: a rule of the policy, or the person at the terminal. */
import { chargeLimits } from "../../approve/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { AppliedPolicy } from "../policy/apply-policy.ts";
import type { Terminal } from "../terminal.ts";
import type { Approver } from "./approval.ts";
import { isApproved } from "./question.ts";

export interface Asking {
  /** Given in place of a person's answer. */
  readonly yes: boolean;
  /** Whether what is charged to a limit outlives the command. */
  readonly keepsCount: boolean;
}

/** Who approves it, or why nobody does. A rule that rejects stands above `--yes`, which stands for a person. */
export async function approverOf(
  terminal: Terminal,
  policy: AppliedPolicy | undefined,
  kernel: Kernel,
  { yes, keepsCount }: Asking,
): Promise<Approver | string> {
  const rule = policy?.rule;
  const named = `rule ${rule?.name ?? ""}`;
  if (policy?.decision === "auto_rejected") return `it was rejected by ${named}: ${rule?.reason ?? ""}`;
  if (policy?.decision === "auto_approved") {
    const against = await chargedTo(policy, kernel, keepsCount, terminal.wallMs());
    if (against === undefined) return { decision: "auto_approved", by: named };
    await terminal.stderr.write(`${named} does not approve it: ${against}\n`);
  }
  if (yes) return { decision: "approved_once", by: "--yes" };
  if (!terminal.isTyped) return "there is no person at a terminal to ask; --yes approves without asking";
  return (await isApproved(terminal)) ? { decision: "approved_once", by: "terminal" } : "it was not approved";
}

/** Why the limits of the rule do not allow it. */
async function chargedTo(
  { charges }: AppliedPolicy,
  kernel: Kernel,
  keepsCount: boolean,
  nowMs: number,
): Promise<string | undefined> {
  if (charges.length === 0) return undefined;
  if (!keepsCount) return "it has limits, and without --ledger nothing is counted";
  const charged = await chargeLimits(kernel, charges, Math.floor(nowMs));
  if (charged.kind === "charged") return undefined;
  if (charged.kind === "refused") return `the kernel refused to count its limits: ${charged.reason}`;
  const { limit, used } = charged.by;
  const { amount, atMost } = charges.find((one) => one.limit === limit) ?? { amount: 0, atMost: 0 };
  return `of the limit \`${limit}\`, ${used} of ${atMost} are used, and this may take ${amount}`;
}
