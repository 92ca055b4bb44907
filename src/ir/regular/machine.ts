/**
 * Matching of regular expressions in time that grows with the text and no faster. All ways to read the text are followed
 * at once, in the order in which JavaScript would try them, and of two that stand at the same place of the expression
 * only the first is followed further: what comes after it depends on the place alone.
 *
 * A way carries, besides its place, whether it has taken a character since the innermost repetition began: JavaScript
 * gives up an iteration that takes none. One mark is enough for repetitions in repetitions, because an inner one that
 * ran has taken a character, and one that did not run leaves the mark as it was.
 * Part of what must be trusted.
 */
import {
  characterFlags,
  type Expression,
  type Flags,
  mayBeEmpty,
  type Place,
  type Tree,
} from "./expression.ts";

type Step =
  | { readonly kind: "one"; readonly accepts: (code: number) => boolean }
  /** Tries the first way before the second. */
  | { readonly kind: "fork"; readonly first: number; readonly second: number }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "save"; readonly slot: number }
  /** Groups from one to before another hold nothing again. */
  | { readonly kind: "clear"; readonly from: number; readonly to: number }
  | { readonly kind: "begin" }
  | { readonly kind: "progress" }
  | { readonly kind: "place"; readonly where: Place }
  | { readonly kind: "look"; readonly table: number; readonly isNegated: boolean }
  | { readonly kind: "done" };

interface Look {
  readonly steps: readonly Step[];
  readonly isAhead: boolean;
}

export interface Machine {
  readonly steps: readonly Step[];
  /** Those inside others come first. */
  readonly looks: readonly Look[];
  readonly flags: Flags;
  readonly groups: number;
}

export function machineOf(expression: Expression): Machine {
  const looks: Look[] = [];
  const steps = new Builder(expression.flags, looks).whole({ kind: "group", of: expression.tree, index: -1 });
  return { steps, looks, flags: expression.flags, groups: expression.names.length };
}

class Builder {
  readonly #flags: Flags;
  readonly #looks: Look[];
  readonly #steps: Step[] = [];

  constructor(flags: Flags, looks: Look[]) {
    this.#flags = flags;
    this.#looks = looks;
  }

  whole(tree: Tree): readonly Step[] {
    this.#build(tree);
    this.#steps.push({ kind: "done" });
    return this.#steps;
  }

  #build(tree: Tree): void {
    switch (tree.kind) {
      case "one":
        this.#steps.push({ kind: "one", accepts: characterTest(tree.source, this.#flags) });
        return;
      case "place":
        this.#steps.push(tree);
        return;
      case "sequence":
        for (const part of tree.parts) this.#build(part);
        return;
      case "choice":
        this.#choice(tree.parts);
        return;
      case "group":
        this.#steps.push({ kind: "save", slot: 2 * (tree.index + 1) });
        this.#build(tree.of);
        this.#steps.push({ kind: "save", slot: 2 * (tree.index + 1) + 1 });
        return;
      case "look": {
        const steps = new Builder(this.#flags, this.#looks).whole(tree.of);
        const table = this.#looks.push({ steps, isAhead: tree.isAhead }) - 1;
        this.#steps.push({ kind: "look", table, isNegated: tree.isNegated });
        return;
      }
      case "repeat":
        this.#repeat(tree);
    }
  }

  #choice(parts: readonly Tree[]): void {
    const ends: number[] = [];
    parts.forEach((part, i) => {
      if (i === parts.length - 1) return this.#build(part);
      const fork = this.#hold();
      this.#build(part);
      ends.push(this.#hold());
      this.#steps[fork] = { kind: "fork", first: fork + 1, second: this.#steps.length };
    });
    for (const end of ends) this.#steps[end] = { kind: "jump", to: this.#steps.length };
  }

  #repeat(tree: Tree & { readonly kind: "repeat" }): void {
    const { least, most } = tree;
    // What takes a character each time needs no copy for the first time.
    if (least === 1 && most === undefined && !mayBeEmpty(tree.of)) {
      const start = this.#steps.length;
      this.#iteration(tree);
      const after = this.#steps.length + 1;
      this.#steps.push(fork(tree.isLazy, start, after));
      return;
    }
    for (let i = 0; i < least; i++) this.#iteration(tree);
    if (most === undefined) {
      const start = this.#hold();
      this.#checked(tree);
      this.#steps.push({ kind: "jump", to: start });
      this.#steps[start] = fork(tree.isLazy, start + 1, this.#steps.length);
      return;
    }
    const forks: number[] = [];
    for (let i = least; i < most; i++) {
      forks.push(this.#hold());
      this.#checked(tree);
    }
    for (const at of forks) this.#steps[at] = fork(tree.isLazy, at + 1, this.#steps.length);
  }

  #iteration({ of, groups: [from, to] }: Tree & { readonly kind: "repeat" }): void {
    if (from < to) this.#steps.push({ kind: "clear", from, to });
    this.#build(of);
  }

  /** An iteration beyond those that are asked for must take a character. */
  #checked(tree: Tree & { readonly kind: "repeat" }): void {
    const isChecked = mayBeEmpty(tree.of);
    if (isChecked) this.#steps.push({ kind: "begin" });
    this.#iteration(tree);
    if (isChecked) this.#steps.push({ kind: "progress" });
  }

  /** A place for a step that is known later. */
  #hold(): number {
    return this.#steps.push({ kind: "done" }) - 1;
  }
}

function fork(isLazy: boolean, again: number, after: number): Step {
  return isLazy
    ? { kind: "fork", first: after, second: again }
    : { kind: "fork", first: again, second: after };
}

/** LIMIT: answers that are remembered for one class. */
const mostKnown = 4096;

/** Tests membership of a character in a class, by the Unicode tables of the running engine, as for case changes. */
function characterTest(source: string, flags: Flags): (code: number) => boolean {
  const one = new RegExp(`^(?:${source})$`, characterFlags(flags));
  const known = new Map<number, boolean>();
  return (code) => {
    const before = known.get(code);
    if (before !== undefined) return before;
    const answer = one.test(String.fromCodePoint(code));
    if (known.size < mostKnown) known.set(code, answer);
    return answer;
  };
}

/** Start and end of the match and its groups: two numbers for each, -1 for an unset group. */
export type Spans = readonly number[];

interface Way {
  readonly at: number;
  readonly hasMoved: boolean;
  readonly spans: Spans;
}

/** Searches in one text. */
export class Search {
  readonly #machine: Machine;
  readonly #text: string;
  readonly #charge: (units: number) => void;
  readonly #isWord: (code: number) => boolean;
  readonly #tables: Uint8Array[] = [];
  readonly #seen: Seen;

  /** @param charge is told of the steps that were taken */
  constructor(machine: Machine, text: string, charge: (units: number) => void) {
    this.#machine = machine;
    this.#text = text;
    this.#charge = charge;
    this.#seen = new Seen(machine.steps.length);
    const { flags } = machine;
    this.#isWord = flags.isUnicode && flags.ignoresCase ? characterTest("\\w", flags) : isWordCode;
  }

  /** The first match that begins there or later. */
  from(start: number): Spans | undefined {
    const { steps, groups } = this.#machine;
    const fresh: Spans = Array.from({ length: 2 * (groups + 1) }, () => -1);
    const seen = this.#seen;
    seen.renew();
    let ways: Way[] = [];
    let found: Spans | undefined;
    for (let i = start; ; i += this.#width(i)) {
      if (found === undefined) this.#follow({ at: 0, hasMoved: true, spans: fresh }, i, ways, seen);
      if (ways.length === 0 && found !== undefined) return found;
      const next: Way[] = [];
      seen.renew();
      const [code, after] = [this.#code(i), i + this.#width(i)];
      for (const way of ways) {
        const step = steps[way.at];
        if (step?.kind === "done") {
          found = way.spans;
          // The ways behind it are worse.
          break;
        }
        if (step?.kind === "one" && code !== undefined && step.accepts(code))
          this.#follow({ at: way.at + 1, hasMoved: true, spans: way.spans }, after, next, seen);
      }
      this.#charge(1 + ways.length);
      ways = next;
      if (code === undefined) return found;
    }
  }

  /** Goes on without a character, up to steps that take one or are the end. */
  #follow(first: Way, i: number, ways: Way[], seen: Seen): void {
    const { steps } = this.#machine;
    const waiting: Way[] = [first];
    for (let way = waiting.pop(); way !== undefined; way = waiting.pop()) {
      if (!seen.add(way.at, way.hasMoved)) continue;
      const step = steps[way.at];
      const { hasMoved, spans } = way;
      this.#charge(step?.kind === "save" || step?.kind === "clear" ? 1 + (spans.length >> 3) : 1);
      const next = way.at + 1;
      switch (step?.kind) {
        case "one":
        case "done":
          ways.push(way);
          break;
        case "fork":
          waiting.push({ at: step.second, hasMoved, spans }, { at: step.first, hasMoved, spans });
          break;
        case "jump":
          waiting.push({ at: step.to, hasMoved, spans });
          break;
        case "save":
          waiting.push({ at: next, hasMoved, spans: spans.with(step.slot, i) });
          break;
        case "clear":
          waiting.push({ at: next, hasMoved, spans: cleared(spans, step.from, step.to) });
          break;
        case "begin":
          waiting.push({ at: next, hasMoved: false, spans });
          break;
        case "progress":
          if (hasMoved) waiting.push({ at: next, hasMoved, spans });
          break;
        default:
          if (step !== undefined && this.#holds(step, i)) waiting.push({ at: next, hasMoved, spans });
      }
    }
  }

  #holds(step: Step, i: number): boolean {
    if (step.kind === "look") return (this.#table(step.table)[i] === 1) !== step.isNegated;
    if (step.kind !== "place") return false;
    const { isMultiline } = this.#machine.flags;
    switch (step.where) {
      case "start":
        return i === 0 || (isMultiline && isLineEnd(this.#text.charCodeAt(i - 1)));
      case "end":
        return i === this.#text.length || (isMultiline && isLineEnd(this.#text.charCodeAt(i)));
      case "edge":
        return this.#isEdge(i);
      case "inside":
        return !this.#isEdge(i);
    }
  }

  #isEdge(i: number): boolean {
    const before = i > 0 && this.#isWord(this.#text.charCodeAt(i - 1));
    const after = i < this.#text.length && this.#isWord(this.#text.charCodeAt(i));
    return before !== after;
  }

  /** The character at a place: a code unit, or with the flag `u` a code point. */
  #code(i: number): number | undefined {
    if (i >= this.#text.length) return undefined;
    return this.#machine.flags.isUnicode ? this.#text.codePointAt(i) : this.#text.charCodeAt(i);
  }

  #width(i: number): number {
    return (this.#machine.flags.isUnicode ? (this.#text.codePointAt(i) ?? 0) : 0) > 0xffff ? 2 : 1;
  }

  /** By place in the text, whether what looks ahead or back from there finds something. */
  #table(index: number): Uint8Array {
    const known = this.#tables[index];
    if (known !== undefined) return known;
    const look = this.#machine.looks[index];
    const table = new Uint8Array(this.#text.length + 1);
    this.#tables[index] = table;
    if (look?.isAhead) this.#lookAhead(look.steps, table);
    else if (look !== undefined) this.#lookBack(look.steps, table);
    return table;
  }

  /** From the end of the text to its beginning: from which steps the end of the expression is reached. */
  #lookAhead(steps: readonly Step[], table: Uint8Array): void {
    let after = new Uint8Array(2 * steps.length);
    for (let i = this.#text.length; i >= 0; i -= this.#widthBefore(i)) {
      const here = new Uint8Array(2 * steps.length);
      this.#charge(steps.length);
      table[i] = this.#reaches(steps, 0, 1, i, here, after) ? 1 : 0;
      // Steps that were not asked about yet are asked about by the place before.
      for (let at = 0; at < steps.length; at++) this.#reaches(steps, at, 1, i, here, after);
      after = here;
    }
  }

  #widthBefore(i: number): number {
    const { isUnicode } = this.#machine.flags;
    return isUnicode && i > 1 && (this.#text.codePointAt(i - 2) ?? 0) > 0xffff ? 2 : 1;
  }

  /** 1: not reached, 2: reached. Repetitions that take no character are given up, so it comes back to no step. */
  #reaches(
    steps: readonly Step[],
    at: number,
    moved: 0 | 1,
    i: number,
    here: Uint8Array,
    after: Uint8Array,
  ): boolean {
    const key = 2 * at + moved;
    if (here[key] !== 0) return here[key] === 2;
    const answer = this.#reachesAnew(steps, at, moved, i, here, after);
    here[key] = answer ? 2 : 1;
    return answer;
  }

  #reachesAnew(
    steps: readonly Step[],
    at: number,
    moved: 0 | 1,
    i: number,
    here: Uint8Array,
    after: Uint8Array,
  ): boolean {
    const step = steps[at];
    const goes = (to: number, mark: 0 | 1 = moved) => this.#reaches(steps, to, mark, i, here, after);
    switch (step?.kind) {
      case undefined:
        return false;
      case "done":
        return true;
      case "one": {
        const code = this.#code(i);
        return code !== undefined && step.accepts(code) && after[2 * (at + 1) + 1] === 2;
      }
      case "fork":
        return goes(step.first) || goes(step.second);
      case "jump":
        return goes(step.to);
      case "begin":
        return goes(at + 1, 0);
      case "progress":
        return moved === 1 && goes(at + 1);
      case "save":
      case "clear":
        return goes(at + 1);
      case "place":
      case "look":
        return this.#holds(step, i) && goes(at + 1);
    }
  }

  /** From the beginning to the end: where what began anywhere before ends. */
  #lookBack(steps: readonly Step[], table: Uint8Array): void {
    const seen = new Seen(steps.length);
    let reached: number[] = [0];
    for (let i = 0; ; i += this.#width(i)) {
      seen.renew();
      const here = this.#closure(steps, reached, i, seen);
      this.#charge(1 + here.length);
      table[i] = here.some((at) => steps[at]?.kind === "done") ? 1 : 0;
      const code = this.#code(i);
      if (code === undefined) return;
      reached = [0];
      for (const at of here) {
        const step = steps[at];
        if (step?.kind === "one" && step.accepts(code)) reached.push(at + 1);
      }
    }
  }

  #closure(steps: readonly Step[], from: readonly number[], i: number, seen: Seen): number[] {
    const [waiting, found]: [number[], number[]] = [[...from], []];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      // Whether it moved does not matter here: an iteration that takes nothing leads to no other place.
      if (!seen.add(at, true)) continue;
      const step = steps[at];
      if (step === undefined) continue;
      if (step.kind === "one" || step.kind === "done") found.push(at);
      else if (step.kind === "fork") waiting.push(step.first, step.second);
      else if (step.kind === "jump") waiting.push(step.to);
      else if (step.kind === "place" || step.kind === "look") {
        if (this.#holds(step, i)) waiting.push(at + 1);
      } else waiting.push(at + 1);
    }
    return found;
  }
}

/** Steps that a way has reached already, with and without a character taken. */
class Seen {
  readonly #marks: Int32Array;
  #now = 1;

  constructor(size: number) {
    this.#marks = new Int32Array(2 * size);
  }

  renew(): void {
    this.#now++;
  }

  /** False if it was there already. */
  add(at: number, hasMoved: boolean): boolean {
    const key = 2 * at + (hasMoved ? 1 : 0);
    if (this.#marks[key] === this.#now) return false;
    this.#marks[key] = this.#now;
    return true;
  }
}

function cleared(spans: Spans, from: number, to: number): Spans {
  return spans.map((place, i) => (i >= 2 * (from + 1) && i < 2 * (to + 1) ? -1 : place));
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}
