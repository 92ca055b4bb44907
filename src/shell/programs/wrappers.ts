/** Programs that run another command line: it is judged in their place. */

import { environmentReasons } from "../environment.ts";
import { reason } from "../reason.ts";
import { type Argument, comesFrom, isLiteral, literal, unknown } from "../values/argument.ts";
import type { OptionSyntax } from "./options.ts";
import { byRule, isShell, type Judge, refuse } from "./rule.ts";

/** Leaves out the options at the start, with their values. */
function afterOptions(args: readonly Argument[], syntax: OptionSyntax): readonly Argument[] {
  for (let at = 0; at < args.length; at += 1) {
    const { text } = args[at] ?? literal("");
    if (text === "--") return args.slice(at + 1);
    if (!text.startsWith("-") || text === "-") return args.slice(at);
    const letter = text.at(-1) ?? "";
    if (!text.startsWith("--") && text.length === 2 && syntax.short?.includes(letter) === true) at += 1;
    else if (syntax.long?.includes(text) === true) at += 1;
  }
  return [];
}

/** A wrapper with these options and this many operands before the command. */
function wraps(syntax: OptionSyntax, operands = 0): Judge {
  return (call) => {
    const rest = afterOptions(call.args, syntax).slice(operands);
    return rest.length === 0 ? [] : call.runs(rest);
  };
}

const env: Judge = (call) => {
  if (call.args.some(({ text }) => /^-[a-zA-Z]*S|^--split-string/.test(text)))
    return reason("inline-code", "`env -S` splits a text into a command");
  const rest = [...afterOptions(call.args, { short: "uC", long: ["--unset", "--chdir"] })];
  while (rest.length > 0) {
    const [first] = rest;
    const equals = first?.text.indexOf("=") ?? -1;
    if (first === undefined || equals <= 0) break;
    const name = first.text.slice(0, equals);
    if (!/^[A-Za-z_]\w*$/.test(name))
      return reason("environment", "a variable has a name that shells treat as code");
    const reasons = environmentReasons(name, { ...first, text: first.text.slice(equals + 1) }, rest[1]?.text);
    if (reasons.length > 0) return reasons;
    rest.shift();
  }
  return rest.length === 0 ? reason("reads-secret", "the environment may hold secrets") : call.runs(rest);
};

const XARGS: OptionSyntax = {
  short: "aEdInLPs",
  long: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--replace", "--max-lines"],
};

const xargs: Judge = (call) => {
  if (call.args.some(({ text }) => /^-a|^--arg-file/.test(text)))
    return reason("dangerous-option", "`xargs -a` reads its arguments from a file");
  if (
    call.args.some(
      ({ text }, at) =>
        /^-P0$|^--max-procs=0$/.test(text) || (text === "-P" && call.args[at + 1]?.text === "0"),
    )
  )
    return reason("unbounded", "`xargs -P 0` starts any number of programs");
  const at = call.args.findIndex(({ text }) => /^-I|^--replace|^-i/.test(text));
  const option = call.args[at];
  const mark =
    option === undefined
      ? undefined
      : option.text.length > 2 && !option.text.startsWith("--")
        ? option.text.slice(2)
        : option.text.includes("=")
          ? option.text.split("=")[1]
          : call.args[at + 1]?.text;
  const rest = afterOptions(call.args, XARGS);
  const inner = rest.length === 0 ? [literal("echo")] : rest;
  if (isShell(inner[0]?.text ?? "")) return reason("inline-code", "`xargs` puts its input into a script");
  const given = added(call.input);
  if (given.some((each) => comesFrom(each, "decoded")))
    return reason("obfuscated", "`xargs` gets arguments that are decoded while the command runs");
  if (mark === undefined) return call.runs([...inner, ...given], { kind: "none" });
  return given.flatMap((value) =>
    call.runs(
      inner.map(
        (each): Argument =>
          each.text.includes(mark)
            ? {
                ...each,
                text: each.text.replaceAll(mark, () => value.text),
                origins: [...each.origins, ...value.origins],
              }
            : each,
      ),
      { kind: "none" },
    ),
  );
};

/** Arguments that `xargs` makes of its input. */
function added(input: Parameters<Judge>[0]["input"]): readonly Argument[] {
  switch (input.kind) {
    case "none":
      return [unknown("output")];
    case "text":
      return input.text
        .split(/\s+/)
        .filter((text) => text !== "")
        .map(literal);
    case "stream":
      return [unknown(input.origin)];
  }
}

const watch: Judge = (call) => {
  const rest = afterOptions(call.args, { short: "nq", long: ["--interval"] });
  if (isShell(rest[0]?.text ?? "")) return reason("inline-code", "`watch` runs a script again and again");
  if (call.args.some(({ text }) => /^-[a-z]*x|^--exec/.test(text))) return call.runs(rest);
  if (!rest.every(isLiteral)) return reason("inline-code", "only the run decides what `watch` does");
  return call.script(rest.map(({ text }) => text).join(" "));
};

const command: Judge = (call) => {
  const [first, ...rest] = call.args;
  if (first?.text === "-v" || first?.text === "-V")
    return byRule({ operands: "text" })({ ...call, args: rest });
  return call.args.length === 0
    ? []
    : call.runs(first?.text === "-p" || first?.text === "--" ? rest : call.args);
};

const timeout: Judge = wraps({ short: "ks", long: ["--kill-after", "--signal"] }, 1);

/** Judges of wrappers by name. */
export const wrappers: Readonly<Record<string, Judge>> = {
  env,
  xargs,
  watch,
  command,
  builtin: wraps({}),
  exec: (call) =>
    call.args.some(({ text }) => text === "-a")
      ? reason("alias", "`exec -a` gives a program another name")
      : wraps({ short: "a" })(call),
  time: wraps({ short: "fo" }),
  nice: wraps({ short: "n", long: ["--adjustment"] }),
  ionice: wraps({ short: "cn" }),
  nohup: wraps({}),
  setsid: wraps({}),
  stdbuf: wraps({ short: "ioe" }),
  unbuffer: wraps({}),
  timeout,
  gtimeout: timeout,
  chronic: wraps({}),
  taskset: wraps({ short: "p" }, 1),
  parallel: refuse("inline-code", "puts its input into scripts"),
  script: refuse("inline-code", "runs a command in a terminal of its own"),
  flock: refuse("inline-code", "runs a command"),
  busybox: refuse("inline-code", "is many programs"),
};
