/**
 * Changes of what a run meets that make an operator come out otherwise: the operator is solved for one operand after
 * the other, back to the inputs and results that its value came from. Approximate: nothing rests on it, and each
 * change is tried by making the run.
 */
import {
  add,
  compare,
  type Expr,
  isList,
  isNum,
  isOption,
  isRecord,
  multiply,
  type Num,
  negate,
  type OpExpr,
  ratio,
  subtract,
  type Value,
  valueKey,
} from "../../../ir/index.ts";
import type { Chance } from "../random/chance.ts";
import { jsonTextOf, numberText } from "../random/json-text.ts";
import { sampleText } from "../random/sample-text.ts";
import type { Definitions } from "./definitions.ts";
import type { Log, Seen } from "./log.ts";
import type { Place } from "./places.ts";

/** A value, or a kind of value, that shall stand somewhere. */
export type Wish =
  | { readonly kind: "value"; readonly value: Value }
  /** With elements that differ in what tells them apart, or with equal ones; by chance if it is left open. */
  | { readonly kind: "length"; readonly length: number; readonly isFresh?: boolean }
  /** Any value but the one that is there. */
  | { readonly kind: "different" }
  | { readonly kind: "present" }
  | { readonly kind: "absent" };

export interface Change {
  readonly place: Place;
  readonly wish: Wish;
}

/** LIMIT: of steps back, and of changes for one wish. */
const deepest = 30;
const mostChanges = 6;
/** LIMIT: of expressions that are looked at for one application: names of loops stand for each other. */
const mostLooks = 250;
/** LIMIT: of texts by which places are found. */
const longestKey = 2_000;

export class Wishes {
  readonly #places: readonly Place[];
  readonly #byValue = new Map<string, Place[]>();
  readonly #byName = new Map<string, Place[]>();
  readonly #definitions: Definitions;
  readonly #log: Log;
  readonly #chance: Chance;
  #looks = 0;

  constructor(places: readonly Place[], definitions: Definitions, log: Log, chance: Chance) {
    this.#places = places;
    this.#definitions = definitions;
    this.#log = log;
    this.#chance = chance;
    for (const place of places) {
      if (place.name !== undefined) push(this.#byName, place.name, place);
      if (place.value === undefined) continue;
      const key = keyOf(place.value);
      if (key !== undefined) push(this.#byValue, key, place);
    }
  }

  /** Changes after which an application may come out the other way. */
  flips({ expr, operands, result }: Seen, depth = 0): readonly Change[] {
    const [first, second] = expr.args;
    const [a, b] = operands;
    if (first === undefined || depth > deepest || typeof result !== "boolean") return [];
    if (depth === 0) this.#looks = 0;
    const want = (at: Expr | undefined, value: Value | undefined, ...wishes: readonly Wish[]) =>
      at === undefined || value === undefined
        ? []
        : fair(wishes.map((wish) => this.want(at, value, wish, depth + 1)));
    switch (expr.op) {
      case "==":
      case "!=": {
        if (a === undefined || b === undefined) return [];
        const areEqual = (expr.op === "==") === result;
        if (areEqual) return fair([want(first, a, different), want(second, b, different)]);
        return fair([want(first, a, wishFor(b)), want(second, b, wishFor(a))]);
      }
      case "<":
      case "<=":
      case ">":
      case ">=": {
        if (a === undefined || b === undefined) return [];
        if (typeof a === "string" && typeof b === "string")
          return [
            ...want(first, a, exactly(b), exactly(`${b}x`), exactly("")),
            ...want(second, b, exactly(a)),
          ];
        if (!isNum(a) || !isNum(b)) return [];
        const isLess = (expr.op === "<" || expr.op === "<=") === result;
        const past = (n: Num) => (isLess ? add(n, 1n) : subtract(n, 1n));
        const before = (n: Num) => (isLess ? subtract(n, 1n) : add(n, 1n));
        return fair([
          want(first, a, exactly(past(b)), exactly(b)),
          want(second, b, exactly(before(a)), exactly(a)),
        ]);
      }
      case "startsWith":
        if (typeof a !== "string" || typeof b !== "string") return [];
        if (result) return want(first, a, exactly(`x${a}`), different);
        return [
          ...want(first, a, exactly(b + a), exactly(b), exactly(`${b}x`)),
          ...want(second, b, exactly(a)),
        ];
      case "endsWith":
        if (typeof a !== "string" || typeof b !== "string") return [];
        if (result) return want(first, a, exactly(`${a}x`), different);
        return [...want(first, a, exactly(a + b), exactly(b)), ...want(second, b, exactly(a))];
      case "contains":
        return this.#contained(expr.args, operands, result, depth);
      case "matches":
      case "hasMatch":
        return typeof a === "string" && typeof b === "string"
          ? this.#matched(first, a, b, result, depth)
          : [];
      case "pathInside":
      case "urlInside":
        if (typeof a !== "string" || typeof b !== "string") return [];
        return want(
          first,
          a,
          ...(result ? [exactly(`${a}/../..`), different] : [exactly(b), exactly(`${b}/x`)]),
        );
      case "isSome":
        return a === undefined ? [] : want(first, a, result ? absent : present);
      case "mapHas":
        if (typeof b !== "string") return [];
        if (result) return want(second, b, different);
        return want(second, b, ...keysOf(a).map(exactly));
      case "not":
        return typeof a === "boolean" ? want(first, a, exactly(!a)) : [];
      case "and":
      case "or":
      case "implies":
      case "if":
        return expr.args.flatMap((arg, i) => {
          const value = operands[i];
          return typeof value === "boolean" ? want(arg, value, exactly(!value)) : [];
        });
      case "every":
      case "any":
        return a !== undefined && isList(a) && a.length === 0
          ? want(first, a, { kind: "length", length: 1 })
          : this.#inside(expr, result, depth);
      case "value":
      case "orElse":
        return want(
          first,
          a,
          a !== undefined && isOption(a) && a.kind === "none" ? present : exactly(!result),
        );
      default:
        return [];
    }
  }

  /** Changes after which the function of an operator may come out the other way for an element. */
  #inside({ args }: OpExpr, outcome: boolean, depth: number): readonly Change[] {
    const lambda = args.find((arg) => arg.kind === "lambda");
    if (lambda?.body.kind !== "op") return [];
    const seen = this.#log.of(lambda.body).filter(({ result }) => result === outcome);
    return fair(seen.map((one) => this.flips(one, depth + 1)));
  }

  #contained(
    [first, second]: readonly Expr[],
    [a, b]: readonly (Value | undefined)[],
    result: boolean,
    depth: number,
  ): readonly Change[] {
    if (first === undefined || second === undefined || a === undefined || b === undefined) return [];
    if (typeof a === "string" && typeof b === "string") {
      const half = Math.floor(a.length / 2);
      const texts = result
        ? [a.replaceAll(b, "")]
        : [
            a + b,
            `${a.slice(0, -1)}${b}${a.slice(-1)}`,
            `${a.slice(0, half)}${b}${a.slice(half)}`,
            b + a,
            b,
            `${a} ${b} x`,
          ];
      return fair([
        ...texts.map((text) => this.want(first, a, exactly(text), depth + 1)),
        result ? [] : this.want(second, b, exactly(a), depth + 1),
      ]);
    }
    if (!isList(a)) return [];
    if (result) return this.want(second, b, different, depth + 1);
    const longer: Wish = { kind: "length", length: 1 };
    return [
      ...a.slice(0, 3).flatMap((item) => this.want(second, b, exactly(item), depth + 1)),
      ...a.slice(0, 2).flatMap((item) => this.#at(item, exactly(b))),
      ...(a.length === 0 ? this.want(first, a, longer, depth + 1) : []),
    ];
  }

  #matched(at: Expr, text: string, pattern: string, result: boolean, depth: number): readonly Change[] {
    const want = (to: string | undefined) =>
      to === undefined ? [] : this.want(at, text, exactly(to), depth + 1);
    if (result)
      return [...want(`x ${text} y`), ...want(`${text}\nx`), ...this.want(at, text, different, depth + 1)];
    const [one, two] = [sampleText(pattern, this.#chance), sampleText(pattern, this.#chance)];
    const half = Math.floor(text.length / 2);
    const put = (made: string | undefined, form: (made: string) => string) =>
      made === undefined ? [] : want(form(made));
    return fair([
      put(one, (made) => `${text} ${made}`),
      put(two, (made) => made),
      put(two, (made) => `${made} ${text}`),
      put(one, (made) => `${text.slice(0, half)}${made}${text.slice(half)}`),
      put(two, (made) => `${text}\n${made}\n`),
    ]);
  }

  /** Changes after which an expression that had a value may have what is wished. */
  want(expr: Expr, value: Value, wish: Wish, depth = 0): readonly Change[] {
    if (depth > deepest || this.#looks++ > mostLooks) return [];
    const found = this.#back(expr, value, wish, depth);
    return found.slice(0, mostChanges);
  }

  #back(expr: Expr, value: Value, wish: Wish, depth: number): readonly Change[] {
    switch (expr.kind) {
      case "field": {
        const named = this.#named(expr.name, value, wish);
        if (named.length > 0) return named;
        const { passed, fields } = this.#definitions;
        const made = [...(fields.get(expr.name) ?? []), ...(passed.get(expr.name) ?? [])];
        const back = made.slice(0, 4).flatMap((one) => this.want(one, unwrapped(value), wish, depth + 1));
        return back.length > 0 ? back : this.#at(value, wish);
      }
      case "var": {
        const { names, elements, results } = this.#definitions;
        const id = results.get(expr.name);
        if (id !== undefined) {
          const whole = this.#places.filter(({ root, steps }) => steps.length === 0 && isOf(root, id));
          const same = whole.filter((place) => isThere(place, value));
          if (same.length > 0) return same.map((place) => ({ place, wish }));
        }
        const input = this.#places.filter(
          (place) => place.root === "" && place.steps.length === 1 && place.name === expr.name,
        );
        if (input.length > 0) return input.map((place) => ({ place, wish }));
        const back = (names.get(expr.name) ?? []).flatMap((one) => this.want(one, value, wish, depth + 1));
        if (back.length > 0) return back;
        if (wish.kind === "length" || elements.has(expr.name)) return this.#at(value, wish);
        return this.#at(value, wish);
      }
      case "op": {
        const same = this.#log.of(expr).filter(({ result }) => isSame(result, value));
        return same.slice(0, 2).flatMap((seen) => this.#solved(seen, wish, depth));
      }
      case "let":
        return this.want(expr.body, value, wish, depth + 1);
      case "list":
      case "record":
        return [];
      default:
        return [];
    }
  }

  /** Places of a name with that value; an absent optional field is a place too. */
  #named(name: string, value: Value, wish: Wish): readonly Change[] {
    const places = (this.#byName.get(name) ?? []).filter((place) => isThere(place, value));
    return places.map((place) => ({ place, wish: unwrappedWish(wish) }));
  }

  #at(value: Value, wish: Wish): readonly Change[] {
    if (typeof value === "boolean") return [];
    const key = keyOf(unwrapped(value));
    const places = key === undefined ? [] : (this.#byValue.get(key) ?? []);
    const found = places.map((place) => ({ place, wish: unwrappedWish(wish) }));
    return found.length > 0 ? found : this.#inTexts(unwrapped(value), wish);
  }

  /** Places for a text that is at none: those that it is a part of, and those that are a part of it. */
  #inTexts(value: Value, wish: Wish): readonly Change[] {
    const to = wish.kind === "value" ? wish.value : undefined;
    if (typeof value !== "string" || (to !== undefined && typeof to !== "string")) return [];
    const found: Change[] = [];
    for (const place of this.#places) {
      if (typeof place.value !== "string" || found.length >= mostChanges) continue;
      const text = place.value;
      const put = (made: string) => found.push({ place, wish: exactly(made) });
      if (to === undefined) {
        const inner = wish.kind === "different" ? `${value}x` : undefined;
        if (inner !== undefined && value !== "" && text.includes(value))
          put(text.replace(value, () => inner));
        continue;
      }
      if (value !== "" && text.includes(value)) {
        put(text.replace(value, () => to));
        const last = text.lastIndexOf(value);
        if (last !== text.indexOf(value)) put(text.slice(0, last) + to + text.slice(last + value.length));
        continue;
      }
      const at = text === "" ? -1 : value.indexOf(text);
      const inner = at < 0 ? undefined : within(value, to, at, at + text.length);
      if (inner !== undefined) put(inner);
    }
    return found;
  }

  /** Solves one application for its operands. */
  #solved(seen: Seen, wish: Wish, depth: number): readonly Change[] {
    const { expr, operands, result } = seen;
    const [first, second] = expr.args;
    const [a, b] = operands;
    if (first === undefined) return [];
    const want = (at: Expr | undefined, value: Value | undefined, ...wishes: readonly Wish[]) =>
      at === undefined || value === undefined
        ? []
        : fair(wishes.map((one) => this.want(at, value, one, depth + 1)));
    if (typeof result === "boolean")
      return wish.kind === "different" || (wish.kind === "value" && wish.value !== result)
        ? this.flips(seen, depth + 1)
        : [];
    const to = wish.kind === "value" ? unwrapped(wish.value) : undefined;
    switch (expr.op) {
      case "if":
        return fair([
          ...[1, 2].map((i) => want(expr.args[i], operands[i], wish)),
          typeof a === "boolean" ? want(first, a, exactly(!a)) : [],
        ]);
      case "orElse":
        return a !== undefined && isOption(a) && a.kind === "none"
          ? want(first, a, ...(to === undefined ? [present] : [exactly(to)]))
          : want(first, a, unwrappedWish(wish));
      case "some":
      case "value":
      case "oneOf":
      case "json":
      case "toLowerCase":
      case "toUpperCase":
      case "trim":
      case "trimStart":
      case "trimEnd":
      case "round":
      case "floor":
      case "ceil":
      case "truncate":
      case "abs":
      case "timeOf":
      case "reverse":
      case "unique":
      case "find":
      case "filter":
      case "map":
      case "flatMap":
      case "slice":
      case "jsonString":
      case "jsonNumber":
      case "jsonBool":
      case "jsonItems":
      case "mapEntries":
      case "mapValues":
      case "mapKeys":
      case "mapOf":
      case "jsonPlainText":
        if (expr.op === "find" && isOption(result)) {
          if (result.kind === "some") return this.#at(result, wish);
          return fair([this.#inside(expr, false, depth), want(first, a, { kind: "length", length: 1 })]);
        }
        if (expr.op === "filter" && wish.kind === "length" && isList(result) && wish.length > result.length)
          return fair([this.#inside(expr, false, depth), want(first, a, wish)]);
        return want(first, a, unwrappedWish(wish));
      case "replaceAll":
      case "replaceFirst":
      case "replaceMatch":
      case "replaceMatches": {
        const isPattern = expr.op === "replaceMatch" || expr.op === "replaceMatches";
        const taken = isPattern && typeof b === "string" ? sampleText(b, this.#chance) : b;
        if (typeof to !== "string" || typeof taken !== "string") return want(first, a, wish);
        // What is taken out may leave behind what was to be taken out.
        const half = Math.floor(to.length / 2);
        const place = typeof a === "string" ? changedPlace(String(result), to) : half;
        return want(
          first,
          a,
          exactly(to),
          exactly(`${to.slice(0, place)}${taken}${to.slice(place)}`),
          exactly(`${to.slice(0, place + 2)}${taken}${to.slice(place + 2)}`),
        );
      }
      case "joinText":
        if (a === undefined || !isList(a)) return [];
        if (typeof to !== "string") return fair(a.slice(0, 3).map((item) => this.#at(item, wish)));
        return this.#parts(
          a.flatMap((item, i) => [
            ...(i > 0 ? [{ text: typeof b === "string" ? b : "" }] : []),
            {
              text: typeof item === "string" ? item : "",
              change: (text: string) => this.#at(item, exactly(text)),
            },
          ]),
          to,
        );
      case "min":
      case "max":
        return expr.args.flatMap((arg, i) => want(arg, operands[i], wish));
      case "negate":
        return to !== undefined && isNum(to) ? want(first, a, exactly(negate(to))) : want(first, a, wish);
      case "+":
        return this.#sum(seen, to, wish, depth);
      case "-":
        if (to === undefined || !isNum(to) || !isNumber(a) || !isNumber(b))
          return [...want(first, a, wish), ...want(second, b, wish)];
        return [...want(first, a, exactly(add(to, b))), ...want(second, b, exactly(subtract(a, to)))];
      case "*":
        if (to === undefined || !isNum(to) || !isNumber(a) || !isNumber(b)) return [];
        return [...want(first, a, quotient(to, b)), ...want(second, b, quotient(to, a))];
      case "/":
        if (to === undefined || !isNum(to) || !isNumber(b)) return [];
        return want(first, a, exactly(multiply(to, b)));
      case "++":
        return this.#joined(seen, to, wish, depth);
      case "textOf":
        return typeof to === "string" && /^-?\d{1,15}$/.test(to)
          ? want(first, a, exactly(BigInt(to)))
          : want(first, a, different);
      case "numberOf":
      case "floatOf":
      case "integerOf":
        if (wish.kind === "absent") return want(first, a, exactly("x"));
        return want(first, a, exactly(to !== undefined && isNum(to) ? numberText(to) : "12"));
      case "timeOfText":
        if (wish.kind === "absent") return want(first, a, exactly("soon"));
        return want(first, a, exactly(timeText(to)));
      case "timeText":
        return typeof to === "string" ? want(first, a, exactly(timeIn(to))) : want(first, a, different);
      case "length":
      case "mapSize":
        return to !== undefined && typeof to === "bigint" && to >= 0n && to <= 5_000n
          ? want(first, a, { kind: "length", length: Number(to) })
          : [];
      case "at":
      case "mapGet": {
        if (isOption(result) && result.kind === "some") return this.#at(result.value, wish);
        if (typeof b === "bigint" && b >= 0n && b < 1_000n)
          return want(first, a, { kind: "length", length: Number(b) + 1 });
        return want(second, b, ...keysOf(a).map(exactly));
      }
      case "jsonField":
        return this.#jsonField(seen, wish);
      case "jsonKind":
        return typeof to === "string" ? want(first, a, exactly(ofKind(to))) : want(first, a, different);
      case "parseJson":
        if (wish.kind === "absent") return want(first, a, exactly("{"));
        return to === undefined ? want(first, a, present) : want(first, a, exactly(jsonTextOf(to)));
      case "firstMatch":
      case "allMatches":
        return typeof a === "string" && typeof b === "string"
          ? this.#matched(first, a, b, wish.kind === "absent", depth)
          : [];
      case "findIndex":
        return this.#inside(expr, result !== -1n, depth);
      case "indexOf":
        return this.#contained(expr.args, operands, result !== -1n, depth);
      case "total":
        return a !== undefined && isList(a) ? a.slice(0, 2).flatMap((item) => this.#at(item, wish)) : [];
      case "split":
      case "splitByMatch": {
        if (wish.kind !== "length" || typeof a !== "string" || !isList(result))
          return want(first, a, different);
        const separator =
          expr.op === "split" && typeof b === "string"
            ? b
            : typeof b === "string"
              ? (sampleText(b, this.#chance) ?? ",")
              : ",";
        const last = result.at(-1);
        const pieces = Array.from({ length: wish.length }, (_, i) => result[i] ?? last ?? "a");
        return want(first, a, exactly(pieces.join(separator)));
      }
      case "entries":
      case "range":
        return want(first, a, wish);
      default:
        return [];
    }
  }

  #sum(
    { expr, operands, result }: Seen,
    to: Value | undefined,
    wish: Wish,
    depth: number,
  ): readonly Change[] {
    return expr.args.flatMap((arg, i) => {
      const value = operands[i];
      if (value === undefined) return [];
      if (to === undefined || !isNum(to) || !isNum(value) || !isNum(result))
        return this.want(arg, value, wish, depth + 1);
      return this.want(arg, value, exactly(add(value, subtract(to, result))), depth + 1);
    });
  }

  /** Texts and lists that are put together. */
  #joined({ expr, operands }: Seen, to: Value | undefined, wish: Wish, depth: number): readonly Change[] {
    if (typeof to !== "string")
      return fair(
        expr.args.map((arg, i) => {
          const value = operands[i];
          return value === undefined ? [] : this.want(arg, value, wish, depth + 1);
        }),
      );
    const parts = expr.args.map((arg, i) => {
      const value = operands[i];
      const text = typeof value === "string" ? value : "";
      return { text, change: (to: string) => this.want(arg, text, exactly(to), depth + 1) };
    });
    return this.#parts(parts, to);
  }

  /** Changes the part of a text that was put together in which the wished text differs. */
  #parts(
    parts: readonly { readonly text: string; readonly change?: (to: string) => readonly Change[] }[],
    to: string,
  ): readonly Change[] {
    const whole = parts.map(({ text }) => text).join("");
    const [from, until] = difference(whole, to);
    const found: (readonly Change[])[] = [];
    let at = 0;
    for (const { text, change } of parts) {
      const [start, end] = [at, at + text.length];
      at = end;
      if (change === undefined || start > from || end < until || found.length >= mostChanges) continue;
      found.push(change(to.slice(start, to.length - (whole.length - end))));
    }
    return fair(found);
  }

  #jsonField({ expr, operands, result }: Seen, wish: Wish): readonly Change[] {
    const [, name] = expr.args;
    if (name?.kind !== "string") return [];
    if (isOption(result) && result.kind === "some") {
      const named = this.#named(name.value, result.value, wish);
      return named.length > 0 ? named : this.#at(result.value, wish);
    }
    // A field that is not there yet.
    const [of] = operands;
    const key = of === undefined || !isRecord(of) ? undefined : keyOf(of);
    const holders = key === undefined ? [] : (this.#byValue.get(key) ?? []);
    return holders
      .filter(({ type }) => type.kind === "json")
      .map((place) => ({
        place: {
          ...place,
          steps: [...place.steps, { kind: "field", name: name.value } as const],
          name: name.value,
          value: undefined,
          mayBeAbsent: true,
        },
        wish: unwrappedWish(wish),
      }));
  }
}

/** Definitions of no program. */
export const noDefinitions: Definitions = {
  names: new Map(),
  elements: new Map(),
  results: new Map(),
  passed: new Map(),
  fields: new Map(),
  caught: new Set(),
  turns: [],
};

const different: Wish = { kind: "different" };
const present: Wish = { kind: "present" };
const absent: Wish = { kind: "absent" };

function exactly(value: Value): Wish {
  return { kind: "value", value };
}

/** One of each in turn, so that a limit leaves some of each. */
function fair<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const found: T[] = [];
  for (let i = 0; lists.some((one) => i < one.length); i++)
    for (const one of lists) {
      const item = one[i];
      if (item !== undefined) found.push(item);
    }
  return found;
}

/** Finds where the second text begins to differ from the first. */
function changedPlace(from: string, to: string): number {
  let at = 0;
  while (at < from.length && at < to.length && from[at] === to[at]) at++;
  return at;
}

/** The part of the first text that must change to turn it into the second: where it starts and ends. */
function difference(whole: string, to: string): readonly [from: number, until: number] {
  const from = changedPlace(whole, to);
  let same = 0;
  const most = Math.min(whole.length, to.length) - from;
  while (same < most && whole[whole.length - 1 - same] === to[to.length - 1 - same]) same++;
  return [from, whole.length - same];
}

/** The part of a text between two places as it must be to turn the whole into another; undefined if more must change. */
function within(whole: string, to: string, start: number, end: number): string | undefined {
  const [from, until] = difference(whole, to);
  if (start > from || end < until || whole === to) return undefined;
  return to.slice(start, to.length - (whole.length - end));
}

/** A wish for an equal value; that for nothing is a wish for absence. */
function wishFor(value: Value): Wish {
  return isOption(value) ? (value.kind === "none" ? absent : exactly(value.value)) : exactly(value);
}

function unwrappedWish(wish: Wish): Wish {
  return wish.kind === "value" ? wishFor(wish.value) : wish;
}

function unwrapped(value: Value): Value {
  return isOption(value) && value.kind === "some" ? value.value : value;
}

function isThere({ value: held }: Place, value: Value): boolean {
  if (isOption(value) && value.kind === "none")
    return held === undefined || (isOption(held) && held.kind === "none");
  return held !== undefined && (isSame(held, value) || isSame(held, unwrapped(value)));
}

function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isList(a) && isList(b) && a.length !== b.length) return false;
  const [one, other] = [keyOf(a), keyOf(b)];
  return one !== undefined && one === other;
}

function keyOf(value: Value): string | undefined {
  if (isList(value) && value.length > 50) return undefined;
  const key = valueKey(value);
  return key.length > longestKey ? undefined : key;
}

function isOf(root: string, id: string): boolean {
  return root.startsWith(`result@${id}@`);
}

function push(map: Map<string, Place[]>, key: string, place: Place): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [place]);
  else known.push(place);
}

function quotient(to: Num, by: Num): Wish {
  if (compare(by, 0n) === 0) return different;
  const [num, den] = typeof by === "bigint" ? [by, 1n] : [by.num, by.den];
  return exactly(multiply(to, num < 0n ? ratio(-den, -num) : ratio(den, num)));
}

function timeText(value: Value | undefined): string {
  const time = value !== undefined && isNum(value) ? Number(numberText(value)) : Number.NaN;
  return Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : "2026-01-15T10:00:00.000Z";
}

function timeIn(text: string): Num {
  const time = Date.parse(text);
  return Number.isFinite(time) ? BigInt(Math.round(time)) : 1_768_435_200_000n;
}

function isNumber(value: Value | undefined): value is Num {
  return value !== undefined && isNum(value);
}

function keysOf(map: Value | undefined): readonly string[] {
  if (map === undefined || !isList(map)) return [];
  return map.slice(0, 3).flatMap((entry) => {
    const key = isRecord(entry) ? entry.fields.key : undefined;
    return typeof key === "string" ? [key] : [];
  });
}

function ofKind(kind: string): Value {
  switch (kind) {
    case "string":
      return "a";
    case "number":
      return 1n;
    case "bool":
      return true;
    case "list":
      return [];
    case "record":
      return { kind: "record", fields: Object.create(null), ordered: true };
    default:
      return null;
  }
}
