/** Reader of awk programs: finds what starts commands, opens files or reads the environment. */

import { type Reason, reason } from "../reason.ts";
import { literal } from "../values/argument.ts";
import type { Place } from "../values/folder.ts";
import { judgePath } from "../values/paths.ts";

interface Token {
  readonly kind: "word" | "string" | "regex" | "number" | "operator";
  readonly text: string;
}

const TOKEN =
  /\s*(?:#[^\n]*)?(?:(\n)|("(?:[^"\\\n]|\\[\s\S])*")|([A-Za-z_]\w*)|(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|(\|\||\||&&|>>|>=|<=|==|!=|\+\+|--|\|&|[-+*/%^<>=!?:;,.{}()[\]~$@&]))/y;

/** Reasons against an awk program. */
export function judgeAwk(
  source: string,
  from: Place,
  script: (text: string) => readonly Reason[],
): readonly Reason[] {
  const tokens = tokenize(source);
  if (tokens === undefined) return reason("inline-code", "an awk program is not understood");
  const piped = pipedTo(tokens);
  const rest = tokens.filter((_, at) => !piped.some((each) => each.at === at));
  return [
    ...callReasons(rest),
    ...redirectReasons(tokens, from),
    ...piped.flatMap(({ text }) => script(text)),
  ];
}

/** Constant commands that `print … | "…"` writes to; they are judged like any other. */
function pipedTo(tokens: readonly Token[]): readonly { readonly at: number; readonly text: string }[] {
  return tokens.flatMap((token, at) => {
    const [command, end] = [tokens[at + 1], tokens[at + 2]];
    const constant =
      command?.kind === "string" &&
      !command.text.includes("\\") &&
      (end === undefined || [";", "}"].includes(end.text));
    return token.kind === "operator" && token.text === "|" && constant ? [{ at, text: command.text }] : [];
  });
}

function tokenize(source: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  const text = source.replaceAll("\\\n", " ");
  while (/\S/.test(text.slice(at))) {
    const slash = /\s*\//y;
    slash.lastIndex = at;
    if (slash.test(text) && regexMayStart(tokens.at(-1))) {
      const regex = /\s*\/(?:[^/\\\n[]|\\.|\[(?:\\.|[^\]\\\n])*\])*\//y;
      regex.lastIndex = at;
      const match = regex.exec(text);
      if (match === null) return undefined;
      tokens.push({ kind: "regex", text: match[0] });
      at = regex.lastIndex;
      continue;
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return /^\s*#[^\n]*$/.test(text.slice(at)) ? tokens : undefined;
    at = TOKEN.lastIndex;
    const [, line, string, word, number, operator] = match;
    if (line !== undefined) tokens.push({ kind: "operator", text: ";" });
    else if (string !== undefined) tokens.push({ kind: "string", text: string.slice(1, -1) });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else tokens.push({ kind: "operator", text: operator ?? "" });
  }
  return tokens;
}

const BEFORE_REGEX = new Set(["return", "print", "in", "case", "else", "do", "printf"]);

function regexMayStart(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === "word") return BEFORE_REGEX.has(before.text);
  return before.kind === "operator" && ![")", "]", "++", "--", "$"].includes(before.text);
}

const REFUSED = new Set([
  "system",
  "getline",
  "ENVIRON",
  "PROCINFO",
  "fflush",
  "SYMTAB",
  "FUNCTAB",
  "extension",
]);

function callReasons(tokens: readonly Token[]): readonly Reason[] {
  const found = tokens.find(({ kind, text }) => kind === "word" && REFUSED.has(text));
  if (found !== undefined) return reason("inline-code", `an awk program uses \`${found.text}\``);
  if (
    tokens.some(
      ({ kind, text }) =>
        kind === "operator" && (text === "@" || text === "|" || text === "|&" || text === "&"),
    )
  ) {
    return reason("inline-code", "an awk program starts a command or loads an extension");
  }
  const forever = tokens.some(
    ({ text }, at) => text === "while" && tokens[at + 1]?.text === "(" && tokens[at + 2]?.kind === "number",
  );
  return forever ? reason("unbounded", "an awk program never ends") : [];
}

/** `>` after `print` outside parentheses writes a file; elsewhere it compares. */
function redirectReasons(tokens: readonly Token[], from: Place): readonly Reason[] {
  const reasons: Reason[] = [];
  let printing = false;
  let depth = 0;
  tokens.forEach(({ kind, text }, at) => {
    if (kind === "word" && (text === "print" || text === "printf")) {
      printing = true;
      depth = 0;
    } else if (kind === "operator") {
      if (text === "(") depth += 1;
      else if (text === ")") depth -= 1;
      else if (text === ";" || text === "}" || text === "{") printing = false;
      else if ((text === ">" || text === ">>") && printing && depth <= 0) {
        const target = tokens[at + 1];
        const ends = tokens[at + 2];
        const known = target?.kind === "string" && (ends === undefined || [";", "}"].includes(ends.text));
        if (known) reasons.push(...judgePath(literal(target.text), "write", from));
        else
          reasons.push({
            code: "unknown-target",
            message: "an awk program computes the file that it writes",
          });
      }
    }
  });
  return reasons;
}
