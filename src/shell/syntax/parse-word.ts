/** Parser of words: quotes, parameters, substitutions, arithmetic. */

import { type Cursor, expect, fail, looksAt, nested, peek } from "./cursor.ts";
import { parseNested, parseSeparately } from "./parse.ts";
import type { Part, Word } from "./tree.ts";

const META = new Set(["", " ", "\t", "\n", "|", "&", ";", "(", ")", "<", ">"]);
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;

export function startsWord(at: Cursor): boolean {
  if (looksAt(at, "<(") || looksAt(at, ">(")) return true;
  return !META.has(peek(at));
}

/** One word up to the next blank or operator. */
export function parseWord(at: Cursor): Word {
  return readParts(at, (char) => META.has(char), false);
}

/** Parts up to a closing character, which is left; quotes inside are followed. */
function readParts(at: Cursor, ends: (char: string) => boolean, inBraces: boolean): Word {
  const parts: Part[] = [];
  while (true) {
    const char = peek(at);
    if ((looksAt(at, "<(") || looksAt(at, ">(")) && !inBraces) {
      at.at += 2;
      parts.push({ kind: "process", body: parseNested(at, ")") });
      continue;
    }
    if (char === "" || ends(char)) return parts;
    parts.push(...readPart(at, char));
  }
}

function readPart(at: Cursor, char: string): readonly Part[] {
  switch (char) {
    case "\\":
      return escaped(at);
    case "'":
      return [{ kind: "text", text: singleQuoted(at), quoted: true }];
    case '"':
      return doubleQuoted(at);
    case "$":
      return dollar(at, false);
    case "`":
      return [backticks(at, false)];
    default:
      at.at += 1;
      return [{ kind: "text", text: char, quoted: false }];
  }
}

function escaped(at: Cursor): readonly Part[] {
  const next = peek(at, 1);
  if (next === "") return fail("a backslash at the end");
  at.at += 2;
  return next === "\n" ? [] : [{ kind: "text", text: next, quoted: true }];
}

function singleQuoted(at: Cursor): string {
  const end = at.text.indexOf("'", at.at + 1);
  if (end < 0) fail("a single quote is not closed");
  const text = at.text.slice(at.at + 1, end);
  at.at = end + 1;
  return text;
}

function doubleQuoted(at: Cursor): readonly Part[] {
  expect(at, '"');
  const parts: Part[] = [{ kind: "text", text: "", quoted: true }]; // "" is an argument, too
  while (peek(at) !== '"') {
    if (peek(at) === "") fail("a double quote is not closed");
    parts.push(...quotedPart(at, '$`"\\\n'));
  }
  expect(at, '"');
  return parts;
}

/** A part inside double quotes or an unquoted here-document; a backslash escapes only these characters. */
function quotedPart(at: Cursor, escapable: string): readonly Part[] {
  const char = peek(at);
  if (char === "$") return dollar(at, true);
  if (char === "`") return [backticks(at, true)];
  if (char === "\\" && peek(at, 1) !== "" && escapable.includes(peek(at, 1))) {
    const next = peek(at, 1);
    at.at += 2;
    return next === "\n" ? [] : [{ kind: "text", text: next, quoted: true }];
  }
  at.at += 1;
  return [{ kind: "text", text: char, quoted: true }];
}

/** The body of a here-document whose delimiter is not quoted. */
export function parseHereDocument(at: Cursor): Word {
  const parts: Part[] = [];
  while (peek(at) !== "") parts.push(...quotedPart(at, "$`\\\n"));
  return parts;
}

function dollar(at: Cursor, quoted: boolean): readonly Part[] {
  const next = peek(at, 1);
  if (looksAt(at, "$((")) {
    const arithmetic = tryArithmetic(at, quoted);
    if (arithmetic !== undefined) return [arithmetic];
  }
  if (next === "(") {
    at.at += 2;
    return [{ kind: "command", body: parseNested(at, ")"), quoted }];
  }
  if (next === "[") return fail("`$[…]` is an obsolete form of arithmetic");
  if (next === "{") return braces(at, quoted);
  if (next === "'" && !quoted) return [{ kind: "text", text: ansiQuoted(at), quoted: true }];
  if (next === '"' && !quoted) {
    at.at += 1;
    return doubleQuoted(at);
  }
  const name = nameAt(at, 1);
  if (name !== undefined) {
    at.at += 1 + name.length;
    return [parameter(name, quoted)];
  }
  at.at += 1;
  return [{ kind: "text", text: "$", quoted: true }];
}

function parameter(name: string, quoted: boolean): Part {
  return { kind: "parameter", name, operator: "", argument: undefined, subscript: undefined, quoted };
}

function nameAt(at: Cursor, ahead: number): string | undefined {
  NAME.lastIndex = at.at + ahead;
  const name = NAME.exec(at.text)?.[0];
  if (name !== undefined) return name;
  return /[0-9@*#?$!-]/.test(peek(at, ahead)) ? peek(at, ahead) : undefined;
}

function braces(at: Cursor, quoted: boolean): readonly Part[] {
  at.at += 2;
  return nested(at, () => {
    const prefix =
      /[#!]/.test(peek(at)) && peek(at, 1) !== "}" && !/[:%#/^,@-]/.test(peek(at, 1)) ? peek(at) : "";
    at.at += prefix.length;
    const name = longNameAt(at);
    if (name === undefined) return fail("an expansion in braces without a name");
    at.at += name.length;
    let subscript: Word | undefined;
    if (peek(at) === "[") {
      at.at += 1;
      subscript = readParts(at, (char) => char === "]", true);
      expect(at, "]");
    }
    const operator =
      /^(:?[-=?+]|%%?|##?|\/[/#%]?|\^\^?|,,?|@|:|\*)/.exec(at.text.slice(at.at, at.at + 2))?.[0] ?? "";
    at.at += operator.length;
    const argument = inBraces(at, quoted);
    expect(at, "}");
    if (operator === "" && argument.length > 0)
      return fail("an expansion in braces with an unknown operator");
    return [{ kind: "parameter", name, operator: prefix + operator, argument, subscript, quoted }];
  });
}

function inBraces(at: Cursor, quoted: boolean): Word {
  if (!quoted) return readParts(at, (char) => char === "}", true);
  const parts: Part[] = [];
  while (peek(at) !== "}") {
    if (peek(at) === "") return fail("an expansion in braces is not closed");
    parts.push(...(peek(at) === '"' ? doubleQuoted(at) : quotedPart(at, '$`"\\\n}')));
  }
  return parts;
}

function longNameAt(at: Cursor): string | undefined {
  const digits = /^[0-9]+/.exec(at.text.slice(at.at, at.at + 8))?.[0];
  return digits ?? nameAt(at, 0);
}

/** `$((…))`; undefined if the text is a command substitution that begins with a subshell. */
function tryArithmetic(at: Cursor, quoted: boolean): Part | undefined {
  const start = at.at;
  at.at += 3;
  const body = arithmeticBody(at);
  if (body !== undefined) return { kind: "arithmetic", body, quoted };
  at.at = start;
  return undefined;
}

/** The text up to `))`, with its substitutions; undefined if it does not end so. */
export function arithmeticBody(at: Cursor): Word | undefined {
  const parts: Part[] = [];
  let open = 0;
  return nested(at, () => {
    while (true) {
      const char = peek(at);
      if (char === "") return undefined;
      if (char === ")" && open === 0) {
        if (peek(at, 1) !== ")") return undefined;
        at.at += 2;
        return parts;
      }
      if (char === "(") open += 1;
      if (char === ")") open -= 1;
      if (char === "'") return fail("a quote in arithmetic");
      parts.push(...(char === '"' ? doubleQuoted(at) : quotedPart(at, '$`"\\\n')));
    }
  });
}

function backticks(at: Cursor, quoted: boolean): Part {
  let end = at.at + 1;
  let body = "";
  while (at.text[end] !== "`") {
    const char = at.text[end];
    if (char === undefined) return fail("a backtick is not closed");
    const next = at.text[end + 1] ?? "";
    const drops =
      char === "\\" && (next === "`" || next === "\\" || next === "$" || (quoted && next === '"'));
    body += drops ? next : char;
    end += drops ? 2 : 1;
  }
  at.at = end + 1;
  return { kind: "command", body: nested(at, () => parseSeparately(body, at.depth)), quoted };
}

const ANSI: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/** `$'…'` with its escapes resolved. */
function ansiQuoted(at: Cursor): string {
  at.at += 2;
  let text = "";
  while (peek(at) !== "'") {
    if (peek(at) === "") return fail("a quote is not closed");
    if (peek(at) !== "\\") {
      text += peek(at);
      at.at += 1;
      continue;
    }
    const rest = at.text.slice(at.at + 1, at.at + 10);
    const coded = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/.exec(rest);
    if (coded !== null) {
      const code = Number.parseInt(
        coded[1] ?? coded[2] ?? coded[3] ?? coded[4] ?? "",
        coded[4] === undefined ? 16 : 8,
      );
      if (code === 0 || code > 0x10ffff) return fail("a character that no command holds");
      text += String.fromCodePoint(code);
      at.at += 1 + coded[0].length;
      continue;
    }
    const plain = ANSI[rest[0] ?? ""];
    if (plain === undefined) return fail("an unknown escape in `$'…'`");
    text += plain;
    at.at += 2;
  }
  at.at += 1;
  return text;
}
