/**
 * A result for a tool that has no mock: of its type, and such that its `ensures` hold. The plainest value comes
 * first; then small random ones, mixed with what the conditions and the arguments themselves speak of, since
 * `result >= 1000` or `result.id == id` is seldom met by chance alone.
 */
import {
  add,
  type Checked,
  callEnvironment,
  defaultLimits,
  defaultOf,
  firstBroken,
  LimitReached,
  list,
  Meter,
  mapOfPairs,
  type Num,
  none,
  type RecordValue,
  ratio,
  record,
  State,
  some,
  type Tool,
  type Type,
  type Value,
} from "../../ir/index.ts";
import type { Chance } from "./chance.ts";
import { type Hints, hintsFrom } from "./hints.ts";

const mostTries = 400;
/** LIMIT: parts of one value; lists of lists of lists would otherwise grow without end. */
const mostParts = 200;

/** LIMIT: of work for one result; the run itself has its own. */
const mostSteps = 5_000_000;

export interface Call {
  readonly tool: Tool;
  readonly args: RecordValue;
}

/** Finds results for the tools of a document. */
export class Generator {
  readonly #checked: Checked;
  /** Conditions on results do not read the state, so any will do. */
  readonly #state: State;

  constructor(checked: Checked) {
    this.#checked = checked;
    this.#state = State.initial(checked);
  }

  /** Undefined if no try met the conditions. `accepts`: whether a value can be passed on at all. */
  resultFor(
    { tool, args }: Call,
    chance: Chance,
    accepts: (value: Value) => boolean = () => true,
  ): Value | undefined {
    if (tool.result === undefined) throw new TypeError(`\`${tool.name}\` returns nothing`);
    const meter = new Meter({ ...defaultLimits, steps: mostSteps });
    const fits = (value: Value): boolean => {
      const environment = callEnvironment(this.#checked, tool, args, this.#state, meter, value);
      return firstBroken(tool.ensures, environment) === undefined && accepts(value);
    };
    try {
      const plainest = defaultOf(tool.result);
      if (fits(plainest)) return plainest;
      const maker = new Maker(chance, hintsFrom(tool.ensures, args));
      for (let i = 1; i < mostTries; i++) {
        const value = maker.make(tool.result, sizeAt(i));
        if (fits(value)) return value;
      }
    } catch (thrown) {
      // LIMIT: conditions that take too long to evaluate are as good as conditions that no try meets.
      if (!(thrown instanceof LimitReached)) throw thrown;
    }
    return undefined;
  }
}

/** Small values first: they are the easiest to read. */
function sizeAt(attempt: number): number {
  return attempt < 50 ? 1 : attempt < 200 ? 2 : 3;
}

class Maker {
  readonly #chance: Chance;
  readonly #hints: Hints;
  #parts = 0;

  constructor(chance: Chance, hints: Hints) {
    this.#chance = chance;
    this.#hints = hints;
  }

  make(type: Type, size: number): Value {
    this.#parts = 0;
    return this.#value(type, size);
  }

  #value(type: Type, size: number): Value {
    const chance = this.#chance;
    if (++this.#parts > mostParts) return defaultOf(type);
    switch (type.kind) {
      case "bool":
        return chance.below(2) === 1;
      case "int":
        return this.#int(size);
      case "real":
        return this.#real(size);
      case "string":
        return this.#string(size);
      case "enum":
        return chance.pick(type.values) ?? "";
      case "list":
        return list(Array.from({ length: this.#length(2 * size) }, () => this.#value(type.element, size)));
      case "map":
        return mapOfPairs(
          Array.from({ length: this.#length(2 * size) }, () => [
            this.#string(size),
            this.#value(type.value, size),
          ]),
        );
      case "option":
        return chance.below(3) === 0 ? none : some(this.#value(type.value, size));
      case "record":
        return record(
          type.fields
            .filter(({ optional }) => optional !== true || chance.below(2) === 1)
            .map((field) => [field.name, this.#value(field.type, size)] as const),
        );
      case "json":
        return this.#json(size);
      case "never":
        throw new TypeError("the checker lets no tool return a type without values");
    }
  }

  #int(size: number): bigint {
    const hint = this.#hint(this.#hints.numbers);
    if (typeof hint === "bigint") return hint + BigInt(this.#chance.below(3) - 1);
    const most = 20 ** size;
    // Below zero only once small natural numbers were of no use.
    return BigInt(size === 1 ? this.#chance.below(most + 1) : this.#chance.below(2 * most + 1) - most);
  }

  #real(size: number): Num {
    const hint = this.#hint(this.#hints.numbers);
    if (hint !== undefined) return add(hint, ratio(BigInt(this.#chance.below(3) - 1), 2n));
    return add(this.#int(size), ratio(BigInt(this.#chance.below(4)), 4n));
  }

  #string(size: number): string {
    const hint = this.#hint(this.#hints.strings);
    if (hint !== undefined) return hint;
    return Array.from({ length: this.#length(3 * size) }, () => this.#letter()).join("");
  }

  /** Picks the length of a list or string; prefers numbers that conditions mention. */
  #length(most: number): number {
    const hint = this.#chance.below(2) === 0 ? this.#hint(this.#hints.numbers) : undefined;
    if (typeof hint === "bigint" && hint >= 0n && hint <= mostParts) return Number(hint);
    return this.#chance.below(most + 1);
  }

  /** Every other time, where there is one. */
  #hint<T>(hints: readonly T[]): T | undefined {
    return this.#chance.below(2) === 0 ? this.#chance.pick(hints) : undefined;
  }

  #letter(): string {
    return "abcdefghijklmnopqrstuvwxyz".charAt(this.#chance.below(26));
  }

  #json(size: number): Value {
    switch (this.#chance.below(size > 1 ? 6 : 4)) {
      case 0:
        return null;
      case 1:
        return this.#chance.below(2) === 1;
      case 2:
        return this.#int(1);
      case 3:
        return this.#string(size);
      case 4:
        return list(Array.from({ length: this.#chance.below(3) }, () => this.#json(1)));
      default:
        return record(Array.from({ length: this.#chance.below(3) }, () => [this.#letter(), this.#json(1)]));
    }
  }
}
