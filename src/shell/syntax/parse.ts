/** Parser of the bash grammar. Fails on everything that it does not know, so that nothing unparsed passes. */

import {
  type Cursor,
  cursor,
  expect,
  fail,
  looksAt,
  nested,
  type Pending,
  peek,
  SyntaxFault,
} from "./cursor.ts";
import { arithmeticBody, parseHereDocument, parseWord, startsWord } from "./parse-word.ts";
import type { Assignment, Command, Redirect, Word } from "./tree.ts";

export type Parsed =
  | { readonly ok: true; readonly script: Command }
  | { readonly ok: false; readonly problem: string };

/** Parses a whole script. */
export function parseScript(text: string): Parsed {
  try {
    return { ok: true, script: parseSeparately(text, 0) };
  } catch (error) {
    if (error instanceof SyntaxFault) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Parses text of its own, such as that between backticks. */
export function parseSeparately(text: string, depth: number): Command {
  const at = cursor(text);
  at.depth = depth;
  const script = parseList(at, []);
  if (at.at < text.length) fail(`\`${peek(at)}\` is not expected here`);
  if (at.pending.length > 0) fail("a here-document has no body");
  return script;
}

/** Parses the commands of a substitution and its closing parenthesis. */
export function parseNested(at: Cursor, close: string): Command {
  return nested(at, () => {
    const outer = at.pending;
    at.pending = [];
    const body = parseList(at, []);
    if (at.pending.length > 0) fail("a here-document has no body");
    at.pending = outer;
    expect(at, close);
    return body;
  });
}

const RESERVED = new Set(
  "if|then|elif|else|fi|for|in|while|until|do|done|case|esac|select|function|time|coproc|{|}|!|[[|]]".split(
    "|",
  ),
);

/** Commands up to one of these reserved words, a closing parenthesis, `;;` or the end. */
function parseList(at: Cursor, ends: readonly string[]): Command {
  const items: Command[] = [];
  let background = false;
  let conditional = false;
  skipLines(at);
  while (!listEnds(at, ends)) {
    items.push(parsePipeline(at));
    skipBlanks(at);
    if (looksAt(at, ";;") || looksAt(at, ";&")) break;
    if (looksAt(at, "&&") || looksAt(at, "||")) {
      at.at += 2;
      conditional = true;
      skipLines(at);
      if (listEnds(at, ends)) fail("a command is missing after `&&` or `||`");
      continue;
    }
    const separator = peek(at);
    if (separator === "&") background = true;
    if (separator === ";" || separator === "&") at.at += 1;
    else if (separator !== "\n") break;
    skipLines(at);
  }
  return { kind: "list", items, background, conditional };
}

function listEnds(at: Cursor, ends: readonly string[]): boolean {
  const char = peek(at);
  if (char === "" || char === ")" || looksAt(at, ";;") || looksAt(at, ";&")) return true;
  const word = reservedAt(at);
  return word !== undefined && ends.includes(word);
}

/** Skips blanks, joined lines and a comment. */
function skipBlanks(at: Cursor): void {
  while (true) {
    if (peek(at) === " " || peek(at) === "\t") at.at += 1;
    else if (looksAt(at, "\\\n")) at.at += 2;
    else break;
  }
  if (peek(at) !== "#") return;
  const before = at.text[at.at - 1];
  if (before !== undefined && !/[\s;&|()]/.test(before)) return;
  const end = at.text.indexOf("\n", at.at);
  at.at = end < 0 ? at.text.length : end;
}

function skipLines(at: Cursor): void {
  skipBlanks(at);
  while (peek(at) === "\n") {
    at.at += 1;
    readHereDocuments(at);
    skipBlanks(at);
  }
}

function readHereDocuments(at: Cursor): void {
  const pending = at.pending;
  at.pending = [];
  for (const document of pending) readHereDocument(at, document);
}

function readHereDocument(at: Cursor, { delimiter, literal, stripTabs, fill }: Pending): void {
  const lines: string[] = [];
  while (true) {
    if (at.at >= at.text.length) fail("a here-document is not closed");
    const end = at.text.indexOf("\n", at.at);
    const raw = at.text.slice(at.at, end < 0 ? at.text.length : end);
    const line = stripTabs ? raw.replace(/^\t+/, "") : raw;
    // The last line keeps its line end, so that a command after the document is separate from it.
    at.at = end < 0 ? at.text.length : end + 1;
    if (line === delimiter) break;
    lines.push(line);
  }
  const body = lines.map((line) => `${line}\n`).join("");
  if (literal) {
    fill([{ kind: "text", text: body, quoted: true }]);
    return;
  }
  const inner = cursor(body);
  inner.depth = at.depth;
  fill(nested(inner, () => parseHereDocument(inner)));
}

function parsePipeline(at: Cursor): Command {
  skipBlanks(at);
  while (true) {
    const word = reservedAt(at);
    if (word !== "!" && word !== "time") break;
    at.at += word.length;
    skipBlanks(at);
    if (word === "time" && /^-p(?=\s)/.test(at.text.slice(at.at, at.at + 3))) at.at += 2;
    skipBlanks(at);
  }
  const stages: Command[] = [];
  while (true) {
    stages.push(parseCommand(at));
    skipBlanks(at);
    if (!looksAt(at, "|") || looksAt(at, "||")) break;
    at.at += looksAt(at, "|&") ? 2 : 1;
    skipLines(at);
  }
  const [only] = stages;
  return stages.length === 1 && only !== undefined ? only : { kind: "pipeline", stages };
}

/** The reserved word here, if one stands here by itself. */
function reservedAt(at: Cursor): string | undefined {
  const word = /^(?:[a-z]+|\{|\}|!|\[\[|\]\])(?=$|[\s;&|()<>])/.exec(at.text.slice(at.at, at.at + 12))?.[0];
  return word !== undefined && RESERVED.has(word) ? word : undefined;
}

function take(at: Cursor, word: string): void {
  skipLines(at);
  if (reservedAt(at) !== word) fail(`\`${word}\` is missing`);
  at.at += word.length;
}

function parseCommand(at: Cursor): Command {
  return nested(at, () => {
    if (looksAt(at, "((")) return parseArithmetic(at);
    if (peek(at) === "(") {
      at.at += 1;
      const body = parseNested(at, ")");
      return { kind: "block", subshell: true, body, redirects: parseRedirects(at) };
    }
    const word = reservedAt(at);
    return word === undefined ? parseSimple(at) : parseCompound(at, word);
  });
}

function parseCompound(at: Cursor, word: string): Command {
  switch (word) {
    case "{": {
      at.at += 1;
      const body = parseList(at, ["}"]);
      take(at, "}");
      return { kind: "block", subshell: false, body, redirects: parseRedirects(at) };
    }
    case "if":
      return parseIf(at);
    case "while":
    case "until": {
      at.at += word.length;
      const test = parseList(at, ["do"]);
      const body = parseDo(at);
      return { kind: "while", until: word === "until", test, body, redirects: parseRedirects(at) };
    }
    case "for":
    case "select":
      return parseFor(at, word);
    case "case":
      return parseCase(at);
    case "function":
      return parseFunction(at);
    case "[[":
      return parseTest(at);
    default:
      return fail(`\`${word}\` is not expected here`);
  }
}

function parseArithmetic(at: Cursor): Command {
  at.at += 2;
  const body = arithmeticBody(at);
  if (body === undefined) return fail("`((` is not closed");
  return { kind: "arithmetic", body, redirects: parseRedirects(at) };
}

function parseIf(at: Cursor): Command {
  const parts: Command[] = [];
  at.at += 2;
  while (true) {
    parts.push(parseList(at, ["then"]));
    take(at, "then");
    parts.push(parseList(at, ["elif", "else", "fi"]));
    const word = reservedAt(at);
    if (word === "elif") {
      at.at += 4;
      continue;
    }
    if (word === "else") {
      at.at += 4;
      parts.push(parseList(at, ["fi"]));
    }
    take(at, "fi");
    return { kind: "if", parts, redirects: parseRedirects(at) };
  }
}

function parseDo(at: Cursor): Command {
  take(at, "do");
  const body = parseList(at, ["done"]);
  take(at, "done");
  return body;
}

function parseFor(at: Cursor, word: string): Command {
  at.at += word.length;
  skipBlanks(at);
  if (looksAt(at, "((")) return parseCount(at);
  const name = plainWord(at);
  if (!/^[A-Za-z_]\w*$/.test(name)) fail("`for` needs a name");
  skipLines(at);
  let words: Word[] | undefined;
  if (reservedAt(at) === "in") {
    at.at += 2;
    words = [];
    skipBlanks(at);
    while (startsWord(at)) {
      words.push(parseWord(at));
      skipBlanks(at);
    }
  }
  if (peek(at) === ";") at.at += 1;
  const body = parseDo(at);
  return { kind: "for", name, words, body, redirects: parseRedirects(at) };
}

function parseCount(at: Cursor): Command {
  at.at += 2;
  const header = arithmeticBody(at);
  if (header === undefined) return fail("`((` is not closed");
  skipBlanks(at);
  if (peek(at) === ";") at.at += 1;
  const body = parseDo(at);
  return { kind: "count", header: [header], body, redirects: parseRedirects(at) };
}

function parseCase(at: Cursor): Command {
  at.at += 4;
  skipBlanks(at);
  const subject = parseWord(at);
  take(at, "in");
  const patterns: Word[] = [];
  const bodies: Command[] = [];
  skipLines(at);
  while (reservedAt(at) !== "esac") {
    if (peek(at) === "(") at.at += 1;
    while (true) {
      skipBlanks(at);
      if (!startsWord(at)) fail("a pattern of `case` is missing");
      patterns.push(parseWord(at));
      skipBlanks(at);
      if (peek(at) !== "|") break;
      at.at += 1;
    }
    expect(at, ")");
    bodies.push(parseList(at, ["esac"]));
    if (looksAt(at, ";;&")) at.at += 3;
    else if (looksAt(at, ";;") || looksAt(at, ";&")) at.at += 2;
    else if (reservedAt(at) !== "esac") fail("`;;` is missing");
    skipLines(at);
  }
  at.at += 4;
  return { kind: "case", subject, patterns, bodies, redirects: parseRedirects(at) };
}

function parseFunction(at: Cursor): Command {
  at.at += "function".length;
  skipBlanks(at);
  const name = plainWord(at);
  skipBlanks(at);
  if (/^\(\s*\)/.test(at.text.slice(at.at, at.at + 10))) at.at = at.text.indexOf(")", at.at) + 1;
  return functionBody(at, name);
}

function functionBody(at: Cursor, name: string): Command {
  skipLines(at);
  const body = parseCommand(at);
  if (body.kind === "simple" || body.kind === "function") fail("the body of a function is no block");
  return { kind: "function", name, body };
}

/** A word without quotes or expansions. */
function plainWord(at: Cursor): string {
  return parseWord(at)
    .map((part) => (part.kind === "text" && !part.quoted ? part.text : fail("a name must be plain")))
    .join("");
}

/** `[[ … ]]`: its words; operators of the test are words as well. */
function parseTest(at: Cursor): Command {
  at.at += 2;
  const words: Word[] = [];
  while (true) {
    skipLines(at);
    if (reservedAt(at) === "]]") break;
    if (peek(at) === "") fail("`[[` is not closed");
    if (startsWord(at)) words.push(parseWord(at));
    else if (/[&|()<>]/.test(peek(at))) at.at += 1;
    else fail("`[[` holds something unknown");
  }
  at.at += 2;
  return { kind: "test", words, redirects: parseRedirects(at) };
}

function parseSimple(at: Cursor): Command {
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  while (true) {
    skipBlanks(at);
    const redirect = parseRedirect(at);
    if (redirect !== undefined) {
      redirects.push(redirect);
      continue;
    }
    const assignment = words.length === 0 ? parseAssignment(at) : undefined;
    if (assignment !== undefined) {
      assignments.push(assignment);
      continue;
    }
    if (!startsWord(at)) break;
    words.push(parseWord(at));
    if (words.length === 1 && assignments.length === 0 && redirects.length === 0) {
      const end = /^[ \t]*\(\s*\)/.exec(at.text.slice(at.at, at.at + 40))?.[0];
      if (end !== undefined) {
        const name = (words[0] ?? [])
          .map((part) => (part.kind === "text" ? part.text : fail("a function's name")))
          .join("");
        at.at += end.length;
        return functionBody(at, name);
      }
    }
    // `declare a=(…)` holds a list; other parentheses after a word are no bash.
    if (peek(at) === "(") fail("a parenthesis is not expected here");
  }
  if (assignments.length + words.length + redirects.length === 0) {
    fail(peek(at) === "" ? "a command is missing" : `\`${peek(at)}\` is not expected here`);
  }
  return { kind: "simple", assignments, words, redirects };
}

const ASSIGNMENT = /([A-Za-z_]\w*)(\[)?/y;

function parseAssignment(at: Cursor): Assignment | undefined {
  ASSIGNMENT.lastIndex = at.at;
  const match = ASSIGNMENT.exec(at.text);
  const name = match?.[1];
  if (match === null || name === undefined) return undefined;
  const start = at.at;
  at.at += match[0].length;
  let subscript: Word | undefined;
  if (match[2] !== undefined) {
    subscript = subscriptWord(at);
    if (subscript === undefined) {
      at.at = start;
      return undefined;
    }
  }
  if (looksAt(at, "+=")) at.at += 2;
  else if (looksAt(at, "=")) at.at += 1;
  else {
    at.at = start;
    return undefined;
  }
  if (peek(at) === "(") return { name, subscript, values: parseArray(at) };
  return { name, subscript, values: [startsWord(at) ? parseWord(at) : []] };
}

/** The subscript of `a[…]=`, or undefined if the bracket belongs to a pattern. */
function subscriptWord(at: Cursor): Word | undefined {
  const parts: Word[number][] = [];
  while (peek(at) !== "]") {
    if (peek(at) === "" || peek(at) === "\n") return undefined;
    const before = at.at;
    if (startsWord(at) && !/[A-Za-z0-9_+\-*/ ]/.test(peek(at))) {
      const rest = parseWord(at);
      parts.push(...rest);
      // The word swallowed the bracket; whatever it was, its expansions are kept and the rest is refused.
      if (rest.some((part) => part.kind !== "text")) fail("a subscript with an expansion");
      at.at = before + 1;
      continue;
    }
    parts.push({ kind: "text", text: peek(at), quoted: true });
    at.at += 1;
  }
  at.at += 1;
  return parts;
}

function parseArray(at: Cursor): readonly Word[] {
  at.at += 1;
  const words: Word[] = [];
  while (true) {
    skipLines(at);
    if (peek(at) === ")") break;
    if (!startsWord(at)) fail("a list is not closed");
    words.push(parseWord(at));
  }
  at.at += 1;
  return words;
}

function parseRedirects(at: Cursor): readonly Redirect[] {
  const redirects: Redirect[] = [];
  while (true) {
    skipBlanks(at);
    const redirect = parseRedirect(at);
    if (redirect === undefined) return redirects;
    redirects.push(redirect);
  }
}

const REDIRECT = /(?:[0-9]+|\{[A-Za-z_]\w*\})?(&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||<(?!\()|>(?!\())/y;

function parseRedirect(at: Cursor): Redirect | undefined {
  REDIRECT.lastIndex = at.at;
  const match = REDIRECT.exec(at.text);
  const operator = match?.[1];
  if (match === null || operator === undefined) return undefined;
  at.at += match[0].length;
  skipBlanks(at);
  if (!startsWord(at)) fail(`\`${operator}\` has no target`);
  const target = parseWord(at);
  if (operator !== "<<" && operator !== "<<-") return { operator, target };
  const document: { operator: string; target: Word } = { operator, target: [] };
  at.pending.push({
    delimiter: target
      .map((part) => (part.kind === "text" ? part.text : fail("a delimiter must be plain")))
      .join(""),
    literal: target.some((part) => part.kind === "text" && part.quoted),
    stripTabs: operator === "<<-",
    fill: (body) => {
      document.target = body;
    },
  });
  return document;
}
