/** Decides on a run: the third stage. A channel answers, and an approval becomes a signed receipt. */
import type { Approval, Receipt } from "../approve/index.ts";
import { ok, type RecordValue, type Result } from "../ir/index.ts";
import type { Kernel } from "../kernel/index.ts";
import type { Verification } from "../plan/index.ts";
import { type RunProblem, startingProblems } from "../run/index.ts";
import { approvedReceipt, type SigningKey } from "./decide/receipt.ts";
import type { Failure } from "./failure.ts";
import type { Clock } from "./files/port.ts";
import type { Runnable } from "./load.ts";
import type { Proved } from "./prove.ts";
import { mustBe, type Stage, stamp } from "./stage.ts";

/** A run that somebody is asked about. */
export interface RunRequest {
  readonly proved: Proved<Runnable>;
  readonly inputs: RecordValue;
  /** The kernel that the run is held to. An approval holds for this one alone. */
  readonly kernel: Kernel;
  /** The most that the run may spend. */
  readonly budget?: string | undefined;
}

/** Asks somebody, or something, whether a run may begin: a person, a page, a policy. */
export interface ApprovalChannel {
  readonly ask: (request: RunRequest) => Promise<Result<Answer, Failure>>;
}

export type Answer =
  /** The receipt is signed here. */
  | { readonly kind: "approved"; readonly decision: Approval; readonly by: string }
  /** The receipt was signed elsewhere; the run verifies it. */
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  | { readonly kind: "rejected"; readonly why: string };

/** A run that may begin, once. */
export type Approved = ApprovedParts & Stage<"approved">;

interface ApprovedParts {
  readonly kind: "approved";
  readonly request: RunRequest;
  readonly receipt: Receipt;
  /** Verifies the receipt. */
  readonly publicKey: string;
}

export type Rejected =
  | { readonly kind: "rejected"; readonly why: string }
  /** The run could not begin, so nobody was asked. */
  | { readonly kind: "cannot begin"; readonly problems: readonly RunProblem[] }
  /** The plan can go wrong from the state of the kernel, so nobody was asked. */
  | { readonly kind: "invalid plan"; readonly found: Verification };

/** Returns why no run of the program could begin on this kernel; undefined if one can. */
export async function refusedAtStart({ proved, kernel }: RunRequest): Promise<Rejected | undefined> {
  const { checked, plan } = proved.document;
  const problems = startingProblems(checked, kernel);
  if (problems.length > 0) return { kind: "cannot begin", problems };
  if (plan === undefined) return undefined;
  const { stateOf, verify } = await import("../plan/index.ts");
  const found = verify(plan.plan, { state: stateOf(kernel), warnings: plan.warnings, book: plan.book });
  return found.valid ? undefined : { kind: "invalid plan", found };
}

/**
 * Asks the channel about a run.
 * SOUNDNESS: a program that is not proved is rejected before anybody is asked, whatever the channel would say.
 */
export async function decide(
  request: RunRequest,
  channel: ApprovalChannel,
  signing: SigningKey,
  clock: Pick<Clock, "wallMs">,
): Promise<Result<Approved | Rejected, Failure>> {
  const { proved } = request;
  mustBe("proved", proved);
  if (proved.verdict !== "proved")
    return ok({ kind: "rejected", why: `it is ${proved.verdict}, and only a proved program can run` });
  const refused = await refusedAtStart(request);
  if (refused !== undefined) return ok(refused);
  const answer = await channel.ask(request);
  if (!answer.ok) return answer;
  if (answer.value.kind === "rejected") return ok({ kind: "rejected", why: answer.value.why });
  const receipt =
    answer.value.kind === "receipt"
      ? answer.value.receipt
      : await approvedReceipt(request, signing, answer.value, clock.wallMs());
  const parts: ApprovedParts = { kind: "approved", request, receipt, publicKey: signing.publicKey };
  return ok(stamp("approved", parts));
}
