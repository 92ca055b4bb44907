/**
 * Dates: exact counts of milliseconds, and `NaN` for a date that is none. Local time is UTC. A date that the program made
 * has an identity and can be set; one out of a list or record is as it stands.
 */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { and, choose, field, none, num, op, some, text } from "../build.ts";
import { dateTy, int, isMaybeNaN, isNumber, isText, optionTy, string, type Ty, tyText } from "../ty.ts";
import { type DataVal, data, nanVal, type RefVal, unreachable, type Val } from "../value.ts";
import { throwing } from "./caught.ts";
import type { Lowering } from "./core.ts";
import { present, reify } from "./data.ts";
import { is } from "./json.ts";
import { branch } from "./merge.ts";
import { overNumbers } from "./not-a-number.ts";
import { clockReading } from "./reading.ts";

type At = { readonly start: number; readonly end: number };

const maybeTime: Ty = optionTy(int, "NaN");

export function isDate(val: Val): boolean {
  return (
    (val.kind === "ref" && val.shape.kind === "date") || (val.kind === "data" && val.type.kind === "date")
  );
}

/** The time of a date, as `getTime` gives it; anything else as it is. */
export function timeIfDate(low: Lowering, val: Val, node: At): Val {
  if (val.kind === "ref" && val.shape.kind === "date") return low.read(val.shape.slot);
  if (val.kind === "data" && val.type.kind === "date")
    return data(val.expr, val.type.isValid ? int : maybeTime);
  if (val.kind === "data" && val.type.kind === "option" && val.type.value.kind === "date")
    return timeIfDate(low, present(low, val, node, `\`${low.sourceOf(node)}\``), node);
  return val;
}

function timeOf(low: Lowering, val: Val, node: At): DataVal {
  return reify(low, timeIfDate(low, val, node), node);
}

/** A date that was made here. */
function newDate(low: Lowering, time: DataVal, node: At): RefVal {
  const held = data(low.named(time.expr, "time", node), time.type);
  return { kind: "ref", shape: { kind: "date", slot: low.newSlot(held) } };
}

/** The value of a date as it is now. */
export function dateValue(time: DataVal): DataVal {
  return data(time.expr, dateTy(!isMaybeNaN(time.type)));
}

/** As `toJSON` gives it: a text, or `null` for a date that is none. */
export function dateJson(expr: Expr, isValid: boolean): Expr {
  if (isValid) return op("timeText", expr);
  return choose(op("isSome", expr), some(op("timeText", op("value", expr))), none);
}

/** `new Date(…)`. */
export function constructDate(low: Lowering, args: readonly Val[], node: Node): Val {
  const [only] = args;
  if (only === undefined) return newDate(low, clockReading(low, node), node);
  if (args.length > 1) return newDate(low, fromParts(low, args, node), node);
  if (isDate(only)) return newDate(low, timeOf(low, only, node), node);
  return newDate(low, timeFrom(low, reify(low, only, node), node), node);
}

/** The time that a text or a number stands for. */
function timeFrom(low: Lowering, from: DataVal, node: At): DataVal {
  const { expr, type } = from;
  if (type.kind === "option" && !isMaybeNaN(type)) {
    const absent = type.absent === "null" ? some(num(0n)) : none;
    if (type.value.kind === "never") return data(absent, maybeTime);
    const whole = low.named(expr, "given", node);
    const held = asMaybe(timeFrom(low, data(op("value", whole), type.value), node));
    return data(choose(op("isSome", whole), held, absent), maybeTime);
  }
  if (type.kind === "date") return timeOf(low, from, node);
  if (isText(type)) return data(op("timeOfText", expr), maybeTime);
  if (isNumber(type) || isMaybeNaN(type)) return overNumbers(low, [from], node, ([x]) => clippedTime(x));
  if (type.kind === "json") {
    const whole = low.named(expr, "given", node);
    const number = op("value", op("jsonNumber", whole));
    const bit = choose(op("value", op("jsonBool", whole)), num(1n), num(0n));
    const isNumeric = choose(is.bool(whole), some(bit), choose(is.null(whole), some(num(0n)), byText(whole)));
    return data(choose(is.number(whole), op("dateTime", number), isNumeric), maybeTime);
  }
  if (type.kind === "bool") return data(choose(expr, num(1n), num(0n)), int);
  return low.refuse(
    node,
    "FC2304",
    `a \`Date\` is made from a text or a number, not from \`${tyText(type)}\``,
    "give it a text such as `2024-03-01T10:00:00Z`, or milliseconds",
  );
}

/** The time of a JSON value that is a text, or a list or an object that is taken for its text. */
function byText(expr: Expr): Expr {
  const own = op("timeOfText", op("value", op("jsonString", expr)));
  return choose(is.string(expr), own, op("timeOfText", op("jsonPlainText", expr)));
}

function asMaybe({ expr, type }: DataVal): Expr {
  return isMaybeNaN(type) ? expr : some(expr);
}

const lastTime = 8_640_000_000_000_000n;

function clippedTime({ expr }: DataVal): DataVal {
  if (expr.kind === "number" && typeof expr.value === "bigint") {
    const isDateTime = expr.value <= lastTime && expr.value >= -lastTime;
    return isDateTime ? data(expr, int) : nanVal;
  }
  return data(op("dateTime", expr), maybeTime);
}

/** Year, month, day …; a year of two digits is one of the last century. */
function fromParts(low: Lowering, args: readonly Val[], node: Node): DataVal {
  if (args.length > 7) return low.refuse(node, "FC2314", "a date has seven parts");
  return overNumbers(low, args, node, (numbers) => {
    const [year = num(0n), ...others] = numbers.slice(0, args.length).map(integer);
    const isShort = and(op("<=", num(0n), year), op("<=", year, num(99n)));
    const full = choose(isShort, op("+", year, num(1900n)), year);
    const usual = [num(0n), num(1n), num(0n), num(0n), num(0n), num(0n)];
    return data(op("timeOf", full, ...usual.map((one, i) => others[i] ?? one)), maybeTime);
  });
}

function integer({ expr, type }: DataVal): Expr {
  return type.kind === "int" ? expr : op("truncate", expr);
}

/** `Date.parse`, `Date.UTC` and `Date.now`. */
export function dateFunction(low: Lowering, name: string, args: readonly Val[], node: Node): Val | undefined {
  const [first] = args;
  if (name === "now") return clockReading(low, node);
  if (first === undefined) return undefined;
  if (name === "UTC") return fromParts(low, args, node);
  if (name !== "parse" || args.length > 1) return undefined;
  const from = reify(low, first, node);
  const held = from.type.kind === "option" ? from.type.value : from.type;
  return isText(held) ? timeFrom(low, from, node) : undefined;
}

const parts: Readonly<Record<string, string>> = {
  FullYear: "year",
  Month: "month",
  Date: "date",
  Day: "day",
  Hours: "hours",
  Minutes: "minutes",
  Seconds: "seconds",
  Milliseconds: "milliseconds",
};

export function dateMethod(low: Lowering, of: Val, name: string, args: readonly Val[], node: Node): Val {
  const time = timeOf(low, of, node);
  const part = /^get(?:UTC)?([A-Z]\w*)$/.exec(name)?.[1];
  const read = part === undefined ? undefined : parts[part];
  if (read !== undefined)
    return overNumbers(low, [time], node, ([t]) => data(field(op("timeParts", t.expr), read), int));
  switch (name) {
    case "getTime":
    case "valueOf":
      return time;
    case "getTimezoneOffset":
      return overNumbers(low, [time], node, () => data(num(0n), int));
    case "toISOString":
      return isoText(low, time, node);
    case "toJSON": {
      if (!isMaybeNaN(time.type)) return data(op("timeText", time.expr), string);
      const written = some(op("timeText", op("value", time.expr)));
      return data(choose(op("isSome", time.expr), written, none), optionTy(string, "null"));
    }
  }
  const set = /^set(?:UTC)?([A-Z]\w*)$/.exec(name)?.[1];
  if (set !== undefined) return setDate(low, of, set, args, node);
  return low.refuse(
    node,
    "FC2309",
    `\`.${name}\` of a date is not part of the language`,
    "build the text from `.toISOString()`, such as `.toISOString().slice(0, 10)`, or from `.getUTCDate()` and the like",
  );
}

/** JavaScript throws where the date is none. */
function isoText(low: Lowering, time: DataVal, node: At): Val {
  if (!isMaybeNaN(time.type)) return data(op("timeText", time.expr), string);
  const whole = low.named(time.expr, "time", node);
  return branch(
    low,
    op("isSome", whole),
    node,
    "valid",
    () => data(op("timeText", op("value", whole)), string),
    () => {
      throwing(
        low,
        {
          kind: "error",
          name: "RangeError",
          message: data(text("Invalid time value"), string),
        },
        node,
      );
      return unreachable;
    },
  );
}

/** In the order in which setters take them. */
const settable = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"];

function setDate(low: Lowering, of: Val, set: string, args: readonly Val[], node: Node): Val {
  if (of.kind !== "ref" || of.shape.kind !== "date")
    return low.refuse(
      node,
      "FC2312",
      "this date cannot be set, because it comes from elsewhere",
      "copy it first: `const mine = new Date(date)`",
    );
  const { slot } = of.shape;
  const first = settable.indexOf(set);
  const most = first < 0 ? 1 : first < 3 ? 3 - first : 7 - first;
  if ((first < 0 && set !== "Time") || args.length < 1 || args.length > most)
    return low.refuse(node, "FC2309", `\`.set${set}\` of a date is not part of the language in this form`);
  const before = reify(low, low.read(slot), node);
  const changed =
    set === "Time"
      ? timeFrom(low, reify(low, timeIfDate(low, args[0] ?? nanVal, node), node), node)
      : withParts(low, before, first, args, node);
  const time = data(low.named(changed.expr, "time", node), changed.type);
  low.write(slot, time, node);
  return time;
}

function withParts(low: Lowering, before: DataVal, first: number, args: readonly Val[], node: Node): DataVal {
  // A date that is none becomes one again when its year is set.
  const whole = low.named(before.expr, "time", node);
  const start =
    first === 0 && isMaybeNaN(before.type)
      ? data(op("orElse", whole, num(0n)), int)
      : data(whole, before.type);
  return overNumbers(low, [start, ...args], node, (numbers) => {
    const [time, ...given] = numbers.slice(0, args.length + 1);
    const old = op("timeParts", time?.expr ?? num(0n));
    const all = settable.map((name, i) => {
      const value = given[i - first];
      return i >= first && value !== undefined ? integer(value) : field(old, parts[name] ?? "");
    });
    return data(op("timeOf", ...all), maybeTime);
  });
}
