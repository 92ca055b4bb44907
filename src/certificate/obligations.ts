/**
 * All that must be shown of a document, in order: what its calls and its program require, that what is assumed of tools
 * leaves them an answer, and what is guaranteed.
 * Part of what must be trusted.
 */
import { type Checked, LimitReached, type Path, Trail } from "../ir/index.ts";
import { NotPlain, type Script, type Term, type Terms } from "./encode.ts";
import { formulaTerm } from "./formula.ts";
import { hasParallel, orderIn } from "./parallel.ts";
import {
  type Answer,
  type Claim,
  type Invariants,
  type Met,
  type Placed,
  Walk,
} from "./symbolic-executor.ts";
import type { TotalType } from "./totals.ts";

export interface Obligation {
  /** `answer`: a call whose result is assumed to meet what its tool ensures. */
  readonly kind: Claim["kind"] | "guarantee" | "answer";
  /** The command or the guarantee in the document. */
  readonly path: Path;
  readonly assumptions: readonly Term[];
  /** Must hold wherever the assumptions do. For an answer: that the call is never reached. */
  readonly goal: Term;
  /** Index of the invariant in its loop. */
  readonly invariant?: number;
  /** For a tool result, instead of a goal: some run reaches the call and gets a result (a satisfiability check). */
  readonly answered?: readonly Term[];
}

export type Translated =
  | {
      readonly kind: "plain";
      readonly terms: Terms;
      readonly obligations: readonly Obligation[];
      /** The loops over lists of any length, in the order in which they are met. */
      readonly loops: readonly Met[];
      /** Types of the totals. */
      readonly totals: readonly TotalType[];
    }
  | { readonly kind: "notPlain"; readonly why: string; readonly path: Path };

/** @param invariants what is said to be true of every iteration, which becomes an obligation */
export function translate(checked: Checked, invariants: Invariants = new Map()): Translated {
  try {
    const walk = new Walk(checked, invariants);
    const { terms, assumptions } = walk.at;
    const before = (after: number) => assumptions.slice(0, after);
    const at = ({ after, hidden }: Placed) =>
      before(after).filter((_, i) => !hidden.some(([from, to]) => from <= i && i < to));
    const claims = walk.claims.map(({ after, hidden, ...claim }) => ({
      ...claim,
      assumptions: at({ after, hidden }),
    }));
    const answers = inOneRun(walk.answers).map(({ first, last: { path, after, reached, ensures } }) => ({
      kind: "answer" as const,
      path,
      assumptions: at(first),
      goal: terms.not(reached),
      answered: [...before(after), reached, ...ensures.filter(({ value }) => value !== true)],
    }));
    const { length } = assumptions;
    const guarantees = checked.document.guarantees.map(({ formula }, i) => {
      walk.at.place = Trail.root.at("guarantees", i);
      if (formula === undefined)
        return walk.at.refuse("a guarantee without its formula, which is the trusted contract's");
      const order = hasParallel(checked) ? orderIn(formula) : undefined;
      if (order !== undefined) return walk.at.refuse(`\`${order}\` of a program with calls at the same time`);
      const goal = walk.at.lists.aside(() => formulaTerm(walk, formula));
      // What is assumed for one formula is of no use to another.
      const own = [...before(length), ...assumptions.splice(length)];
      return { kind: "guarantee" as const, path: walk.at.place.path(), assumptions: own, goal };
    });
    const obligations = [...claims, ...answers, ...guarantees];
    return { kind: "plain", terms, obligations, loops: [...walk.loops.values()], totals: walk.totals.types };
  } catch (thrown) {
    if (thrown instanceof NotPlain) return { kind: "notPlain", why: thrown.message, path: thrown.path };
    if (thrown instanceof LimitReached) return { kind: "notPlain", why: thrown.message, path: [] };
    throw thrown;
  }
}

/** Unsatisfiable if and only if the goal holds wherever these assumptions do. */
export function goalScript(terms: Terms, { assumptions, goal }: Obligation, uses: readonly number[]): Script {
  return terms.script([...uses.flatMap((use) => assumptions[use] ?? []), terms.not(goal)]);
}

/** Satisfiable if and only if there is a run in which the call is reached and has an answer. */
export function answerScript(terms: Terms, answered: readonly Term[]): Script {
  return terms.script(answered);
}

/**
 * Calls that are reached under one condition: a run that answers the last of them answers them all. That none is ever
 * reached must be seen before the first.
 */
function inOneRun(answers: readonly Answer[]): readonly { readonly first: Answer; readonly last: Answer }[] {
  const groups = new Map<string, { readonly first: Answer; readonly last: Answer }>();
  for (const answer of answers) {
    const { text } = answer.reached;
    groups.set(text, { first: groups.get(text)?.first ?? answer, last: answer });
  }
  return [...groups.values()];
}
