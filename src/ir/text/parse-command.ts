/** Reads commands. Part of what must be trusted. */
import type {
  CallCommand,
  Carry,
  Command,
  Expr,
  ForCommand,
  ParallelCommand,
  RequireCommand,
  WhileCommand,
} from "../document.ts";
import { quoted } from "../json/quoted.ts";
import type { Token } from "./lexer.ts";
import type { Mutable } from "./mutable.ts";
import { type Part, part } from "./node-spans.ts";
import { readArguments, readExpr } from "./parse-expr.ts";
import { readType } from "./parse-type.ts";
import { printIdentifier } from "./print-name.ts";
import { isExactly, isName, type Reader } from "./reader.ts";
import { commandWords, declarationWords } from "./syntax.ts";

/** Gives calls without an id the one of their place. */
export class CallCounter {
  #count = 0;
  next(): string {
    return `c${++this.#count}`;
  }
}

/** A carried name under construction: `next` comes at the end of the loop. */
interface OpenCarry {
  readonly carry: Omit<Carry, "next">;
  readonly at: Token;
  readonly end: number;
  next?: Expr;
}

/** By name those that have no `next` yet, the first of them last. */
type OpenCarries = ReadonlyMap<string, OpenCarry[]>;

/** Commands up to the closing `}`, which is left. In a loop, `carries` take the `next` lines. */
export function readBody(reader: Reader, calls: CallCounter, carries?: OpenCarries): Command[] {
  const body: Command[] = [];
  let closing = false;
  for (;;) {
    reader.recover(canGoOn, true);
    const { token } = reader;
    if (token.kind === "end" || reader.at("}") || startsDeclaration(reader)) return body;
    if (reader.at("next")) {
      closing = true;
      readNext(reader, carries);
    } else {
      const command = readCommand(reader, calls);
      if (closing && command !== undefined && !reader.lost) reportAfterNext(reader, token);
      if (command !== undefined) body.push(command);
    }
  }
}

/** A declaration inside a body: its closing brace is missing. */
export function startsDeclaration(reader: Reader): boolean {
  const { kind, text, first } = reader.token;
  if (kind !== "word" || !first || !declarationWords.has(text)) return false;
  const next = reader.peek();
  return text === "program" ? isExactly(next, "(") || isExactly(next, "{") : isName(next);
}

function canGoOn(reader: Reader, nested: boolean): boolean {
  const { kind, text, first } = reader.token;
  if (kind !== "word") return false;
  // Commands inside braces that were not understood belong to those, and so does their closing brace.
  if (nested || !commandWords.has(text)) return startsDeclaration(reader);
  // Any word can be the name of a field, and `let` can also start an expression.
  if (isExactly(reader.peek(), ":") || isExactly(reader.peek(), "?")) return false;
  // `parallel` and `while` are names elsewhere.
  return text === "parallel" ? isExactly(reader.peek(), "{") : (text !== "let" && text !== "while") || first;
}

function reportAfterNext(reader: Reader, { start, end, text }: Token): void {
  const help = "move the `next` lines to the end of the loop; they all take effect there at once";
  reader.report("FC1005", start, end, `\`${text}\` stands after a \`next\` line`, help);
}

function readCommand(reader: Reader, calls: CallCounter): Command | undefined {
  if (!reader.mayDescend()) return undefined;
  const { start, text } = reader.token;
  if (reader.token.kind === "word") {
    switch (text) {
      case "let":
        return readLet(reader, calls);
      case "call":
        return readCall(reader, calls, start, undefined);
      case "for":
        return readFor(reader, calls);
      case "while":
        return readWhile(reader, calls);
      case "parallel":
        return readParallel(reader, calls);
      case "require":
        return readRequire(reader);
    }
  }
  reader.failExpected("a command or `}`", commandHelp(reader.token));
  return undefined;
}

function commandHelp(token: Token): string | undefined {
  if (isExactly(token, "if")) return "give each command its condition: `call … when c`";
  return isName(token)
    ? "a command starts with `let`, `call`, `for`, `while`, `parallel`, `require` or `next`"
    : undefined;
}

function readLet(reader: Reader, calls: CallCounter): Command {
  const { start } = reader.take();
  const at = reader.token;
  const name = reader.name("the value of `let`")?.text ?? "";
  reader.expect("=", "after the name in `let`");
  if (reader.at("call")) return readCall(reader, calls, start, at);
  const value = reader.inside(readExpr);
  return reader.add({ kind: "let", name, value }, start, part("name", at));
}

function readCall(reader: Reader, calls: CallCounter, start: number, bind: Token | undefined): Command {
  reader.take();
  const place = calls.next();
  const parts: Part[] = bind === undefined ? [] : [part("bind", bind)];
  const mark = reader.token;
  const given = reader.skip("@") ? reader.name("the id of the call") : undefined;
  if (given !== undefined) parts.push(part("id", { start: mark.start, end: given.end }));
  const { name: tool, span } = reader.path("the tool to call");
  parts.push(part("tool", span));
  reader.expect("(", "before the arguments of the call");
  const args = readArguments(reader, ")", "an argument");
  reader.expect(")", "to close the arguments");
  const command: Mutable<CallCommand> = { kind: "call", id: given?.text ?? place, tool, args };
  if (bind !== undefined) command.bind = bind.text;
  readGuards(reader, command, parts);
  return reader.add(command, start, parts);
}

function readGuards(reader: Reader, command: Mutable<CallCommand>, parts: Part[]): void {
  for (;;) {
    const word = reader.token;
    if (reader.skip("when")) {
      if (command.when !== undefined) reportTwice(reader, word);
      command.when = reader.inside(readExpr);
    } else if (reader.skip("catch")) {
      if (command.catch !== undefined) reportTwice(reader, word);
      const at = reader.token;
      command.catch = reader.name("the failure of the call")?.text ?? "";
      parts.push(part("catch", at));
      readReason(reader, command, parts);
    } else return;
  }
}

/** `reason r`, after `catch f`. */
function readReason(reader: Reader, command: Mutable<CallCommand>, parts: Part[]): void {
  if (!reader.skip("reason")) return;
  const at = reader.token;
  command.reason = reader.name("the reason of the failure")?.text ?? "";
  parts.push(part("reason", at));
}

export function reportTwice(reader: Reader, { text, start, end }: Token, help?: string): void {
  const advice = help ?? (text === "when" ? "join the conditions with `and`" : "remove one of them");
  reader.report("FC1008", start, end, `\`${text}\` is given twice`, advice);
}

function readRequire(reader: Reader): Command {
  const { start } = reader.take();
  const condition = reader.inside(readExpr);
  const when = reader.skip("when") ? reader.inside(readExpr) : undefined;
  reader.expect(":", "before the reason of `require`", 'write `require e: "why"`');
  const at = reader.token;
  const why = reader.string("the reason of `require`")?.text ?? "";
  const command: Mutable<RequireCommand> = { kind: "require", condition, why };
  if (when !== undefined) command.when = when;
  return reader.add(command, start, part("why", at));
}

// ── loops ────────────────────────────────────────────────────────────────────────────────────────────────

function readFor(reader: Reader, calls: CallCounter): Command {
  const { start } = reader.take();
  const parts = [part("var", reader.token)];
  const variable = reader.name("each element")?.text ?? "";
  const command: Mutable<ForCommand> = {
    kind: "for",
    var: variable,
    list: { kind: "none" },
    carry: [],
    body: [],
  };
  if (reader.skip(",")) {
    parts.push(part("index", reader.token));
    command.index = reader.name("the position")?.text ?? "";
  }
  reader.expect("in", "before the list of the loop", "write `for x in list { … }`");
  command.list = reader.inside(readExpr);
  const bound = reader.skip("max") ? readBound(reader, parts) : undefined;
  if (bound !== undefined) command.max = bound;
  readParallelWord(reader, command, parts);
  return readTurns(reader, calls, command, start, parts, "write `for x in list { … }`");
}

function readWhile(reader: Reader, calls: CallCounter): Command {
  const { start } = reader.take();
  const parts: Part[] = [];
  const condition = reader.inside(readExpr);
  const command: Mutable<WhileCommand> = { kind: "while", condition, carry: [], body: [] };
  if (reader.skip("turn")) {
    parts.push(part("index", reader.token));
    command.index = reader.name("the number of the turn")?.text ?? "";
  }
  const bound = reader.skip("max") ? readBound(reader, parts) : undefined;
  if (bound !== undefined) command.max = bound;
  return readTurns(reader, calls, command, start, parts, "write `while condition { … }`");
}

/** Reads the end of the head of a loop, and its body. */
function readTurns(
  reader: Reader,
  calls: CallCounter,
  command: Mutable<ForCommand> | Mutable<WhileCommand>,
  start: number,
  parts: readonly Part[],
  help: string,
): Command {
  const carries = reader.skip("carry") ? readCarries(reader) : [];
  openBody(reader, "of the loop", help);
  if (reader.lost) return command;
  const before = reader.problemCount;
  const open = byName(carries);
  command.body = reader.inside((inner) => readBody(inner, calls, open));
  reader.expect("}", "to close the loop");
  // A line that could not be read may have been the `next` that seems to be missing.
  if (reader.problemCount === before) for (const carry of carries) checkNext(reader, carry);
  command.carry = carries.map((carry) => closeCarry(reader, carry));
  return reader.add(command, start, parts);
}

/** Reads `parallel` in the head of a loop, where it cannot be a name. */
function readParallelWord(reader: Reader, command: Mutable<ForCommand>, parts: Part[]): void {
  const { token } = reader;
  if (!reader.skip("parallel")) return;
  parts.push(part("parallel", token));
  command.parallel = true;
}

/** Takes the `{` before a body; after a problem, the next one there is before the next command. */
export function openBody(reader: Reader, what: string, help: string): void {
  reader.expect("{", `before the body ${what}`, help);
  if (!reader.lost) return;
  reader.recover((at, nested) => at.at("{") || canGoOn(at, nested), true);
  if (!reader.skip("{")) reader.lose();
}

/** LIMIT: the data form has a number here, so the text cannot say more than a number can hold exactly. */
function readBound(reader: Reader, parts: Part[]): number | undefined {
  const { token } = reader;
  const { kind, text, start, end } = token;
  if (kind !== "number") {
    reader.failExpected("a number after `max`", "write the bound as digits: `max 100`");
    return undefined;
  }
  reader.take();
  parts.push(part("max", { start, end }));
  if (text.includes(".")) {
    const message = `the bound ${quoted(text)} is no integer`;
    reader.report("FC1004", start, end, message, "write digits only: `max 100`");
    return undefined;
  }
  const bound = Number(text);
  if (Number.isSafeInteger(bound)) return bound;
  const help = `write at most \`${Number.MAX_SAFE_INTEGER}\`, or leave \`max\` out`;
  reader.report("FC1409", start, end, `the bound ${quoted(text)} is too big`, help);
  return undefined;
}

function readCarries(reader: Reader): OpenCarry[] {
  const carries: OpenCarry[] = [];
  do {
    const at = reader.token;
    const name = reader.name("what is carried")?.text ?? "";
    reader.expect(":", "after the carried name", "write `carry name: type = start`");
    const type = reader.inside(readType);
    reader.expect("=", "before the first value of the carried name", "write `carry name: type = start`");
    const init = reader.inside(readExpr);
    carries.push({ carry: { name, type, init }, at, end: reader.end });
  } while (reader.skip(","));
  return carries;
}

function byName(carries: readonly OpenCarry[]): OpenCarries {
  const open = new Map<string, OpenCarry[]>();
  for (const carry of carries.toReversed()) {
    const named = open.get(carry.carry.name);
    if (named === undefined) open.set(carry.carry.name, [carry]);
    else named.push(carry);
  }
  return open;
}

function readNext(reader: Reader, carries: OpenCarries | undefined): void {
  const word = reader.take();
  const at = reader.token;
  const name = reader.name("what the next iteration gets")?.text;
  reader.expect("=", "after the name in `next`");
  // It belongs to the loop and not to a command of its body, but is just as deep.
  const value = readExpr(reader);
  if (name === undefined) return;
  if (carries === undefined) {
    const help = "put it at the end of the body of the loop that carries the name";
    reader.report("FC1005", word.start, word.end, "`next` stands outside a loop", help);
    return;
  }
  // A name that is carried twice is not for the parser to judge: each takes one `next`.
  const named = carries.get(name);
  const open = named?.pop();
  if (open !== undefined) open.next = value;
  else if (named !== undefined) {
    const message = `\`next\` is given twice for ${quoted(name)}`;
    reader.report("FC1213", at.start, at.end, message, "remove one of them");
  } else {
    const help = `declare it in the head of the loop: \`carry ${printIdentifier(name)}: type = start\``;
    reader.report("FC1211", at.start, at.end, `${quoted(name)} is not carried by this loop`, help);
  }
}

function checkNext(reader: Reader, { carry, at, next }: OpenCarry): void {
  if (next !== undefined) return;
  const { name } = carry;
  const word = printIdentifier(name);
  const help = `write \`next ${word} = ${word}\` at the end of the loop if it stays as it is`;
  const message = `the loop carries ${quoted(name)} and has no \`next\` for it`;
  reader.report("FC1212", at.start, at.end, message, help);
}

function closeCarry(reader: Reader, { carry, at, end, next }: OpenCarry): Carry {
  const whole = { ...carry, next: next ?? ({ kind: "none" } as const) };
  return reader.add(whole, at.start, part("name", at), end);
}

// ── branches ─────────────────────────────────────────────────────────────────────────────────────────────

const branchHelp = "write `parallel { branch { … } branch { … } }`";

function readParallel(reader: Reader, calls: CallCounter): Command {
  const { start } = reader.take();
  const branches: Command[][] = [];
  const command: Mutable<ParallelCommand> = { kind: "parallel", branches };
  if (!reader.expect("{", "before the branches", branchHelp)) return command;
  reader.inside((inner) => readBranches(inner, calls, branches));
  reader.expect("}", "to close `parallel`");
  return reader.add(command, start);
}

/** Reads branches up to the closing `}`, which is left. */
function readBranches(reader: Reader, calls: CallCounter, branches: Command[][]): void {
  for (;;) {
    reader.recover(startsBranch, true);
    if (reader.at("branch")) branches.push(readBranch(reader, calls));
    else if (reader.token.kind === "end" || reader.at("}") || startsDeclaration(reader)) return;
    else reader.failExpected("`branch` or `}`", branchHelp);
  }
}

function startsBranch(reader: Reader, nested: boolean): boolean {
  return startsDeclaration(reader) || (!nested && reader.at("branch") && isExactly(reader.peek(), "{"));
}

function readBranch(reader: Reader, calls: CallCounter): Command[] {
  const { start } = reader.take();
  openBody(reader, "of the branch", branchHelp);
  if (reader.lost) return [];
  const body = readBody(reader, calls);
  reader.expect("}", "to close the branch");
  return reader.mark(body, start);
}
