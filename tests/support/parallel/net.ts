/**
 * Attempts to prove what some order of the calls is known to break. Whatever is called proved then is wrong, and so is what
 * is called safe wherever a run stops and is broken by a run that was cut off.
 */
import { type Checked, check, checkExpr } from "../../../src/ir/check/index.ts";
import type { Expr, Guarantee } from "../../../src/ir/document.ts";
import { judge, type RecordedRun } from "../../../src/ir/eval/formula.ts";
import { cutOff, eventsOf } from "../../../src/ir/eval/trace.ts";
import type { Run } from "../../../src/ir/run/options.ts";
import { parseExpr } from "../../../src/ir/text/parser.ts";
import { printDocument } from "../../../src/ir/text/printer.ts";
import { prove } from "../../../src/prove/prove.ts";
import { obligationCodes } from "../../../src/prove/symbolic/call-events.ts";
import { count, type Net, type Tally } from "../net/attempt.ts";
import { Chance } from "../program/chance.ts";
import { candidates } from "./candidates.ts";
import { byChance, everyOrder, forReal, limits, serially, World } from "./interleavings.ts";
import { parallelProgram } from "./programs.ts";

export interface Effort {
  /** Inputs and tool results that are tried. */
  readonly worlds: number;
  /** Runs in each of them. */
  readonly orders: number;
  readonly formulas: number;
  /** True to stop every run at every moment, with failed calls taken both ways; otherwise some are stopped. */
  readonly everyCut?: boolean;
}

/** Guarantees that the runs of one program have broken. */
export interface Broken {
  /** By completed runs; those first that no run breaks which makes one call at a time. */
  readonly whole: ReadonlyMap<string, "only in some order" | "in any order">;
  /** By runs that were cut off or stopped, and by no completed one. */
  readonly cut: ReadonlySet<string>;
  /** Codes and places at which a run stopped. */
  readonly stops: ReadonlySet<string>;
}

/** A document and formulas about its runs. */
export interface Subject {
  readonly checked: Checked;
  readonly formulas: readonly string[];
}

export async function subjectOf(seed: number, { formulas, worlds }: Effort): Promise<Subject> {
  const { checked } = parallelProgram(seed);
  const serial: Run[] = [];
  for (let i = 0; i < worlds; i++) serial.push(await serially(checked, worldOf(seed, i)));
  return { checked, formulas: candidates(Chance.seeded(seed ^ 0x5eed), serial, formulas) };
}

function worldOf(seed: number, number: number): World {
  return new World(seed * 31 + number);
}

/** Makes runs in every way there is: one call at a time, in every order, as chance has it, and for real. */
export async function* runsOf(
  checked: Checked,
  seed: number,
  { worlds, orders }: Effort,
): AsyncGenerator<{ readonly world: World; readonly made: Run; readonly isSerial: boolean }> {
  const chance = Chance.seeded(seed);
  for (let i = 0; i < worlds; i++) {
    const world = worldOf(seed, i);
    yield { world, made: await serially(checked, world), isSerial: true };
    let left = orders;
    for await (const made of everyOrder(checked, world)) {
      yield { world, made, isSerial: false };
      if (--left < orders / 2) break;
    }
    for (; left > 0; left--) {
      const made = await (left % 6 === 0 ? forReal : byChance)(checked, world, chance);
      yield { world, made, isSerial: false };
    }
  }
}

export async function brokenBy(
  { checked, formulas }: Subject,
  seed: number,
  effort: Effort,
): Promise<Broken> {
  const exprs = formulas.map((text) => ({ text, ...formulaOf(checked, text) }));
  const whole = new Map<string, "only in some order" | "in any order">();
  const cut = new Set<string>();
  const stops = new Set<string>();
  const seen = new Set<string>();
  let number = 0;
  for await (const { world, made, isSerial } of runsOf(checked, seed, effort)) {
    const { inputs } = world;
    const { trace, outcome } = made;
    if (outcome.kind === "stopped") stops.add(`${outcome.problem.code} ${outcome.problem.path.join()}`);
    const order = eventsOf(trace).map(({ kind, entry: { id, indices } }) => `${kind}${id}${indices.join()}`);
    const key = [seed, String(stableText(inputs)), outcome.kind, ...order].join(" ");
    if (!isSerial && seen.has(key)) continue;
    seen.add(key);
    const isCut = number++ % 5 === 0 || outcome.kind === "stopped" || effort.everyCut === true;
    const took = effort.everyCut ? [true, false] : [number % 2 === 0];
    for (const { text, judged, expr } of exprs) {
      const breaks = (run: RecordedRun) => judge(judged, expr, run, limits).kind === "violated";
      if (outcome.kind === "completed" && breaks({ inputs, trace })) {
        if (isSerial || !whole.has(text)) whole.set(text, isSerial ? "in any order" : "only in some order");
      } else if (
        isCut &&
        !cut.has(text) &&
        took.some((one) => isBrokenWhenCut({ inputs, trace }, breaks, one))
      )
        cut.add(text);
    }
  }
  for (const text of whole.keys()) cut.delete(text);
  return { whole, cut, stops };
}

/** Returns true if the stopped run breaks the formula, with or without the effects of failed calls. */
function isBrokenWhenCut(run: RecordedRun, breaks: (run: RecordedRun) => boolean, took: boolean): boolean {
  const resolution = { took: () => took, left: () => undefined };
  const length = 2 * run.trace.length;
  for (let events = 0; events <= length; events++)
    if (breaks({ ...run, trace: cutOff(run.trace, events), resolution })) return true;
  return false;
}

/** Returns the wrong proofs of the program with this seed. */
export async function wrongProofs(seed: number, effort: Effort, net: Net, tally: Tally): Promise<string[]> {
  const subject = await subjectOf(seed, effort);
  return wrongProofsOf(subject, await brokenBy(subject, seed, effort), net, tally, `seed ${seed}`);
}

export async function wrongProofsOf(
  { checked }: Subject,
  { whole, cut, stops }: Broken,
  net: Net,
  tally: Tally,
  about: string,
): Promise<string[]> {
  count(tally, "programs");
  const inOrder = [...whole].sort(
    ([, a], [, b]) => Number(a === "in any order") - Number(b === "in any order"),
  );
  for (const how of whole.values()) count(tally, `broken ${how}`);
  count(tally, "broken when cut off", cut.size);
  const chosen = [
    ...inOrder.slice(0, net.mostAttempts).map(([text]) => ({ text, isCut: false })),
    ...[...cut].slice(0, net.mostAttempts).map((text) => ({ text, isCut: true })),
  ];
  const wrong: string[] = [];
  for (const { text, isCut } of chosen) {
    const { judged, expr } = formulaOf(checked, text);
    const stated = withGuarantee(judged, { name: "g", args: [], formula: expr });
    const proof = await prove(stated, {
      solver: async () => net.solver,
      limits: net.limits,
      likely: "omitted",
    });
    const [found] = proof.guarantees;
    count(tally, `${isCut ? "cut: " : ""}${found?.verdict.kind}`);
    const isProved = found?.verdict.kind === "proved";
    if (isProved && !isCut) wrong.push(`proved, and broken: ${text}`);
    if (isProved && isCut && found.interruption?.kind === "safe")
      wrong.push(`safe wherever it stops, and broken: ${text}`);
    for (const stop of stops) {
      // Several conditions of one call stand at one place; one of them at least must not be proved.
      const here = proof.obligations.filter(
        ({ obligation: { kind, path } }) => stop === `${obligationCodes[kind]} ${path.join()}`,
      );
      if (here.length === 0) continue;
      count(tally, "conditions that stop a run");
      if (here.every(({ verdict }) => verdict.kind === "proved"))
        wrong.push(`a run stops at what is proved: ${stop}`);
    }
  }
  return wrong.map((one) => `${about}: ${one}\n${printDocument(checked.document)}`);
}

function formulaOf(checked: Checked, text: string): { readonly judged: Checked; readonly expr: Expr } {
  const parsed = parseExpr(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problems[0]?.message}`);
  const { expr } = parsed.value;
  const judged = checkExpr(checked, expr, "trace");
  if (!judged.ok) throw new Error(`${text}: ${judged.problems[0]?.message}`);
  return { judged: judged.value, expr };
}

function withGuarantee({ document }: Checked, guarantee: Guarantee): Checked {
  const read = check({ ...document, guarantees: [guarantee] });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

function stableText(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner));
}
