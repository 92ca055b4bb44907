/**
 * Patterns: the part of JavaScript's regular expressions, without flags, that is a regular language. What has another
 * meaning with a flag, or one that only old browsers had a reason for, is refused: nobody should have to guess.
 * Part of what must be trusted.
 */

import { append } from "../append.ts";
import { type Diagnostic, ok, type Result } from "../diagnostic.ts";
import { quoted } from "../json/quoted.ts";
import { readClass, readEscape } from "./class.ts";
import { Cursor, type PatternCode, Refused } from "./cursor.ts";
import { anything, choice, type Language, nothing, one, repeat, sequence, sizeOf } from "./language.ts";
import { anyUnit, lineEnd, unit, units, without } from "./units.ts";

export interface PatternOptions {
  /** LIMIT: places of the pattern when its counts are written out. */
  readonly most: number;
}

export type PatternResult = Result<
  Language,
  { readonly ok: false; readonly problem: Diagnostic<PatternCode, never> }
>;

/** The texts in which the pattern is found, from beginning to end. */
export function readPattern(text: string, options: PatternOptions): PatternResult {
  try {
    const reader = new Reader(text, options);
    return ok(reader.whole());
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, problem: thrown.problem };
    throw thrown;
  }
}

/** One way to read a part of a pattern: maybe only at the beginning of the text, maybe only at its end. */
interface Way {
  readonly start: boolean;
  readonly body: readonly Language[];
  readonly end: boolean;
}

const empty: Way = { start: false, body: [], end: false };
const free = (language: Language): Way => ({ start: false, body: [language], end: false });

/** LIMIT: of groups in groups, since they are read by recursion. */
const maxDepth = 50;
/** LIMIT: ways that anchors inside groups can be combined. */
const maxWays = 256;

class Reader {
  readonly #cursor: Cursor;
  readonly #most: number;
  #depth = 0;

  constructor(text: string, { most }: PatternOptions) {
    this.#cursor = new Cursor(text);
    this.#most = most;
  }

  whole(): Language {
    const ways = this.#alternatives();
    if (!this.#cursor.isAtEnd)
      this.#cursor.refuse("`)` closes a group that was not opened", "write `\\)` for the sign itself");
    const language = choice(
      ...ways.map(({ start, body, end }) =>
        sequence(...(start ? [] : [anything]), ...body, ...(end ? [] : [anything])),
      ),
    );
    this.#fits(language);
    return language;
  }

  #alternatives(): readonly Way[] {
    if (++this.#depth > maxDepth) this.#cursor.tooBig(`groups are nested more than ${maxDepth} deep`);
    const ways = [...this.#sequence()];
    while (this.#cursor.take("|")) append(ways, this.#sequence());
    this.#depth--;
    this.#few(ways);
    return ways;
  }

  #sequence(): readonly Way[] {
    let ways: readonly Way[] = [empty];
    while (!this.#cursor.isAtEnd && !this.#cursor.sees("|") && !this.#cursor.sees(")")) {
      const next = this.#repeated();
      ways = ways.flatMap((before) => next.map((after) => this.#joined(before, after)));
      this.#few(ways);
    }
    return ways;
  }

  /** SOUNDNESS: an anchor says something of its place, and only beside nothing is that an end of the whole. */
  #joined(before: Way, after: Way): Way {
    const misplaced = (after.start && before.body.length > 0) || (before.end && after.body.length > 0);
    if (misplaced)
      this.#cursor.refuse(
        `\`${after.start ? "^" : "$"}\` is in the middle of the pattern`,
        "an anchor is allowed at the beginning or end of the pattern or of an alternative",
      );
    if (before.body.length > this.#most) this.#tooMany();
    return {
      start: before.start || after.start,
      body: [...before.body, ...after.body],
      end: before.end || after.end,
    };
  }

  #repeated(): readonly Way[] {
    const from = this.#cursor.position;
    const ways = this.#atom();
    const counts = this.#counts();
    if (counts === undefined) return ways;
    const quantified = quoted(this.#cursor.since(from));
    if (ways.some(({ start, end }) => start || end))
      this.#cursor.refuse(`${quantified} repeats an anchor`, "take the anchor out of what is repeated");
    if (this.#isQuantifier())
      this.#cursor.refuse(`${quantified} is repeated again`, "put it into a group: `(?:…)`");
    const of = choice(...ways.map(({ body }) => sequence(...body)));
    const language = repeat(of, ...counts);
    this.#fits(language);
    return [free(language)];
  }

  /** Reads a repetition count; lazy and greedy are equal, because only the existence of a match matters. */
  #counts(): readonly [least: number, most: number | undefined] | undefined {
    const counts = this.#cursor.takeQuantifier();
    if (counts !== undefined) this.#cursor.take("?");
    return counts;
  }

  #isQuantifier(): boolean {
    return ["*", "+", "?", "{"].some((sign) => this.#cursor.sees(sign));
  }

  #atom(): readonly Way[] {
    const cursor = this.#cursor;
    const sign = cursor.next();
    switch (sign) {
      case "^":
        return [{ start: true, body: [], end: false }];
      case "$":
        return [{ start: false, body: [], end: true }];
      case ".":
        return [free(one(without(anyUnit, lineEnd)))];
      case "(":
        return this.#group();
      case "[":
        return [free(one(readClass(cursor)))];
      case "\\":
        return [free(one(readEscape(cursor)))];
      case "*":
      case "+":
      case "?":
        return cursor.refuse(`\`${sign}\` has nothing to repeat`, `write \`\\${sign}\` for the sign itself`);
      case "{":
      case "}":
      case "]":
        return cursor.refuse(
          `\`${sign}\` stands alone, and means itself only by an exception`,
          `write \`\\${sign}\``,
        );
      default:
        return [free(one(units([unit(sign.charCodeAt(0))])))];
    }
  }

  /** Capturing or not is the same here, because nothing looks at what was captured. */
  #group(): readonly Way[] {
    const cursor = this.#cursor;
    if (cursor.sees("?") && !cursor.take("?:")) refuseGroup(cursor);
    const ways = this.#alternatives();
    if (!cursor.take(")"))
      cursor.refuse("`(` opens a group that is not closed", "write `\\(` for the sign itself");
    if (ways.some(({ start, end }) => start || end)) return ways;
    // A group that is empty is still something, and an anchor beside it is in the middle.
    return [free(choice(...ways.map(({ body }) => (body.length === 0 ? nothing : sequence(...body)))))];
  }

  #few(ways: readonly Way[]): void {
    if (ways.length > maxWays && ways.some(({ start, end }) => start || end))
      this.#cursor.tooBig("anchors inside groups can be combined in too many ways");
  }

  #fits(language: Language): void {
    if (sizeOf(language) > this.#most) this.#tooMany();
  }

  #tooMany(): never {
    return this.#cursor.tooBig(`it has more than ${this.#most} places when its counts are written out`);
  }
}

function refuseGroup(cursor: Cursor): never {
  const [start = "(?"] = cursor.takeMatch(/\?(?:<?[=!]|<)?/y) ?? [];
  const text = `(${start}`;
  if (start === "?<") return cursor.refuse("a group cannot have a name here", "write `(?:…)`");
  if (start === "?") return cursor.refuse("this kind of group is not part of a pattern", "write `(?:…)`");
  return cursor.refuse(
    `\`${text}\` looks ${start.includes("<") ? "back" : "ahead"}, which no pattern can do here`,
    "test two patterns, one after the other",
  );
}
