/**
 * The words and signs of the text form: those of the grammar, and those of the operator table.
 * Part of what must be trusted.
 */
import { operators } from "../operators/index.ts";

export interface Infix {
  readonly name: string;
  readonly symbol: string;
  readonly precedence: number;
  readonly group: "chain" | "left" | "right" | "none";
}

export interface Prefix {
  readonly name: string;
  readonly symbol: string;
  readonly precedence: number;
}

/** By symbol. */
export const infixes: ReadonlyMap<string, Infix> = new Map(
  [...operators.values()].flatMap(({ name, syntax }) =>
    syntax.kind === "infix" ? [[syntax.symbol, { name, ...syntax }] as const] : [],
  ),
);

/** By symbol. */
export const prefixes: ReadonlyMap<string, Prefix> = new Map(
  [...operators.values()].flatMap(({ name, syntax }) =>
    syntax.kind === "prefix" ? [[syntax.symbol, { name, ...syntax }] as const] : [],
  ),
);

/** The operator that is written `if … then … else …`. */
export const conditional: string =
  [...operators.values()].find(({ syntax }) => syntax.kind === "if")?.name ?? "if";

/** Precedence of a negative number: that of its prefix. */
export const signPrecedence: number = prefixes.get("-")?.precedence ?? Number.POSITIVE_INFINITY;

const wordPattern = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

export function isWord(text: string): boolean {
  return wordPattern.test(text);
}

const symbols = [...infixes.keys(), ...prefixes.keys()];

const grammarWords =
  "call carry catch else exists false final for forall if in initial let next none now require then true unknown when where";

/** Words that can be names of variables and the like only in backquotes. */
export const reserved: ReadonlySet<string> = new Set([
  ...grammarWords.split(" "),
  ...symbols.filter((symbol) => isWord(symbol)),
]);

const grammarSigns = ["(", ")", "[", "]", "{", "}", "<", ">", ",", ":", ".", "?", "=", "=>", "->", "-", "@"];

/** By first character, longest first, so that the first that fits is the longest that fits. */
export const signs: ReadonlyMap<string, readonly string[]> = signTable();

function signTable(): Map<string, string[]> {
  const table = new Map<string, string[]>();
  const all = new Set([...grammarSigns, ...symbols.filter((symbol) => !isWord(symbol))]);
  for (const sign of [...all].sort((a, b) => b.length - a.length)) {
    const first = sign.charAt(0);
    const row = table.get(first);
    if (row === undefined) table.set(first, [sign]);
    else row.push(sign);
  }
  return table;
}

/** Forms that a `(` after the word is enough to tell. An operator of the same name is written in backquotes. */
export const callForms: ReadonlySet<string> = new Set([
  "ratio",
  "always",
  "precedes",
  "result",
  "flows",
  "influenced",
  "mayRead",
  "automaton",
]);

/** Words that start a command. */
export const commandWords: ReadonlySet<string> = new Set([
  "let",
  "call",
  "for",
  "while",
  "parallel",
  "require",
  "next",
]);

/** Words that start a declaration, though they are names elsewhere. */
export const declarationWords: ReadonlySet<string> = new Set(["fluent", "tool", "program", "guarantee"]);

export const flags = ["reads", "idempotent", "untrusted", "undoable"] as const;

/** Words that start a clause of a tool, though they are names elsewhere. */
export const clauseWords: ReadonlySet<string> = new Set([
  "labels",
  ...flags,
  "requires",
  "ensures",
  "sets",
  "cost",
  "stores",
  "endorses",
  "readers",
]);

assertLevels();

/**
 * INVARIANT: the operators of one precedence group alike, or what `a x b y c` means would depend on which of them
 * stands first; chains and left groups go together, because both close what stands before them.
 */
function assertLevels(): void {
  const levels = new Map<number, string>();
  for (const { symbol, precedence, group } of infixes.values()) {
    const way = group === "chain" ? "left" : group;
    if (!Number.isInteger(precedence) || precedence < 1 || (levels.get(precedence) ?? way) !== way) {
      throw new Error(`the operator table gives \`${symbol}\` a precedence that does not fit`);
    }
    levels.set(precedence, way);
  }
}
