/** Operators about texts, numbers in texts and dates again, by JavaScript's own methods. */
import { collationKey } from "../../src/ir/collation.ts";
import { decimalText, type Ratio } from "../../src/ir/number.ts";
import { isNum, isOption, list, none, record, some, type Value } from "../../src/ir/value.ts";
import { Inexact } from "./naive-eval.ts";

const text = (x: Value): string => {
  if (typeof x !== "string") throw new Error("not a string");
  return x;
};

function regExp(written: Value, more = ""): RegExp {
  const end = text(written).lastIndexOf("/");
  return new RegExp(
    text(written).slice(1, end),
    text(written)
      .slice(end + 1)
      .replace("g", "") + more,
  );
}

const isGlobal = (written: Value): boolean => /g[a-z]*$/.test(text(written));

function matchOf(found: RegExpMatchArray): Value {
  return record([
    ["index", BigInt(found.index ?? 0)],
    ["parts", list([...found].map((part) => (part === undefined ? none : some(part))))],
  ]);
}

/** A position far outside is as good as one just outside. */
function integer(x: Value): number {
  if (typeof x !== "bigint") throw new Error("not an integer");
  return Number(x > 1_000_000_000n ? 1_000_000_000n : x < -1_000_000_000n ? -1_000_000_000n : x);
}

function long(length: number): void {
  if (length > 20_000) throw new Inexact("too long");
}

function option(x: number | undefined): Value {
  return x === undefined || Number.isNaN(x) ? none : some(BigInt(x));
}

/** The number whose shortest decimal form the engine writes. */
function decimal(x: number): Value {
  if (Number.isNaN(x)) return none;
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(x));
  if (match === null) throw new Inexact("infinite");
  const [, sign = "", before = "", after = "", exponent = "0"] = match;
  let [n, d] = [BigInt(`${sign}${before}${after}`), 1n];
  const shift = Number(exponent) - after.length;
  if (shift >= 0) n *= 10n ** BigInt(shift);
  else d = 10n ** BigInt(-shift);
  let [a, b] = [n < 0n ? -n : n, d];
  while (b > 0n) [a, b] = [b, a % b];
  return some(d === a ? n / a : { kind: "ratio", num: n / a, den: d / a });
}

function dateAt(x: Value): Date {
  const last = 8_640_000_000_000_000;
  return new Date(Math.min(last, Math.max(-last, Number(x))));
}

export const naiveTexts: Readonly<Record<string, (...operands: Value[]) => Value>> = {
  hasMatch: (a, b) => regExp(b!).test(text(a!)),
  firstMatch: (a, b) => {
    const found = regExp(b!).exec(text(a!));
    return found === null ? none : some(matchOf(found));
  },
  allMatches: (a, b) => list([...text(a!).matchAll(regExp(b!, "g"))].map(matchOf)),
  replaceMatch: (a, b, c) => text(a!).replace(regExp(b!, isGlobal(b!) ? "g" : ""), text(c!)),
  replaceMatches: (a, b, c) => {
    const texts = [...(c as readonly string[])];
    return text(a!).replace(regExp(b!, isGlobal(b!) ? "g" : ""), (found) => texts.shift() ?? found);
  },
  splitByMatch: (a, b) =>
    list(
      text(a!)
        .split(regExp(b!))
        .map((part) => part ?? ""),
    ),
  substituteFirst: (a, b, c) => text(a!).replace(text(b!), text(c!)),
  substituteAll: (a, b, c) => text(a!).replaceAll(text(b!), text(c!)),
  lastIndexOf: (a, b) => BigInt(text(a!).lastIndexOf(text(b!))),
  repeatText: (a, b) => {
    long(text(a!).length * integer(b!));
    return text(a!) === "" ? "" : text(a!).repeat(Math.max(0, integer(b!)));
  },
  padStart: (a, b, c) => {
    if (text(c!) !== "") long(integer(b!));
    return text(a!).padStart(integer(b!), text(c!));
  },
  padEnd: (a, b, c) => {
    if (text(c!) !== "") long(integer(b!));
    return text(a!).padEnd(integer(b!), text(c!));
  },
  codeAt: (a, b) => option(text(a!).charCodeAt(integer(b!))),
  codePointAt: (a, b) => option(text(a!).codePointAt(integer(b!))),
  textOfCode: (a) => String.fromCharCode(Number(((a as bigint) % 65_536n) + 65_536n)),
  characters: (a) => list(Array.from(text(a!))),
  // An order of its own, which is compared with that of Unicode elsewhere.
  sortKey: (a, b, c) =>
    collationKey(text(a!), {
      isNumeric: b === true,
      levels: integer(c!) <= 1 ? 1 : integer(c!) === 2 ? 2 : 3,
    }),
  numberOf: (a) => decimal(Number(text(a!))),
  floatOf: (a) => decimal(Number.parseFloat(text(a!))),
  integerOf: (a, b) => decimal(Number.parseInt(text(a!), Number(BigInt.asIntN(32, b as bigint)))),
  squareRoot: (a) => {
    const written = isNum(a!) ? decimalText(a) : undefined;
    if (written === undefined) throw new Inexact("a fraction");
    const root = decimal(Number(written) < 0 ? 0 : Math.sqrt(Number(written)));
    if (!isOption(root) || root.kind !== "some") throw new Inexact("infinite");
    return root.value;
  },
  groupedText: (a, b, c) => {
    const written = isNum(a!) ? decimalText(a) : undefined;
    if (written === undefined || written.length > 40) throw new Inexact("a fraction");
    const least = Math.min(20, Math.max(0, integer(b!)));
    const most = Math.max(least, Math.min(20, Math.max(0, integer(c!))));
    const format = new Intl.NumberFormat("en-US", {
      minimumFractionDigits: least as 0,
      maximumFractionDigits: most as 0,
    });
    return format.format(written as Intl.StringNumericLiteral);
  },
  timeOfText: (a) => {
    // The engine reads more than the format, and in its own time zone.
    if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{3})?Z)?$|^\D*$/.test(text(a!))) throw new Inexact("unclear");
    return option(Date.parse(text(a!)));
  },
  timeOf: (...parts) => {
    const [year, month, date, hours, minutes, seconds, milliseconds] = parts as bigint[];
    if (Math.abs(Number(year)) > 1e6 || Math.abs(Number(month)) > 1e7) return none;
    // Years below 100 would be of the last century; the calendar repeats after 400 years.
    const first = Date.UTC(Number(year) + 400, Number(month), 1);
    if (Number.isNaN(first)) throw new Inexact("far outside");
    const days = BigInt(first) / 86_400_000n - 146_097n + date! - 1n;
    const time = (((days * 24n + hours!) * 60n + minutes!) * 60n + seconds!) * 1000n + milliseconds!;
    return time > 8_640_000_000_000_000n || time < -8_640_000_000_000_000n ? none : some(time);
  },
  dateTime: (a) => {
    const whole = typeof a === "bigint" ? a : (a as Ratio).num / (a as Ratio).den;
    return option(new Date(Number(whole)).getTime());
  },
  timeText: (a) => dateAt(a!).toISOString(),
  timeParts: (a) => {
    const date = dateAt(a!);
    return record([
      ["year", BigInt(date.getUTCFullYear())],
      ["month", BigInt(date.getUTCMonth())],
      ["date", BigInt(date.getUTCDate())],
      ["day", BigInt(date.getUTCDay())],
      ["hours", BigInt(date.getUTCHours())],
      ["minutes", BigInt(date.getUTCMinutes())],
      ["seconds", BigInt(date.getUTCSeconds())],
      ["milliseconds", BigInt(date.getUTCMilliseconds())],
    ]);
  },
};
