/**
 * The state of reading a text: the token at hand, the problems so far, spans and limits.
 *
 * Errors do not throw. `fail` reports a problem and puts the parser at a loss: until `recover` is called, the token
 * at hand is one that fits nowhere, so whatever is being read comes to its end without taking anything, and no
 * further problem is reported. Loops therefore go on only while they see something they know.
 * Part of what must be trusted.
 */
import type { Code, Diagnostic, Span } from "../diagnostic.ts";
import { quoted } from "../json/quoted.ts";
import type { Limits } from "../limits.ts";
import type { SpanTable } from "../spans.ts";
import { Lexer, type Token } from "./lexer.ts";
import { CompactSpans, type Parts } from "./node-spans.ts";
import { printString } from "./print-name.ts";
import { reserved } from "./syntax.ts";

/** LIMIT: a text that is wrong everywhere need not be told so more often than this. */
const maxProblems = 100;

export class Reader {
  readonly #spans: SpanTable | undefined;
  readonly limits: Limits;
  readonly #problems: Diagnostic[] = [];
  readonly #lexer: Lexer;
  /** Tokens that were looked at before their turn. */
  readonly #ahead: Token[] = [];
  /** The token at which the parser is at a loss, if it is. */
  #held: Token | undefined;
  #stopped = false;
  #lastProblem = -1;
  #nodes = 0;
  #parentheses = 0;

  /** The token at hand. */
  token: Token;
  /** End of the last token that was taken. */
  end = 0;
  /** Nodes around the one that is being read. */
  depth = 0;
  /** The depth of the deepest node in the expression that is being read; see `wrap`. */
  deepest = 0;

  /** `spans`: a table to fill, if spans are wanted. */
  constructor(text: string, limits: Limits, spans?: SpanTable) {
    this.limits = limits;
    this.#spans = spans;
    this.#lexer = new Lexer(text, limits, (...problem) => this.report(...problem));
    this.token = this.#lexer.next();
  }

  /** In the order of the text. */
  problems(): Diagnostic[] {
    return this.#problems.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  }

  get problemCount(): number {
    return this.#problems.length;
  }

  // ── tokens ───────────────────────────────────────────────────────────────────────────────────────────

  /** Goes on to the next token and gives the one that was at hand. */
  take(): Token {
    const token = this.token;
    if (this.#held !== undefined) return token;
    this.end = token.end;
    this.token = this.#ahead.shift() ?? this.#lexer.next();
    return token;
  }

  /** The token `count` after the one at hand. */
  peek(count = 1): Token {
    if (this.#held !== undefined) return this.token;
    while (this.#ahead.length < count) this.#ahead.push(this.#lexer.next());
    return this.#ahead[count - 1] ?? this.token;
  }

  at(text: string): boolean {
    return isExactly(this.token, text);
  }

  /** Takes the word or sign if it is at hand. */
  skip(text: string): boolean {
    if (!this.at(text)) return false;
    this.take();
    return true;
  }

  /** Takes the word or sign that must stand here. `where` says what for: "to close the arguments". */
  expect(text: string, where: string, help?: string): boolean {
    if (this.skip(text)) return true;
    this.failExpected(`\`${text}\` ${where}`, help);
    return false;
  }

  /** Takes the `>` of a type, which may be the start of a longer sign. */
  expectAngle(where: string): void {
    const { kind, text, start, end, first } = this.token;
    if (kind !== "sign" || !text.startsWith(">") || text === ">") {
      this.expect(">", where);
      return;
    }
    this.end = start + 1;
    this.token = { kind, text: text.slice(1), start: start + 1, end, first };
  }

  /** A name of a variable and the like, or undefined if there is none. `what` says of what: "the variable". */
  name(what: string): Token | undefined {
    if (isName(this.token)) return this.take();
    this.failExpected(`a name for ${what}`, hintForName(this.token));
    return undefined;
  }

  /** A name where every word can be one: after a dot or before a colon. */
  label(what: string): Token | undefined {
    if (this.token.kind === "word" || this.token.kind === "quoted") return this.take();
    this.failExpected(`a name for ${what}`);
    return undefined;
  }

  /** The name of a field, parameter or argument, before its colon. */
  fieldName(what: string): Token | undefined {
    const { kind, text } = this.token;
    // A reserved word is one only with its colon; without, it more likely starts what comes after a missing bracket.
    if (kind === "word" && reserved.has(text) && ![":", "?"].some((sign) => isExactly(this.peek(), sign))) {
      this.failExpected(`a name for ${what}`);
      return undefined;
    }
    return this.label(what);
  }

  /** The dotted name of a tool, fluent or contract. */
  path(what: string): { readonly name: string; readonly span: Span } {
    const { start } = this.token;
    let name = this.name(what)?.text ?? "";
    const parts = [name];
    while (this.skip(".")) parts.push(this.label(`${what} after \`.\``)?.text ?? "");
    if (parts.length > 1) name = parts.join(".");
    const span = { start, end: this.end };
    const most = this.limits.nameLength;
    if (parts.length > 1 && name.length > most) {
      this.report("FC1408", start, this.end, `the name ${quoted(name)} is longer than ${most} code units`);
    }
    return { name, span };
  }

  string(what: string): Token | undefined {
    if (this.token.kind === "string") return this.take();
    this.failExpected(`${what} as a string`, 'write it in double quotes, as `"…"`');
    return undefined;
  }

  // ── problems ─────────────────────────────────────────────────────────────────────────────────────────

  /** Reports that the token at hand is not what must stand here. */
  failExpected(expected: string, help = hint(this.token)): void {
    this.fail("FC1005", `expected ${expected}, found ${describe(this.token)}`, help);
  }

  /** Reports a problem with the token at hand, which is left for `recover`. */
  fail(code: Code, message: string, help?: string): void {
    if (this.#held !== undefined) return;
    this.report(code, this.token.start, this.token.end, message, help);
    this.lose();
  }

  /** Leaves the token at hand for `recover`; the problem has been reported. */
  lose(): void {
    if (this.#held !== undefined) return;
    this.#held = this.token;
    this.token = { ...this.token, kind: "bad", text: "" };
  }

  /** Reports a problem that does not keep the parser from going on. */
  report(code: Code, start: number, end: number, message: string, help?: string): void {
    // One place, one problem: what follows from a problem is not one more.
    if (this.#stopped || start === this.#lastProblem) return;
    this.#lastProblem = start;
    const problem: Diagnostic = { code, message, path: [], span: { start, end } };
    this.#problems.push(help === undefined ? problem : { ...problem, help });
    if (this.#problems.length >= maxProblems) this.#stop();
  }

  /** Reports a problem after which the rest of the text is not read. */
  abandon(code: Code, start: number, end: number, message: string, help?: string): void {
    this.report(code, start, end, message, help);
    this.#stop();
  }

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#lexer?.stop();
    this.#ahead.length = 0;
    this.#held = undefined;
    const at = this.token?.end ?? 0;
    this.token = { kind: "end", text: "", start: at, end: at, first: true };
  }

  /** True while the parser recovers from an error. */
  get lost(): boolean {
    return this.#held !== undefined;
  }

  /**
   * If the parser is at a loss, goes on to the next token that `isKnown` says it can continue with, or the end; inside a
   * body also to the `}` that closes it. `nested` tells whether the token is inside braces that were passed.
   */
  recover(isKnown: (reader: Reader, nested: boolean) => boolean, inBody: boolean): void {
    if (this.#held === undefined) return;
    this.token = this.#held;
    this.#held = undefined;
    let braces = 0;
    let afterDot = false;
    while (this.token.kind !== "end" && (afterDot || !isKnown(this, braces > 0))) {
      if (this.at("{")) braces++;
      else if (this.at("}") && --braces < 0 && inBody) return;
      afterDot = this.at(".");
      this.take();
    }
  }

  // ── nodes ────────────────────────────────────────────────────────────────────────────────────────────

  /** Counts a node and remembers where it stands: from `start` to the last token taken. */
  add<T extends object>(node: T, start: number, parts?: Parts, end = this.end): T {
    const most = this.limits.nodes;
    if (++this.#nodes > most) {
      this.abandon("FC1403", start, end, `the document has more than ${most} parts`, smaller);
    }
    return this.mark(node, start, parts, end);
  }

  /** Remembers where something stands that does not count as a node. */
  mark<T extends object>(thing: T, start: number, parts?: Parts, end = this.end): T {
    // What is not there ends, at the earliest, where it would have started.
    this.#spans?.set(thing, new CompactSpans(start, Math.max(start, end), parts));
    return thing;
  }

  /** Reads what is inside a node. */
  inside<T>(read: (reader: Reader) => T): T {
    this.depth++;
    const inner = read(this);
    this.depth--;
    return inner;
  }

  /** Undoes `add`. */
  discard(node: object): void {
    this.#nodes--;
    this.#spans?.delete(node);
  }

  /** Must be asked before each node; false if it would be too deep, and then the rest of the text is not read. */
  mayDescend(): boolean {
    const level = this.depth + 1;
    if (level > this.deepest) this.deepest = level;
    if (level <= this.limits.depth) return true;
    this.#tooDeep();
    return false;
  }

  /**
   * Says that what was read is becoming an operand of a node around it, and so lies one level deeper than it was
   * when it was read.
   */
  wrap(): void {
    if (++this.deepest > this.limits.depth) this.#tooDeep();
  }

  /** Reads what is in parentheses; they nest no deeper than nodes do, since they cost the same to read. */
  parenthesised<T>(read: (reader: Reader) => T): T {
    if (++this.#parentheses > this.limits.depth) this.#tooDeep();
    const inner = read(this);
    this.#parentheses--;
    return inner;
  }

  #tooDeep(): void {
    const { start, end } = this.token;
    const message = `this is nested more than ${this.limits.depth} levels deep`;
    this.abandon("FC1402", start, end, message, "name parts of it with `let`");
  }
}

const smaller = "split it into smaller documents";

export function isName(token: Token): boolean {
  return token.kind === "quoted" || (token.kind === "word" && !reserved.has(token.text));
}

export function isExactly(token: Token, text: string): boolean {
  return token.text === text && (token.kind === "sign" || token.kind === "word");
}

/** A token as a message names it. */
function describe(token: Token): string {
  switch (token.kind) {
    case "end":
      return "the end of the text";
    case "string":
      return `the string ${quoted(printString(token.text.slice(0, 50)))}`;
    case "quoted":
      return `the quoted name ${quoted(token.text)}`;
    case "word":
      return reserved.has(token.text) ? `the reserved word ${quoted(token.text)}` : quoted(token.text);
    case "number":
    case "sign":
    case "bad":
      return quoted(token.text);
  }
}

/** Guesses the intended text, for help texts. */
function hint({ kind, text, first }: Token): string | undefined {
  // What starts a line is most likely right, and something before it is missing.
  if (first || (kind !== "sign" && kind !== "word")) return undefined;
  return hints.get(text);
}

/** The same where a name could have stood. */
export function hintForName(token: Token): string | undefined {
  const { kind, text, first } = token;
  if (first || kind !== "word" || !reserved.has(text)) return hint(token);
  return hints.get(text) ?? `\`${text}\` is a reserved word; where it is a name, write it in backquotes`;
}

const hints: ReadonlyMap<string, string> = new Map([
  ["=", "`==` compares; `=` only gives a value to a name in `let`, `carry`, `next`, `sets` and `fluent`"],
  ["=>", "an implication is written `a implies b`; a function is written `x => e`"],
  ["?", "a choice is written `if c then a else b`"],
  ["call", "a call is a command of its own: write `let x = call …` first and then use `x`"],
]);
