/** Request bodies of agents and reviewers, in the form in which the store keeps them. */
import type { FiledRequest } from "../requests/record.ts";
import { type Decide, decide, newRequest, type RunView, runView, signIn } from "../wire.ts";
import { readBody } from "./read-body.ts";

export function newRequestIn(body: string): FiledRequest {
  const { budget = null, words = null, follows = null, ...rest } = readBody(body, newRequest, "a request");
  return { ...rest, budget, words, follows };
}

export function decideIn(body: string): Decide {
  return readBody(body, decide, "a decision");
}

export function credentialIn(body: string): string {
  return readBody(body, signIn, "a sign-in").credential;
}

export function progressIn(body: string): RunView {
  return readBody(body, runView, "the progress of a run");
}
