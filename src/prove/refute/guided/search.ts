/**
 * Guided search: makes runs on the interpreter, sees which operators came out only one way, and changes what those read,
 * so that later runs come out the other way. Runs that show something new are changed further. It finds
 * counterexamples where the solver knows only that a function is one: parsed JSON, numbers and dates in texts, matches
 * of regular expressions, joins of lists, and lists that must be long.
 * SOUNDNESS: a run refutes only after it was made again with values that can be passed and returned.
 * Seeds are fixed and work is counted, so equal documents get equal answers.
 */
import {
  type Checked,
  defaultLimits,
  type Expr,
  evaluateOn,
  exprsIn,
  type Guarantee,
  isList,
  isNum,
  LimitReached,
  type OpExpr,
  referencesIn,
  type Value,
} from "../../../ir/index.ts";
import type { Obligation } from "../../symbolic/call-events.ts";
import type { Verdict } from "../../verdict.ts";
import { type Attempted, stopsAt, violates } from "../attempt.ts";
import type { Replayed } from "../counterexample.ts";
import { performed } from "../performed.ts";
import { Chance } from "../random/chance.ts";
import { type Constants, Values } from "../random/values.ts";
import { candidatesFor } from "./candidates.ts";
import { hintsAt } from "./hints-at.ts";
import type { Counts } from "./log.ts";
import type { Place } from "./places.ts";
import { type Ran, Runner } from "./runner.ts";
import { shrunk } from "./shrink.ts";
import { changed, placesOf, type Tape } from "./tape.ts";
import { type Change, Wishes } from "./wishes.ts";

export type Claim = Guarantee | Obligation;
type Look = (made: Replayed) => Pick<Attempted, "broken" | "why">;

export interface SearchLimits {
  readonly runs: number;
  /** Steps of all runs together, as the interpreter counts them, from the first one. */
  readonly steps: number;
}

/** LIMIT: of calls in a run that is judged. */
const mostCalls = 3_000;
/** LIMIT: of changes that are tried to make one operator come out the other way, and for one of a formula. */
const mostTries = 60;
const mostFormulaTries = 120;
/** LIMIT: the same of one kept run. */
const mostTriesOfOne = 4;
const mostFormulaTriesOfOne = 10;
/** LIMIT: of kept runs. */
const mostEntries = 200;
/** Lists longer than this may take more work. */
const longList = 12;
const formulaLimits = { ...defaultLimits, steps: 100_000 };
/** Cost of a run besides the steps that the interpreter counts. */
const stepsPerRun = 300;
const stepsPerCall = 40;
const cheapRun = 2_000;

/** A run to make. */
interface Next {
  readonly tape: Tape;
  /** The length of lists that are made up. */
  readonly size: number;
  readonly isLong: boolean;
}

/** A kept run. */
interface Entry extends Next {
  readonly cost: number;
  /** Number of calls that open claims speak of. */
  readonly nears: number;
  readonly places: readonly Place[];
  /** Changes towards what no run has shown, and changes of what formulas read. */
  readonly unseen: Task[];
  readonly spoken: Task[];
}

interface Task {
  readonly change: Change | { readonly fails: readonly string[] };
  /** The operator that shall come out so; without one, the change is tried once. */
  readonly flip?: { readonly expr: OpExpr; readonly outcome: boolean };
}

/** Searches for runs that break claims. What was learned for some of them is there for the others. */
export class Search {
  readonly #runner: Runner;
  readonly #formulas: readonly Expr[];
  /** Tools of which each formula speaks. */
  readonly #tools: readonly ReadonlySet<string>[];
  readonly #inFormulas: ReadonlySet<Expr>;
  readonly #sizes: readonly number[];
  readonly #entries: Entry[] = [];
  /** Largest bucket of counts that was seen, by operator and truth value. */
  readonly #seen = new Map<Expr, Counts>();
  readonly #tries = new Map<Expr, Counts>();
  readonly #callCounts = new Map<string, number>();
  #usualCost = 0;
  #fresh = 0;
  #round = 0;
  #steps = 0;

  constructor(checked: Checked) {
    this.#runner = new Runner(checked);
    this.#formulas = checked.document.guarantees.flatMap(({ formula }) => formula ?? []);
    this.#tools = this.#formulas.map((formula) => toolsOf(checked, formula));
    this.#inFormulas = new Set(exprsIn(...this.#formulas));
    this.#sizes = sizesFor(this.#runner.constants);
  }

  /** Rounds, steps and kept runs so far. */
  stats(): readonly [rounds: number, steps: number, kept: number] {
    return [this.#round, this.#steps, this.#entries.length];
  }

  /** Returns the claims that a run was found to break. */
  async refute(claims: readonly Claim[], limits: SearchLimits): Promise<ReadonlyMap<Claim, Verdict>> {
    const { checked } = this.#runner;
    const open = new Map(claims.map((claim) => [claim, lookFor(checked, claim)] as const));
    const refuted = new Map<Claim, Verdict>();
    while (open.size > 0 && this.#round < limits.runs && this.#steps < limits.steps) {
      const round = this.#round++;
      const chance = new Chance(round * 7919 + 1);
      const next = this.#next(round, chance);
      if (next === undefined) continue;
      const ran = await this.#runner.run(next.tape, chance, next.size, round % 5 === 4 ? 15 : 0, next.isLong);
      const { trace } = ran.made.run;
      this.#steps += ran.steps + stepsPerRun + stepsPerCall * trace.length * this.#formulas.length;
      if (trace.length > mostCalls) continue;
      for (const [claim, look] of open) {
        if (!look(ran.made).broken) continue;
        const verdict = await this.#confirmed(ran, look, next);
        if (verdict === undefined) continue;
        refuted.set(claim, verdict);
        open.delete(claim);
      }
      if (this.#isNew(ran)) this.#keep(ran, next, chance);
    }
    return refuted;
  }

  /** The shortest run like it that is found, made with values that can be passed. */
  async #confirmed(ran: Ran, look: Look, { size, isLong }: Next): Promise<Verdict | undefined> {
    const { checked } = this.#runner;
    if ((await this.#real(ran, look)) === undefined) return undefined;
    const least = await shrunk(checked, ran, async (tape) => {
      const again = await this.#runner.run(tape, new Chance(1), size, 0, isLong);
      return look(again.made).broken && (await this.#real(again, look)) !== undefined ? again : undefined;
    });
    const real = await this.#real(least, look);
    return real && { kind: "refuted", run: real.recorded, why: look(real).why };
  }

  async #real({ made }: Ran, look: Look): Promise<Replayed | undefined> {
    const real = await performed(this.#runner.checked, made, "number");
    return real.kind === "made" && look(real.made).broken ? real.made : undefined;
  }

  // ── what is tried next ─────────────────────────────────────────────────────────────────────────────────

  #next(round: number, chance: Chance): Next | undefined {
    const turn = round % 10;
    if (this.#entries.length === 0 || round < 6 || turn === 0) {
      const size = this.#sizes[this.#fresh++ % this.#sizes.length] ?? 1;
      return { tape: this.#runner.begin(chance, size), size, isLong: size > longList };
    }
    if (turn <= (this.#entries.some(({ nears }) => nears > 0) ? 3 : 6)) {
      const found = this.#task("unseen", chance) ?? this.#task("spoken", chance);
      if (found !== undefined) return found;
    } else if (turn <= 7) {
      const found = this.#task("spoken", chance) ?? this.#task("unseen", chance);
      if (found !== undefined) return found;
    }
    return this.#mutant(chance);
  }

  /** The next change that was wished for, of the newest run that has one, or of another one. */
  #task(kind: "unseen" | "spoken", chance: Chance): Next | undefined {
    const from = this.#entries.length - 1 - (chance.odds(60) ? 0 : chance.below(this.#entries.length));
    for (let i = 0; i < this.#entries.length; i++) {
      const entry = this.#entries[(from - i + this.#entries.length) % this.#entries.length];
      if (entry === undefined || this.#isDear(entry, chance)) continue;
      const tasks = entry[kind];
      while (tasks.length > 0) {
        const task = tasks.shift();
        if (task === undefined || !this.#isWorth(task, kind)) continue;
        const { change } = task;
        if ("fails" in change) return { ...entry, tape: failing(entry.tape, change.fails) };
        const tape = this.#changed(entry, change, chance);
        const { wish } = change;
        const isLong = entry.isLong || (wish.kind === "length" && wish.length > longList);
        if (tape !== undefined) return { tape, size: entry.size, isLong };
      }
    }
    return undefined;
  }

  /** Runs that cost much are left for later, most of the time. */
  #isDear({ cost }: Entry, chance: Chance): boolean {
    return cost > 4 * this.#usualCost + cheapRun && chance.odds(80);
  }

  #isWorth({ flip }: Task, kind: "unseen" | "spoken"): boolean {
    if (flip === undefined) return true;
    const { expr, outcome } = flip;
    const seen = this.#seen.get(expr);
    if (kind === "unseen" && ((outcome ? seen?.yes : seen?.no) ?? 0) > 0) return false;
    const tries = entryOf(this.#tries, expr);
    const most = kind === "unseen" ? mostTries : mostFormulaTries;
    if ((outcome ? tries.yes : tries.no) >= most) return false;
    if (outcome) tries.yes++;
    else tries.no++;
    return true;
  }

  #changed({ tape, size }: Entry, change: Change, chance: Chance): Tape | undefined {
    const { constants, hints } = this.#runner;
    const values = new Values(constants, chance, size);
    return changed(tape, change, (one) =>
      candidatesFor(one, values, chance, constants, hintsAt(hints, tape, one.place)),
    );
  }

  /** A kept run with a few changes by chance. */
  #mutant(chance: Chance): Next | undefined {
    const near = this.#entries.filter(({ nears }) => nears > 0);
    const among = near.length > 0 && chance.odds(70) ? near : this.#entries;
    const from = chance.odds(50) ? Math.max(0, among.length - 8) : 0;
    const entry = among[from + chance.below(among.length - from)];
    if (entry === undefined || this.#isDear(entry, chance)) return undefined;
    let { tape } = entry;
    for (let i = 1 + chance.below(3); i > 0; i--) {
      if (chance.odds(20)) {
        tape = withFailure(tape, this.#runner.definitions.caught, chance);
        continue;
      }
      const change = this.#someChange(entry, chance);
      const made = change && this.#changed({ ...entry, tape }, change, chance);
      if (made !== undefined) tape = made;
    }
    return { tape, size: entry.size, isLong: entry.isLong };
  }

  #someChange({ places }: Entry, chance: Chance): Change | undefined {
    const place = chance.pick(places);
    if (place === undefined) return undefined;
    if (place.value !== undefined && isList(place.value)) {
      const { length } = place.value;
      const sizes = [length + 1, length + 2, 0, Math.max(0, length - 1), 2 * length];
      return { place, wish: { kind: "length", length: chance.pick(sizes) ?? length } };
    }
    if (place.mayBeAbsent && chance.odds(30))
      return { place, wish: place.value === undefined ? { kind: "present" } : { kind: "absent" } };
    const alike = places.filter(
      (one) => one !== place && one.type.kind === place.type.kind && one.value !== undefined,
    );
    const named = alike.filter(({ name }) => name === place.name);
    const other = chance.odds(40)
      ? chance.pick(chance.odds(60) && named.length > 0 ? named : alike)
      : undefined;
    if (other?.value !== undefined) return { place, wish: { kind: "value", value: other.value } };
    return { place, wish: chance.odds(50) ? { kind: "different" } : { kind: "present" } };
  }

  // ── what is learned ────────────────────────────────────────────────────────────────────────────────────

  /** Returns true if the run has shown something that no run before it has: an outcome, or one much more often. */
  #isNew({ log, made }: Ran): boolean {
    let isNew = false;
    for (const [expr, counts] of log.counts()) {
      if (this.#runner.promised.has(expr)) continue;
      const seen = entryOf(this.#seen, expr);
      for (const outcome of ["yes", "no", "other"] as const) {
        const bucket = bucketOf(counts[outcome]);
        if (bucket <= seen[outcome]) continue;
        seen[outcome] = bucket;
        isNew = true;
      }
    }
    const counts = new Map<string, number>();
    for (const { id, outcome } of made.run.trace) {
      const key = `${id} ${outcome.kind}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const { outcome } = made.run;
    counts.set(
      outcome.kind === "completed"
        ? "completed"
        : `stopped ${outcome.problem.code} ${outcome.problem.path.join(".")}`,
      1,
    );
    for (const [id, times] of counts) {
      if (bucketOf(times) <= (this.#callCounts.get(id) ?? 0)) continue;
      this.#callCounts.set(id, bucketOf(times));
      isNew = true;
    }
    return isNew;
  }

  #keep(ran: Ran, { size, isLong }: Next, chance: Chance): void {
    const { checked, definitions, promised } = this.#runner;
    const { tape, log, made } = ran;
    if (made.run.outcome.kind === "completed")
      for (const formula of this.#formulas) {
        try {
          evaluateOn(checked, formula, made.recorded, formulaLimits, undefined, log.watch);
        } catch (thrown) {
          if (!(thrown instanceof LimitReached)) throw thrown;
        }
      }
    const nears = made.run.trace.filter(({ tool }) => this.#tools.some((tools) => tools.has(tool))).length;
    const places = placesOf(checked, tape);
    const wishes = new Wishes(places, definitions, log, chance);
    const unseen: Task[] = [];
    const spoken: Task[] = [];
    for (const seen of log.all()) {
      const { expr, result } = seen;
      if (typeof result !== "boolean" || promised.has(expr)) continue;
      const isSpoken = this.#inFormulas.has(expr);
      const known = this.#seen.get(expr);
      const isUnseen = ((result ? known?.no : known?.yes) ?? 0) === 0;
      if (!isSpoken && !isUnseen) continue;
      const flips = wishes.flips(seen);
      // A count is of no place: more elements make it larger.
      const more = isSpoken || flips.length === 0 ? growth(seen.operands, places) : [];
      const changes = interleaved(flips, more);
      const most = isSpoken ? mostFormulaTriesOfOne : mostTriesOfOne;
      for (const change of changes.slice(0, most))
        (isSpoken ? spoken : unseen).push({ change, flip: { expr, outcome: !result } });
    }
    this.#entries.push({
      tape,
      size,
      isLong,
      places,
      cost: ran.steps,
      nears,
      unseen: nears > 0 ? mixed(unseen) : interleaved(mixed(unseen), longer(places, 1)),
      spoken:
        nears > 0
          ? interleaved([...failures(tape, definitions.caught), ...longer(places, 4)], mixed(spoken))
          : mixed(spoken),
    });
    this.#usualCost =
      this.#entries.map(({ cost }) => cost).sort((a, b) => a - b)[this.#entries.length >> 1] ?? 0;
    if (this.#entries.length > mostEntries) this.#entries.shift();
  }
}

/**
 * Lengths of lists that may bring a count beyond the number that it is compared with: in step with the count, or by
 * as many as are missing.
 */
function growth([a, b]: readonly (Value | undefined)[], places: readonly Place[]): readonly Change[] {
  if (a === undefined || b === undefined || !isNum(a) || !isNum(b)) return [];
  const [from, to] = [asNumber(a), asNumber(b)];
  const changes: Change[] = [];
  for (const place of places) {
    if (place.value === undefined || !isList(place.value)) continue;
    const { length } = place.value;
    const lengths = new Set([
      Math.ceil((Math.max(1, length) * (to + 1)) / Math.max(1, from)),
      Math.ceil(length + to + 1 - from),
      length + 1,
    ]);
    for (const wanted of lengths)
      for (const isFresh of [true, false, true])
        if (wanted > length && wanted <= 2_000)
          changes.push({ place, wish: { kind: "length", length: wanted, isFresh } });
  }
  return changes;
}

function asNumber(value: Exclude<Value, null>): number {
  return typeof value === "bigint" ? Number(value) : isNum(value) ? Number(value.num) / Number(value.den) : 0;
}

/** Failures of calls that the program catches: of the first of an id, of the last, and of all. */
function failures({ outcomes, calls }: Tape, caught: ReadonlySet<string>): readonly Task[] {
  const byId = new Map<string, string[]>();
  for (const [name, outcome] of outcomes) {
    const id = calls.get(name)?.id ?? "";
    if (caught.has(id) && outcome.kind === "returned") byId.set(id, [...(byId.get(id) ?? []), name]);
  }
  return [...byId.values()]
    .flatMap((names) => [names.slice(0, 1), names, names.slice(-1)])
    .map((fails) => ({ change: { fails } }))
    .slice(0, 6);
}

/** Lists with one or two more elements, which are like one that is there. */
function longer(places: readonly Place[], most: number): readonly Task[] {
  const found: Task[] = [];
  for (const place of places) {
    if (place.value === undefined || !isList(place.value) || place.value.length > most) continue;
    const { length } = place.value;
    for (const [more, isFresh] of [
      [1, true],
      [2, true],
      [1, false],
      [2, false],
    ] as const)
      found.push({ change: { place, wish: { kind: "length", length: length + more, isFresh } } });
  }
  return found.slice(0, 12);
}

function interleaved<T>(a: readonly T[], b: readonly T[]): T[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [
    ...a.slice(i, i + 1),
    ...b.slice(i, i + 1),
  ]).flat();
}

/** The first change of each operator before the second of any. */
function mixed(tasks: readonly Task[]): Task[] {
  const byExpr = new Map<Expr, Task[]>();
  for (const task of tasks) {
    if (task.flip === undefined) continue;
    const { expr } = task.flip;
    const known = byExpr.get(expr);
    if (known === undefined) byExpr.set(expr, [task]);
    else known.push(task);
  }
  const groups = [...byExpr.values()].reverse();
  const all: Task[] = [];
  for (let i = 0; groups.some((group) => i < group.length); i++)
    for (const group of groups) {
      const task = group[i];
      if (task !== undefined) all.push(task);
    }
  return all;
}

/** A call that fails now, among those whose failure the program catches, or that fails no more. */
function withFailure(tape: Tape, caught: ReadonlySet<string>, chance: Chance): Tape {
  const name = chance.pick(
    [...tape.outcomes.keys()].filter((one) => caught.has(tape.calls.get(one)?.id ?? "")),
  );
  return name === undefined ? tape : failing(tape, [name]);
}

/** The tape with calls that fail now, or fail no more. */
function failing(tape: Tape, names: readonly string[]): Tape {
  const outcomes = new Map(tape.outcomes);
  for (const name of names)
    if (outcomes.get(name)?.kind === "failed") outcomes.delete(name);
    else outcomes.set(name, { kind: "failed", reason: "the tool is taken to fail here" });
  return { ...tape, outcomes };
}

/** Names of the tools that a formula speaks of. */
function toolsOf(checked: Checked, formula: Expr): ReadonlySet<string> {
  const { tools, labels, fluents } = referencesIn(formula);
  const named = checked.document.tools.filter(
    ({ name, labels: own, sets }) =>
      tools.has(name) ||
      own.some((label) => labels.has(label)) ||
      sets.some(({ fluent }) => fluents.has(fluent)),
  );
  // What is read is mostly spoken of for the sake of what is done.
  const changing = named.filter(({ reads }) => !reads);
  return new Set((changing.length > 0 ? changing : named).map(({ name }) => name));
}

function lookFor(checked: Checked, claim: Claim): Look {
  if ("condition" in claim) return stopsAt(claim);
  const { formula } = claim;
  return formula === undefined ? () => ({ broken: false, why: "" }) : violates(checked, formula);
}

function entryOf(map: Map<Expr, Counts>, expr: Expr): Counts {
  const known = map.get(expr);
  if (known !== undefined) return known;
  const made = { yes: 0, no: 0, other: 0 };
  map.set(expr, made);
  return made;
}

function bucketOf(times: number): number {
  return times <= 3 ? times : 2 + Math.floor(Math.log2(times));
}

/** Lengths of lists in turns: short ones mostly, and those around the small constants of the document. Longer ones grow. */
function sizesFor({ numbers }: Constants): readonly number[] {
  const small = numbers.filter((one) => typeof one === "bigint" && one > 3n && one <= 200n).map(Number);
  const near = [...new Set(small)].sort((a, b) => a - b).map((n) => n + 1);
  const short = near.filter((n) => n <= longList).slice(0, 2);
  return [1, 2, 3, 1, 2, 0, 1, 5, 2, ...short];
}
