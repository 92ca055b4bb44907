/** Classes and escapes of patterns, as JavaScript reads them without flags. Part of what must be trusted. */
import { quoted } from "../json/quoted.ts";
import type { Cursor } from "./cursor.ts";
import { anyUnit, blank, digit, type Units, unit, units, unitsOf, without, word } from "./units.ts";

/** After the `[`. */
export function readClass(cursor: Cursor): Units {
  const negated = cursor.take("^");
  const found: (readonly [number, number])[] = [];
  while (!cursor.take("]")) {
    const from = cursor.position;
    const first = classAtom(cursor);
    if (cursor.sees("-") && !cursor.sees("-]")) {
      cursor.take("-");
      const last = classAtom(cursor);
      found.push(range(cursor, first, last, from));
    } else found.push(...first);
  }
  const set = units(found);
  return negated ? without(anyUnit, set) : set;
}

function classAtom(cursor: Cursor): Units {
  if (cursor.isAtEnd)
    cursor.refuse("`[` opens a class that is not closed", "write `\\[` for the sign itself");
  const sign = cursor.next();
  return sign === "\\" ? readEscape(cursor) : units([unit(sign.charCodeAt(0))]);
}

function range(cursor: Cursor, first: Units, last: Units, from: number): readonly [number, number] {
  const text = quoted(cursor.since(from));
  const [low, high] = [single(first), single(last)];
  if (low === undefined || high === undefined)
    return cursor.refuse(
      `${text} is a range of something that is a class itself`,
      "put `-` at the end of the class, or write `\\-`",
    );
  if (low > high) return cursor.refuse(`the range ${text} is in the wrong order`);
  return [low, high];
}

function single(set: Units): number | undefined {
  const [only] = set;
  return set.length === 1 && only !== undefined && only[0] === only[1] ? only[0] : undefined;
}

const classes: Readonly<Record<string, Units>> = {
  d: digit,
  D: without(anyUnit, digit),
  w: word,
  W: without(anyUnit, word),
  s: blank,
  S: without(anyUnit, blank),
  t: unitsOf("\t"),
  n: unitsOf("\n"),
  v: unitsOf("\v"),
  f: unitsOf("\f"),
  r: unitsOf("\r"),
};

/** After the `\`. */
export function readEscape(cursor: Cursor): Units {
  const code = cursor.takeMatch(/x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(0)(?!\d)/y);
  if (code !== undefined) return units([unit(Number.parseInt(code[1] ?? code[2] ?? "0", 16))]);
  if (cursor.isAtEnd) return cursor.refuse("`\\` stands at the end and escapes nothing", "write `\\\\`");
  const sign = cursor.next();
  const known = Object.hasOwn(classes, sign) ? classes[sign] : undefined;
  if (known !== undefined) return known;
  // Any sign that is no letter, no digit and plain ASCII stands for itself.
  if (/[ -~]/.test(sign) && !/[A-Za-z0-9]/.test(sign)) return units([unit(sign.charCodeAt(0))]);
  return cursor.refuse(`${quoted(`\\${sign}`)} ${whyNot(sign)}`, "write the pattern without it");
}

function whyNot(sign: string): string {
  if (/[1-9]/.test(sign)) return "refers to what a group matched, which no pattern can do here";
  switch (sign) {
    case "b":
    case "B":
      return "looks at the characters around it, which no pattern can do here";
    case "k":
      return "refers to a named group, which no pattern can do here";
    case "p":
    case "P":
      return "needs a flag, and without it stands for a letter";
    case "u":
      return "needs four hexadecimal digits";
    case "x":
      return "needs two hexadecimal digits";
    default:
      return "is not an escape of a pattern";
  }
}
