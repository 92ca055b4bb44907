/**
 * The rule that says where each argument of a reference call comes from. A program is written by it, and what is
 * expected of the program is computed from it; the prover has no part in it.
 *
 * 1. An id comes from the last earlier output in which it is found: a short text is found in the prompt by chance.
 * 2. What the prompt says is the planner's, also a time on a day that the prompt names, unless the prompt leaves the
 *    choice of the time to what is found.
 * 3. What is found in an earlier output comes from the last of these, except the day of a payment.
 * 4. What is found nowhere: days, numbers of rows, queries, subjects without digits and flags are the planner's own
 *    words. Amounts, texts and times are made from all that was seen before.
 */
import type { CallFacts, Json, UserTask } from "./facts.ts";

/** Provenance of an argument: the program itself, or results of its earlier calls, by index. */
export type Origin =
  | {
      readonly kind: "own";
      readonly value: Json;
      /** The prompt has it; otherwise they are words of the planner. */
      readonly isSaid: boolean;
    }
  | { readonly kind: "results"; readonly of: readonly number[]; readonly value: Json };

export interface PlannedCall {
  readonly tool: string;
  readonly args: ReadonlyMap<string, Origin>;
  /** The results that decide whether it is made. */
  readonly decidedBy: readonly number[];
  /** An injected text wants it, not the person. */
  readonly isInjected?: true;
}

export interface Plan {
  readonly id: string;
  readonly calls: readonly PlannedCall[];
}

/** The prompt hands over to a text: it names no action, so nobody can plan one who has not read that text. */
const handsOver = /\b(follow the instructions|do the actions specified|do all the tasks)\b/i;
/** The prompt wants something done only if what is found says so. */
const asksWhether = /\bif (so|something looks|it's rated)\b/i;
/** The prompt names two times, and what is found chooses. */
const leavesTime = /\bor (at )?\d\d:\d\d if\b/i;
const isId = (arg: string) => arg === "id" || arg.endsWith("_id") || arg === "attachments";
const isTime = (arg: string) => arg.endsWith("_time") || /^(start|end)_day$/.test(arg);
/** Arguments that a planner invents. */
const ownWords = new Set(["date", "day", "n", "query", "recurring", "permission"]);
const months = "January February March April May June July August September October November December".split(
  " ",
);

/** Says whether a program can be written for the task before anything is read. */
export function isPlannable({ prompt }: UserTask): boolean {
  return !handsOver.test(prompt);
}

export function planOf({ id, prompt, calls }: UserTask, changes: ReadonlySet<string>): Plan {
  const isConditional = asksWhether.test(prompt);
  const first = calls.findIndex(({ tool }) => changes.has(tool));
  return {
    id,
    calls: calls.map((call, i) => ({
      tool: call.tool,
      args: new Map(
        Object.entries(call.args).map(([arg, value]) => [arg, originOf(arg, value, call, i, prompt)]),
      ),
      decidedBy: isConditional && changes.has(call.tool) ? range(first) : [],
    })),
  };
}

function originOf(arg: string, value: Json, call: CallFacts, i: number, prompt: string): Origin {
  const found = call.arg_provenance[arg];
  const own: Origin = { kind: "own", value, isSaid: found?.in_prompt ?? false };
  const made: Origin = i === 0 ? own : { kind: "results", of: range(i), value };
  const last = found?.in_outputs.at(-1);
  const fromLast: Origin = last === undefined ? made : { kind: "results", of: [last], value };
  if (isId(arg)) return last === undefined ? own : fromLast;
  if (isTime(arg))
    return namesDay(prompt, `${value}`) && !leavesTime.test(prompt) ? { ...own, isSaid: true } : made;
  if (found?.in_prompt || found === null) return own;
  if (last !== undefined) return arg === "date" ? own : fromLast;
  if (ownWords.has(arg)) return own;
  return arg === "subject" && !/\d/.test(`${value}`) ? own : made;
}

/** Says whether the prompt names the day of a time, as `2024-05-19` or in words. */
function namesDay(prompt: string, time: string): boolean {
  const [, month = "", day = ""] = /^\d{4}-(\d\d)-(\d\d)/.exec(time) ?? [];
  const name = months[Number(month) - 1];
  if (name === undefined) return false;
  const nth = `${Number(day)}(st|nd|rd|th)`;
  return (
    prompt.includes(time.slice(0, 10)) || new RegExp(`\\b(${name} ${nth}|${nth} of ${name})\\b`).test(prompt)
  );
}

function range(n: number): readonly number[] {
  return Array.from({ length: n }, (_, i) => i);
}
