/**
 * JSON texts, as `JSON.parse` and `JSON.stringify` read and write them. Part of what must be trusted.
 */
import { nearestJs, numOfJs } from "../convert/js-number.ts";
import { LimitReached, type Meter } from "../eval/meter.ts";
import { isList, isNum, isRecord, jsonObject, list, type Value } from "../value.ts";
import { textOfNumber } from "./strings.ts";

/** Undefined for a text that is no JSON. A number that JavaScript takes for infinite stops the run: there it is no error. */
export function fromJsonText(text: string, meter: Meter): Value | undefined {
  meter.charge(1 + (text.length >> 3));
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  return exact(parsed, meter, 1);
}

function exact(input: unknown, meter: Meter, depth: number): Value | undefined {
  meter.charge(1);
  switch (typeof input) {
    case "boolean":
      return input;
    case "string":
      meter.string(input.length);
      return input;
    case "number":
      if (!Number.isFinite(input)) throw new LimitReached("FC1525", "a number in the JSON text is infinite");
      return numOfJs(Object.is(input, -0) ? 0 : input);
    case "object":
      if (input === null) return null;
      tooDeep(depth, meter);
      return Array.isArray(input) ? exactItems(input, meter, depth) : exactFields(input, meter, depth);
    default:
      return undefined;
  }
}

function exactItems(items: readonly unknown[], meter: Meter, depth: number): Value | undefined {
  meter.list(items.length);
  const values: Value[] = [];
  for (const item of items) {
    const value = exact(item, meter, depth + 1);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return list(values);
}

function exactFields(fields: object, meter: Meter, depth: number): Value | undefined {
  const entries: [string, Value][] = [];
  // What `JSON.parse` gives has own fields alone, `__proto__` among them.
  for (const [name, field] of Object.entries(fields)) {
    const value = exact(field, meter, depth + 1);
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
  meter.list(entries.length);
  return jsonObject(entries);
}

function tooDeep(depth: number, meter: Meter): void {
  if (depth > meter.limits.depth)
    throw new LimitReached(
      "FC1402",
      `a JSON value would be nested more than ${meter.limits.depth} levels deep`,
    );
}

/** As `JSON.stringify(value, null, indent)` writes it. */
export function jsonText(value: Value, indent: string, meter: Meter): string {
  // `JSON.stringify` takes ten code units of an indent.
  const step = indent.slice(0, 10);
  const counted = counter(meter);
  const write = (one: Value, before: string): string => {
    if (typeof one === "string") return counted(JSON.stringify(one));
    if (one === null || typeof one === "boolean") return counted(String(one));
    if (isNum(one)) return counted(numberText(nearestJs(one)));
    if (isList(one)) return bracketed("[]", before, one, write);
    if (!isRecord(one)) throw new TypeError("a JSON value holds no option");
    return bracketed("{}", before, Object.entries(one.fields), ([name, field], inner) => {
      const key = counted(`${JSON.stringify(name)}${step === "" ? ":" : ": "}`);
      return key + write(field, inner);
    });
  };
  const bracketed = <T>(
    brackets: "[]" | "{}",
    before: string,
    parts: readonly T[],
    part: (one: T, inner: string) => string,
  ): string => {
    if (parts.length === 0) return counted(brackets);
    const inner = before + step;
    const gap = step === "" ? "" : `\n${inner}`;
    const end = step === "" ? "" : `\n${before}`;
    const written = parts.map((one, i) => counted(`${i === 0 ? brackets[0] : ","}${gap}`) + part(one, inner));
    return written.join("") + counted(`${end}${brackets[1]}`);
  };
  return write(value, "");
}

/** Numbers beyond all JavaScript numbers are infinite there, and `JSON.stringify` writes `null` for those. */
function numberText(x: number): string {
  return Number.isFinite(x) ? String(x) : "null";
}

/** As `String(value)` writes it. */
export function plainText(value: Value, meter: Meter): string {
  const counted = counter(meter);
  const write = (one: Value): string => {
    if (typeof one === "string") return counted(one);
    if (one === null || typeof one === "boolean") return counted(String(one));
    if (isNum(one)) return counted(textOfNumber(one));
    if (!isList(one)) return counted("[object Object]");
    return one.map((item, i) => counted(i === 0 ? "" : ",") + (item === null ? "" : write(item))).join("");
  };
  return write(value);
}

/** LIMIT: values share their parts, their text does not; each piece is charged for before it is put into the whole. */
function counter(meter: Meter): (piece: string) => string {
  let length = 0;
  return (piece) => {
    length += piece.length;
    meter.charge(1 + (piece.length >> 6));
    if (length > meter.limits.stringLength) meter.string(length);
    return piece;
  };
}
