/** Options of a command line: those that a rule names, their values and the operands. */

import { type Argument, isLiteral, ONE, STAR, UNKNOWN } from "../values/argument.ts";

export interface Option {
  /** `-x` or `--long`; the text before `=`. */
  readonly name: string;
  readonly value: Argument | undefined;
}

export interface Options {
  readonly options: readonly Option[];
  readonly operands: readonly Argument[];
  /** Operands that may be read as options because a pattern names them. */
  readonly injectable: readonly Argument[];
}

export interface OptionSyntax {
  /** Letters of short options that take a value. */
  readonly short?: string;
  /** Long options that take their value as the next argument, as well as `-word` options with a single dash. */
  readonly long?: readonly string[];
  /** Long options without a value whose names begin others that take one. */
  readonly flags?: readonly string[];
  /** Options are words with one dash, such as those of `find`. */
  readonly singleDash?: boolean;
}

/** Splits arguments into options and operands. */
export function readOptions(args: readonly Argument[], syntax: OptionSyntax): Options {
  const options: Option[] = [];
  const operands: Argument[] = [];
  const injectable: Argument[] = [];
  let ended = false;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at];
    if (argument === undefined) break;
    const { text } = argument;
    if (ended || !text.startsWith("-") || text === "-") {
      if (!ended && (text === STAR || text.startsWith(STAR + STAR) || text === ONE + STAR))
        injectable.push(argument);
      operands.push(argument);
      continue;
    }
    if (text === "--") {
      ended = true;
      continue;
    }
    const next = args[at + 1];
    if (text.startsWith("--") || syntax.singleDash === true) {
      const equals = text.indexOf("=");
      const name = equals < 0 ? text : text.slice(0, equals);
      if (equals >= 0) options.push({ name, value: { ...argument, text: text.slice(equals + 1) } });
      else if (syntax.flags?.includes(name) === true) options.push({ name, value: undefined });
      else if (
        syntax.long?.some((each) => each === name || (name.length > 4 && each.startsWith(name))) === true
      ) {
        options.push({ name, value: next });
        at += 1;
      } else options.push({ name, value: undefined });
      continue;
    }
    at += readCluster(argument, next, syntax, options);
  }
  return { options, operands, injectable };
}

/** Reads `-abc`; returns how many further arguments it took. */
function readCluster(
  argument: Argument,
  next: Argument | undefined,
  syntax: OptionSyntax,
  options: Option[],
): number {
  const { text } = argument;
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (syntax.short?.includes(letter) !== true) {
      options.push({ name: `-${letter}`, value: undefined });
      continue;
    }
    const rest = text.slice(at + 1);
    if (rest !== "") {
      options.push({ name: `-${letter}`, value: { ...argument, text: rest } });
      return 0;
    }
    options.push({ name: `-${letter}`, value: next });
    return 1;
  }
  return 0;
}

/** True if this option is the named one; long names may be abbreviated. */
export function isOption(option: Option, name: string): boolean {
  if (option.name === name) return true;
  return (
    name.startsWith("--") &&
    option.name.length > 3 &&
    option.name.startsWith("--") &&
    name.startsWith(option.name)
  );
}

export function hasOption(options: readonly Option[], ...names: readonly string[]): boolean {
  return options.some((option) => names.some((name) => isOption(option, name)));
}

/** True of an argument that may be anything, even an option. */
export function mayBeOption(argument: Argument): boolean {
  return argument.text.startsWith(UNKNOWN) && !isLiteral(argument);
}
