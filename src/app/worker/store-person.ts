/** A person at the page, asked by a worker through the store. A question that an earlier worker asked stays asked. */
import { createHash, createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { QuestionReply, RequestRecord, RunQuestion } from "../../approve/index.ts";
import type { Person, QuestionPlace } from "../../run/index.ts";
import { noReply, type PersonQuestion, personBy } from "../decide/person-questions.ts";

export interface StorePersonOptions {
  readonly runId: string;
  /** Known to workers alone. */
  readonly secret: string;
  /** Shows a question until another one, or none, is given. */
  readonly show: (question: RunQuestion | undefined) => void;
  readonly read: () => Promise<RequestRecord | undefined>;
  /** Resolves when the store may have changed. */
  readonly changed: (signal: AbortSignal) => Promise<void>;
  /** Hears that somebody is asked, and that they are not any more. */
  readonly waiting: (isOpen: boolean) => void;
}

export function storePerson(options: StorePersonOptions): Person {
  return personBy(async (question, signal, place) => {
    const shown = { id: questionId(options, question, place), ...question, items: [...question.items] };
    options.show(shown);
    options.waiting(true);
    try {
      return (await replyTo(options, shown, signal)) ?? noReply;
    } finally {
      options.waiting(false);
      options.show(undefined);
    }
  });
}

async function replyTo(
  { read, changed }: StorePersonOptions,
  shown: RunQuestion,
  signal: AbortSignal,
): Promise<QuestionReply | undefined> {
  while (!signal.aborted) {
    const reply = (await read())?.progress?.reply;
    // SOUNDNESS: what somebody approved is what the program asked about, to the letter.
    if (reply !== undefined && isDeepStrictEqual(reply.question, shown)) return reply;
    await changed(signal);
  }
  return undefined;
}

/**
 * Names a question by its place in the run, so that a worker that resumes the run finds the reply, and no other call of
 * the run does. The id is the digest of what only workers can compute: an agent cannot read the reply by it.
 */
function questionId(
  { runId, secret }: StorePersonOptions,
  { kind, what, items }: PersonQuestion,
  place: QuestionPlace | undefined,
): string {
  const named = JSON.stringify([runId, place?.key, place?.attempt, place?.number, kind, what, items]);
  const hidden = createHmac("sha256", Buffer.from(secret, "hex")).update(named).digest("base64url");
  return createHash("sha256").update(hidden).digest("hex");
}
