/** Expansion of words to the arguments that they may become. */

import { type Context, step } from "../context.ts";
import type { Command, Part, Word } from "../syntax/tree.ts";
import {
  type Argument,
  HOME,
  isLiteral,
  join,
  literal,
  matcher,
  ONE,
  STAR,
  UNKNOWN,
  unknown,
} from "./argument.ts";
import { expandBraces } from "./braces.ts";
import { outputOf, plainText } from "./output.ts";

/** Combinations of values that are followed; beyond them a word counts as decoded. */
export const MAX_ALTERNATIVES = 48;

export interface Expander {
  /** Classifies the commands of a substitution. */
  readonly visit: (body: Command, context: Context) => void;
  readonly context: Context;
}

/** Fields while a word is read: those that are complete and the one that is open. */
interface Fields {
  readonly done: readonly Argument[];
  readonly open: Argument | undefined;
}

/** Lists of arguments that a word may become, one of which the run takes. */
export function expandWord(word: Word, using: Expander): readonly (readonly Argument[])[] {
  const words = expandBraces(word);
  if (words === undefined) {
    using.context.reasons.push({ code: "unbounded", message: "a brace expansion makes too many words" });
    return [[unknown("decoded")]];
  }
  return combine(words.map((each) => expandOne(each, using)));
}

/** One list of arguments for every combination of alternatives. */
export function combine(
  words: readonly (readonly (readonly Argument[])[])[],
): readonly (readonly Argument[])[] {
  let results: readonly (readonly Argument[])[] = [[]];
  for (const alternatives of words) {
    results = results.flatMap((before) => alternatives.map((after) => [...before, ...after]));
    if (results.length > MAX_ALTERNATIVES) return [[unknown("decoded")]];
  }
  return results;
}

/** The arguments of a word as one text each, without splitting: assignments, redirections, here-documents. */
export function expandWhole(word: Word, using: Expander): readonly Argument[] {
  return expandWord(
    word.map((part): Part => ("quoted" in part && part.kind !== "text" ? { ...part, quoted: true } : part)),
    using,
  ).map((fields) =>
    fields.reduce((text, field, at) => join(text, join(literal(at === 0 ? "" : " "), field)), literal("")),
  );
}

function expandOne(word: Word, using: Expander): readonly (readonly Argument[])[] {
  step(using.context);
  let states: readonly Fields[] = [{ done: [], open: undefined }];
  tildes(word).forEach((part) => {
    const values = partValues(part, using);
    states = states.flatMap((state) => values.map((value) => append(state, value, part)));
    if (states.length > MAX_ALTERNATIVES) states = [{ done: [], open: unknown("decoded") }];
  });
  return states.map(({ done, open }) => (open === undefined ? done : [...done, open]));
}

/** `~` at the start as the home folder. */
function tildes(word: Word): Word {
  const plain: Part[] = [];
  for (const part of word) {
    const last = plain.at(-1);
    if (part.kind === "text" && last?.kind === "text" && part.quoted === last.quoted) {
      plain[plain.length - 1] = { ...last, text: last.text + part.text };
    } else plain.push(part);
  }
  const [first, ...rest] = plain;
  if (first?.kind !== "text" || first.quoted || !first.text.startsWith("~")) return plain;
  const match = /^~([A-Za-z][\w-]*|\+|-)?(?=\/|$)/.exec(first.text);
  if (match === null) return plain;
  const user = match[1];
  const home =
    user === undefined || user === "+" || user === "-"
      ? user === undefined
        ? HOME
        : UNKNOWN
      : user === "root"
        ? "/root"
        : ["", "home", user].join("/");
  return [
    { kind: "text", text: home, quoted: true },
    { kind: "text", text: first.text.slice(match[0].length), quoted: false },
    ...rest,
  ];
}

function append(state: Fields, value: Argument, part: Part): Fields {
  const quoted = part.kind === "process" || part.quoted;
  const add = (open: Argument | undefined, text: Argument) => (open === undefined ? text : join(open, text));
  if (quoted) return { ...state, open: add(state.open, value) };
  if (part.kind === "text") {
    return value.text === ""
      ? state
      : { ...state, open: add(state.open, { ...value, text: patterns(value.text) }) };
  }
  // An unquoted expansion is split at blanks, and its patterns are expanded.
  const pieces = value.text.split(/[ \t\n]+/);
  let { done, open } = state;
  pieces.forEach((piece, at) => {
    if (at > 0) {
      if (open !== undefined) done = [...done, open];
      open = undefined;
    }
    if (piece !== "") open = add(open, { ...value, text: patterns(piece) });
  });
  return { done, open };
}

/** Marks the characters of an unquoted pattern. */
function patterns(text: string): string {
  return text
    .replace(/\[[^\]\s]+\]/g, ONE)
    .replaceAll("*", STAR)
    .replaceAll("?", ONE);
}

function partValues(part: Part, using: Expander): readonly Argument[] {
  switch (part.kind) {
    case "text":
      return [literal(part.text)];
    case "parameter":
      return parameterValues(part, using);
    case "command":
      using.visit(part.body, using.context);
      return [substitution(part.body, using)];
    case "process":
      using.visit(part.body, using.context);
      return [{ text: "/dev/fd/63", origins: [], variables: [] }];
    case "arithmetic":
      visitArithmetic(part.body, using);
      return [unknown("harmless")];
  }
}

/** Classifies the substitutions of an arithmetic expression, and refuses values that hold a subscript. */
export function visitArithmetic(body: Word, using: Expander): void {
  const { reasons, variables } = using.context;
  expandWhole(body, using);
  const text = body.map((part) => (part.kind === "text" ? part.text : " ")).join("");
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) {
    for (const source of variables.get(name) ?? []) {
      if (source.kind === "words" && source.words.some((word) => /\[|`|\$/.test(plainText(word) ?? ""))) {
        reasons.push({
          code: "obfuscated",
          message: `\`${name}\` holds an expression that arithmetic would evaluate`,
        });
      }
    }
  }
  if (text.includes("[") && body.some((part) => part.kind !== "text")) {
    reasons.push({ code: "obfuscated", message: "a subscript in arithmetic holds an expansion" });
  }
}

/** The output of a substitution: the text itself if `echo` writes it, else its origin. */
function substitution(body: Command, using: Expander): Argument {
  const only = body.kind === "list" && body.items.length === 1 ? body.items[0] : undefined;
  if (only?.kind === "simple" && only.redirects.length === 0) {
    const name = plainText(only.words[0]);
    if (name === "echo" || name === "printf") {
      const [args, ...others] = combine(only.words.slice(1).map((word) => expandWord(word, using)));
      const known = args !== undefined && others.length === 0 && args.every(isLiteral);
      if (!known) return unknown("decoded");
      const texts = args.map(({ text }) => text);
      if (name === "printf") return formatted(texts) ?? unknown("decoded");
      return texts[0]?.startsWith("-") === true ? unknown("decoded") : literal(texts.join(" "));
    }
  }
  return unknown(outputOf(body));
}

function formatted(texts: readonly string[]): Argument | undefined {
  const [format = "", ...values] = texts;
  if (/[\\]|%[^s]/.test(format) || format.split("%s").length - 1 !== values.length) return undefined;
  let at = 0;
  return literal(format.replaceAll("%s", () => values[at++] ?? ""));
}

const HARMLESS = new Set([
  "?",
  "#",
  "$",
  "!",
  "-",
  "RANDOM",
  "SECONDS",
  "LINENO",
  "UID",
  "EUID",
  "PPID",
  "COLUMNS",
  "LINES",
  "HOSTNAME",
  "OSTYPE",
  "USER",
  "LOGNAME",
  "EPOCHSECONDS",
]);
/** Names of variables that usually hold secrets. */
export const SECRET_VARIABLE =
  /(^|_)(TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASS|PWD_HASH|APIKEYS?|KEYS?|CREDENTIALS?|CREDS|AUTH|PAT|DSN)($|_)|^DATABASE_URL$/i;

type Parameter = Extract<Part, { readonly kind: "parameter" }>;

function parameterValues(part: Parameter, using: Expander): readonly Argument[] {
  const { name, operator, argument, subscript } = part;
  const { reasons } = using.context;
  if (subscript !== undefined) {
    const index = plainText(subscript);
    if (index === undefined) {
      expandWhole(subscript, using);
      if (subscript.some(({ kind }) => kind === "command")) {
        reasons.push({ code: "obfuscated", message: "a subscript runs a command" });
      }
    }
  }
  const given = argument === undefined ? [] : expandWhole(argument, using);
  if (operator.startsWith("#") && operator.length === 1 && argument?.length === 0)
    return [unknown("harmless")];
  if (operator.startsWith("!")) {
    if (subscript !== undefined) return [unknown("harmless")];
    reasons.push({
      code: "obfuscated",
      message: `\`\${!${name}}\` names another variable while the command runs`,
    });
    return [unknown("decoded")];
  }
  const base = variableValues(name, using);
  switch (operator) {
    case "":
      return base;
    case ":-":
    case "-":
    case ":=":
    case "=":
      return [...base, ...given];
    case ":+":
    case "+":
      return [...given, literal("")];
    case ":?":
    case "?":
      return base;
    case "%":
    case "%%":
    case "#":
    case "##":
      return base.map((value) => trimmed(value, operator, given));
    case "^^":
      return base.map((value) => changed(value, value.text.toUpperCase()));
    case ",,":
      return base.map((value) => changed(value, value.text.toLowerCase()));
    case "@":
      if (given.some(({ text }) => text === "P" || text === "E" || text === "A")) {
        reasons.push({ code: "obfuscated", message: `\`\${${name}@…}\` evaluates its value` });
      }
      return base.map(computed);
    default:
      return base.map(computed);
  }
}

function changed(value: Argument, text: string): Argument {
  return isLiteral(value) ? literal(text) : value;
}

/** A text that an operator makes of a value. */
function computed(value: Argument): Argument {
  return isLiteral(value)
    ? unknown("decoded")
    : { ...value, text: UNKNOWN, origins: value.origins.length > 0 ? value.origins : ["listing"] };
}

function trimmed(value: Argument, operator: string, given: readonly Argument[]): Argument {
  const [pattern] = given;
  if (pattern === undefined || given.length > 1) return computed(value);
  const { text } = value;
  const raw = pattern.text;
  const end = operator.startsWith("%");
  if (isLiteral(pattern)) {
    if (end && text.endsWith(raw)) return { ...value, text: text.slice(0, text.length - raw.length) };
    if (!end && text.startsWith(raw)) return { ...value, text: text.slice(raw.length) };
    if (isLiteral(value)) return value;
    return computed(value);
  }
  if (!isLiteral(value)) return computed(value);
  const matches = matcher(raw.replaceAll(STAR, UNKNOWN));
  const lengths = Array.from({ length: text.length + 1 }, (_, at) => at);
  const order = operator.length === 2 ? lengths.reverse() : lengths;
  for (const length of order) {
    const piece = end ? text.slice(text.length - length) : text.slice(0, length);
    if (matches.test(piece)) return literal(end ? text.slice(0, text.length - length) : text.slice(length));
  }
  return value;
}

function variableValues(name: string, using: Expander): readonly Argument[] {
  const { context } = using;
  const sources = context.variables.get(name);
  if (sources === undefined) return [unassigned(name, context)];
  if (context.expanding.includes(name)) return [unknown("output")];
  const inner: Expander = { ...using, context: { ...context, expanding: [...context.expanding, name] } };
  const values = sources.flatMap((source) => {
    if (source.kind === "unknown") return [unknown(source.origin)];
    return source.words.flatMap((word) => expandWord(word, inner).flat());
  });
  if (values.length === 0) return [literal("")];
  return values.length > MAX_ALTERNATIVES ? [unknown("decoded")] : values;
}

function unassigned(name: string, context: Context): Argument {
  if (name === "HOME") return literal(HOME);
  if (name === "PWD") return literal(".");
  if (name === "TMPDIR") return literal("/tmp");
  if (HARMLESS.has(name)) return unknown("harmless");
  if (SECRET_VARIABLE.test(name)) {
    context.reasons.push({
      code: "reads-secret",
      message: `the variable \`${name}\` is likely to hold a secret`,
    });
  }
  return unknown("variable", name);
}
