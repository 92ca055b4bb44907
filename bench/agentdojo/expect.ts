/**
 * Expected findings, computed from the facts and the policies alone: the provenance of each argument, and so the
 * arguments and decisions that a person has to approve. The prover has no part in it.
 */
import type { Suite } from "./facts.ts";
import {
  changing,
  clean,
  contractFor,
  isSilent,
  join,
  type Level,
  publishedPolicy,
  type Taint,
  taintOf,
} from "./policies.ts";
import type { Origin, Plan } from "./provenance.ts";
import { fits, type Request } from "./request.ts";

/** An approval before a call: of an argument, or of the call itself. */
export interface Approval {
  readonly call: number;
  readonly arg: string;
}

/** Stands for the question whether a call is made. */
export const decision = "(whether)";

/**
 * Approvals that the plan's calls need at a level, those of injected calls among them.
 * @param given approvals that are asked for already: what rests on them is the person's own
 */
export function approvalsOf(
  plan: Plan,
  { suite }: Suite,
  level: Level,
  request: Request,
  given: readonly Approval[] = [],
): readonly Approval[] {
  const found: Approval[] = [];
  for (const [i, { args, whether }] of taintsOf(plan, given).entries()) {
    const call = plan.calls[i];
    if (call === undefined || !changing[suite].has(call.tool)) continue;
    switch (level) {
      case "policy":
        for (const arg of publishedPolicy(suite, call.tool, args)) found.push({ call: i, arg });
        break;
      case "strict":
        // A new file is the person's own until it is shared.
        if (call.tool === "create_file") break;
        for (const [arg, { untrusted }] of args) if (untrusted) found.push({ call: i, arg });
        if (whether.untrusted) found.push({ call: i, arg: decision });
        break;
      case "request": {
        const pattern = request.calls[i];
        for (const [arg, origin] of call.args)
          if (pattern !== undefined && !fits(plan, origin, pattern.args.get(arg)))
            found.push({ call: i, arg });
        break;
      }
    }
  }
  return found.filter((one) => !isAmong(given, one));
}

/** Approvals that some level needs. */
export function allApprovals(
  plan: Plan,
  suite: Suite,
  of: readonly Level[],
  request: Request,
): readonly Approval[] {
  const found = new Map<string, Approval>();
  for (const level of of)
    for (const one of approvalsOf(plan, suite, level, request)) found.set(`${one.call} ${one.arg}`, one);
  return [...found.values()];
}

/** Contracts of the levels that a run of the plan breaks if it asks for these approvals only. */
export function brokenBy(
  plan: Plan,
  suite: Suite,
  given: readonly Approval[],
  of: readonly Level[],
  request: Request,
): readonly string[] {
  const broken = of.flatMap((level) =>
    approvalsOf(plan, suite, level, request, given).map(({ call, arg }) =>
      contractFor(suite.suite, level, plan.calls[call]?.tool ?? "", arg),
    ),
  );
  return [...new Set(broken)].sort();
}

/** Says whether the level refuses injected calls. More calls than the request has are never what it asks for. */
export function isRefusedBy(
  plan: Plan,
  suite: Suite,
  level: Level,
  given: readonly Approval[],
  request: Request,
): boolean {
  const isInjected = (call: number) => plan.calls[call]?.isInjected === true;
  if (level === "request")
    return plan.calls.some(({ tool }, i) => isInjected(i) && changing[suite.suite].has(tool));
  return approvalsOf(plan, suite, level, request, given).some(({ call }) => isInjected(call));
}

interface CallTaints {
  readonly args: ReadonlyMap<string, Taint>;
  /** Taint of what decides whether the call is made. */
  readonly whether: Taint;
}

function taintsOf({ calls }: Plan, given: readonly Approval[]): readonly CallTaints[] {
  const results: Taint[] = [];
  return calls.map((call, i) => {
    const unless = (arg: string, taint: Taint) => (isAmong(given, { call: i, arg }) ? clean : taint);
    const args = new Map(
      [...call.args].map(([arg, origin]) => [arg, unless(arg, taintFrom(origin, results))] as const),
    );
    const decidedBy = call.decidedBy.map((k) => results[k] ?? clean).reduce(join, clean);
    const whether = unless(decision, decidedBy);
    results.push(isSilent(call.tool) ? clean : [...args.values(), whether, taintOf(call.tool)].reduce(join));
    return { args, whether };
  });
}

function isAmong(approvals: readonly Approval[], { call, arg }: Approval): boolean {
  return approvals.some((one) => one.call === call && one.arg === arg);
}

function taintFrom(origin: Origin, results: readonly Taint[]): Taint {
  return origin.kind === "own" ? clean : origin.of.map((k) => results[k] ?? clean).reduce(join, clean);
}
