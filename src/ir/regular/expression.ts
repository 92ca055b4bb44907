/**
 * Regular expressions with flags, as JavaScript writes them: `/…/gi`, read into a tree. Omitted is only what cannot be
 * matched in time that grows with the text alone: references to groups. Part of what must be trusted.
 */

import type { Diagnostic } from "../diagnostic.ts";
import { quoted } from "../json/quoted.ts";
import { Cursor, type PatternCode, Refused } from "./cursor.ts";

export type Tree =
  /** One character, as a pattern of its own: `a`, `.`, `\d`, `[a-z]`, `\u{1f600}`. */
  | { readonly kind: "one"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly Tree[] }
  | { readonly kind: "choice"; readonly parts: readonly Tree[] }
  | {
      readonly kind: "repeat";
      readonly of: Tree;
      readonly least: number;
      readonly most: number | undefined;
      readonly isLazy: boolean;
      /** The groups inside it: from the first to before the last. */
      readonly groups: readonly [from: number, to: number];
    }
  | { readonly kind: "group"; readonly of: Tree; readonly index: number }
  | { readonly kind: "place"; readonly where: Place }
  | { readonly kind: "look"; readonly of: Tree; readonly isAhead: boolean; readonly isNegated: boolean };

export type Place = "start" | "end" | "edge" | "inside";

export interface Flags {
  /** `g` */
  readonly isGlobal: boolean;
  /** `i` */
  readonly ignoresCase: boolean;
  /** `m` */
  readonly isMultiline: boolean;
  /** `s` */
  readonly dotIsAny: boolean;
  /** `u` */
  readonly isUnicode: boolean;
}

export interface Expression {
  readonly tree: Tree;
  readonly flags: Flags;
  /** The names of the groups, from the first; undefined for one without. */
  readonly names: readonly (string | undefined)[];
  /** For each group, from the first: true if it holds a text in every match. */
  readonly always: readonly boolean[];
}

export type ExpressionResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problem: Diagnostic<PatternCode, never> };

/**
 * Reads `/…/gi`.
 * @param most LIMIT: places of the expression when its counts are written out
 */
export function readExpression(written: string, most: number): ExpressionResult {
  try {
    const end = written.lastIndexOf("/");
    if (!written.startsWith("/") || end <= 0)
      throw new Refused({
        code: "FC1317",
        message: `${quoted(written)} is not a regular expression`,
        help: "write it between slashes, with its flags behind: `/a+/g`",
      });
    const [source, flags] = [written.slice(1, end), readFlags(written.slice(end + 1))];
    return { ok: true, expression: new Reader(source, flags, most).whole() };
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, problem: thrown.problem };
    throw thrown;
  }
}

function readFlags(written: string): Flags {
  for (const flag of written) {
    if ("gimsu".includes(flag)) continue;
    throw new Refused({
      code: "FC1317",
      message: `the flag \`${flag}\` is not part of the language`,
      help: "there are `g`, `i`, `m`, `s` and `u`",
    });
  }
  if (new Set(written).size < written.length)
    throw new Refused({ code: "FC1317", message: `a flag stands twice in ${quoted(written)}` });
  return {
    isGlobal: written.includes("g"),
    ignoresCase: written.includes("i"),
    isMultiline: written.includes("m"),
    dotIsAny: written.includes("s"),
    isUnicode: written.includes("u"),
  };
}

/** The flags that decide what one character is. */
export function characterFlags({ ignoresCase, dotIsAny, isUnicode }: Flags): string {
  return `${ignoresCase ? "i" : ""}${dotIsAny ? "s" : ""}${isUnicode ? "u" : ""}`;
}

/** LIMIT: of groups in groups, since they are read by recursion. */
const maxDepth = 50;
/** LIMIT: of groups. */
const maxGroups = 100;

class Reader {
  readonly #cursor: Cursor;
  readonly #source: string;
  readonly #flags: Flags;
  readonly #most: number;
  readonly #names: (string | undefined)[] = [];
  #depth = 0;
  #looks = 0;

  constructor(source: string, flags: Flags, most: number) {
    this.#cursor = new Cursor(source);
    this.#source = source;
    this.#flags = flags;
    this.#most = most;
  }

  whole(): Expression {
    const tree = this.#choice();
    if (!this.#cursor.isAtEnd)
      this.#cursor.refuse("`)` closes a group that was not opened", "write `\\)` for the sign itself");
    this.#fits(tree);
    // What is left is for the engine to refuse: a bad range, two groups of one name.
    if (!isExpression(this.#source, this.#flags))
      this.#cursor.refuse(`${quoted(this.#source)} is not a regular expression of JavaScript`);
    const set = alwaysSet(tree);
    const always = this.#names.map((_, i) => set.has(i));
    return { tree, flags: this.#flags, names: this.#names, always };
  }

  #choice(): Tree {
    if (++this.#depth > maxDepth) this.#cursor.tooBig(`groups are nested more than ${maxDepth} deep`);
    const parts = [this.#sequence()];
    while (this.#cursor.take("|")) parts.push(this.#sequence());
    this.#depth--;
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
  }

  #sequence(): Tree {
    const parts: Tree[] = [];
    while (!this.#cursor.isAtEnd && !this.#cursor.sees("|") && !this.#cursor.sees(")")) {
      parts.push(this.#repeated());
      if (parts.length > this.#most) this.#tooMany();
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "sequence", parts };
  }

  #repeated(): Tree {
    const [from, before] = [this.#cursor.position, this.#names.length];
    const of = this.#atom();
    const counts = this.#cursor.takeQuantifier();
    if (counts === undefined) return of;
    const isLazy = this.#cursor.take("?");
    const text = quoted(this.#cursor.since(from));
    if (of.kind === "place" || of.kind === "look")
      this.#cursor.refuse(`${text} repeats an empty match`, "remove the count");
    if (this.#cursor.takeQuantifier() !== undefined)
      this.#cursor.refuse(`${text} is repeated again`, "put it into a group: `(?:…)`");
    const [least, most] = counts;
    const tree: Tree = { kind: "repeat", of, least, most, isLazy, groups: [before, this.#names.length] };
    this.#fits(tree);
    return tree;
  }

  #atom(): Tree {
    const cursor = this.#cursor;
    const from = cursor.position;
    if (cursor.take("^")) return { kind: "place", where: "start" };
    if (cursor.take("$")) return { kind: "place", where: "end" };
    if (cursor.take("\\b")) return { kind: "place", where: "edge" };
    if (cursor.take("\\B")) return { kind: "place", where: "inside" };
    if (cursor.take("(")) return this.#group();
    if (this.#cursor.takeQuantifier() !== undefined)
      cursor.refuse(
        `${quoted(cursor.since(from))} has nothing to repeat`,
        "write `\\` before a sign that means itself",
      );
    if (cursor.take("[")) this.#class();
    else if (cursor.take("\\")) this.#escape();
    else cursor.takeMatch(this.#flags.isUnicode ? /[\s\S]/uy : /[\s\S]/y);
    return { kind: "one", source: cursor.since(from) };
  }

  /** After the `[`. */
  #class(): void {
    const cursor = this.#cursor;
    if (cursor.takeMatch(/(?:[^\\\]]|\\[\s\S])*\]/y) === undefined)
      cursor.refuse("`[` opens a class that is not closed", "write `\\[` for the sign itself");
  }

  /** After the `\`. */
  #escape(): void {
    const cursor = this.#cursor;
    if (cursor.isAtEnd) cursor.refuse("`\\` stands at the end and escapes nothing", "write `\\\\`");
    if (cursor.takeMatch(/0(?!\d)/y) !== undefined) return;
    if (cursor.takeMatch(/\d/y) !== undefined)
      cursor.refuse(
        "a number after `\\` refers to what a group matched, which cannot be done here",
        "match the parts with groups and compare them with `===`",
      );
    if (cursor.take("k"))
      cursor.refuse(
        "`\\k` refers to what a group matched, which cannot be done here",
        "match the parts with groups and compare them with `===`",
      );
    if (cursor.takeMatch(/c[A-Za-z]/y) !== undefined) return;
    if (cursor.sees("c")) cursor.refuse("`\\c` needs a letter", "spell out the character, such as `\\x0a`");
    const { isUnicode } = this.#flags;
    if (cursor.takeMatch(isUnicode ? unicodeForms : plainForms) === undefined)
      cursor.takeMatch(isUnicode ? /[\s\S]/uy : /[\s\S]/y);
  }

  /** After the `(`. */
  #group(): Tree {
    const cursor = this.#cursor;
    if (cursor.take("?:")) return this.#closed(() => this.#choice());
    const [sign] = cursor.takeMatch(/\?<?[=!]/y) ?? [];
    if (sign !== undefined) return this.#look(!sign.includes("<"), sign.endsWith("!"));
    const name = cursor.takeMatch(/\?<([^>]*)>/y)?.[1];
    if (name !== undefined && !/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name))
      cursor.refuse(`${quoted(name)} is not a name of a group`);
    if (name === undefined && cursor.sees("?"))
      cursor.refuse("this kind of group is not part of the language", "write `(?:…)`");
    if (name !== undefined && this.#names.includes(name)) cursor.refuse(`two groups are named \`${name}\``);
    if (this.#looks > 0)
      cursor.refuse(
        "a group inside what looks ahead or back cannot keep what it matched",
        "write `(?:…)` inside of it",
      );
    const index = this.#names.push(name) - 1;
    if (index >= maxGroups) cursor.tooBig(`it has more than ${maxGroups} groups`);
    return { kind: "group", of: this.#closed(() => this.#choice()), index };
  }

  #look(isAhead: boolean, isNegated: boolean): Tree {
    this.#looks++;
    const of = this.#closed(() => this.#choice());
    this.#looks--;
    return { kind: "look", of, isAhead, isNegated };
  }

  #closed(body: () => Tree): Tree {
    const tree = body();
    if (!this.#cursor.take(")"))
      this.#cursor.refuse("`(` opens a group that is not closed", "write `\\(` for the sign itself");
    return tree;
  }

  #fits(tree: Tree): void {
    if (sizeOf(tree) > this.#most) this.#tooMany();
  }

  #tooMany(): never {
    return this.#cursor.tooBig(`it has more than ${this.#most} places when its counts are written out`);
  }
}

/** Escapes of more than one sign, after the `\`. */
const plainForms = /x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}/y;
const unicodeForms =
  /x[0-9a-fA-F]{2}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\}/y;

function isExpression(source: string, flags: Flags): boolean {
  try {
    new RegExp(source, characterFlags(flags));
    return true;
  } catch {
    return false;
  }
}

/** Returns the maximum number of positions with all counts unrolled, as in the machine. */
export function sizeOf(tree: Tree): number {
  switch (tree.kind) {
    case "one":
    case "place":
      return 1;
    case "sequence":
    case "choice":
      return tree.parts.reduce((sum, part) => sum + sizeOf(part), 1);
    case "repeat":
      return sizeOf(tree.of) * Math.max(1, tree.most ?? tree.least + 1) + 1;
    case "group":
    case "look":
      return sizeOf(tree.of) + 1;
  }
}

/** The groups that hold a text wherever the tree matches. */
function alwaysSet(tree: Tree): ReadonlySet<number> {
  switch (tree.kind) {
    case "one":
    case "place":
    case "look":
      return new Set();
    case "sequence":
      return new Set(tree.parts.flatMap((part) => [...alwaysSet(part)]));
    case "choice": {
      const [first = new Set<number>(), ...others] = tree.parts.map(alwaysSet);
      return new Set([...first].filter((group) => others.every((other) => other.has(group))));
    }
    case "repeat":
      return tree.least > 0 ? alwaysSet(tree.of) : new Set();
    case "group":
      return new Set([tree.index, ...alwaysSet(tree.of)]);
  }
}

/** Returns true if it can match the empty text; in doubt, it can. */
export function mayBeEmpty(tree: Tree): boolean {
  switch (tree.kind) {
    case "one":
      return false;
    case "place":
    case "look":
      return true;
    case "sequence":
      return tree.parts.every(mayBeEmpty);
    case "choice":
      return tree.parts.some(mayBeEmpty);
    case "repeat":
      return tree.least === 0 || mayBeEmpty(tree.of);
    case "group":
      return mayBeEmpty(tree.of);
  }
}
