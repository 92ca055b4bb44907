/**
 * Text to tokens, one at a time, on demand. Takes time linear in the text, never throws: what is no token is
 * reported and becomes a token that fits nowhere, or the nearest one that makes sense.
 * Part of what must be trusted.
 */
import type { Code } from "../diagnostic.ts";
import { codeText } from "../json/not-json.ts";
import { quoted } from "../json/quoted.ts";
import type { Limits } from "../limits.ts";
import { signs } from "./syntax.ts";

export type TokenKind = "word" | "quoted" | "string" | "number" | "sign" | "bad" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The word, the sign or the digits; of a string and a quoted name what it stands for. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** True for the first token of a line. */
  readonly first: boolean;
}

export type Report = (code: Code, start: number, end: number, message: string, help?: string) => void;

export class Lexer {
  readonly #text: string;
  readonly #limits: Limits;
  readonly #report: Report;
  #at = 0;

  constructor(text: string, limits: Limits, report: Report) {
    this.#text = text;
    this.#limits = limits;
    this.#report = report;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  /** From here on there is nothing but the end. */
  stop(): void {
    this.#at = this.#text.length;
  }

  next(): Token {
    const first = this.#skipBlanks();
    const start = this.#at;
    const code = this.#text.charCodeAt(start);
    if (Number.isNaN(code)) return { kind: "end", text: "", start, end: start, first };
    if (isWordStart(code)) return this.#word(start, first);
    if (isDigit(code)) return this.#number(start, first);
    if (code === quote) return this.#delimited("string", quote, first);
    if (code === backquote) return this.#delimited("quoted", backquote, first);
    const char = this.#text.charAt(start);
    for (const sign of signs.get(char) ?? []) {
      if (this.#text.startsWith(sign, start) && !this.#text.startsWith("/*", start)) {
        this.#at = start + sign.length;
        return { kind: "sign", text: sign, start, end: this.#at, first };
      }
    }
    return this.#bad(start, first);
  }

  /** Goes past blanks and comments; true if a line ended among them, or the text starts here. */
  #skipBlanks(): boolean {
    let first = this.#at === 0;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x20 || code === 0x09) this.#at++;
      else if (isLineEnd(code)) {
        first = true;
        this.#at++;
      } else if (code === slash && this.#text.charCodeAt(this.#at + 1) === slash) this.#skipLine();
      else return first;
    }
  }

  #skipLine(): void {
    while (this.#at < this.#text.length && !isLineEnd(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  /** Up to the closing mark or the end of the line, so that a string in the wrong marks is one problem. */
  #skipSingleQuoted(): void {
    while (this.#at < this.#text.length && !isLineEnd(this.#text.charCodeAt(this.#at))) {
      if (this.#text.charAt(this.#at++) === "'") return;
    }
  }

  #word(start: number, first: boolean): Token {
    this.#skipWord();
    const text = this.#text.slice(start, this.#at);
    this.#checkName(text, start);
    return { kind: "word", text, start, end: this.#at, first };
  }

  #skipWord(): void {
    while (isWordPart(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #skipDigits(): void {
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #number(start: number, first: boolean): Token {
    this.#skipDigits();
    const whole = this.#at - start;
    if (this.#text.charCodeAt(this.#at) === dot && isDigit(this.#text.charCodeAt(this.#at + 1))) {
      this.#at++;
      this.#skipDigits();
    }
    const digitsEnd = this.#at;
    this.#skipWord();
    const text = this.#text.slice(start, this.#at);
    const end = this.#at;
    if (end > digitsEnd) {
      const help = /^[eE]/.test(this.#text.slice(digitsEnd, digitsEnd + 1))
        ? "write the number out, without an exponent"
        : "write it with digits and at most one `.`, as `1000` or `0.25`";
      this.#report("FC1004", start, end, `${quoted(text)} is not a number`, help);
      return { kind: "number", text: "0", start, end, first };
    }
    if (whole > 1 && text.startsWith("0")) {
      this.#report("FC1004", start, end, `${quoted(text)} starts with a zero`, "remove the leading zeros");
      return { kind: "number", text: "0", start, end, first };
    }
    return { kind: "number", text, start, end, first };
  }

  #delimited(kind: "string" | "quoted", delimiter: number, first: boolean): Token {
    const start = this.#at++;
    const chunks: string[] = [];
    for (;;) {
      const from = this.#at;
      while (isPlain(this.#text.charCodeAt(this.#at), delimiter)) this.#at++;
      if (this.#at > from) chunks.push(this.#text.slice(from, this.#at));
      const code = this.#text.charCodeAt(this.#at);
      if (code === delimiter) {
        this.#at++;
        break;
      }
      if (code === backslash) chunks.push(this.#escape(delimiter));
      else if (Number.isNaN(code) || isLineEnd(code)) {
        this.#reportNoEnd(kind, start);
        break;
      } else this.#reportControl(code);
    }
    const text = chunks.length === 1 ? (chunks[0] ?? "") : chunks.join("");
    if (kind === "quoted") this.#checkName(text, start);
    else this.#checkString(text, start);
    return { kind, text, start, end: this.#at, first };
  }

  /** Goes past an escape and gives what it stands for. */
  #escape(delimiter: number): string {
    const start = this.#at;
    const letter = this.#text.charAt(start + 1);
    this.#at += 2;
    const plain = escapes.get(letter);
    if (plain !== undefined) return plain;
    if (letter === "`" && delimiter === backquote) return letter;
    if (letter === "u") {
      const digits = this.#text.slice(start + 2, start + 6);
      if (/^[0-9A-Fa-f]{4}$/.test(digits)) {
        this.#at += 4;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
      const help = "write the four hexadecimal digits of a UTF-16 code unit, as in `\\u00e9`";
      this.#report("FC1003", start, this.#at, "`\\u` is not followed by four hexadecimal digits", help);
      return "";
    }
    if (letter === "" || isLineEnd(letter.charCodeAt(0))) {
      // The missing end is the problem.
      this.#at = start + 1;
      return "";
    }
    // Half of a pair would be left over.
    if ((this.#text.codePointAt(start + 1) ?? 0) > 0xffff) this.#at++;
    const help = 'only `\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\uXXXX` are escapes';
    this.#report(
      "FC1003",
      start,
      this.#at,
      `${quoted(this.#text.slice(start, this.#at))} is not an escape`,
      help,
    );
    return "";
  }

  #reportNoEnd(kind: "string" | "quoted", start: number): void {
    const [what, mark] = kind === "string" ? ["string", '"'] : ["quoted name", "\\`"];
    const help = `close it with \`${mark}\` on the same line; a line end in it is written \`\\n\``;
    this.#report("FC1002", start, this.#at, `the ${what} has no end`, help);
  }

  #reportControl(code: number): void {
    const written = [...escapes].find(([, char]) => char.charCodeAt(0) === code)?.[0];
    const help = `write \`\\${written ?? `u${code.toString(16).padStart(4, "0")}`}\``;
    const message = `the control character ${codeText(code)} must be escaped in a string or name`;
    this.#at++;
    this.#report("FC1001", this.#at - 1, this.#at, message, help);
  }

  #checkName(name: string, start: number): void {
    const most = this.#limits.nameLength;
    if (name.length <= most) return;
    this.#report("FC1408", start, this.#at, `the name ${quoted(name)} is longer than ${most} code units`);
  }

  #checkString(value: string, start: number): void {
    const most = this.#limits.stringLength;
    if (value.length <= most) return;
    this.#report("FC1404", start, this.#at, `the string is longer than ${most} code units`);
  }

  #bad(start: number, first: boolean): Token {
    const code = this.#text.codePointAt(start) ?? 0;
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    if (char === "'") this.#skipSingleQuoted();
    else if (char === "#" || char === "/") this.#skipLine();
    // `&&` and the like are one problem.
    else if (char.length === 1) while (this.#text.charCodeAt(this.#at) === code) this.#at++;
    const text = this.#text.slice(start, this.#at);
    const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(text);
    const help = advice(text);
    this.#report("FC1001", start, this.#at, `unexpected ${visible ? quoted(text) : codeText(code)}`, help);
    return { kind: "bad", text, start, end: this.#at, first };
  }
}

const quote = 0x22;
const backquote = 0x60;
const backslash = 0x5c;
const slash = 0x2f;
const dot = 0x2e;

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Guesses the intended token, for help texts. */
function advice(text: string): string | undefined {
  switch (text.charAt(0)) {
    case "&":
      return "write `and`";
    case "|":
      return "write `or`";
    case "!":
      return "write `not`";
    case "%":
      return "write `remainder(a, b)`";
    case "'":
      return 'write strings as `"…"`';
    case ";":
      return "remove it; a command ends where the next one starts";
    case "#":
    case "/":
      return "write comments as `// …`";
    default:
      return /[\p{L}\p{Zs}\p{Cf}]/u.test(text)
        ? "write names with other characters than `A-Z a-z 0-9 _ $` in backquotes, and blanks as plain spaces"
        : undefined;
  }
}

function isWordStart(code: number): boolean {
  // A letter, `_` or `$`.
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code);
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/** A character that stands for itself in a string or quoted name; not the end of the text. */
function isPlain(code: number, delimiter: number): boolean {
  return code >= 0x20 && code !== delimiter && code !== backslash;
}
