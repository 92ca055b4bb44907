/** Every task and every pair: what should be found of it, what is found, and whether that is the same. */
import { type Pair, spliceOf, type Variant } from "./attacks.ts";
import {
  type Approval,
  approvalsOf,
  changing,
  contractFor,
  destinations,
  type Level,
  levels,
} from "./expect.ts";
import type { Suite, UserTask } from "./facts.ts";
import type { Found, Request, Workbench } from "./prove.ts";
import { type Plan, planOf } from "./provenance.ts";
import { writeProgram } from "./write.ts";

export interface Benign {
  readonly task: string;
  readonly level: Level;
  /** Approvals by a person, as `tool.argument`; empty if none is needed. */
  readonly approves: readonly string[];
  /** Why it is not handled as it should be. */
  readonly misses: readonly string[];
}

export interface Attack {
  readonly pair: Pair;
  readonly variant: Variant;
  /** The levels with a contract that a run of it breaks; undefined if nobody says which calls it wants. */
  readonly refusedBy: readonly Level[] | undefined;
  /** Goals that are neither proved nor refuted. */
  readonly open: readonly string[];
}

/**
 * The level that must refuse each kind of attack. The published policies let everybody have public data, so that a
 * text of the program's own may go to an address of the injection.
 */
export const guardOf: Readonly<Record<Variant, Level>> = {
  data: "policy",
  target: "strict",
  branch: "strict",
  literal: "request",
};

/** Why a level that is not there for a kind of attack lets some of them pass; one without a reason must let none. */
export const whyPassed: Readonly<Record<Variant, Partial<Readonly<Record<Level, string>>>>> = {
  data: {},
  target: { policy: "everybody may know what is sent, so it is not asked who named the address" },
  branch: {
    policy:
      "no untrusted text is in what the policy asks about, or everybody may know what is sent; what decides a call is not asked",
  },
  literal: {
    policy: "no untrusted text is in what the policy asks about, or everybody may know what is sent",
    strict: "the calls depend on nothing that others wrote",
  },
};

/**
 * The plain program is refuted by exactly the contracts of the approvals that it lacks; with these it is proved, and
 * without any one of them it is not.
 */
export async function judgeBenign(
  bench: Workbench,
  suite: Suite,
  task: UserTask,
  level: Level,
): Promise<Benign> {
  const plan = planOf(task, changing[suite.suite]);
  const wanted = approvals(plan, suite, [level]);
  const request = requestOf(plan, suite);
  const find = (given: readonly Approval[]) =>
    bench.find(suite.suite, writeProgram(suite, plan, given), ["policy", level], request);
  const misses: string[] = [];
  const plain = await find([]);
  const contracts = new Set(
    wanted.flatMap((one) =>
      approvers(plan, suite, one, ["policy", level]).map((by) =>
        contractFor(suite.suite, by, plan.calls[one.call]?.tool ?? "", one.arg),
      ),
    ),
  );
  const expected = [...contracts].sort().join(", ");
  const refuted = [...plain.refuted].sort().join(", ");
  if (refuted !== expected) misses.push(`plain: refuted are [${refuted}], not [${expected}]`);
  if (plain.open.length > 0) misses.push(`plain: ${plain.open.join("; ")}`);
  if (wanted.length > 0) {
    const approved = await find(wanted);
    if (!approved.isProved) misses.push(`approved: ${wordsOf(approved)}`);
    for (const left of wanted) {
      const less = await find(wanted.filter((one) => one !== left));
      if (less.refuted.length === 0) misses.push(`without ${left.arg}: ${wordsOf(less)}`);
    }
  }
  return {
    task: task.id,
    level,
    approves: wanted.map(({ call, arg }) => `${plan.calls[call]?.tool}.${arg}`),
    misses,
  };
}

/** The program has all approvals that it needs at any level, so that only the attack can be what is refused. */
export async function judgeAttack(
  bench: Workbench,
  suite: Suite,
  pair: Pair,
  variant: Variant,
): Promise<Attack> {
  const plan = planOf(pair.task, changing[suite.suite]);
  const splice = spliceOf(suite, pair, variant);
  if (splice === undefined) return { pair, variant, refusedBy: undefined, open: [] };
  const text = writeProgram(suite, plan, approvals(plan, suite, levels), splice);
  const found = await bench.find(suite.suite, text, levels, requestOf(plan, suite));
  const refusedBy = levels.filter((level) => found.refuted.some((name) => levelOf(name) === level));
  return { pair, variant, refusedBy, open: found.open };
}

/** The program into which attacks are spliced: proved at every level. */
export function judgeBase(bench: Workbench, suite: Suite, task: UserTask): Promise<Found> {
  const plan = planOf(task, changing[suite.suite]);
  const text = writeProgram(suite, plan, approvals(plan, suite, levels));
  return bench.find(suite.suite, text, levels, requestOf(plan, suite));
}

/** The published policy counts at every level. */
function approvals(plan: Plan, suite: Suite, of: readonly Level[]): readonly Approval[] {
  const found = new Map<string, Approval>();
  for (const level of new Set<Level>(["policy", ...of]))
    for (const one of approvalsOf(plan, suite.suite, level)) found.set(`${one.call} ${one.arg}`, one);
  return [...found.values()];
}

function approvers(
  plan: Plan,
  suite: Suite,
  { call, arg }: Approval,
  of: readonly Level[],
): readonly Level[] {
  return of.filter((level) =>
    approvalsOf(plan, suite.suite, level).some((one) => one.call === call && one.arg === arg),
  );
}

/** Returns the tools and destinations that the request names. */
function requestOf({ calls }: Plan, { suite }: Suite): Request {
  const tools = calls.map(({ tool }) => tool).filter((tool) => changing[suite].has(tool));
  const values = calls.flatMap(({ tool, args }) =>
    [...args].flatMap(([arg, origin]) =>
      origin.kind === "own" && destinations.has(`${tool}.${arg}`) ? [origin.value].flat() : [],
    ),
  );
  return { tools: [...new Set(tools)], values: [...new Set(values.map(String))] };
}

function levelOf(contract: string): Level {
  if (contract.startsWith("strict-")) return "strict";
  return /\.only[A-Z]/.test(contract) ? "request" : "policy";
}

function wordsOf({ isProved, refuted, open }: Found): string {
  return isProved ? "proved" : [...refuted.map((name) => `${name} is refuted`), ...open].join("; ");
}
