/**
 * The state machine of requests: pure, and the only definition. Every step gives the next record, one revision
 * further, or why there is none. Part of what must be trusted: a receipt is issued for nothing else than what comes
 * out of here approved.
 *
 *   proving ─▶ invalid
 *           ─▶ not_proved ─▶ decided (rejected, request_more)
 *           ─▶ pending ────▶ decided
 *                  └───────▶ proving (other inputs)
 *           ─▶ decided (expired)
 */
import { isDeepStrictEqual } from "node:util";
import type { DecisionKind, DecisionView, Progress, QuestionReply } from "../wire.ts";
import { isWithin } from "./amounts.ts";
import { type Found, isApproval, type RequestRecord, type Values, type Vote } from "./record.ts";

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
  | "question"
  /** The requester does not approve. */
  | "own"
  /** A reviewer gives no more than was asked for. */
  | "wider"
  /** The request cannot stand for later ones on these terms. */
  | "terms";

/** A decision, with the receipt if it approves. */
export interface Decision extends DecisionView {
  readonly receipt: string | null;
}

export function foundStep(record: RequestRecord, found: Found): Step {
  if (record.status !== "proving") return refused(record.status === "decided" ? "decided" : "status");
  const { edited, filed } = record;
  // The reviewer's inputs are not what the program takes: the request is again what it was.
  if (found.kind === "invalid" && edited?.before !== undefined) {
    const { inputs, budget, found: earlier } = edited.before;
    const problem = found.problems[0]?.message ?? "the inputs do not fit";
    return next(record, {
      status: "pending",
      filed: { ...filed, inputs, budget },
      found: earlier,
      edited: { ...edited, before: undefined, problem },
    });
  }
  if (edited?.before !== undefined)
    return next(record, { status: statusOf(found), found, edited: { ...edited, before: undefined } });
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

/**
 * The approval of one person of several. A second one of the same person takes the place of the first.
 * SOUNDNESS: who asked never counts, whichever credential is used.
 */
export function voteStep(record: RequestRecord, revision: number, vote: Vote, requester: string): Step {
  if (record.status === "decided") return refused("decided");
  if (record.revision !== revision) return refused("revision");
  if (!mayBeDecided(record, "approved_once")) return refused("status");
  if (vote.at >= record.expiresAt) return refused("expired");
  if (vote.person === requester) return refused("own");
  const others = (record.votes ?? []).filter(({ person }) => person !== vote.person);
  return next(record, { votes: [...others, vote] });
}

/**
 * Other inputs, or another budget, in place of those of the agent. The approvals so far were of the old ones. A proof holds
 * for all inputs, but a receipt is for some, so that inputs are looked at again; a budget is no part of the proof.
 */
export function editStep(
  record: RequestRecord,
  revision: number,
  { inputs, budget }: Values,
  by: string,
  at: number,
): Step {
  if (record.status === "decided") return refused("decided");
  if (record.revision !== revision) return refused("revision");
  if (record.status !== "pending") return refused("status");
  if (at >= record.expiresAt) return refused("expired");
  const { filed, found } = record;
  const asked = record.edited?.asked ?? { inputs: filed.inputs, budget: filed.budget };
  if (!isWithin(budget, asked.budget)) return refused("wider");
  const isProvedAgain = !isDeepStrictEqual(inputs, filed.inputs);
  const before = { inputs: filed.inputs, budget: filed.budget, found };
  return next(record, {
    filed: { ...filed, inputs, budget },
    votes: [],
    edited: { asked, by, at, problem: null, ...(isProvedAgain && { before }) },
    ...(isProvedAgain && { status: "proving" as const, found: null }),
  });
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
