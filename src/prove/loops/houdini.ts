/**
 * Finds what is true of every iteration of loops whose lists are not known before the run: of all guesses, those that
 * fail at the first iteration or from one to the next are dropped, until what is left holds itself up.
 * SOUNDNESS: what is left was shown with nothing assumed but what is left. Part of what must be trusted.
 */
import type { Checked } from "../../ir/index.ts";
import { plainScriptFor, scriptFor } from "../decide/encode.ts";
import { Assumed } from "../decide/propagate.ts";
import type { Script, SolverAnswer } from "../decide/solver/port.ts";
import { guessAll } from "../refute/concrete-search.ts";
import { assumedAt, type Ghost, NotFollowed, type Step } from "../symbolic/call-events.ts";
import { walk } from "../symbolic/symbolic-executor.ts";
import type { Progress, WalkOptions } from "../symbolic/symbolic-state.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

/** @param share of the steps that one question may take */
export type Ask = (script: Script, share?: number) => Promise<SolverAnswer>;

export interface Induction {
  readonly ask: Ask;
  readonly ghosts: (walked: Progress) => readonly Ghost[];
  /** Returns true if the budget is spent; unproved candidates are then not assumed. */
  readonly isSpent: () => boolean;
  /** True if every `while` is assumed to terminate. */
  readonly ends?: true;
  /** True if a guess that needs what texts are made of counts as failed: the quicker way, which is tried first. */
  readonly isPlain?: boolean;
  /** Guesses that are not worth trying. */
  readonly failed?: Iterable<string>;
}

interface Asking {
  readonly ask: Ask;
  readonly isPlain: boolean;
  readonly dropRoughly: () => void;
}

export interface Induced {
  readonly walked: Progress;
  /** The guesses that were not shown. */
  readonly dropped: ReadonlySet<string>;
  /** True if a guess was dropped that texts or products may show. */
  readonly isRough: boolean;
}

/** Lengths of short lists for refuting candidates: the first that is affordable. */
const shortLengths = [3, 2, 1];
/** LIMIT: of calls where lists are made short to see which guesses fail. */
const mostCalls = 120;
/** LIMIT: of the steps of a walk with short lists: what it saves is worth no more. */
const mostShortSteps = 120_000;
/** LIMIT: of what is looked at for one guess without the solver. */
const mostLooks = 300;
/** LIMIT: of guesses that are asked about in halves, and of the share of the steps that such a part may take. */
const fewest = 8;
const smallestShare = 1 / 4;
/** LIMIT: of walks; what is still failing then is not assumed at all. */
const mostRounds = 40;

export async function induce(
  checked: Checked,
  terms: Terms,
  { ask, ghosts, isSpent, ends, isPlain = false, failed = [] }: Induction,
): Promise<Induced> {
  const dropped = new Set(failed);
  // What was shown of a place where nothing was dropped since is not asked again.
  const shown = new Set<string>();
  const askOnce: Ask = async (script, share) => {
    if (shown.has(script.text)) return { kind: "unsat" };
    const answer = await ask(script, share);
    if (answer.kind === "unsat") shown.add(script.text);
    return answer;
  };
  let isRough = false;
  const asking: Asking = {
    ask: askOnce,
    isPlain,
    dropRoughly: () => {
      isRough = true;
    },
  };
  const options = { dropped, ghosts, ...(ends && { ends }) };
  for (const id of seenToFail(checked, terms, options)) dropped.add(id);
  for (let round = 0; ; round++) {
    const walked = walk(checked, terms, options);
    // SOUNDNESS: a guess that was assumed and not put up is dropped like one that fails.
    const open = walked.guesses.open();
    if (walked.steps.length === 0 && open.length === 0) return { walked, dropped, isRough };
    const goesOn = round < mostRounds && !isSpent();
    const notShown = () => (goesOn ? failingIn(walked, terms, asking) : walked.steps.map(({ id }) => id));
    const failing = [...(open.length > 0 ? open : await notShown())];
    if (failing.length === 0) return { walked, dropped, isRough };
    for (const id of failing) dropped.add(id);
  }
}

/** Guesses that do not hold in some run with short lists. */
function seenToFail(checked: Checked, terms: Terms, options: WalkOptions): readonly string[] {
  for (const length of shortLengths) {
    try {
      const { steps, assumptions } = terms.effort.within(mostShortSteps, () =>
        walk(checked, terms, { ...options, length, mostCalls }),
      );
      const found = guessAll(assumptions, steps, terms.effort);
      return steps.filter((step) => found.has(step) || step.goal === terms.false).map(({ id }) => id);
    } catch (thrown) {
      if (!(thrown instanceof NotFollowed)) throw thrown;
    }
  }
  return [];
}

/** Some guesses that are not shown, or none if all are. */
async function failingIn(walked: Progress, terms: Terms, asking: Asking): Promise<ReadonlySet<string>> {
  const failing = new Set<string>();
  const assumed = new Assumed(terms, mostLooks);
  for (const [first, ...others] of byPlace(walked.steps)) {
    const assumptions = assumedAt(walked.assumptions, first);
    const open = [first, ...others].filter(({ goal }) => !assumed.holds(assumptions, goal));
    if (open.length === 0) continue;
    for (const id of await failingAt(assumptions, terms, open, asking)) failing.add(id);
    // What comes later may fail for no other reason than these.
    if (failing.size > 0) return failing;
  }
  return failing;
}

/** Those with the same assumptions together, in the order of the walk. */
function byPlace(steps: readonly Step[]): readonly (readonly [Step, ...Step[]])[] {
  const places = new Map<string, [Step, ...Step[]]>();
  for (const step of steps) {
    const key = JSON.stringify([step.after, step.hidden]);
    const here = places.get(key);
    if (here === undefined) places.set(key, [step]);
    else here.push(step);
  }
  return [...places.values()].sort(([a], [b]) => a.after - b.after);
}

async function failingAt(
  assumptions: readonly Term[],
  terms: Terms,
  open: readonly Step[],
  asking: Asking,
  share = 1,
): Promise<readonly string[]> {
  const { ask, isPlain, dropRoughly } = asking;
  const marks = open.map((_, i) => terms.constant(`step@${i}`, "Bool"));
  const meanings = open.map(({ goal }, i) => terms.equal(marks[i] ?? terms.true, goal));
  const [said, goal] = [[...assumptions, ...meanings], terms.all(marks)];
  const plain = plainScriptFor(said, goal);
  // Few guesses about loops need what texts are made of.
  const easier = plain && (await ask(plain, share));
  const isEnough = easier !== undefined && (easier.kind === "unsat" || isPlain);
  const answer = isEnough ? easier : await ask(scriptFor(said, goal), share);
  if (isEnough && easier.kind !== "unsat") dropRoughly();
  if (answer.kind === "unsat") return [];
  if (answer.kind === "unknown") {
    // Many guesses may be too hard together: the halves may take as much as the whole, down to a few.
    if (answer.reason !== "resources" || open.length < fewest || share <= smallestShare)
      return open.map(({ id }) => id);
    const middle = Math.ceil(open.length / 2);
    const first = await failingAt(assumptions, terms, open.slice(0, middle), asking, share / 2);
    const second = await failingAt(assumptions, terms, open.slice(middle), asking, share / 2);
    return [...first, ...second];
  }
  const { model } = answer;
  const failed = open.filter((_, i) => model.get(`step@${i}`) === false);
  return (failed.length === 0 ? open : failed).map(({ id }) => id);
}
