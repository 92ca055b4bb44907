/**
 * Validates scripts for the port. A solver continues after a mistake, reads text up to a zero byte, and waits for the
 * end of an unclosed expression: each would answer another question.
 */
import type { Script } from "./port.ts";
import { readSexprs } from "./sexpr.ts";

const commands: ReadonlySet<string> = new Set([
  "set-logic",
  "set-info",
  "declare-const",
  "declare-fun",
  "declare-sort",
  "declare-datatype",
  "declare-datatypes",
  "define-const",
  "define-fun",
  "define-fun-rec",
  "define-funs-rec",
  "define-sort",
  "assert",
]);

/** Returns the defect of the script, or undefined. */
export function problemOf(script: Script): string | undefined {
  const heads = headsOf(script.text);
  if (typeof heads === "string") return heads;
  const foreign = heads.find((head) => !commands.has(head));
  if (foreign !== undefined) return `the script has the command \`${foreign}\``;
  const names = new Set<string>();
  for (const { name, term } of script.values) {
    if (names.has(name)) return `\`${name}\` is asked for twice`;
    names.add(name);
    const asked = term ?? name;
    if (!isPlain(asked) || readSexprs(asked)?.length !== 1) return `\`${asked}\` is not one term`;
  }
  return undefined;
}

/** Returns true if the script sets its own logic. */
export function setsLogic(script: Script): boolean {
  const heads = headsOf(script.text);
  return typeof heads !== "string" && heads.includes("set-logic");
}

const bracket = /[()";|]/g;
const head = /\(\s*([^\s()";|]+)/y;

/** The names of the commands, or why it has none. Looks at brackets only: scripts can be long. */
function headsOf(text: string): readonly string[] | string {
  if (!isPlain(text)) return "the script has a character that is not printable ASCII";
  const heads: string[] = [];
  let depth = 0;
  let end = 0;
  for (let at = nextBracket(text, 0); at >= 0; at = nextBracket(text, end)) {
    const between = depth > 0 || isBlank(text, end, at);
    end = at + 1;
    switch (text[at]) {
      case "(":
        if (!between) return stray;
        if (depth++ === 0) heads.push(headAt(text, at));
        break;
      case ")":
        if (depth-- === 0) return "the script closes a bracket that it has not opened";
        break;
      case ";":
        if (!between) return stray;
        end = after(text, "\n", end) ?? text.length;
        break;
      default: {
        if (depth === 0) return stray;
        // A doubled quote inside a string is read as the end of one string and the beginning of the next.
        const close = after(text, text[at] ?? "", end);
        if (close === undefined) return "the script ends within a string or a symbol";
        end = close;
      }
    }
  }
  if (depth > 0) return "the script ends within a command";
  return isBlank(text, end, text.length) ? heads : stray;
}

const stray = "the script has text outside its commands";

function nextBracket(text: string, from: number): number {
  bracket.lastIndex = from;
  return bracket.exec(text)?.index ?? -1;
}

function headAt(text: string, at: number): string {
  head.lastIndex = at;
  return head.exec(text)?.[1] ?? "";
}

function after(text: string, what: string, from: number): number | undefined {
  const at = text.indexOf(what, from);
  return at < 0 ? undefined : at + what.length;
}

function isBlank(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === "";
}

function isPlain(text: string): boolean {
  return !/[^\t\n\r -~]/.test(text);
}
