/**
 * Finds invariants for the loops of a document: of all candidates those that hold themselves up, and of these the ones
 * that what must be shown needs. Not trusted: the checker shows each of them again.
 */
import {
  type Invariants,
  type Met,
  type Obligation,
  type Replayer,
  type Stated,
  solverLimits,
  type Translated,
  togetherScript,
  translate,
} from "../../certificate/index.ts";
import type { Checked } from "../../ir/index.ts";
import { candidateTexts } from "./candidates.ts";
import { fewerUses } from "./fewer-uses.ts";
import type { Finder } from "./replayer.ts";

export type PlainForm = Extract<Translated, { kind: "plain" }>;

/** LIMIT: of translations; what still fails then is not used. */
const mostRounds = 60;

/** One invariant of one loop. */
export interface Invariant {
  readonly loop: string;
  readonly text: string;
}

export async function findInvariants(
  checked: Checked,
  plain: PlainForm,
  solver: Finder,
): Promise<Invariants> {
  if (plain.loops.length === 0) return new Map();
  const rest = (one: Obligation) => one.kind !== "invariant" && one.answered === undefined;
  if (await allHold(plain, plain.obligations.filter(rest), solver)) return new Map();
  const shown = await inductive(checked, plain, solver);
  const with_ = (some: readonly Invariant[]): PlainForm | undefined => {
    const found = translate(checked, grouped(some));
    return found.kind === "plain" ? found : undefined;
  };
  const isEnough = async (some: readonly Invariant[], wanted: (one: Obligation) => boolean) => {
    const found = with_(some);
    return found !== undefined && allHold(found, found.obligations.filter(wanted), solver);
  };
  // What they do not show together will be told without them.
  if (!(await isEnough(shown, rest))) return new Map();
  // Those that the rest needs, those that these need, and so on.
  let kept: readonly Invariant[] = await fewest(shown, [], (some) => isEnough(some, rest));
  for (;;) {
    const claimed = new Set(kept);
    const needed = await fewest(shown, kept, (some) => {
      const texts = grouped(some);
      return isEnough(some, ({ kind, path, invariant = -1 }) => {
        const loop = path.join(".");
        const text = texts.get(loop)?.[invariant];
        return kind === "invariant" && [...claimed].some((one) => one.loop === loop && one.text === text);
      });
    });
    if (needed.length === kept.length) return grouped(kept);
    kept = needed;
  }
}

function keyOf({ path }: Met): string {
  return path.join(".");
}

export function grouped(all: readonly Invariant[]): Invariants {
  const found = new Map<string, string[]>();
  for (const { loop, text } of all) found.set(loop, [...(found.get(loop) ?? []), text]);
  return found;
}

/** All candidates that hold before the first iteration and from each to the next, where all of them do before. */
export async function inductive(
  checked: Checked,
  { loops, totals }: PlainForm,
  solver: Finder,
): Promise<readonly Invariant[]> {
  let kept: readonly Invariant[] = loops.flatMap((met) =>
    candidateTexts(checked, met, totals).map((text) => ({ loop: keyOf(met), text })),
  );
  for (let round = 0; round < mostRounds && kept.length > 0; round++) {
    const texts = grouped(kept);
    const plain = translate(checked, texts);
    if (plain.kind !== "plain") return [];
    const failing = await failingIn(plain, solver);
    if (failing.length === 0) return kept;
    const dropped = new Set(
      failing.map(({ path, invariant = -1 }) => {
        const loop = path.join(".");
        return JSON.stringify([loop, texts.get(loop)?.[invariant]]);
      }),
    );
    kept = kept.filter(({ loop, text }) => !dropped.has(JSON.stringify([loop, text])));
  }
  return [];
}

/** Those that fail where all others hold before: they also fail where fewer do. */
async function failingIn({ terms, obligations }: PlainForm, solver: Finder): Promise<readonly Obligation[]> {
  const places = new Map<number, Obligation[]>();
  for (const one of obligations) {
    if (one.kind !== "invariant" || one.goal.value === true) continue;
    const here = one.assumptions.length;
    places.set(here, [...(places.get(here) ?? []), one]);
  }
  const failing = new Set<Obligation>();
  for (const here of places.values()) {
    const assumptions = here[0]?.assumptions ?? [];
    for (const one of here) if (one.goal.value === false) failing.add(one);
    for (;;) {
      const open = here.filter((one) => !failing.has(one));
      if (open.length === 0) break;
      const { text } = terms.script([...assumptions, terms.not(terms.all(open.map(({ goal }) => goal)))]);
      const found = await solver.falseIn(
        text,
        open.map(({ goal }) => goal.text),
      );
      if (found === "none") break;
      const broken = open.filter(({ goal }) => found.has(goal.text));
      for (const one of broken.length > 0 ? broken : open) failing.add(one);
    }
  }
  return [...failing];
}

async function allHold(
  { terms }: PlainForm,
  obligations: readonly Obligation[],
  solver: Replayer,
): Promise<boolean> {
  const stated: Stated[] = obligations
    .filter(({ goal }) => goal.value !== true)
    .map((obligation) => ({ obligation, verdict: "unsat", uses: [...obligation.assumptions.keys()] }));
  if (stated.length === 0) return true;
  const text = togetherScript(terms, [...stated, ...stated.slice(0, 1)], "unsat");
  return text !== undefined && (await solver.ask(text, solverLimits)) === "unsat";
}

/** @param always those that are kept in any case */
async function fewest(
  all: readonly Invariant[],
  always: readonly Invariant[],
  isEnough: (some: readonly Invariant[]) => Promise<boolean>,
): Promise<readonly Invariant[]> {
  const places = [...all.keys()].filter((i) => !always.includes(all[i] ?? { loop: "", text: "" }));
  const pick = (some: readonly number[]) => {
    const chosen = new Set(some);
    return all.filter((one, i) => chosen.has(i) || always.includes(one));
  };
  return pick(await fewerUses(places, (some) => isEnough(pick(some)), 80));
}
