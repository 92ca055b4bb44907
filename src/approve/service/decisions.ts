/** A decision as it is kept: who, when, why, and the receipt if it approves. Part of what must be trusted. */
import { receiptLimits } from "../limits.ts";
import { newNonce } from "../receipt.ts";
import { type ApprovalKind, type Found, isApproval, type RequestRecord } from "../requests/record.ts";
import type { StandingUse } from "../requests/standing.ts";
import type { Decision } from "../requests/state.ts";
import type { DecisionKind, RuleView } from "../wire.ts";
import type { PolicyOutcome, Ports } from "./ports.ts";

type Signing = Pick<Ports, "sign" | "clock" | "settings">;

/** By a person. */
export function decisionOf(
  ports: Signing,
  record: RequestRecord,
  decision: DecisionKind,
  by: string,
  text: string | null,
): Decision {
  const at = ports.clock();
  return {
    decision,
    by,
    at,
    text,
    rule: null,
    proposed: decision === "approved_remember" ? proposedRule(record, by) : null,
    receipt: isApproval(decision) ? receiptFor(ports, record, record.found, decision, by, at) : null,
  };
}

/** By people whose approval stands for later requests. */
export function standingDecision(
  ports: Signing,
  record: RequestRecord,
  { id, approvers }: StandingUse,
  at: number,
): Decision {
  const by = `standing approval of ${approvers.join(", ")}`;
  const receipt = receiptFor(ports, record, record.found, "auto_approved", by, at);
  const text = "an approval of the same program, inputs and tools stands";
  return { decision: "auto_approved", by, at, text, rule: null, standing: id, proposed: null, receipt };
}

/** By a rule; undefined if no rule decides. */
export function policyDecision(
  ports: Signing,
  record: RequestRecord,
  found: Found,
  { decision, rule, reason }: PolicyOutcome,
): Decision | undefined {
  if (decision === "ask") return undefined;
  const at = ports.clock();
  const by = `rule ${rule ?? ""}`;
  const receipt = decision === "auto_approved" ? receiptFor(ports, record, found, decision, by, at) : null;
  if (decision === "auto_approved" && receipt === null) return undefined;
  return { decision, by, at, text: reason, rule, proposed: null, receipt };
}

/** SOUNDNESS: null, and so no approval, for whatever is not proved, or is not bound to all that a receipt is for. */
function receiptFor(
  { sign, settings }: Signing,
  { filed }: RequestRecord,
  found: Found | null,
  decision: ApprovalKind,
  by: string,
  at: number,
): string | null {
  if (found?.kind !== "proof" || found.view.verdict !== "proved" || found.binding === null) return null;
  const notBefore = Math.max(0, Math.floor(at));
  return sign({
    ...found.binding,
    kernel: filed.kernel,
    budget: filed.budget,
    uses: 1,
    notBefore,
    expires: notBefore + settings.receiptMs,
    nonce: newNonce(),
    decision,
    by: by.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "?").slice(0, receiptLimits.byLength),
  });
}

/** The rule that would have approved it: everything that is proved of it, as it is written, and the tools that it calls. */
function proposedRule({ found, filed }: RequestRecord, by: string): RuleView | null {
  if (found?.kind !== "proof") return null;
  const proved = found.view.guarantees.filter(({ verdict }) => verdict === "proved").map(({ name }) => name);
  if (proved.length === 0) return null;
  return {
    name: `like ${filed.program.file}`,
    decision: "auto_approved",
    whenProven: [...new Set(proved)],
    tools: [...new Set(found.view.mayDo.calls.map(({ tool }) => tool))].sort(),
    reason: `${by} approved one like it`,
  };
}
