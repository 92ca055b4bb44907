/**
 * Decides without a solver what follows by looking: the opposite of the claim is taken for true, what it says of
 * single terms is collected (truth, bounds, values), and the claim holds if that contradicts itself.
 * SOUNDNESS: every step only adds what follows from the assumptions and the opposite of the claim; what is not
 * understood adds nothing. Assumptions that contradict themselves decide nothing here.
 * Part of what must be trusted.
 */
import { compare, isNum, type Num, subtract } from "../../ir/index.ts";
import type { Terms } from "../terms/factory.ts";
import { type Range, rangeWithin } from "../terms/range.ts";
import { isApply } from "../terms/simplify.ts";
import type { ApplyTerm, LiteralTerm, Term } from "../terms/term.ts";
import { Texts } from "../terms/text-languages.ts";

/** LIMIT: how many assumptions with conditions are looked at again for one claim. */
const mostRevisits = 10_000;
/** LIMIT: how deep choices are followed with their conditions. */
const deepestChoice = 4;
/** LIMIT: how deep terms are looked into. */
const deepestTerm = 500;
/** LIMIT: how many terms are looked into for one claim, and for each assumption; choices in choices multiply. */
const mostLooks = 20_000;

/** Propagator: the assumptions, in the order in which they are learned. */
export class Assumed {
  readonly #terms: Terms;
  readonly #most: number;
  #base: Knowledge;
  #taken: Term[] = [];

  /** @param most how many terms are looked into for one claim, where there are many of them */
  constructor(terms: Terms, most = mostLooks) {
    this.#terms = terms;
    this.#most = most;
    this.#base = new Knowledge(terms, undefined, 0, most);
  }

  /** Costs least where each call gives the same assumptions as the one before, and perhaps more. */
  holds(assumptions: readonly Term[], goal: Term): boolean {
    if (goal === this.#terms.true) return true;
    // Nothing shows what is false, not even assumptions that contradict themselves.
    if (goal === this.#terms.false) return false;
    // SOUNDNESS: what was learnt from an assumption that is not made here does not count.
    if (!this.#taken.every((assumption, i) => assumption === assumptions[i])) {
      this.#base = new Knowledge(this.#terms, undefined, 0, this.#most);
      this.#taken = [];
    }
    for (const assumption of assumptions.slice(this.#taken.length)) {
      this.#taken.push(assumption);
      this.#base.refresh();
      this.#base.learn(assumption, true);
    }
    this.#base.refresh();
    return !this.#base.contradictory && this.#follows(goal);
  }

  #follows(goal: Term): boolean {
    if (isApply(goal, "and")) return goal.args.every((part) => this.#follows(part));
    if (goal === this.#terms.true) return true;
    const opposite = new Knowledge(this.#terms, this.#base);
    opposite.learn(goal, false);
    opposite.revisit();
    return opposite.contradictory;
  }
}

type Waiting = ApplyTerm & { readonly op: "or" | "and" };

/** Facts about terms; a later layer extends an earlier one without changing it. */
class Knowledge {
  contradictory = false;
  readonly #terms: Terms;
  readonly #below: Knowledge | undefined;
  readonly #depth: number;
  // By the terms' numbers, and made when something is held: there are many layers, and most hold little.
  readonly #truth = new Map<number, boolean>();
  #bounds: Map<number, Range> | undefined;
  #values: Map<number, LiteralTerm> | undefined;
  #texts: Texts | undefined;
  /** Assumptions that say something once one of these is decided. */
  #waiting: Map<number, Waiting[]> | undefined;
  readonly #fresh: Term[] = [];
  #ranges: Map<number, Range> | undefined;
  #decided: Map<number, boolean | undefined> | undefined;
  /** Effort of all layers together. */
  readonly #effort: { depth: number; looks: number };
  readonly #most: number;

  constructor(terms: Terms, below?: Knowledge, depth = 0, most = mostLooks) {
    this.#terms = terms;
    this.#below = below;
    this.#depth = depth;
    this.#effort = below === undefined ? { depth: 0, looks: 0 } : below.#effort;
    this.#most = below === undefined ? most : below.#most;
  }

  /** Something else is looked at. */
  refresh(): void {
    this.#effort.looks = 0;
  }

  // ── learning ───────────────────────────────────────────────────────────────────────────────────────────

  learn(term: Term, truth: boolean): void {
    if (this.contradictory) return;
    const isNot = isApply(term, "not");
    if (isNot || isApply(term, truth ? "and" : "or")) {
      for (const arg of term.args) this.learn(arg, isNot ? !truth : truth);
      return;
    }
    const known = this.truthOf(term);
    if (known === truth) return;
    if (known !== undefined) {
      this.contradictory = true;
      return;
    }
    this.#truth.set(term.id, truth);
    this.#forget();
    this.#fresh.push(term);
    if (isApply(term, "or") || isApply(term, "and")) this.#learnOneOf(term);
    else if (isApply(term, "<") || isApply(term, "<=")) this.#learnOrder(term.op, term.args, truth);
    else if (term.kind === "apply") {
      if (term.op === "==" && truth) this.#learnValue(term.args);
      this.#texts ??= new Texts(this.#terms.effort, this.#below?.texts);
      if (!this.#texts.learn(term, truth)) this.contradictory = true;
    }
  }

  /** One part of an `or` is true, one of an `and` that is false is false: it is the last if no other is left. */
  #learnOneOf(whole: Waiting): void {
    const truth = whole.op === "or";
    const open: Term[] = [];
    for (const arg of whole.args) {
      const known = this.truthOf(arg);
      if (known === truth) return;
      if (known === undefined) open.push(arg);
    }
    const [last] = open;
    if (last === undefined) this.contradictory = true;
    else if (open.length === 1) this.learn(last, truth);
    else if (this.#below === undefined) for (const arg of open) this.#wait(arg, whole);
  }

  #wait(arg: Term, whole: Waiting): void {
    const atom = isApply(arg, "not") ? arg.args[0] : arg;
    if (atom === undefined) return;
    this.#waiting ??= new Map();
    const others = this.#waiting.get(atom.id);
    if (others === undefined) this.#waiting.set(atom.id, [whole]);
    else others.push(whole);
  }

  #learnOrder(op: "<" | "<=", [left, right]: readonly Term[], truth: boolean): void {
    if (left === undefined || right === undefined || !isNumeric(left)) return;
    // `a < b` is false when `b <= a`.
    const [small, big, strict] = truth ? [left, right, op === "<"] : [right, left, op === "<="];
    const gap = strict && isWholeNumber(small) && isWholeNumber(big) ? 1n : 0n;
    const { high } = this.rangeOf(big);
    const { low } = this.rangeOf(small);
    if (high !== undefined) this.#bound(small, { low: undefined, high: subtract(high, gap) });
    if (low !== undefined) this.#bound(big, { low: subtract(low, -gap), high: undefined });
  }

  #learnValue([left, right]: readonly Term[]): void {
    if (left === undefined || right === undefined) return;
    for (const [term, value] of [
      [left, right],
      [right, left],
    ] as const) {
      if (value.kind !== "literal") continue;
      this.#values ??= new Map();
      this.#values.set(term.id, value);
      if (isNum(value.value)) this.#bound(term, { low: value.value, high: value.value });
    }
  }

  #bound(term: Term, { low, high }: Range): void {
    const held = this.rangeOf(term);
    const tighter: Range = {
      low: low !== undefined && (held.low === undefined || compare(low, held.low) > 0) ? low : held.low,
      high:
        high !== undefined && (held.high === undefined || compare(high, held.high) < 0) ? high : held.high,
    };
    if (tighter.low === held.low && tighter.high === held.high) return;
    // An integer as a real is the same number.
    if (isApply(term, "toReal") && term.args[0] !== undefined) this.#bound(term.args[0], tighter);
    this.#bounds ??= new Map();
    this.#bounds.set(term.id, tighter);
    this.#forget();
    if (tighter.low !== undefined && tighter.high !== undefined && compare(tighter.low, tighter.high) > 0)
      this.contradictory = true;
  }

  /** Drops cached consequences after a new fact; most often there are none. */
  #forget(): void {
    this.#decided = undefined;
    this.#ranges = undefined;
  }

  /** Looks again at the assumptions that wait for what was learnt. */
  revisit(): void {
    let visits = 0;
    for (let term = this.#fresh.pop(); term !== undefined; term = this.#fresh.pop()) {
      for (const whole of this.#below?.waitingFor(term) ?? []) {
        if (this.contradictory || ++visits > mostRevisits) return;
        this.#learnOneOf(whole);
      }
    }
  }

  waitingFor(term: Term): readonly Waiting[] {
    return this.#waiting?.get(term.id) ?? none;
  }

  get texts(): Texts | undefined {
    return this.#texts ?? this.#below?.texts;
  }

  // ── asking ─────────────────────────────────────────────────────────────────────────────────────────────

  truthOf(term: Term): boolean | undefined {
    if (term.kind === "literal") return term.value === true;
    const { id } = term;
    const learnt = this.#truth.get(id);
    if (learnt !== undefined) return learnt;
    const before = this.#decided?.get(id);
    if (before !== undefined || this.#decided?.has(id)) return before;
    const truth = this.#below?.truthOf(term) ?? this.#looked(term);
    this.#decided ??= new Map();
    this.#decided.set(id, truth);
    return truth;
  }

  #looked(term: Term): boolean | undefined {
    if (!this.#enter()) return undefined;
    try {
      return this.#decide(term);
    } finally {
      this.#effort.depth--;
    }
  }

  #decide(term: Term): boolean | undefined {
    if (term.kind !== "apply") return undefined;
    const [left, right] = term.args;
    switch (term.op) {
      case "not": {
        const inner = left && this.truthOf(left);
        return inner === undefined ? undefined : !inner;
      }
      case "and":
        return this.#connected(term.args, false);
      case "or":
        return this.#connected(term.args, true);
      case "<":
      case "<=":
        return left && right && isNumeric(left) ? this.#ordered(term.op, left, right) : undefined;
      case "==":
        return left && right && (this.#equal(left, right) ?? this.texts?.truthOf(term));
      default:
        return this.texts?.truthOf(term);
    }
  }

  #connected(args: readonly Term[], decisive: boolean): boolean | undefined {
    let open = false;
    for (const arg of args) {
      const truth = this.truthOf(arg);
      if (truth === decisive) return decisive;
      if (truth === undefined) open = true;
    }
    return open ? undefined : !decisive;
  }

  #ordered(op: "<" | "<=", left: Term, right: Term): boolean | undefined {
    const a = this.rangeOf(left);
    const b = this.rangeOf(right);
    if (a.high !== undefined && b.low !== undefined) {
      const most = compare(a.high, b.low);
      if (most < 0 || (most === 0 && op === "<=")) return true;
    }
    if (a.low !== undefined && b.high !== undefined) {
      const least = compare(a.low, b.high);
      if (least > 0 || (least === 0 && op === "<")) return false;
    }
    return undefined;
  }

  #equal(left: Term, right: Term): boolean | undefined {
    const [a, b] = [this.literalOf(left), this.literalOf(right)];
    if (a !== undefined && b !== undefined) return this.#terms.equal(a, b) === this.#terms.true;
    if (!isNumeric(left)) return undefined;
    const [x, y] = [this.rangeOf(left), this.rangeOf(right)];
    return isBelow(x.high, y.low) || isBelow(y.high, x.low) ? false : undefined;
  }

  literalOf(term: Term): LiteralTerm | undefined {
    if (term.kind === "literal") return term;
    return this.#values?.get(term.id) ?? this.#below?.literalOf(term);
  }

  rangeOf(term: Term): Range {
    if (term.kind === "literal") return rangeWithin(term, () => anything);
    const cached = this.#ranges?.get(term.id);
    if (cached !== undefined) return cached;
    const range = within(this.#rangeOfShape(term), this.boundsOf(term));
    this.#ranges ??= new Map();
    this.#ranges.set(term.id, range);
    return range;
  }

  #rangeOfShape(term: Term): Range {
    if (!this.#enter()) return anything;
    try {
      if (isApply(term, "if")) return this.#rangeOfChoice(term.args);
      return rangeWithin(term, (arg) => this.rangeOf(arg));
    } finally {
      this.#effort.depth--;
    }
  }

  /**
   * One deeper. False for what is nested too deep, which is not understood, rather than too much for the stack; and for
   * what takes too long.
   */
  #enter(): boolean {
    const effort = this.#effort;
    this.#terms.effort.spend(1);
    if (effort.depth >= deepestTerm || ++effort.looks > this.#most) return false;
    effort.depth++;
    return true;
  }

  boundsOf(term: Term): Range {
    return this.#bounds?.get(term.id) ?? this.#below?.boundsOf(term) ?? anything;
  }

  /** Each side counts only where its condition does, and is looked at with that condition in mind. */
  #rangeOfChoice([condition, yes, no]: readonly Term[]): Range {
    if (condition === undefined || yes === undefined || no === undefined) return anything;
    const chosen = this.truthOf(condition);
    if (chosen !== undefined) return this.rangeOf(chosen ? yes : no);
    const first = this.#rangeWhere(condition, true, yes);
    const second = this.#rangeWhere(condition, false, no);
    if (first === undefined || second === undefined) return first ?? second ?? anything;
    return hull(first, second);
  }

  /** Undefined where it cannot be so. */
  #rangeWhere(condition: Term, truth: boolean, side: Term): Range | undefined {
    if (side.kind === "literal" || this.#depth >= deepestChoice) return this.rangeOf(side);
    const there = new Knowledge(this.#terms, this, this.#depth + 1);
    there.learn(condition, truth);
    return there.contradictory ? undefined : there.rangeOf(side);
  }
}

const none: readonly Waiting[] = [];
const anything: Range = { low: undefined, high: undefined };

/** Both bounds hold. */
function within(a: Range, b: Range): Range {
  const low = a.low === undefined || (b.low !== undefined && compare(b.low, a.low) > 0) ? b.low : a.low;
  const high =
    a.high === undefined || (b.high !== undefined && compare(b.high, a.high) < 0) ? b.high : a.high;
  return { low, high };
}

/** One of the two holds. */
function hull(a: Range, b: Range): Range {
  const low =
    a.low === undefined || b.low === undefined ? undefined : compare(a.low, b.low) < 0 ? a.low : b.low;
  const high =
    a.high === undefined || b.high === undefined ? undefined : compare(a.high, b.high) > 0 ? a.high : b.high;
  return { low, high };
}

function isBelow(a: Num | undefined, b: Num | undefined): boolean {
  return a !== undefined && b !== undefined && compare(a, b) < 0;
}

/** Returns true if the term can only be an integer. */
function isWholeNumber(term: Term): boolean {
  if (term.kind === "literal") return typeof term.value === "bigint";
  return term.sort === "Int" || isApply(term, "toReal");
}

function isNumeric({ sort }: Term): boolean {
  return sort === "Int" || sort === "Real";
}
