/**
 * The state machine of requests: pure, and the only definition. Every step gives the next record, one revision
 * further, or why there is none. Part of what must be trusted: a receipt is issued for nothing else than what comes
 * out of here approved.
 *
 *   proving ─▶ invalid
 *           ─▶ not_proved ─▶ decided (rejected, request_more)
 *           ─▶ pending ────▶ decided
 *           ─▶ decided (expired)
 */
import { isDeepStrictEqual } from "node:util";
import type { DecisionKind, DecisionView, Progress, QuestionReply } from "../wire.ts";
import { type Found, isApproval, type RequestRecord } from "./record.ts";

export type Step =
  | { readonly ok: true; readonly record: RequestRecord }
  | { readonly ok: false; readonly why: Refused };

export type Refused =
  /** Something was changed since: what was read is not what is there. */
  | "revision"
  /** It was decided already, and is decided once. */
  | "decided"
  /** In this state that cannot be done. */
  | "status"
  /** Its time is over. */
  | "expired"
  /** Its time is not over yet. */
  | "not_expired"
  /** There is another run, or one that has ended. */
  | "run"
  /** The run does not wait with this question. */
  | "question";

/** A decision, with the receipt if it approves. */
export interface Decision extends DecisionView {
  readonly receipt: string | null;
}

export function foundStep(record: RequestRecord, found: Found): Step {
  if (record.status !== "proving") return refused(record.status === "decided" ? "decided" : "status");
  return next(record, { status: statusOf(found), found });
}

/** SOUNDNESS: only what is proved, and what a receipt can be bound to, can ever be approved. */
function statusOf(found: Found): RequestRecord["status"] {
  if (found.kind === "invalid") return "invalid";
  return found.view.verdict === "proved" && found.binding !== null ? "pending" : "not_proved";
}

/** `revision`: the one that the reviewer has seen. */
export function decideStep(record: RequestRecord, revision: number, decision: Decision): Step {
  if (record.status === "decided") return refused("decided");
  if (record.revision !== revision) return refused("revision");
  const { receipt, ...decided } = decision;
  if (!mayBeDecided(record, decided.decision)) return refused("status");
  const isOver = decided.at >= record.expiresAt;
  if (decided.decision === "expired" ? !isOver : isOver && record.status === "pending")
    return refused(isOver ? "expired" : "not_expired");
  if (isApproval(decided.decision) !== (receipt !== null))
    throw new TypeError("a receipt goes with an approval, and with nothing else");
  return next(record, { status: "decided", decided, receipt });
}

export function mayBeDecided({ status }: RequestRecord, decision: DecisionKind): boolean {
  switch (decision) {
    case "approved_once":
    case "approved_remember":
    case "auto_approved":
    case "auto_rejected":
      return status === "pending";
    case "rejected":
    case "request_more":
      return status === "pending" || status === "not_proved";
    case "expired":
      return status === "pending" || status === "proving";
  }
}

/** A run that is done or compensated does not change; an interrupted one may resume. */
export function progressStep(record: RequestRecord, progress: Progress): Step {
  if (record.status !== "decided" || record.receipt === null) return refused("status");
  const before = record.progress;
  if (
    before !== null &&
    (before.run !== progress.run || before.state === "done" || before.state === "undone")
  )
    return refused("run");
  // A report that was on its way while a person replied does not take the reply back.
  const isSame = before?.reply !== undefined && isDeepStrictEqual(before.question, progress.question);
  return next(record, { progress: { ...progress, ...(isSame && { reply: before.reply }) } });
}

/** SOUNDNESS: a reply is to the question as the reviewer has read it, word for word, and there is one. */
export function replyStep(record: RequestRecord, reply: QuestionReply): Step {
  const { progress } = record;
  if (progress?.question === undefined || progress.state !== "running") return refused("question");
  if (!isDeepStrictEqual(progress.question, reply.question)) return refused("question");
  if (progress.reply !== undefined) return refused("question");
  return next(record, { progress: { ...progress, reply } });
}

function next(record: RequestRecord, changed: Partial<RequestRecord>): Step {
  return { ok: true, record: { ...record, ...changed, revision: record.revision + 1 } };
}

function refused(why: Refused): Step {
  return { ok: false, why };
}
