/** A request against an earlier one: guarantees, calls, values and source. From the facts of the two proofs. */
import { isDeepStrictEqual } from "node:util";
import { serviceLimits } from "../service/limits.ts";
import type { Comparison, MayCall } from "../wire.ts";
import { proofOf, type RequestRecord } from "./record.ts";

type Line = Comparison["source"][number];

export function compared(earlier: RequestRecord | undefined, later: RequestRecord): Comparison {
  const empty = { isSameProgram: false, guarantees: [], calls: [], values: [], source: [] };
  if (earlier?.decided == null) return { against: null, ...empty };
  const { at, by, decision } = earlier.decided;
  const [before, after] = [proofOf(earlier), proofOf(later)];
  return {
    against: { id: earlier.id, at, by, decision },
    isSameProgram: before !== null && after !== null && before.hash === after.hash,
    guarantees: after === null ? [] : guarantees(before?.guarantees ?? [], after.guarantees),
    calls: after === null ? [] : calls(before?.mayDo.calls ?? [], after.mayDo.calls),
    values: values(earlier, later),
    source: source(earlier.filed.program.text, later.filed.program.text),
  };
}

interface Stated {
  readonly name: string;
  readonly text: string;
}

/** By what they say. A contract whose arguments differ is one that was changed. */
function guarantees(before: readonly Stated[], after: readonly Stated[]): Comparison["guarantees"] {
  const [gone, come] = [
    without(before, after, ({ name }) => name),
    without(after, before, ({ name }) => name),
  ];
  const contract = ({ name }: Stated) => name.replace(/\(.*$/s, "");
  const changed = come.flatMap((one) => {
    const old = gone.find((other) => contract(other) === contract(one));
    if (old === undefined) return [];
    gone.splice(gone.indexOf(old), 1);
    return [{ one, old }];
  });
  const added = come.filter((one) => changed.every((pair) => pair.one !== one));
  return [
    ...gone.map(({ name, text }) => ({ change: "removed" as const, name, text, before: null })),
    ...changed.map(({ one: { name, text }, old }) => ({
      change: "changed" as const,
      name,
      text,
      before: old.text,
    })),
    ...added.map(({ name, text }) => ({ change: "added" as const, name, text, before: null })),
  ];
}

/** LIMIT: of calls that are told. */
const mostCalls = 200;

function calls(before: readonly MayCall[], after: readonly MayCall[]): Comparison["calls"] {
  const [gone, come] = [without(before, after, callText), without(after, before, callText)];
  return [
    ...come.map((one) => ({ change: "added" as const, text: callText(one) })),
    ...gone.map((one) => ({ change: "removed" as const, text: callText(one) })),
  ].slice(0, mostCalls);
}

/** Without its number and line, which move when something is put before it. */
function callText({ tool, args, when, each }: MayCall): string {
  const given = args.map(({ name, value }) => `${name}: ${value}`).join(", ");
  const text = `${tool}(${given})${when === null ? "" : `, only if ${when}`}${each === null ? "" : `, for ${each}`}`;
  return text.replace(/ \(line \d+\)| \(call \d+\)/g, "");
}

function values(earlier: RequestRecord, later: RequestRecord): Comparison["values"] {
  const names = new Set([...Object.keys(earlier.filed.inputs), ...Object.keys(later.filed.inputs)]);
  const found: Comparison["values"][number][] = [];
  for (const name of names) {
    const [a, b] = [earlier.filed.inputs, later.filed.inputs].map((all) =>
      Object.hasOwn(all, name) ? all[name] : undefined,
    );
    if (isDeepStrictEqual(a, b)) continue;
    const [before = null, after = null] = [a, b].map((one) =>
      one === undefined ? null : JSON.stringify(one),
    );
    found.push({ name: `input ${name}`, before, after });
  }
  const [a, b] = [earlier.filed.budget, later.filed.budget];
  if (a !== b) found.push({ name: "budget", before: a, after: b });
  const [before, after] = [proofOf(earlier)?.modules ?? null, proofOf(later)?.modules ?? null];
  if (after !== null && before !== after) found.push({ name: "tool modules", before, after });
  return found;
}

/** Those of the first that the second has not, each as often. */
function without<T>(all: readonly T[], others: readonly T[], key: (one: T) => string): T[] {
  const left = new Map<string, number>();
  for (const one of others) left.set(key(one), (left.get(key(one)) ?? 0) + 1);
  return all.filter((one) => {
    const n = left.get(key(one)) ?? 0;
    left.set(key(one), n - 1);
    return n <= 0;
  });
}

// ── source ───────────────────────────────────────────────────────────────────────────────────────────────

/** Lines around a change that are shown. */
const around = 2;

/** The changed lines with those around them; none if the texts are the same. */
export function source(before: string, after: string): Line[] {
  if (before === after) return [];
  const all = lines(linesOf(before), linesOf(after));
  const isNear = all.map((_, i) => {
    const near = all.slice(Math.max(0, i - around), i + around + 1);
    return near.some(({ kind }) => kind !== "same");
  });
  const shown: Line[] = [];
  for (const [i, line] of all.entries()) {
    if (shown.length >= serviceLimits.comparedLines) return [...shown, skipped];
    if (isNear[i] === true) shown.push(line);
    else if (shown.at(-1)?.kind !== "skipped") shown.push(skipped);
  }
  return shown;
}

const skipped: Line = { kind: "skipped", line: null, text: "" };

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/**
 * The shortest way from one text to the other by lines (Myers), up to a number of changed lines; beyond it, everything
 * between the common beginning and end is taken for changed.
 */
function lines(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const same = (from: number, to: number): Line[] =>
    b.slice(from, to).map((text, i) => ({ kind: "same", line: from + i + 1, text }));
  const removed = (text: string): Line => ({ kind: "removed", line: null, text });
  const added = (at: number): Line => ({ kind: "added", line: at + 1, text: b[at] ?? "" });
  const middle: Line[] = [];
  const path = shortest(inA, inB);
  if (path === undefined) middle.push(...inA.map(removed), ...inB.map((_, i) => added(start + i)));
  else {
    let [x, y] = [0, 0];
    for (const step of path) {
      if (step === "same") middle.push(...same(start + y, start + y + 1));
      else middle.push(step === "removed" ? removed(inA[x] ?? "") : added(start + y));
      if (step !== "added") x++;
      if (step !== "removed") y++;
    }
  }
  return [...same(0, start), ...middle, ...same(b.length - end, b.length)];
}

type EditStep = "same" | "added" | "removed";

function shortest(a: readonly string[], b: readonly string[]): EditStep[] | undefined {
  const most = Math.min(a.length + b.length, serviceLimits.comparedEdits);
  let reach = new Map([[1, 0]]);
  const rounds: Map<number, number>[] = [];
  for (let d = 0; d <= most; d++) {
    rounds.push(reach);
    const next = new Map(reach);
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return backwards(rounds, a.length, b.length);
    }
    reach = next;
  }
  return undefined;
}

function backwards(rounds: readonly Map<number, number>[], n: number, m: number): EditStep[] {
  const steps: EditStep[] = [];
  let [x, y] = [n, m];
  for (let d = rounds.length - 1; d >= 0; d--) {
    const reach = rounds[d] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const from = down ? k + 1 : k - 1;
    const startX = reach.get(from) ?? 0;
    const startY = startX - from;
    while (x > startX && y > startY) {
      steps.push("same");
      x--;
      y--;
    }
    if (d === 0) break;
    steps.push(down ? "added" : "removed");
    [x, y] = [startX, startY];
  }
  return steps.reverse();
}
