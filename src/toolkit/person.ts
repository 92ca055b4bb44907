/**
 * Tools like `person.approve`, which ask the person who started the run, while it runs. A tool module declares them, with
 * `endorses` for the person's words; if nobody can be asked, the call is not made.
 */
import { NotDone } from "./not-done.ts";

/** A person to ask. The command line and the adapters have one. */
export interface Person {
  readonly approve: (
    question: { readonly what: string; readonly text: string },
    signal: AbortSignal,
    place?: QuestionPlace,
  ) => Promise<boolean>;
  readonly approveList: (
    question: { readonly what: string; readonly items: readonly string[] },
    signal: AbortSignal,
    place?: QuestionPlace,
  ) => Promise<readonly number[]>;
  readonly ask: (
    question: { readonly question: string },
    signal: AbortSignal,
    place?: QuestionPlace,
  ) => Promise<string | undefined>;
}

/** The place of a question in its run. It is the same when an interrupted call is made again. */
export interface QuestionPlace {
  /** The idempotency key of the call. */
  readonly key: string;
  /** Attempt of the call, from 1. */
  readonly attempt: number;
  /** Number of the question in this attempt, from 1. */
  readonly number: number;
}

/** The second argument of `run`. */
interface Call {
  readonly signal: AbortSignal;
}

/** LIMIT: of what a person is shown at once, and of what they say. */
const mostShown = 10_000;
const mostItems = 200;

/** Shows a text and what it is for. Returns it as it stands, or throws. */
export async function approve(
  { what, text }: { readonly what: string; readonly text: string },
  call: Call,
): Promise<string> {
  shown([what, text]);
  // SOUNDNESS: nothing but `true` is an approval.
  if ((await personIn(call).approve({ what, text }, call.signal)) !== true)
    throw new Error("the person did not approve it");
  return text;
}

/** Shows a list and what it is for. Returns the items that the person approves, in their order. */
export async function approveList(
  { what, items }: { readonly what: string; readonly items: readonly string[] },
  call: Call,
): Promise<string[]> {
  shown([what, ...items]);
  if (items.length > mostItems) throw new NotDone(`a person is shown at most ${mostItems} items at once`);
  const positions = new Set(await personIn(call).approveList({ what, items: [...items] }, call.signal));
  return items.filter((_, i) => positions.has(i));
}

/** Asks a question. Returns the words of the person, or throws if they say nothing. */
export async function ask({ question }: { readonly question: string }, call: Call): Promise<string> {
  shown([question]);
  const answer = await personIn(call).ask({ question }, call.signal);
  if (typeof answer !== "string") throw new Error("the person did not answer");
  return answer.slice(0, mostShown);
}

function shown(texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > mostShown) throw new NotDone(`a person is shown at most ${mostShown} characters at once`);
}

function personIn(call: Call): Person {
  const person: unknown = Reflect.get(call, "person");
  if (typeof person !== "object" || person === null) throw new NotDone("nobody can be asked in this run");
  // SAFETY: the run puts it there, and nobody else makes the second argument of a tool.
  return person as Person;
}
