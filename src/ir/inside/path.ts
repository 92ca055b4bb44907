/**
 * Tests if a path is a folder or below it, after normalizing, by its text alone: POSIX paths, no file system.
 * SOUNDNESS: a path that some system could read differently is not inside anything. Part of what must be trusted.
 */
import { choice, exactly, type Language, many, maybe, nothing, one, sequence } from "../regular/language.ts";
import { anyUnit, unitsOf, without } from "../regular/units.ts";
import type { Forms } from "./forms.ts";

/** True when the path, after normalising, is the root or below it; false for what is not clear. */
export function pathInside(path: string, root: string): boolean {
  const outer = normalPath(root);
  const inner = outer && normalPath(path);
  if (outer === undefined || inner === undefined || inner.absolute !== outer.absolute) return false;
  return outer.segments.every((segment, i) => segment === inner.segments[i]);
}

interface Path {
  readonly absolute: boolean;
  readonly segments: readonly string[];
}

/** Undefined for what is empty, escapes from where it starts, or is not clear on every system. */
function normalPath(text: string): Path | undefined {
  if (text === "" || /[\0\\]|%[0-9a-fA-F]{2}/.test(text)) return undefined;
  const absolute = text.startsWith("/");
  const segments: string[] = [];
  for (const segment of text.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined && !absolute) return undefined;
  }
  const startsWithDrive = drive.test(text) || drive.test(segments[0] ?? "");
  return !absolute && startsWithDrive ? undefined : { absolute, segments };
}

const drive = /^[A-Za-z]:/;

// ── as regular languages ─────────────────────────────────────────────────────────────────────────────────

const plain = without(anyUnit, unitsOf("\0\\/%"));
const slash = exactly("/");
const dot = exactly(".");
/** One code unit of a segment, `%` among them. */
const any = one(without(anyUnit, unitsOf("\0\\/")));
const anyOrSlash = one(without(anyUnit, unitsOf("\0\\")));
const here = sequence(slash, maybe(dot));
const further = many(sequence(slash, maybe(choice(segmentOf(""), dot))));

/** A segment that is neither empty nor dots, without `%` and other excluded characters. */
function segmentOf(leftOut: string): Language {
  const set = without(plain, unitsOf(leftOut));
  const [unit, notDot] = [one(set), one(without(set, unitsOf(".")))];
  return choice(
    sequence(notDot, many(unit)),
    sequence(dot, notDot, many(unit)),
    sequence(dot, dot, unit, many(unit)),
  );
}

/** The paths inside the root that have neither `..` nor `%`, and those of which more has to be known. */
export function pathForms(root: string): Forms | undefined {
  const outer = normalPath(root);
  if (outer === undefined) return undefined;
  const [first, ...rest] = outer.segments;
  const below = rest.flatMap((segment) => [many(here), slash, exactly(segment)]);
  if (outer.absolute) {
    const open = [sequence(slash, many(anyOrSlash), exactly("%"), many(anyOrSlash))];
    // Nothing is above the root of all, so `..` does not matter.
    if (first === undefined)
      return {
        inside: sequence(slash, many(one(without(anyUnit, unitsOf("\0\\%"))))),
        open: choice(...open),
      };
    const inside = sequence(many(here), slash, exactly(first), ...below, further);
    return { inside, open: choice(...open, withDotDot(slash, many(any))) };
  }
  const start = maybe(sequence(dot, many(here), slash));
  const inside =
    first === undefined
      ? // A drive has a colon; whether a colon makes one is not asked here.
        choice(sequence(start, segmentOf(":"), further), sequence(dot, many(here)))
      : sequence(start, exactly(first), ...below, further);
  const doubtful = first === undefined ? exactly2("%", ":") : exactly("%");
  const withDoubt = sequence(maybe(sequence(any, many(anyOrSlash))), doubtful, many(anyOrSlash));
  return { inside, open: choice(withDoubt, withDotDot(nothing, sequence(any, many(any)))) };
}

function exactly2(a: string, b: string): Language {
  return one(unitsOf(a + b));
}

/** Paths with a segment `..`: what stands before the first segment, and that segment. */
function withDotDot(before: Language, first: Language): Language {
  const tail = many(sequence(slash, many(any)));
  const lead = maybe(sequence(first, tail, slash));
  return sequence(before, lead, exactly(".."), tail);
}
