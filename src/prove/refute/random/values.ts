/** Random values of a type, near the constants of the program and shaped as its hints say. */
import {
  add,
  type Checked,
  type Expr,
  exprsIn,
  jsonObject,
  list,
  mapOfPairs,
  multiply,
  type Num,
  none,
  numText,
  programExprs,
  ratio,
  record,
  some,
  subtract,
  type Type,
  type Value,
} from "../../../ir/index.ts";
import type { Chance } from "./chance.ts";
import type { Hints } from "./hints.ts";
import { jsonTextOf, numberText } from "./json-text.ts";
import { sampleText } from "./sample-text.ts";

/** Constants of a document. */
export interface Constants {
  readonly numbers: readonly Num[];
  readonly texts: readonly string[];
}

/** LIMIT: of elements, of code units, and of parts in parts. */
const longestList = 250;
const longestText = 5_000;
const mostDepth = 12;

export function constantsOf(checked: Checked): Constants {
  const numbers = new Map<string, Num>();
  const texts = new Set<string>();
  const { document } = checked;
  const roots: readonly (Expr | undefined)[] = [
    ...programExprs(document),
    ...document.tools.flatMap(({ requires, ensures }) => [...requires, ...ensures]),
    ...document.guarantees.map(({ formula }) => formula),
  ];
  for (const expr of exprsIn(...roots)) {
    if (expr.kind === "number") numbers.set(numText(expr.value), expr.value);
    else if (expr.kind === "string") texts.add(expr.value);
  }
  return { numbers: [...numbers.values()], texts: [...texts] };
}

/** Among them one with white space around it, one in capitals, and one that grows in capitals. */
const commonTexts: readonly string[] = ["a", "b", "c", "", "x y", " a ", "B", "ß"];
/** Among them one with many digits. */
const commonNumbers: readonly Num[] = [
  0n,
  1n,
  2n,
  -1n,
  ratio(1n, 2n),
  1000n,
  ratio(1_234_567_890_123n, 10n ** 12n),
];
const dayMs = 86_400_000n;
/** 2026-01-15, for programs that name no date. */
const someTime = 1_768_435_200_000n;

export class Values {
  readonly #constants: Constants;
  readonly #chance: Chance;
  /** The length of lists for which there is no hint. */
  readonly #size: number;

  constructor(constants: Constants, chance: Chance, size: number) {
    this.#constants = constants;
    this.#chance = chance;
    this.#size = size;
  }

  value(type: Type, hints: Hints | undefined, depth = 0): Value {
    const chance = this.#chance;
    switch (type.kind) {
      case "bool":
        return chance.odds(50);
      case "int":
        return whole(this.#number(hints));
      case "real":
        return this.#number(hints);
      case "string":
        return this.#text(hints, depth);
      case "enum":
        return chance.pick(type.values) ?? "";
      case "option":
        return chance.odds(25) ? none : some(this.value(type.value, hints, depth));
      case "record":
        return record(
          type.fields.flatMap(({ name, type: of, optional }) =>
            optional && chance.odds(30)
              ? []
              : [[name, this.value(of, hints?.fields.get(name), depth + 1)] as const],
          ),
        );
      case "list":
        return this.#list(hints, depth, (element) => this.value(type.element, element, depth + 1));
      case "map": {
        const keys = ["a", "b", "7", ...this.#constants.texts.slice(0, 5)].filter(() => chance.odds(40));
        return mapOfPairs(keys.map((key) => [key, this.value(type.value, hints?.element, depth + 1)]));
      }
      case "json":
        return this.#json(hints, depth);
      case "never":
        throw new TypeError("nothing has this type");
    }
  }

  /** Half of the lists hold few different elements, so that conditions on all of them hold now and then. */
  #list(hints: Hints | undefined, depth: number, make: (element: Hints | undefined) => Value): Value {
    const chance = this.#chance;
    const length = depth > mostDepth ? 0 : this.#length(hints, depth);
    const element = hints?.hasElements ? hints.element : undefined;
    const few = chance.odds(50) ? Array.from({ length: 1 + chance.below(2) }, () => make(element)) : [];
    return list(Array.from({ length }, () => chance.pick(few) ?? make(element)));
  }

  #length(hints: Hints | undefined, depth: number): number {
    const hinted = this.#chance.odds(60) ? this.#chance.pick(hints?.lengths ?? []) : undefined;
    const size = hinted === undefined ? this.#size : Number(whole(hinted)) + this.#chance.below(3) - 1;
    const most = depth <= 1 ? longestList : 4;
    return Math.max(0, Math.min(most, size));
  }

  #number(hints: Hints | undefined): Num {
    const chance = this.#chance;
    const near = chance.pick(
      chance.odds(70) && hints?.numbers.length ? hints.numbers : this.#constants.numbers,
    );
    if (near === undefined || chance.odds(20)) return chance.pick(commonNumbers) ?? 0n;
    switch (chance.below(6)) {
      case 0:
        return add(near, 1n);
      case 1:
        return subtract(near, 1n);
      case 2:
        return multiply(near, 2n);
      default:
        return near;
    }
  }

  #text(hints: Hints | undefined, depth: number): string {
    return hints === undefined ? this.#anyText() : this.#hintedText(hints, depth).slice(0, longestText);
  }

  #anyText(): string {
    const { texts } = this.#constants;
    return this.#chance.pick(this.#chance.odds(50) ? commonTexts : [...commonTexts, ...texts]) ?? "";
  }

  #hintedText(hints: Hints, depth: number): string {
    const chance = this.#chance;
    const made: (() => string | undefined)[] = [];
    if (hints.parsed !== undefined) made.push(() => jsonTextOf(this.#json(hints.parsed, depth + 1)));
    if (hints.isNumeric) made.push(() => numberText(this.#number(hints)));
    if (hints.isTime) made.push(() => this.#time(hints));
    if (hints.patterns.size > 0) made.push(() => this.#matching(hints));
    if (hints.texts.size > 0) made.push(() => this.#near(hints));
    if (hints.lengths.length > 0)
      made.push(() => (chance.odds(80) ? "x" : "ß").repeat(this.#length(hints, 0)));
    if (hints.separators.size > 0)
      made.push(() => {
        const pieces = Array.from({ length: 1 + chance.below(3) }, () =>
          this.#text(hints.element, depth + 1),
        );
        return pieces.join(chance.pick([...hints.separators]));
      });
    const make = chance.odds(85) ? chance.pick(made) : undefined;
    return make?.() ?? this.#anyText();
  }

  #near(hints: Hints): string {
    const chance = this.#chance;
    const text = chance.pick([...hints.texts]) ?? "";
    switch (chance.below(8)) {
      case 0:
        return `${text}x`;
      case 1:
        return `x ${text} y`;
      case 2:
        return text.toUpperCase();
      default:
        return text;
    }
  }

  #matching(hints: Hints): string | undefined {
    const chance = this.#chance;
    const text = sampleText(chance.pick([...hints.patterns]) ?? "", chance);
    if (text === undefined || chance.odds(70)) return text;
    return `${chance.odds(50) ? "x " : ""}${text}${chance.odds(50) ? " y" : ""}`;
  }

  #time(hints: Hints): string {
    const chance = this.#chance;
    const { texts } = this.#constants;
    const named = texts.map((text) => Date.parse(text)).filter((time) => Number.isFinite(time));
    const numbers = hints.numbers.map((one) => whole(one)).filter((one) => one > dayMs * 365n);
    const base =
      chance.pick([...numbers, ...named.map((one) => BigInt(Math.round(one))), someTime]) ?? someTime;
    const moved = base + BigInt(chance.below(81) - 40) * dayMs * (chance.odds(30) ? 30n : 1n);
    const time = Number(moved);
    if (!(Math.abs(time) < 8.64e15)) return "2026-01-15";
    const text = new Date(time).toISOString();
    return chance.odds(40) ? text.slice(0, 10) : text;
  }

  #json(hints: Hints | undefined, depth: number): Value {
    const chance = this.#chance;
    if (hints === undefined || depth > mostDepth || chance.odds(4)) return this.#anyJson();
    const { kinds, fields } = hints;
    const made: (() => Value)[] = [];
    if (fields.size > 0 || kinds.has("record")) made.push(() => this.#jsonObject(hints, depth));
    if (hints.hasElements || kinds.has("list") || hints.lengths.length > 0)
      made.push(() => this.#list(hints, depth, (element) => this.#json(element, depth + 1)));
    if (
      hints.texts.size > 0 ||
      hints.patterns.size > 0 ||
      kinds.has("string") ||
      hints.parsed ||
      hints.isTime
    )
      made.push(() => this.#text(hints, depth));
    if (hints.numbers.length > 0 || kinds.has("number")) made.push(() => this.#number(hints));
    if (kinds.has("bool")) made.push(() => chance.odds(50));
    if (kinds.has("null") && chance.odds(30)) made.push(() => null);
    return chance.pick(made)?.() ?? this.#anyJson();
  }

  #jsonObject({ fields }: Hints, depth: number): Value {
    const present = [...fields].filter(() => !this.#chance.odds(6));
    return jsonObject(present.map(([name, hints]) => [name, this.#json(hints, depth + 1)]));
  }

  #anyJson(): Value {
    const any: readonly Value[] = [null, true, false, 0n, 1n, this.#anyText(), list([]), jsonObject([])];
    return this.#chance.pick(any) ?? null;
  }
}

function whole(number: Num): bigint {
  return typeof number === "bigint" ? number : number.num / number.den;
}
