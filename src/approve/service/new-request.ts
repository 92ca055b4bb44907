/** Request bodies of agents and reviewers, in the form in which the store keeps them. */
import type { FiledRequest } from "../requests/record.ts";
import {
  type Decide,
  decide,
  type Edit,
  edit,
  newRequest,
  type Progress,
  progress,
  type QuestionAnswer,
  questionAnswer,
  signIn,
} from "../wire.ts";
import { Refusal } from "./codes.ts";
import { serviceLimits } from "./limits.ts";
import { malformed, readBody } from "./read-body.ts";

/** @param served the kernel whose runs the workers of this service make; undefined if there are no workers */
export function newRequestIn(body: string, served: string | undefined): FiledRequest {
  const read = readBody(body, newRequest, "a request");
  const { budget = null, words = null, follows = null, run, kernel: given, ...rest } = read;
  if (run === "worker" && served === undefined)
    throw new Refusal("FC4108", "no worker runs requests of this service", "omit `run`, and run it yourself");
  if (run === "worker" && given !== undefined && given !== served)
    throw new Refusal("FC4108", "the workers of this service run on another kernel", "omit `kernel`");
  const kernel = run === "worker" ? served : given;
  if (kernel === undefined) throw malformed("`kernel` is missing");
  return { ...rest, kernel, budget, words, follows, ...(run && { run }) };
}

export function decideIn(body: string): Decide {
  const read = readBody(body, decide, "a decision");
  const { decision, standing } = read;
  if (standing == null) return read;
  if (decision !== "approved_once") throw malformed("`standing` goes with `approved_once`");
  const { uses, seconds } = standing;
  const { standingUses, standingSeconds } = serviceLimits;
  if (uses < 1 || uses > standingUses)
    throw malformed(`\`uses\` is a whole number from 1 to ${standingUses}`);
  if (seconds < 60 || seconds > standingSeconds)
    throw malformed(`\`seconds\` is a whole number from 60 to ${standingSeconds}`);
  return read;
}

export function editIn(body: string): Edit {
  return readBody(body, edit, "an edit");
}

export function credentialIn(body: string): string {
  return readBody(body, signIn, "a sign-in").credential;
}

export function progressIn(body: string): Progress {
  return readBody(body, progress, "the progress of a run");
}

export function answerIn(body: string): QuestionAnswer {
  return readBody(body, questionAnswer, "an answer");
}
