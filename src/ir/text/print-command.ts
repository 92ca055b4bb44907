/** Commands to text, one per line. Part of what must be trusted. */
import type { CallCommand, Carry, Command, ForCommand, ParallelCommand, WhileCommand } from "../document.ts";
import { noOtherKind } from "../visit.ts";
import { writeArguments, writeExpr } from "./print-expr.ts";
import { printIdentifier, printName, printString } from "./print-name.ts";
import { writeType } from "./print-type.ts";

/** Returns true if a call has its default id. Asked in the order of the text. */
export type HasDefaultId = (call: CallCommand) => boolean;

/** For the calls of a whole program, from its first command on. */
export function byPlace(): HasDefaultId {
  let count = 0;
  return ({ id }) => id === `c${++count}`;
}

/** One command, for messages. Its place is not known, so an id that could be one of a place is omitted. */
export function printCommand(command: Command): string {
  const out: string[] = [];
  writeCommand(out, command, "", ({ id }) => /^c[1-9][0-9]*$/.test(id));
  return out.join("");
}

/** Each command on a line of its own, with the line end before it. */
export function writeCommands(
  out: string[],
  commands: readonly Command[],
  indent: string,
  hasDefaultId: HasDefaultId,
): void {
  for (const command of commands) {
    out.push("\n", indent);
    writeCommand(out, command, indent, hasDefaultId);
  }
}

function writeCommand(out: string[], command: Command, indent: string, hasDefaultId: HasDefaultId): void {
  switch (command.kind) {
    case "let":
      out.push("let ", printIdentifier(command.name), " = ");
      writeExpr(out, command.value);
      return;
    case "call":
      writeCall(out, command, hasDefaultId(command));
      return;
    case "for":
      writeFor(out, command, indent, hasDefaultId);
      return;
    case "while":
      writeWhile(out, command, indent, hasDefaultId);
      return;
    case "parallel":
      writeParallel(out, command, indent, hasDefaultId);
      return;
    case "require":
      out.push("require ");
      writeExpr(out, command.condition);
      if (command.when !== undefined) {
        out.push(" when ");
        writeExpr(out, command.when);
      }
      out.push(": ", printString(command.why));
      return;
    default:
      noOtherKind(command);
  }
}

function writeCall(out: string[], command: CallCommand, hasDefaultId: boolean): void {
  const { id, tool, args, bind, when, catch: failure, reason } = command;
  if (bind !== undefined) out.push("let ", printIdentifier(bind), " = ");
  out.push("call ");
  if (!hasDefaultId) out.push("@", printIdentifier(id), " ");
  out.push(printName(tool), "(");
  writeArguments(out, args);
  out.push(")");
  if (when !== undefined) {
    out.push(" when ");
    writeExpr(out, when);
  }
  if (failure !== undefined) out.push(" catch ", printIdentifier(failure));
  if (reason !== undefined) out.push(" reason ", printIdentifier(reason));
}

function writeFor(out: string[], command: ForCommand, indent: string, hasDefaultId: HasDefaultId): void {
  const { var: name, index, list, max, parallel, carry, body } = command;
  out.push("for ", printIdentifier(name));
  if (index !== undefined) out.push(", ", printIdentifier(index));
  out.push(" in ");
  writeExpr(out, list);
  if (max !== undefined) out.push(" max ", String(max));
  if (parallel) out.push(" parallel");
  writeTurns(out, carry, body, indent, hasDefaultId);
}

function writeWhile(out: string[], command: WhileCommand, indent: string, hasDefaultId: HasDefaultId): void {
  const { condition, index, max, carry, body } = command;
  out.push("while ");
  writeExpr(out, condition);
  if (index !== undefined) out.push(" turn ", printIdentifier(index));
  if (max !== undefined) out.push(" max ", String(max));
  writeTurns(out, carry, body, indent, hasDefaultId);
}

/** The end of the head of a loop, and its body. */
function writeTurns(
  out: string[],
  carry: readonly Carry[],
  body: readonly Command[],
  indent: string,
  hasDefaultId: HasDefaultId,
): void {
  carry.forEach((one, i) => {
    out.push(i === 0 ? " carry " : ", ", printIdentifier(one.name), ": ");
    writeType(out, one.type);
    out.push(" = ");
    writeExpr(out, one.init);
  });
  out.push(" {");
  const inner = `${indent}  `;
  writeCommands(out, body, inner, hasDefaultId);
  for (const one of carry) {
    out.push("\n", inner, "next ", printIdentifier(one.name), " = ");
    writeExpr(out, one.next);
  }
  if (body.length + carry.length > 0) out.push("\n", indent);
  out.push("}");
}

function writeParallel(
  out: string[],
  { branches }: ParallelCommand,
  indent: string,
  hasDefaultId: HasDefaultId,
): void {
  const inner = `${indent}  `;
  out.push("parallel {");
  for (const branch of branches) {
    out.push("\n", inner, "branch {");
    writeCommands(out, branch, `${inner}  `, hasDefaultId);
    if (branch.length > 0) out.push("\n", inner);
    out.push("}");
  }
  if (branches.length > 0) out.push("\n", indent);
  out.push("}");
}
