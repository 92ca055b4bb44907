/**
 * The state of fluents. Every key has a value from the start: the fluent's initial one, or an unknown one. SOUNDNESS:
 * a failed call may or may not have written, so its cells become unknown until written again. Part of what must be
 * trusted.
 */
import type { Checked } from "../check/index.ts";
import { defaultLimits } from "../limits.ts";
import { type Value, valueKey } from "../value.ts";
import { evaluateExactly, type Known, valuesOnly } from "./evaluate.ts";
import { Meter } from "./meter.ts";
import { AnyOtherKey, isPartly, Unknown, unknownFrom } from "./partly.ts";

export interface Cell {
  readonly fluent: string;
  readonly key: Value;
  readonly value: Value | Unknown;
}

/** A write whose key is unknown may have changed any cell of the fluent. */
export interface Write {
  /** Index of the tool's update. */
  readonly update: number;
  readonly fluent: string;
  readonly key: Value | Unknown;
  readonly value: Value | Unknown;
}

interface Holding {
  readonly cells: Map<string, Cell>;
  /** The value of every key without a cell of its own. */
  rest: Value | Unknown;
}

/** The initial values are constants of the document, so its size bounds the work and no meter need count it. */
const withoutEnd = { ...defaultLimits, steps: Number.POSITIVE_INFINITY };

export class State {
  readonly #holdings: Map<string, Holding>;

  private constructor(holdings: Map<string, Holding>) {
    this.#holdings = holdings;
  }

  /** The state before a run; `given` are cells that are known to differ from the declared initial value. */
  static initial(checked: Checked, given: Iterable<Cell> = []): State {
    const meter = new Meter(withoutEnd);
    const holdings = new Map<string, Holding>();
    for (const { name, initial } of checked.fluents.values()) {
      const rest =
        initial === undefined
          ? new Unknown(`nothing is known of \`${name}\` before the run`)
          : evaluateExactly(initial, valuesOnly(checked.types, meter));
      holdings.set(name, { cells: new Map(), rest });
    }
    const state = new State(holdings);
    for (const cell of given) state.write({ ...cell, update: 0 });
    return state;
  }

  copy(): State {
    const entries = [...this.#holdings].map(
      ([name, { cells, rest }]) => [name, { cells: new Map(cells), rest }] as const,
    );
    return new State(new Map(entries));
  }

  read(fluent: string, key: Known): Value | Unknown {
    const { cells, rest } = this.#holding(fluent);
    if (key instanceof AnyOtherKey) {
      for (const cell of cells.values()) key.compared.push(cell.key);
      return rest;
    }
    if (isPartly(key)) return unknownFrom(key);
    // Not `??`: null is a value of its own, the JSON one.
    const cell = cells.get(valueKey(key));
    return cell === undefined ? rest : cell.value;
  }

  /** The keys that were written, with what they hold. */
  cells(fluent: string): Iterable<Cell> {
    return this.#holding(fluent).cells.values();
  }

  rest(fluent: string): Value | Unknown {
    return this.#holding(fluent).rest;
  }

  write({ fluent, key, value }: Write): void {
    const holding = this.#holding(fluent);
    if (!(key instanceof Unknown)) {
      holding.cells.set(valueKey(key), { fluent, key, value });
      return;
    }
    holding.cells.clear();
    holding.rest = key;
  }

  /** A call that failed may have written this, or not; `left` is what the cell is taken to hold after it. */
  writeMaybe(write: Write, left?: Value): void {
    const lost = new Unknown(`a call that sets \`${write.fluent}\` failed`);
    this.write({ ...write, value: left === undefined ? lost : left });
  }

  #holding(fluent: string): Holding {
    const holding = this.#holdings.get(fluent);
    if (holding === undefined) throw new TypeError(`there is no fluent \`${fluent}\``);
    return holding;
  }
}
