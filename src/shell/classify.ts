/** Classifies command lines: allowed only if every program in them is known and harmless with its arguments. */

import {
  type Call,
  type ClassifyOptions,
  type Context,
  type Input,
  MAX_WORK,
  step,
  TooMuchWork,
} from "./context.ts";
import { environmentReasons } from "./environment.ts";
import { judgeProgram } from "./programs/index.ts";
import type { Reason } from "./reason.ts";
import { parseScript } from "./syntax/parse.ts";
import type { Assignment, Command, Redirect, Word } from "./syntax/tree.ts";
import { type Argument, FORBIDDEN_MARKS, isLiteral, literal, shown, UNKNOWN } from "./values/argument.ts";
import { definitions } from "./values/definitions.ts";
import { combine, type Expander, expandWhole, expandWord, visitArithmetic } from "./values/expand.ts";
import { UNKNOWN_FOLDER, WORKING_FOLDER } from "./values/folder.ts";
import { outputOf, plainText } from "./values/output.ts";
import { judgePath } from "./values/paths.ts";

export interface Classification {
  readonly verdict: "allow" | "refuse";
  /** Empty if and only if the verdict is `allow`. */
  readonly reasons: readonly Reason[];
}

/** Length of a command line in UTF-16 code units. */
export const MAX_COMMAND = 32_768;
/** Nesting of scripts inside scripts (`bash -c`, `eval`). */
const MAX_SCRIPTS = 8;
/** Reasons that an answer names. */
const MAX_REASONS = 20;

/** Classifies one command line; anything not understood is refused. */
export function classifyCommand(command: string, options: ClassifyOptions = {}): Classification {
  const reasons = dedupe(classifyText(command, options));
  return { verdict: reasons.length === 0 ? "allow" : "refuse", reasons };
}

function dedupe(reasons: readonly Reason[]): readonly Reason[] {
  const seen = new Map(reasons.map((each) => [`${each.code} ${each.message}`, each]));
  return [...seen.values()].slice(0, MAX_REASONS);
}

/** Invisible and control characters; a joiner inside emoji is neither here nor there. */
const CONTROL = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function classifyText(command: string, options: ClassifyOptions): readonly Reason[] {
  if (command.length > MAX_COMMAND) {
    return [{ code: "too-long", message: `the command is longer than ${MAX_COMMAND} characters` }];
  }
  if (CONTROL.test(command) || FORBIDDEN_MARKS.test(command) || /[\ud800-\udfff]/u.test(command)) {
    return [{ code: "control-character", message: "the command holds invisible or control characters" }];
  }
  if (command.trim() === "") return [{ code: "unparsed", message: "there is no command" }];
  const parsed = parseScript(command);
  if (!parsed.ok) return [{ code: "unparsed", message: `not understood as bash: ${parsed.problem}` }];
  const context: Context = {
    options,
    meter: { left: MAX_WORK },
    ...definitions(parsed.script),
    defined: new Set(),
    certain: true,
    depth: 0,
    expanding: [],
    input: { kind: "none" },
    next: undefined,
    folder: { current: WORKING_FOLDER },
    reasons: [],
  };
  try {
    visit(parsed.script, context);
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return [{ code: "unbounded", message: "the command expands to too much" }];
  }
  return context.reasons;
}

function expander(context: Context): Expander {
  return {
    visit: (body, inner) =>
      visit(body, { ...inner, certain: false, folder: { current: inner.folder.current } }),
    context,
  };
}

function visit(command: Command, context: Context): void {
  step(context);
  switch (command.kind) {
    case "simple":
      visitSimple(command, context);
      return;
    case "pipeline":
      visitPipeline(command.stages, context);
      return;
    case "list":
      for (const item of command.items) {
        visit(item, context);
        const lasting = context.certain && !command.conditional && !command.background;
        if (item.kind === "function" && lasting) context.defined.add(item.name);
      }
      return;
    case "block": {
      visitRedirects(command.redirects, context);
      const folder = command.subshell ? { current: context.folder.current } : context.folder;
      const certain = context.certain && !command.subshell;
      visit(command.body, { ...context, certain, folder, input: fed(command.redirects, context) });
      return;
    }
    case "for":
      visitRedirects(command.redirects, context);
      push(context, environmentReasons(command.name, literal(""), undefined));
      for (const word of command.words ?? []) expandWord(word, expander(context));
      branches([command.body], context);
      return;
    case "count":
      visitRedirects(command.redirects, context);
      for (const word of command.header) visitArithmetic(word, expander(context));
      if (/^[^;]*;\s*;/.test(plainText(command.header[0] ?? []) ?? "")) unbounded(command.body, context);
      branches([command.body], context);
      return;
    case "while": {
      visitRedirects(command.redirects, context);
      if (isForever(command.test, command.until)) unbounded(command.body, context);
      const inner = { ...context, input: fed(command.redirects, context) };
      branches([command.test, command.body], inner);
      return;
    }
    case "if":
      visitRedirects(command.redirects, context);
      branches(command.parts, context);
      return;
    case "case":
      visitRedirects(command.redirects, context);
      expandWhole(command.subject, expander(context));
      for (const pattern of command.patterns) expandWhole(pattern, expander(context));
      branches(command.bodies, context);
      return;
    case "function":
      visitFunction(command.name, command.body, context);
      return;
    case "test":
      visitRedirects(command.redirects, context);
      visitTest(command.words, context);
      return;
    case "arithmetic":
      visitRedirects(command.redirects, context);
      visitArithmetic(command.body, expander(context));
      return;
  }
}

/** Commands of which some run: afterwards the folder is known only if none of them changed it. */
function branches(commands: readonly Command[], outer: Context): void {
  const before = outer.folder.current;
  const context: Context = { ...outer, certain: false };
  for (const each of commands) visit(each, context);
  if (context.folder.current === before) return;
  // A loop runs its body again where it ended, and a branch may not have run at all.
  context.folder.current = UNKNOWN_FOLDER;
  for (const each of commands) visit(each, context);
  context.folder.current = UNKNOWN_FOLDER;
}

function isForever(test: Command, until: boolean): boolean {
  if (test.kind !== "list" || test.items.length !== 1) return false;
  const [only] = test.items;
  if (only?.kind === "arithmetic") return /^\s*[1-9]\d*\s*$/.test(plainText(only.body) ?? "");
  if (only?.kind !== "simple") return false;
  const name = plainText(only.words[0]) ?? "";
  if (name === "[" || name === "test")
    return only.words.length <= 3 && /^\d*$/.test(plainText(only.words[1]) ?? "x");
  return until ? name === "false" : name === "true" || name === ":" || name === "";
}

/** An endless loop is refused unless it pauses and runs nothing in the background. */
function unbounded(body: Command, context: Context): void {
  const text = JSON.stringify(body);
  const pauses = simpleNames(body).some((name) => name === "sleep" || name === "break" || name === "read");
  if (pauses && !text.includes('"background":true')) return;
  context.reasons.push({ code: "unbounded", message: "a loop never ends" });
}

/** Names of the simple commands of a command, itself and nested. */
function simpleNames(command: Command): readonly string[] {
  switch (command.kind) {
    case "simple":
      return [plainText(command.words[0]) ?? ""];
    case "pipeline":
      return command.stages.flatMap(simpleNames);
    case "list":
      return command.items.flatMap(simpleNames);
    case "block":
    case "for":
    case "count":
    case "function":
      return simpleNames(command.body);
    case "while":
      return [...simpleNames(command.test), ...simpleNames(command.body)];
    case "if":
      return command.parts.flatMap(simpleNames);
    case "case":
      return command.bodies.flatMap(simpleNames);
    case "test":
    case "arithmetic":
      return [];
  }
}

function visitFunction(name: string, body: Command, context: Context): void {
  if (reaches(name, body, context, [])) {
    context.reasons.push({ code: "unbounded", message: `the function \`${name}\` calls itself` });
    return;
  }
  if (!/^[A-Za-z_][\w-]*$/.test(name) || name === "command_not_found_handle" || judgesByName(name)) {
    context.reasons.push({ code: "alias", message: `the function \`${name}\` takes the place of a command` });
  }
  // It may be called from anywhere, with any arguments, in any folder.
  branches([body], { ...context, folder: { current: context.folder.current } });
}

const SHADOWED = new Set(
  "cd|ls|git|sudo|rm|cp|mv|cat|echo|test|true|eval|exec|command|builtin|set|export|source|read|printf".split(
    "|",
  ),
);

function judgesByName(name: string): boolean {
  return SHADOWED.has(name);
}

function reaches(name: string, body: Command, context: Context, seen: readonly string[]): boolean {
  return simpleNames(body).some((called) => {
    if (called === name) return true;
    const other = context.functions.get(called);
    return other !== undefined && !seen.includes(called) && reaches(name, other, context, [...seen, called]);
  });
}

function visitTest(words: readonly Word[], context: Context): void {
  const texts = words.map((word) => plainText(word));
  texts.forEach((text, at) => {
    const next = texts[at + 1];
    if ((text === "-v" || text === "-R") && (next === undefined || next.includes("["))) {
      context.reasons.push({ code: "obfuscated", message: "a test evaluates a subscript" });
    }
  });
  const quiet: Context = { ...context, reasons: [] };
  for (const word of words) expandWhole(word, expander(quiet));
  // A test of a secret shows only that it is there.
  context.reasons.push(
    ...quiet.reasons.filter(({ code }) => code !== "reads-secret" || words.some(hasCommand)),
  );
}

function hasCommand(word: Word): boolean {
  return word.some((part) => part.kind === "command" || part.kind === "process");
}

function visitPipeline(stages: readonly Command[], context: Context): void {
  let input: Input = context.input;
  for (const [at, stage] of stages.entries()) {
    const following = stages[at + 1];
    const next = following?.kind === "simple" ? plainText(following.words[0]) : undefined;
    visit(stage, { ...context, certain: false, input, next, folder: { current: context.folder.current } });
    input = streamOf(stage, context);
  }
}

/** The input that one stage of a pipeline gives to the next. */
function streamOf(stage: Command, context: Context): Input {
  if (stage.kind === "simple" && stage.redirects.length === 0) {
    const name = plainText(stage.words[0]);
    if (name === "echo" || name === "printf") {
      const quiet = { ...context, reasons: [] };
      const [args, ...others] = combine(
        stage.words.slice(1).map((word) => expandWord(word, expander(quiet))),
      );
      if (args !== undefined && others.length === 0 && args.every(isLiteral)) {
        const texts = args
          .map(({ text }) => text)
          .filter((text) => !(name === "echo" && /^-[neE]+$/.test(text)));
        return { kind: "text", text: texts.join(" ") };
      }
      return { kind: "stream", origin: "decoded" };
    }
  }
  return { kind: "stream", origin: outputOf(stage) };
}

const FILE_READS = new Set(["<"]);
const FILE_WRITES = new Set([">", ">>", ">|", "&>", "&>>", "<>"]);

function visitRedirects(redirects: readonly Redirect[], context: Context): void {
  for (const { operator, target } of redirects) {
    for (const value of expandWhole(target, expander(context))) {
      if (FILE_READS.has(operator)) push(context, judgePath(value, "read", context.folder.current));
      else if (FILE_WRITES.has(operator)) push(context, judgePath(value, "write", context.folder.current));
      else if (operator === ">&" || operator === "<&") {
        if (!/^(\d+|-|\d+-)$/.test(value.text))
          push(context, judgePath(value, "write", context.folder.current));
      }
    }
  }
}

function push(context: Context, reasons: readonly Reason[]): void {
  context.reasons.push(...reasons);
}

/** The input of a command after its redirections. */
function fed(redirects: readonly Redirect[], context: Context): Input {
  let { input } = context;
  for (const { operator, target } of redirects) {
    if (operator === "<<" || operator === "<<-" || operator === "<<<") {
      const [value, ...others] = expandWhole(target, expander({ ...context, reasons: [] }));
      input =
        value !== undefined && others.length === 0 && isLiteral(value)
          ? { kind: "text", text: value.text }
          : { kind: "stream", origin: "decoded" };
    } else if (operator === "<" || operator === "<>") {
      const [part] = target;
      input = { kind: "stream", origin: part?.kind === "process" ? outputOf(part.body) : "output" };
    }
  }
  return input;
}

type Simple = Extract<Command, { readonly kind: "simple" }>;

function visitSimple(command: Simple, context: Context): void {
  const { assignments, words, redirects } = command;
  for (const assignment of assignments) visitAssignment(assignment, words, context);
  visitRedirects(redirects, context);
  if (words.length === 0) return;
  const first = plainText(words[0]);
  // The secrets of a test are not shown.
  const isTest = first === "test" || first === "[";
  const quiet: Context = isTest ? { ...context, reasons: [] } : context;
  const lines = combineWords(words, quiet);
  if (isTest)
    context.reasons.push(
      ...quiet.reasons.filter(({ code }) => code !== "reads-secret" || words.some(hasCommand)),
    );
  const input = fed(redirects, context);
  for (const line of lines) push(context, judgeLine(line, input, context, words));
}

function combineWords(words: readonly Word[], context: Context): readonly (readonly Argument[])[] {
  return combine(words.map((word) => expandWord(word, expander(context))));
}

function visitAssignment(
  { name, values, subscript }: Assignment,
  words: readonly Word[],
  context: Context,
): void {
  if (subscript !== undefined) expandWhole(subscript, expander(context));
  for (const word of values) {
    for (const value of expandWhole(word, expander(context))) {
      push(context, environmentReasons(name, value, plainText(words[0])));
    }
  }
}

function judgeLine(
  line: readonly Argument[],
  input: Input,
  context: Context,
  words: readonly Word[] = [],
): readonly Reason[] {
  const [program, ...args] = line;
  if (program === undefined) return [];
  const named = words.length === 0 || plainText(words[0]) !== undefined || onlyBraces(words[0]);
  if (!isLiteral(program) || !named) {
    return [
      {
        code: "dynamic-program",
        message: `only the run decides which program \`${shown(program.text)}\` is`,
      },
    ];
  }
  const { text } = program;
  if (context.defined.has(text)) return [];
  const call: Call = {
    name: text,
    args,
    input,
    context,
    runs: (inner, given) => judgeLine(inner, given ?? input, deeper(context)),
    script: (source) => judgeScript(source, context),
  };
  if (context.depth > MAX_SCRIPTS) return [{ code: "unparsed", message: "commands are nested too deeply" }];
  return judgeProgram(call);
}

/** True of a word whose text comes from itself alone: text and braces, no expansion. */
function onlyBraces(word: Word | undefined): boolean {
  return word?.every((part) => part.kind === "text") === true;
}

function deeper(context: Context): Context {
  return { ...context, depth: context.depth + 1 };
}

/** Reasons against a text that a shell would run, with the variables of the script around it. */
function judgeScript(source: string, context: Context): readonly Reason[] {
  if (context.depth >= MAX_SCRIPTS) return [{ code: "unparsed", message: "commands are nested too deeply" }];
  if (source.includes(UNKNOWN) || FORBIDDEN_MARKS.test(source)) {
    return [{ code: "inline-code", message: "only the run decides what the shell is told to do" }];
  }
  const parsed = parseScript(source);
  if (!parsed.ok) return [{ code: "unparsed", message: `not understood as bash: ${parsed.problem}` }];
  const inner: Context = {
    ...context,
    ...definitions(parsed.script, context),
    defined: new Set(context.defined),
    depth: context.depth + 1,
    folder: { current: context.folder.current },
    reasons: [],
  };
  visit(parsed.script, inner);
  return inner.reasons;
}
