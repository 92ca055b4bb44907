/** The operators again, from their meanings in words. Those that decide which operands to look at are elsewhere. */
import { posix } from "node:path";
import {
  equal,
  isList,
  isNum,
  isOption,
  isRecord,
  jsonObject,
  list,
  none,
  type RecordValue,
  record,
  some,
  type Value,
} from "../../src/ir/value.ts";
import { Inexact, type NaiveFunction } from "./naive-eval.ts";
import { naiveTexts } from "./naive-texts.ts";

// ── fractions ────────────────────────────────────────────────────────────────────────────────────────────

interface Fraction {
  readonly n: bigint;
  /** Above zero. */
  readonly d: bigint;
}

function fraction(x: Value): Fraction {
  if (typeof x === "bigint") return { n: x, d: 1n };
  if (!isNum(x)) throw new Error("not a number");
  return { n: x.num, d: x.den };
}

function number({ n, d }: Fraction): Value {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b > 0n) [a, b] = [b, a % b];
  return d === a ? n / a : { kind: "ratio", num: n / a, den: d / a };
}

const plus = (x: Fraction, y: Fraction): Fraction => ({ n: x.n * y.d + y.n * x.d, d: x.d * y.d });
const times = (x: Fraction, y: Fraction): Fraction => ({ n: x.n * y.n, d: x.d * y.d });
const minus = (x: Fraction, y: Fraction): Fraction => plus(x, { n: -y.n, d: y.d });
const isBelow = (x: Value, y: Value): boolean =>
  typeof x === "string" || typeof y === "string" ? x! < y! : minus(fraction(x), fraction(y)).n < 0n;

function quotient(x: Fraction, y: Fraction): Fraction {
  if (y.n === 0n) return { n: 0n, d: 1n };
  return y.n < 0n ? { n: -x.n * y.d, d: x.d * -y.n } : { n: x.n * y.d, d: x.d * y.n };
}

/** The greatest integer that is not above. */
function down({ n, d }: Fraction): bigint {
  const towardsZero = n / d;
  return n % d < 0n ? towardsZero - 1n : towardsZero;
}

const half: Fraction = { n: 1n, d: 2n };

// ── strings and lists ────────────────────────────────────────────────────────────────────────────────────

const text = (x: Value): string => {
  if (typeof x !== "string") throw new Error("not a string");
  return x;
};
const items = (x: Value): readonly Value[] => {
  if (!isList(x)) throw new Error("not a list");
  return x;
};
/** The code units of a string, or the elements of a list. */
const parts = (x: Value): Value[] =>
  typeof x === "string" ? Array.from({ length: x.length }, (_, i) => x.charAt(i)) : [...items(x)];

/** LIMIT: what a run would be stopped for, sooner or later, is not worth the wait. */
const maxParts = 20_000;

function whole(like: Value, found: readonly Value[]): Value {
  if (found.length > maxParts) throw new Inexact("too long");
  return typeof like === "string" ? found.map(text).join("") : list([...found]);
}

/** The first place where the second stands in the first; also of an element in a list. */
function placeIn(x: Value, y: Value): number {
  if (typeof x !== "string") {
    const elements = items(x);
    for (let i = 0; i < elements.length; i++) if (equal(elements[i]!, y)) return i;
    return -1;
  }
  const sought = text(y);
  for (let i = 0; i + sought.length <= x.length; i++) if (x.slice(i, i + sought.length) === sought) return i;
  return -1;
}

function pieces(whole: string, between: string): string[] {
  if (between === "") return parts(whole).map(text);
  const at = placeIn(whole, between);
  return at < 0 ? [whole] : [whole.slice(0, at), ...pieces(whole.slice(at + between.length), between)];
}

/** A position far outside is as good as one just outside. */
function position(x: Value): number {
  if (typeof x !== "bigint") throw new Error("not an integer");
  return x > 1_000_000n ? 1_000_000 : x < -1_000_000n ? -1_000_000 : Number(x);
}

const blank = "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
const blankStart = new RegExp(`^[${blank}]+`);
const blankEnd = new RegExp(`[${blank}]+$`);

// ── paths and URLs ───────────────────────────────────────────────────────────────────────────────────────

/** As `posix.normalize` has it, without a slash at the end; undefined for what is inside nothing. */
function plainPath(path: string): string | undefined {
  const short = posix.normalize(path).replace(/(?<=.)\/$/s, "");
  const isUnclear = path === "" || path.includes("\0") || path.includes("\\") || /%[\da-f]{2}/i.test(path);
  const isElsewhere =
    short === ".." || short.startsWith("../") || /^[a-z]:/i.test(path) || /^[a-z]:/i.test(short);
  return isUnclear || isElsewhere ? undefined : short;
}

function isBelowPath(path: string | undefined, root: string | undefined): boolean {
  if (path === undefined || root === undefined) return false;
  if (path.startsWith("/") !== root.startsWith("/")) return false;
  return root === "/" || root === "." || path === root || path.startsWith(`${root}/`);
}

/** Parses a URL in the strictest form of the standards, which a parser of the web reads as written. */
function plainUrl(url: string): URL | undefined {
  const [, host, port, path = "", more = ""] =
    /^(?:https?|wss?|ftp):\/\/([\w.-]+)(:[1-9]\d{0,4})?(\/[^?#]*)?((?:\?[^#]*)?(?:#[^#]*)?)$/i.exec(url) ??
    [];
  if (host === undefined || !URL.canParse(url)) return undefined;
  const read = new URL(url);
  const isOddHost =
    read.hostname !== host.toLowerCase() ||
    host.split(".").some((label) => !/^(?!-|..--)[a-z\d-]{1,63}(?<!-)$/i.test(label)) ||
    host.length > 253;
  const isOdd = /[^\w\-.~!$&'()*+,;=:@/%]/.test(path) || /[^\w\-.~!$&'()*+,;=:@/%?#[\]]/.test(more);
  const isBroken = /%(?![\da-f]{2})/i.test(path + more) || /%([01].|2f|5c|7f)/i.test(path);
  return isOddHost || isOdd || isBroken || port === ":0" ? undefined : read;
}

/** Resolves the dot segments that Node 20's parser leaves, against the standard: it reads `/v1/.a/..` as it stands. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/").slice(1)) {
    const dots = segment.replaceAll(/%2e/gi, ".");
    if (dots === "..") kept.pop();
    else if (dots !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

// ── the table ────────────────────────────────────────────────────────────────────────────────────────────

const numeric =
  (step: (x: Fraction, y: Fraction) => Fraction) =>
  (...xs: Value[]) =>
    number(xs.map(fraction).reduce(step));
const extreme =
  (isBetter: (x: Value, y: Value) => boolean) =>
  (...xs: Value[]) =>
    xs.reduce((best, x) => (isBetter(x, best) ? x : best));
const fn = (f: unknown): NaiveFunction => f as NaiveFunction;
const jsonPart = (accepts: (x: Value) => boolean) => (x: Value) => (accepts(x) ? some(x) : none);

export const naiveOperators: Readonly<Record<string, (...operands: Value[]) => Value>> = {
  not: (a) => a !== true,
  "+": numeric(plus),
  "-": numeric(minus),
  "*": numeric(times),
  "/": (a, b) => number(quotient(fraction(a!), fraction(b!))),
  negate: (a) => number({ n: -fraction(a!).n, d: fraction(a!).d }),
  remainder: (a, b) => {
    const [x, y] = [fraction(a!), fraction(b!)];
    if (y.n === 0n) return 0n;
    const q = quotient(x, y);
    return number(minus(x, times(y, { n: q.n / q.d, d: 1n })));
  },
  "<": (a, b) => isBelow(a!, b!),
  "<=": (a, b) => !isBelow(b!, a!),
  ">": (a, b) => isBelow(b!, a!),
  ">=": (a, b) => !isBelow(a!, b!),
  min: extreme(isBelow),
  max: extreme((x, y) => isBelow(y, x)),
  abs: (a) => number({ n: fraction(a!).n < 0n ? -fraction(a!).n : fraction(a!).n, d: fraction(a!).d }),
  floor: (a) => down(fraction(a!)),
  ceil: (a) => -down(minus({ n: 0n, d: 1n }, fraction(a!))),
  round: (a) => down(plus(fraction(a!), half)),
  truncate: (a) => fraction(a!).n / fraction(a!).d,
  isInteger: (a) => fraction(a!).n % fraction(a!).d === 0n,

  startsWith: (a, b) => text(a!).slice(0, text(b!).length) === b,
  endsWith: (a, b) => text(b!) === "" || text(a!).slice(-text(b!).length) === b,
  replaceFirst: (a, b, c) => {
    const at = placeIn(a!, b!);
    return at < 0 ? a! : text(a!).slice(0, at) + text(c!) + text(a!).slice(at + text(b!).length);
  },
  replaceAll: (a, b, c) => (b === "" ? a! : whole("", [pieces(text(a!), text(b!)).join(text(c!))])),
  split: (a, b) => list(pieces(text(a!), text(b!))),
  joinText: (a, b) =>
    items(a!).reduce<string>((sofar, part, i) => sofar + (i > 0 ? text(b!) : "") + text(part), ""),
  trim: (a) => text(a!).replace(blankStart, "").replace(blankEnd, ""),
  trimStart: (a) => text(a!).replace(blankStart, ""),
  trimEnd: (a) => text(a!).replace(blankEnd, ""),
  toLowerCase: (a) => text(a!).toLowerCase(),
  toUpperCase: (a) => text(a!).toUpperCase(),
  textOf: (a) => numberText(fraction(a!)),

  ...naiveTexts,

  matches: (a, b) => new RegExp(text(b!)).test(text(a!)),
  pathInside: (a, b) => isBelowPath(plainPath(text(a!)), plainPath(text(b!))),
  urlInside: (a, b) => {
    const [url, origin] = [plainUrl(text(a!)), plainUrl(text(b!))];
    if (url === undefined || origin === undefined || /[?#]/.test(text(b!))) return false;
    const root = withoutDots(origin.pathname).replace(/\/$/, "");
    if (root.split("/").slice(1).includes("")) return false;
    return url.origin === origin.origin && `${withoutDots(url.pathname)}/`.startsWith(`${root}/`);
  },

  "++": (...xs) => whole(xs[0]!, xs.flatMap(parts)),
  length: (a) => BigInt(parts(a!).length),
  at: (a, b) => {
    const found = typeof b === "bigint" && b >= 0n ? parts(a!)[position(b)] : undefined;
    return found === undefined ? none : some(found);
  },
  contains: (a, b) => placeIn(a!, b!) >= 0,
  indexOf: (a, b) => BigInt(placeIn(a!, b!)),
  slice: (a, b, c) => whole(a!, parts(a!).slice(position(b!), position(c!))),
  reverse: (a) => list([...items(a!)].reverse()),
  range: (a) => {
    const found: Value[] = [];
    for (let i = 0n; i < (a as bigint); i++) found.push(i);
    return list(found);
  },
  total: (a) => number(items(a!).map(fraction).reduce(plus, { n: 0n, d: 1n })),
  unique: (a) =>
    list(
      items(a!).filter(
        (x, i) =>
          !items(a!)
            .slice(0, i)
            .some((y) => equal(x, y)),
      ),
    ),
  entries: (a) =>
    list(
      items(a!).map((value, i) =>
        record([
          ["index", BigInt(i)],
          ["value", value],
        ]),
      ),
    ),
  mapGet: (a, b) => {
    const found = objectOf(a!)[text(b as Value)];
    if (found === undefined && Object.hasOwn(propertiesOfAll, text(b as Value)))
      throw new Inexact("an inherited name");
    return found === undefined ? none : some(found);
  },
  mapHas: (a, b) => text(b as Value) in objectOf(a!),
  mapSet: (a, b, c) => {
    const object = objectOf(a!);
    if (text(b as Value) === "__proto__" && !("__proto__" in object)) throw new Inexact("an inherited name");
    object[text(b as Value)] = c as Value;
    return entriesOf(object);
  },
  mapDelete: (a, b) => {
    const object = objectOf(a!);
    delete object[text(b as Value)];
    return entriesOf(object);
  },
  mapOf: (a) => entriesOf(objectOf(a!)),
  mapJoin: (a, b) => entriesOf(Object.assign(objectOf(a!), objectOf(b as Value))),
  mapEntries: (a) => a!,
  mapKeys: (a) => list(Object.keys(objectOf(a!))),
  mapValues: (a) => list(Object.values(objectOf(a!))),
  mapSize: (a) => BigInt(Object.keys(objectOf(a!)).length),
  map: (a, f) => list(items(a!).map((x) => fn(f)(x))),
  flatMap: (a, f) =>
    whole(
      list([]),
      items(a!).flatMap((x) => items(fn(f)(x))),
    ),
  filter: (a, f) => list(items(a!).filter((x) => fn(f)(x) === true)),
  every: (a, f) => items(a!).every((x) => fn(f)(x) === true),
  any: (a, f) => items(a!).some((x) => fn(f)(x) === true),
  find: (a, f) => {
    for (const x of items(a!)) if (fn(f)(x) === true) return some(x);
    return none;
  },
  findIndex: (a, f) => {
    for (let i = 0; i < items(a!).length; i++) if (fn(f)(items(a!)[i]!) === true) return BigInt(i);
    return -1n;
  },
  fold: (a, start, f) => {
    let held: Value = start!;
    for (const x of items(a!)) held = fn(f)(held, x);
    return held;
  },

  some: (a) => some(a!),
  isSome: (a) => isOption(a!) && a.kind === "some",
  orElse: (a, b) => (isOption(a!) && a.kind === "some" ? a.value : b!),
  json: (a) => opaque(a!),
  jsonKind: (a) => kindOf(a!),
  jsonBool: jsonPart((x) => kindOf(x) === "bool"),
  jsonNumber: jsonPart((x) => kindOf(x) === "number"),
  jsonString: jsonPart((x) => kindOf(x) === "string"),
  jsonItems: jsonPart((x) => kindOf(x) === "list"),
  jsonField: (a, b) => {
    const found = isRecord(a!) ? Object.entries(a.fields).find(([name]) => name === b) : undefined;
    return found === undefined ? none : some(found[1]);
  },
  oneOf: (a, ...words) => words.find((word) => word === a) ?? words[0]!,
  jsonKeys: (a) => list(isRecord(a!) ? Object.keys(a.fields) : []),
  jsonObject: (a) =>
    fromPlain(Object.fromEntries(items(a!).flatMap((one) => (isRecord(one) ? [entryOf(one)] : [])))),
  parseJson: (a) => {
    let plain: unknown;
    try {
      plain = JSON.parse(text(a!), (_, one) => {
        if (typeof one === "number" && !Number.isFinite(one)) throw new Inexact("an infinite number");
        return one;
      });
    } catch (thrown) {
      if (thrown instanceof Inexact) throw thrown;
      return none;
    }
    return some(fromPlain(plain));
  },
  jsonText: (a, b) => {
    // V8 takes an indentation to end at its first zero; the specification does not.
    if (b !== undefined && text(b).includes("\0")) throw new Inexact("an indentation with a zero");
    return JSON.stringify(toPlain(a!), null, b === undefined ? "" : text(b));
  },
  jsonPlainText: (a) => {
    try {
      return `${toPlain(a!)}`;
    } catch {
      // An object with a key such as `toString` has no text in JavaScript.
      throw new Inexact("no text");
    }
  },
};

const entryOf = ({ fields }: RecordValue): [string, unknown] => [text(fields.key!), toPlain(fields.value!)];

/** As JavaScript data. Exact numbers without a JavaScript number are left to other tests. */
function toPlain(x: Value): unknown {
  if (isNum(x)) {
    const { n, d } = fraction(x);
    const near = Number(n) / Number(d);
    if (!isWrittenAs(near, { n, d })) throw new Inexact();
    return near;
  }
  if (isList(x)) return x.map(toPlain);
  if (!isRecord(x)) return x;
  const made = {};
  for (const [name, part] of Object.entries(x.fields))
    Object.defineProperty(made, name, {
      value: toPlain(part),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return made;
}

function fromPlain(x: unknown): Value {
  if (typeof x === "number") {
    if (!Number.isFinite(x)) throw new Inexact();
    const [digits = "", exponent = "0"] = String(x).split("e");
    const [whole = "", places = ""] = digits.split(".");
    const power = Number(exponent) - places.length;
    const n = BigInt(whole + places);
    return number(power >= 0 ? { n: n * 10n ** BigInt(power), d: 1n } : { n, d: 10n ** BigInt(-power) });
  }
  if (Array.isArray(x)) return list(x.map(fromPlain));
  if (typeof x === "object" && x !== null)
    return jsonObject(Object.entries(x).map(([name, part]) => [name, fromPlain(part)] as const));
  return x as null | boolean | string;
}

function opaque(x: Value): Value {
  if (isOption(x)) return x.kind === "none" ? null : opaque(x.value);
  if (isList(x)) return list(x.map(opaque));
  if (!isRecord(x)) return x;
  const fields = Object.entries(x.fields).map(([name, part]) => [name, opaque(part)] as const);
  return jsonObject(x.ordered ? fields : fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const propertiesOfAll = Object.prototype;

/** The object that JavaScript would have; without a prototype, so that every key is its own. */
function objectOf(entries: Value): Record<string, Value> {
  const object: Record<string, Value> = Object.create(null);
  for (const entry of items(entries)) {
    if (!isRecord(entry)) throw new Error("not an entry");
    object[text(entry.fields.key ?? null)] = entry.fields.value ?? null;
  }
  return object;
}

function entriesOf(object: Record<string, Value>): Value {
  return list(Object.entries(object).map(([key, value]) => record(Object.entries({ key, value }))));
}

function kindOf(x: Value): string {
  if (x === null) return "null";
  if (typeof x === "bigint" || isNum(x)) return "number";
  if (isList(x)) return "list";
  return typeof x === "boolean" ? "bool" : typeof x === "string" ? "string" : "record";
}

/** As JavaScript writes the number that is written so; a fraction if there is none. */
function numberText({ n, d }: Fraction): string {
  const asFraction = d === 1n ? `${n}` : `${n}/${d}`;
  const near = Number(n) / Number(d);
  if (!Number.isFinite(near)) return asFraction;
  // Both sides and the division may have been rounded, so its neighbors are tried too.
  const step = Math.abs(near) * (Number.EPSILON / 2);
  for (let ulps = -6; ulps <= 6; ulps++) {
    const candidate = near + ulps * step;
    if (isWrittenAs(candidate, { n, d })) return String(candidate);
  }
  return asFraction;
}

function isWrittenAs(candidate: number, { n, d }: Fraction): boolean {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(candidate));
  if (match === null) return false;
  const [, sign, before, after = "", exponent = "0"] = match;
  const digits = BigInt(`${sign}${before}${after}`);
  const shift = Number(exponent) - after.length;
  return shift >= 0 ? digits * 10n ** BigInt(shift) * d === n : digits * d === n * 10n ** BigInt(-shift);
}
