/** Rules for programs: what their operands are, which options change that, and which are refused. */

import type { Call } from "../context.ts";
import { type Reason, type ReasonCode, reason } from "../reason.ts";
import { type Argument, comesFrom, shown, UNKNOWN } from "../values/argument.ts";
import { judgePath, type Use } from "../values/paths.ts";
import { isOption, type Option, type OptionSyntax, readOptions } from "./options.ts";

export type Judge = (call: Call) => readonly Reason[];

export interface Rule extends OptionSyntax {
  /** Use of the operands; `text` if they are no paths. */
  readonly operands?: Use | "text";
  /** Operands at the start that are text, such as a pattern. */
  readonly textFirst?: number;
  /** Options that say the text instead, so that no operand is text: `-e` of `grep`. */
  readonly insteadOfText?: readonly string[];
  /** The last operand is written to. */
  readonly lastWritten?: boolean;
  /** Options whose value is text. */
  readonly text?: readonly string[];
  /** Options whose value is written to. */
  readonly writes?: readonly string[];
  /** Refused options, by the code of the refusal. */
  readonly deny?: Partial<Readonly<Record<ReasonCode, readonly string[]>>>;
  /** A file whose name looks like an option is dangerous. */
  readonly injectable?: boolean;
  /** More reasons, after the rest. */
  readonly also?: (
    call: Call,
    options: readonly Option[],
    operands: readonly Argument[],
  ) => readonly Reason[];
}

const FILTER_OPTIONS =
  /^--(ex|in)clude|^--glob|^--ignore|^--iglob|^--type|^--color|^--format|^--pretty|^--sort|^--date/;

/** A judge for programs of this rule. */
export function byRule(rule: Rule): Judge {
  return (call) => {
    const { options, operands, injectable } = readOptions(call.args, rule);
    const refused = deniedOptions(call.name, options, rule);
    if (refused.length > 0) return refused;
    if (rule.injectable === true && injectable.length > 0) {
      return reason(
        "wildcard-injection",
        `\`*\` may name a file that \`${call.name}\` reads as an option; write \`./*\``,
      );
    }
    const dashed = operands.find(
      (each) => each.text.startsWith(UNKNOWN) && comesFrom(each, "output", "variable", "decoded"),
    );
    if (rule.injectable === true && dashed !== undefined) {
      return reason("wildcard-injection", `\`${call.name}\` may read \`${shown(dashed.text)}\` as an option`);
    }
    const reasons = [
      ...options.flatMap((option) => optionReasons(call, option, rule)),
      ...operandReasons(call, options, operands, rule),
    ];
    return [...reasons, ...(rule.also?.(call, options, operands) ?? [])];
  };
}

export function deniedOptions(name: string, options: readonly Option[], rule: Rule): readonly Reason[] {
  for (const [code, names] of Object.entries(rule.deny ?? {})) {
    const option = options.find((each) => names.some((denied) => isOption(each, denied)));
    // SAFETY: the keys of `deny` are codes by its type; Object.entries widens them.
    if (option !== undefined) return reason(code as ReasonCode, `\`${name} ${option.name}\` is not allowed`);
  }
  return [];
}

function optionReasons(call: Call, option: Option, rule: Rule): readonly Reason[] {
  const { name, value } = option;
  if (value === undefined || rule.text?.some((each) => isOption(option, each)) === true) return [];
  if (FILTER_OPTIONS.test(name)) return [];
  const use = rule.writes?.some((each) => isOption(option, each)) === true ? "write" : "read";
  return judgePath(value, use, call.context.folder.current);
}

function operandReasons(
  call: Call,
  options: readonly Option[],
  operands: readonly Argument[],
  rule: Rule,
): readonly Reason[] {
  const said = rule.insteadOfText?.some((name) => options.some((option) => isOption(option, name))) === true;
  const paths = operands.slice(said ? 0 : (rule.textFirst ?? 0));
  const use = rule.operands ?? "read";
  if (use === "text") return [];
  return paths.flatMap((path, at) => {
    const written = rule.lastWritten === true && at === paths.length - 1 && paths.length > 1;
    return judgePath(path, written ? "write" : use, call.context.folder.current);
  });
}

/** Judges that always refuse. */
export function refuse(code: ReasonCode, why: string): Judge {
  return ({ name }) => reason(code, `\`${name}\` ${why}`);
}

/** Programs that run code of the project or of packages: refused unless the operator allows them. */
export function runsCode(call: Call, what = call.name): readonly Reason[] {
  if (call.context.options.allowRunsCode === true) return [];
  return reason("runs-code", `\`${shown(what)}\` runs code of the project or of packages`);
}

/** Reasons against text that is decoded while the command runs. */
export function decodedReason(call: Call): readonly Reason[] {
  const decoded = call.args.find((argument) => comesFrom(argument, "decoded"));
  return decoded === undefined
    ? []
    : reason("obfuscated", `an argument of \`${call.name}\` is decoded while the command runs`);
}

/** True of the name of a shell, by its path or not. */
export function isShell(name: string): boolean {
  return /^(.*\/)?(ba|da|a|z|k|mk|fi)?sh$/.test(name);
}

/** Asks a program for its version or help only. */
export function asksVersion(call: Call): boolean {
  return (
    call.args.length === 1 &&
    /^(--version|-v|-V|-version|version|--help|-h|help)$/.test(call.args[0]?.text ?? "")
  );
}
