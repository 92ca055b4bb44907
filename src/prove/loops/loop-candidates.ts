/**
 * The guesses about loops whose lists are not known before the run. Each loop of the program has one set of them,
 * made when the loop is met first and used by identity whenever it is met again.
 *
 * INVARIANT: every guess that any walk assumes is shown. The argument:
 * 1. A guess is a predicate over two moments of a loop, its start and now. Nothing else enters its meaning: the object
 *    is the same for all turns of unrolled loops around the loop and for all walks aside, and moments have the layout
 *    that the guess was made for, with folds matched by the expression that made them. A loop with another layout gets
 *    no guesses.
 * 2. The main walk meets every loop in one iteration of those around it that stands for any. It puts up all guesses of
 *    the loop: `induce` shows each at the start and from one iteration to the next, or drops it and walks again.
 *    So a guess that survives holds at every moment of every execution of its loop, by induction on the run.
 * 3. A walk aside looks at one more iteration of the same run. It assumes guesses of this set alone, and what the main
 *    walk has not put up by its end is dropped like a guess that failed (`open`). During the main walk, a walk aside
 *    looks only at iterations that the run has made before, so that the induction on the run covers it.
 * Part of what must be trusted.
 */
import type { CellGuess, CellMoment } from "./cell-candidates.ts";
import type { ElementGuess } from "./element-candidates.ts";
import type { Candidate, Moment } from "./invariant-candidates.ts";
import type { Fold, FoldSite } from "./unbounded-list.ts";

export interface Guesses {
  readonly invariants: readonly Candidate[];
  readonly cells: readonly CellGuess[];
  readonly elements: readonly ElementGuess[];
  /** The folds over the loop's list that the invariants speak of. */
  readonly folds: readonly Fold[];
}

interface Entry {
  readonly invariants: readonly Candidate[];
  readonly cells: readonly CellGuess[];
  readonly elements: readonly ElementGuess[];
  readonly sites: readonly FoldSite[];
  readonly layout: string;
  /** True if the main walk could emit the candidates at every visit of the loop. */
  putUp: boolean | undefined;
}

export const noGuesses: Guesses = { invariants: [], cells: [], elements: [], folds: [] };

export class LoopGuesses {
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  /**
   * Returns what may be assumed of a loop, and must be shown of it if the main walk has met it.
   * @param loop the path of the loop, the same in every turn of the loops around it
   * @param folds those over the loop's list, in the order in which the walk met them
   * @param layout what the moments of the loop hold, without folds
   */
  met(
    loop: string,
    isAside: boolean,
    folds: readonly Fold[],
    layout: string,
    make: (folds: readonly Fold[]) => Omit<Guesses, "folds">,
  ): Guesses {
    const latest = latestOf(folds);
    const known = this.#entries.get(loop);
    if (this.#isClosed && known?.putUp !== true) return noGuesses;
    const entry = known ?? this.#made(loop, latest.slice(0, mostFolds), layout, make);
    const matched = entry.sites.map((site) => latest.find((fold) => isSameSite(fold.site, site)));
    const found = matched.filter((fold) => fold !== undefined);
    const fits = entry.layout === layout && found.length === matched.length;
    if (!isAside) entry.putUp = fits && entry.putUp !== false;
    const { invariants, cells, elements } = entry;
    return fits ? { invariants, cells, elements, folds: found } : noGuesses;
  }

  #made(
    loop: string,
    folds: readonly Fold[],
    layout: string,
    make: (folds: readonly Fold[]) => Omit<Guesses, "folds">,
  ): Entry {
    const { invariants, cells, elements } = make(folds);
    const sites = folds.map(({ site }) => site);
    const entry: Entry = { invariants, cells, elements, sites, layout, putUp: undefined };
    this.#entries.set(loop, entry);
    return entry;
  }

  /** Ends the main walk: from now on nothing new is assumed of any loop. */
  close(): void {
    this.#isClosed = true;
  }

  /** The guesses that the main walk has not put up wherever it met their loop. Nothing may rest on them. */
  open(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ putUp, invariants, cells, elements }) =>
      putUp === true ? [] : [...invariants, ...cells, ...elements].map(({ id }) => id),
    );
  }
}

/** LIMIT: of folds over the list of a loop. */
const mostFolds = 2;

/** The last fold of each site: a command that is looked at twice means the same by both. */
function latestOf(folds: readonly Fold[]): readonly Fold[] {
  return folds.filter(({ site }, i) => !folds.slice(i + 1).some((later) => isSameSite(later.site, site)));
}

function isSameSite(a: FoldSite, b: FoldSite): boolean {
  return a.expr === b.expr && a.command === b.command;
}

/** Describes which quantities the moments of a loop hold, in order. */
export function layoutOf(moment: Moment, cells: CellMoment): string {
  const { numbers, flags, texts, subjects, states, carried } = moment;
  const named = [numbers, flags, texts, subjects].map((all) => all.map(({ name }) => name));
  const sizes = [states.map(({ length }) => length), carried.length, cells.changes.length];
  return JSON.stringify([named, sizes, cells.sets.map(({ sort }) => sort)]);
}
