/**
 * The parts of a formula whose value is kept from call to call, so that a call costs the same however many there were.
 * Each value is the one that `judge` finds on the calls so far, or unknown. Part of what must be trusted.
 */
import type {
  AggregateExpr,
  AutomatonExpr,
  DistinctExpr,
  Expr,
  PerKeyExpr,
  QuantifierExpr,
  Selection,
} from "../document.ts";
import type { AggregateRow } from "../eval/aggregate.ts";
import { type AutomatonPlace, automatonAfter, automatonHolds, automatonStart } from "../eval/automaton.ts";
import type { Known } from "../eval/evaluate.ts";
import { LimitReached } from "../eval/meter.ts";
import { Between, isPartly, rangeOf, Unknown, unknownFrom } from "../eval/partly.ts";
import type { Outcome } from "../eval/trace.ts";
import { valueKey } from "../value.ts";
import type { Leaf, StandingCall, Watched } from "./call.ts";
import { Running } from "./running.ts";
import { isRowOf, type Scope } from "./scope.ts";

/** LIMIT: of keys that one part keeps. */
export const mostKeys = 4_000_000;
/** LIMIT: of calls that an automaton keeps because an earlier one has not ended. */
const mostWaiting = 1_000;

/** Binds the call as a row; undefined if it is none, or `where` leaves it out. */
function rowFor(
  scope: Scope,
  over: Selection,
  call: StandingCall,
): { readonly certain: boolean } | undefined {
  if (!scope.bind(over, call)) return undefined;
  const chosen = over.where === undefined ? true : scope.evaluate(over.where);
  return chosen === false ? undefined : { certain: chosen === true };
}

function isReturned({ kind }: Outcome): boolean {
  return kind === "returned";
}

const doubt = new Unknown("a call failed, and may or may not have had its effect");

export class QuantifierLeaf implements Leaf {
  readonly #expr: QuantifierExpr;
  readonly #scope: Scope;
  readonly #decisive: boolean;
  #isDecided = false;
  #isOpen = false;
  #underWay = 0;

  constructor(expr: QuantifierExpr, scope: Scope) {
    this.#expr = expr;
    this.#scope = scope;
    this.#decisive = expr.quantifier === "exists";
  }

  get value(): Known {
    return this.#valueWith(this.#underWay);
  }

  look(call: StandingCall): Watched | undefined {
    const row = rowFor(this.#scope, this.#expr.over, call);
    if (row === undefined) return undefined;
    const holds = this.#scope.evaluate(this.#expr.body);
    if (holds === !this.#decisive) return undefined;
    const decides = holds === this.#decisive && row.certain;
    return {
      value: this.#valueWith(this.#underWay + 1),
      begin: () => {
        this.#underWay++;
      },
      end: (outcome) => {
        this.#underWay--;
        if (decides && isReturned(outcome)) this.#isDecided = true;
        else this.#isOpen = true;
      },
      cancel: () => {
        this.#underWay--;
      },
    };
  }

  #valueWith(underWay: number): Known {
    if (this.#isDecided) return this.#decisive;
    return this.#isOpen || underWay > 0 ? doubt : !this.#decisive;
  }
}

export class AggregateLeaf implements Leaf {
  readonly #expr: AggregateExpr;
  readonly #scope: Scope;
  readonly #running: Running;
  readonly #underWay = new Set<AggregateRow>();
  #lost: Unknown | undefined;

  constructor(expr: AggregateExpr, scope: Scope) {
    this.#expr = expr;
    this.#scope = scope;
    this.#running = new Running(expr.aggregate);
  }

  get value(): Known {
    return this.#valueWith([...this.#underWay]);
  }

  look(call: StandingCall): Watched | undefined {
    const chosen = rowFor(this.#scope, this.#expr.over, call);
    if (chosen === undefined) return undefined;
    const value = numberOf(this.#expr.value, this.#scope);
    if (value instanceof Unknown) return this.#loses(value);
    const row = this.#running.rowOf(chosen.certain, value);
    const underWay = { ...row, certain: false };
    return {
      value: this.#valueWith([...this.#underWay, underWay]),
      begin: () => {
        this.#underWay.add(underWay);
      },
      end: (outcome) => {
        this.#underWay.delete(underWay);
        this.#running.add(isReturned(outcome) ? row : underWay);
      },
      cancel: () => {
        this.#underWay.delete(underWay);
      },
    };
  }

  /** SOUNDNESS: a number that is not known makes the aggregate unknown for good. */
  #loses(why: Unknown): Watched {
    const begin = () => {
      this.#lost = why;
    };
    return { value: why, begin, end: () => {}, cancel: () => {} };
  }

  #valueWith(rows: readonly AggregateRow[]): Known {
    if (this.#lost !== undefined) return this.#lost;
    const { otherwise } = this.#expr;
    if (otherwise === undefined || this.#running.hasCertain) return this.#running.value(rows);
    const given = numberOf(otherwise, this.#scope);
    return given instanceof Unknown ? given : this.#running.value(rows, given);
  }
}

/** The verdict of a group of rows with one key: nothing, that the formula is decided, or that it may be. */
type Says = "nothing" | "decides" | "may decide";

class Group {
  readonly running: Running;
  readonly underWay = new Set<AggregateRow>();
  certain = 0;
  ended = 0;
  says: Says = "nothing";

  constructor(running: Running) {
    this.running = running;
  }
}

export class GroupLeaf implements Leaf {
  readonly #expr: PerKeyExpr | DistinctExpr;
  readonly #scope: Scope;
  readonly #decisive: boolean;
  readonly #groups = new Map<string, Group>();
  #deciding = 0;
  #doubtful = 0;
  #lost: Unknown | undefined;

  constructor(expr: PerKeyExpr | DistinctExpr, scope: Scope) {
    this.#expr = expr;
    this.#scope = scope;
    this.#decisive = expr.kind === "perKey" && expr.quantifier === "exists";
  }

  get value(): Known {
    return this.#valueWith(this.#deciding, this.#doubtful);
  }

  look(call: StandingCall): Watched | undefined {
    const chosen = rowFor(this.#scope, this.#expr.over, call);
    if (chosen === undefined) return undefined;
    const key = this.#scope.evaluate(this.#expr.key);
    if (isPartly(key)) return this.#loses(unknownFrom(key));
    const value = numberOf(this.#expr.kind === "perKey" ? this.#expr.value : undefined, this.#scope);
    if (value instanceof Unknown) return this.#loses(value);
    const text = valueKey(key);
    const group = this.#groups.get(text) ?? this.#newGroup();
    const row = group.running.rowOf(chosen.certain, value);
    const underWay = { ...row, certain: false };
    const says = this.#saysOf(group, underWay);
    const [deciding, doubtful] = [this.#deciding, this.#doubtful].map(
      (n, i) => n - count(group.says, i) + count(says, i),
    );
    return {
      value: this.#valueWith(deciding ?? 0, doubtful ?? 0),
      begin: () => {
        this.#groups.set(text, group);
        group.underWay.add(underWay);
        this.#say(group);
      },
      end: (outcome) => {
        group.underWay.delete(underWay);
        const ended = isReturned(outcome) ? row : underWay;
        group.running.add(ended);
        group.ended++;
        if (ended.certain) group.certain++;
        this.#say(group);
      },
      cancel: () => {
        group.underWay.delete(underWay);
        this.#say(group);
        if (group.ended === 0 && group.underWay.size === 0) this.#groups.delete(text);
      },
    };
  }

  #newGroup(): Group {
    if (this.#groups.size >= mostKeys)
      throw new LimitReached("FC1407", `a standing guarantee keeps more than ${mostKeys} keys`);
    return new Group(new Running(this.#expr.kind === "perKey" ? this.#expr.aggregate : "count"));
  }

  #loses(why: Unknown): Watched {
    const begin = () => {
      this.#lost = why;
    };
    return { value: why, begin, end: () => {}, cancel: () => {} };
  }

  #say(group: Group): void {
    const says = this.#saysOf(group);
    this.#deciding += count(says, 0) - count(group.says, 0);
    this.#doubtful += count(says, 1) - count(group.says, 1);
    group.says = says;
  }

  #saysOf(group: Group, more?: AggregateRow): Says {
    const rows = more === undefined ? [...group.underWay] : [...group.underWay, more];
    const size = group.ended + rows.length;
    if (size === 0) return "nothing";
    if (this.#expr.kind === "distinct") {
      if (group.certain > 1) return "decides";
      return size > 1 ? "may decide" : "nothing";
    }
    this.#scope.bindRow(this.#expr.name, group.running.value(rows));
    const holds = this.#scope.evaluate(this.#expr.body);
    if (holds === !this.#decisive) return "nothing";
    return holds === this.#decisive && group.certain > 0 ? "decides" : "may decide";
  }

  #valueWith(deciding: number, doubtful: number): Known {
    if (this.#lost !== undefined) return this.#lost;
    if (deciding > 0) return this.#decisive;
    return doubtful > 0 ? doubt : !this.#decisive;
  }
}

function count(says: Says, place: number): number {
  return says === (place === 0 ? "decides" : "may decide") ? 1 : 0;
}

/** A call that an automaton has yet to take in for good. */
interface Waiting {
  readonly call: StandingCall;
  outcome: Outcome | undefined;
}

/** Calls are taken in the order in which they began, so one that has not ended keeps later ones waiting. */
export class AutomatonLeaf implements Leaf {
  readonly #expr: AutomatonExpr;
  readonly #scope: Scope;
  readonly #waiting: Waiting[] = [];
  #place: AutomatonPlace;

  constructor(expr: AutomatonExpr, scope: Scope) {
    this.#expr = expr;
    this.#scope = scope;
    this.#place = automatonStart(expr);
  }

  get value(): Known {
    return automatonHolds(this.#placeWith());
  }

  look(call: StandingCall): Watched | undefined {
    const { checked } = this.#scope;
    if (!this.#expr.on.some(({ over }) => isRowOf(checked, over.in, call.tool))) return undefined;
    const own: Waiting = { call, outcome: undefined };
    return {
      value: automatonHolds(this.#placeWith(own)),
      begin: () => {
        this.#waiting.push(own);
      },
      end: (outcome) => {
        own.outcome = outcome;
        this.#settle();
      },
      cancel: () => {
        const at = this.#waiting.indexOf(own);
        if (at >= 0) this.#waiting.splice(at, 1);
        this.#settle();
      },
    };
  }

  #settle(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      // SOUNDNESS: a call that takes too long counts as one that may have been made, whatever becomes of it.
      if (first.outcome === undefined && this.#waiting.length <= mostWaiting) return;
      this.#place = this.#after(this.#place, first);
      this.#waiting.shift();
    }
  }

  #placeWith(more?: Waiting): AutomatonPlace {
    const place = this.#waiting.reduce((at, one) => this.#after(at, one), this.#place);
    return more === undefined ? place : this.#after(place, more);
  }

  #after(place: AutomatonPlace, { call, outcome }: Waiting): AutomatonPlace {
    const took = outcome?.kind === "returned" ? true : undefined;
    return automatonAfter(this.#expr, place, call, took, (over) => {
      if (!this.#scope.bind(over, call)) return false;
      return over.where === undefined || this.#scope.evaluate(over.where);
    });
  }
}

const nothing = new Between(0n, 0n);

function numberOf(expr: Expr | undefined, scope: Scope): Between | Unknown {
  return expr === undefined ? nothing : rangeOf(scope.evaluate(expr));
}
