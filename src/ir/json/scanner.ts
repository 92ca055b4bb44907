/**
 * A position in a JSON text, and what can stand there without containing anything: words, strings, numbers.
 * A method that finds a problem notes it and returns `undefined`, which is no JSON value.
 * Part of what must be trusted.
 */
import type { Code, Diagnostic, Span } from "../diagnostic.ts";
import type { Limits } from "../limits.ts";
import { parseNum } from "../number.ts";
import { JsonNumber } from "./json.ts";
import { codeText, misfit, numberHelp, type Wanted, wordAt } from "./not-json.ts";
import { quoted } from "./quoted.ts";

export class Scanner {
  readonly problems: Diagnostic[] = [];
  /** From the root to what is being read: one step for each open object and array. */
  readonly path: (string | number)[] = [];
  at = 0;
  private readonly text: string;
  private readonly limits: Limits;

  constructor(text: string, limits: Limits) {
    this.text = text;
    this.limits = limits;
  }

  get char(): string | undefined {
    return this.text[this.at];
  }

  take(char: string): boolean {
    if (this.char !== char) return false;
    this.at++;
    return true;
  }

  skipSpace(): void {
    while (this.take(" ") || this.take("\n") || this.take("\r") || this.take("\t"));
  }

  word<T extends boolean | null>(word: string, value: T): T | undefined {
    const end = this.at + word.length;
    if (!this.text.startsWith(word, this.at) || wordAt(this.text, end) !== "") return this.misfit("a value");
    this.at = end;
    return value;
  }

  string(): string | undefined {
    const start = this.at++;
    let value = "";
    let from = this.at;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === quote) break;
      if (Number.isNaN(code)) return this.fail("FC1101", "a string has no end", this.since(start));
      if (code < space) return this.failControl(code);
      if (code !== backslash) this.at++;
      else {
        value += this.text.slice(from, this.at);
        const char = this.escape();
        if (char === undefined) return undefined;
        value += char;
        from = this.at;
      }
    }
    value += this.text.slice(from, this.at++);
    const most = this.limits.stringLength;
    if (value.length <= most) return value;
    return this.fail(
      "FC1404",
      `a string is ${value.length} characters long, more than ${most}`,
      this.since(start),
    );
  }

  number(): JsonNumber | undefined {
    const start = this.at;
    this.take("-");
    const wholeStart = this.at;
    if (!this.digits()) {
      this.at = start;
      return this.misfit("a value");
    }
    const leadingZero = this.text[wholeStart] === "0" && this.at > wholeStart + 1;
    const wellFormed = (!this.take(".") || this.digits()) && this.exponent();
    const rest = wordAt(this.text, this.at);
    const text = this.text.slice(start, this.at);
    if (leadingZero || !wellFormed || rest !== "") {
      this.at += rest.length;
      const cannot = leadingZero ? "start with a zero, as in" : "be written";
      return this.fail(
        "FC1101",
        `a number cannot ${cannot} ${quoted(text + rest)}`,
        this.since(start),
        numberHelp,
      );
    }
    const bits = this.limits.numberBits;
    // LIMIT: a text with more characters than the number may have bits is not even looked at; signs come on top.
    const value = text.length > bits + 16 ? undefined : parseNum(text, bits);
    if (value !== undefined) return new JsonNumber(value, text);
    return this.fail("FC1406", `number ${quoted(text)} needs more than ${bits} bits`, this.since(start));
  }

  /** Says what stands here instead of what is wanted. */
  misfit(wanted: Wanted): undefined {
    const { message, length, help } = misfit(this.text, this.at, wanted);
    return this.fail("FC1101", message, { start: this.at, end: this.at + length }, help);
  }

  fail(code: Code, message: string, span: Span, help?: string): undefined {
    const problem = { code, message, path: [...this.path], span };
    this.problems.push(help === undefined ? problem : { ...problem, help });
  }

  since(start: number): Span {
    return { start, end: this.at };
  }

  /** Half a surrogate pair is kept as it is: our strings are sequences of code units. */
  private escape(): string | undefined {
    const start = this.at;
    const letter = this.text.charAt(start + 1);
    this.at += 1 + letter.length;
    if (letter === "u") {
      const digits = this.text.slice(this.at, this.at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
        return this.fail("FC1101", "`\\u` is not followed by four hexadecimal digits", this.since(start));
      }
      this.at += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    return (
      escapes.get(letter) ??
      this.fail("FC1101", `${quoted(`\\${letter}`)} is not an escape`, this.since(start), escapeHelp)
    );
  }

  private failControl(code: number): undefined {
    const written = JSON.stringify(String.fromCharCode(code)).slice(1, -1);
    const span = { start: this.at, end: this.at + 1 };
    const message = `a string has the control character ${codeText(code)} in it`;
    return this.fail("FC1101", message, span, `write it as \`${written}\``);
  }

  private exponent(): boolean {
    if (!this.take("e") && !this.take("E")) return true;
    if (!this.take("-")) this.take("+");
    return this.digits();
  }

  private digits(): boolean {
    const start = this.at;
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
    return this.at > start;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

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

const escapeHelp =
  'the escapes are `\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\u` with four digits';
