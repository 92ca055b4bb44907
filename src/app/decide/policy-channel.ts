/** Lets a policy decide first. A rule that rejects stands above everybody else; where none decides, the next channel is asked. */
import { chargeLimits } from "../../approve/index.ts";
import { ok } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { ApprovalChannel } from "../decide.ts";
import type { AppliedPolicy } from "./apply-policy.ts";

export interface PolicyChannelOptions {
  readonly policy: AppliedPolicy;
  /** Set if a charge to a limit outlives the process. */
  readonly keepsCount: boolean;
  readonly wallMs: () => number;
  /** Hears why a rule that would approve does not. */
  readonly told: (text: string) => Promise<void>;
  /** Asked where no rule decides. */
  readonly otherwise: ApprovalChannel;
}

export function policyChannel(options: PolicyChannelOptions): ApprovalChannel {
  const { policy, keepsCount, wallMs, told, otherwise } = options;
  const { rule } = policy;
  const named = `rule ${rule?.name ?? ""}`;
  return {
    ask: async (request) => {
      if (policy.decision === "auto_rejected")
        return ok({ kind: "rejected", why: `it was rejected by ${named}: ${rule?.reason ?? ""}` });
      if (policy.decision === "auto_approved") {
        const against = await chargedTo(policy, request.kernel, keepsCount, wallMs());
        if (against === undefined) return ok({ kind: "approved", decision: "auto_approved", by: named });
        await told(`${named} does not approve it: ${against}`);
      }
      return otherwise.ask(request);
    },
  };
}

/** Returns why the limits of the rule do not allow the run. */
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
