/** Rules for interpreters: short programs of harmless words pass, scripts of the project run code, the rest is refused. */

import type { Call } from "../context.ts";
import { judgeJavaScript, judgePython } from "../languages/expressions.ts";
import { type Reason, reason } from "../reason.ts";
import { type Argument, isLiteral, literal } from "../values/argument.ts";
import { judgePath } from "../values/paths.ts";
import { asksVersion, byRule, type Judge, runsCode } from "./rule.ts";

/** A script of the working folder runs code of the project; one from elsewhere is refused. */
function runsScript(call: Call, path: Argument): readonly Reason[] {
  if (!isLiteral(path))
    return reason("inline-code", `only the run decides which script \`${call.name}\` runs`);
  if (/^(\/dev\/|\/proc\/)/.test(path.text) || path.text === "-")
    return reason("interpreter-input", `\`${call.name}\` runs what it reads`);
  if (/^(\/|\.\.|~|\uE003|https?:)/.test(path.text))
    return reason("inline-code", `\`${call.name}\` runs a script from outside the working folder`);
  const reasons = judgePath(path, "read", call.context.folder.current);
  return reasons.length > 0 ? reasons : runsCode(call, `${call.name} ${path.text}`);
}

const shell: Judge = (call) => {
  if (asksVersion(call)) return [];
  const { args } = call;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? literal("");
    const { text } = argument;
    if (!isLiteral(argument)) return reason("inline-code", "only the run decides what a shell does");
    if (text === "-n" || text === "--noexec") return byRule({})({ ...call, args: args.slice(at + 1) });
    if (text === "-o" || text === "+o" || text === "-O") {
      at += 1;
      continue;
    }
    if (/^--(norc|noprofile|posix|login|verbose)$/.test(text)) continue;
    if (text.startsWith("--")) return reason("dangerous-option", `\`${call.name} ${text}\` is not allowed`);
    if (/^-[a-zA-Z]+$/.test(text)) {
      if (/[is]/.test(text.replace("-", "")))
        return reason("interpreter-input", `\`${call.name} ${text}\` runs what it reads`);
      if (!text.includes("c")) continue;
      const script = args[at + 1];
      if (script === undefined) return reason("interpreter-input", "a shell runs what it reads");
      if (!/^(ba|da)?sh$/.test(call.name))
        return reason("inline-code", `\`${call.name}\` reads another language than bash`);
      return isLiteral(script)
        ? call.script(script.text)
        : reason("inline-code", "only the run decides what a shell does");
    }
    if (text === "-" || text.startsWith("-"))
      return reason("interpreter-input", "a shell runs what it reads");
    return runsScript(call, argument);
  }
  return reason("interpreter-input", `\`${call.name}\` runs what it reads`);
};

const MODULES: Readonly<Record<string, Judge>> = {
  "json.tool": byRule({ lastWritten: true }),
  calendar: byRule({ operands: "text" }),
  platform: byRule({ operands: "text" }),
  site: () => reason("unknown-option", "the module `site` is not known to be harmless"),
  tabnanny: byRule({}),
  tokenize: byRule({}),
  ast: byRule({}),
  base64: byRule({ textFirst: 1 }),
};

const PROJECT_MODULES =
  /^(pytest|unittest|doctest|venv|build|mypy|flake8|pylint|black|ruff|isort|coverage|tox|nox|compileall|py_compile|virtualenv|django|flask|uvicorn|gunicorn|ipykernel|jupyter|streamlit)$/;

const python: Judge = (call) => {
  if (asksVersion(call) || (call.args.length === 1 && call.args[0]?.text === "-VV")) return [];
  const { args } = call;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? literal("");
    const { text } = argument;
    if (!isLiteral(argument)) return reason("inline-code", "only the run decides what Python does");
    if (/^-[BEIsSuOq]+$/.test(text)) continue;
    if (text === "-c") {
      const code = args[at + 1];
      return code !== undefined && isLiteral(code)
        ? judgePython(code.text, call.context.folder.current)
        : reason("inline-code", "only the run decides what Python does");
    }
    if (text === "-m") {
      const module = args[at + 1]?.text ?? "";
      const rest = args.slice(at + 2);
      if (module === "pip") return call.runs([literal("pip"), ...rest]);
      if (Object.hasOwn(MODULES, module)) return MODULES[module]?.({ ...call, args: rest }) ?? [];
      if (PROJECT_MODULES.test(module)) return runsCode(call, `python -m ${module}`);
      return reason("inline-code", `the module \`${module}\` is not known to be harmless`);
    }
    if (text.startsWith("-")) return reason("interpreter-input", `\`${call.name} ${text}\` is not allowed`);
    return runsScript(call, argument);
  }
  return reason("interpreter-input", "Python runs what it reads");
};

const node: Judge = (call) => {
  if (asksVersion(call)) return [];
  const { args } = call;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? literal("");
    const { text } = argument;
    if (!isLiteral(argument)) return reason("inline-code", "only the run decides what Node does");
    if (/^(-e|-p|-pe|--eval|--print)$/.test(text)) {
      const code = args[at + 1];
      return code !== undefined && isLiteral(code)
        ? judgeJavaScript(code.text)
        : reason("inline-code", "only the run decides what Node does");
    }
    if (text === "-c" || text === "--check") return byRule({})({ ...call, args: args.slice(at + 1) });
    if (/^--(test|watch|enable-source-maps|max-old-space-size=\d+|trace-warnings|no-warnings)$/.test(text)) {
      if (text === "--test" && at === args.length - 1) return runsCode(call, "node --test");
      continue;
    }
    if (text.startsWith("-")) return reason("inline-code", `\`node ${text}\` is not allowed`);
    return runsScript(call, argument);
  }
  return reason("interpreter-input", "Node runs what it reads");
};

/** Interpreters without a reader of their own: a script of the project runs code, everything else is refused. */
const other: Judge = (call) => {
  if (asksVersion(call)) return [];
  const [first] = call.args;
  if (first === undefined) return reason("interpreter-input", `\`${call.name}\` runs what it reads`);
  return first.text.startsWith("-")
    ? reason("inline-code", `\`${call.name}\` runs code from the command line`)
    : runsScript(call, first);
};

const java: Judge = (call) => {
  if (asksVersion(call) || call.args[0]?.text === "--version") return [];
  const [first, second] = call.args;
  if (first?.text === "-jar" && second !== undefined) return runsScript(call, second);
  return reason("inline-code", "`java` runs code");
};

/** Judges of interpreters by name. */
export const interpreters: Readonly<Record<string, Judge>> = {
  ...Object.fromEntries(
    "sh bash dash zsh ksh mksh ash fish".split(" ").map((name): [string, Judge] => [name, shell]),
  ),
  python,
  python2: python,
  python3: python,
  node,
  nodejs: node,
  ...Object.fromEntries(
    "perl|ruby|php|lua|luajit|tclsh|osascript|rscript|r|julia|groovy|scala|erl|elixir|pwsh|ghc|racket|guile|ts-node|tsx"
      .split("|")
      .map((name): [string, Judge] => [name, other]),
  ),
  ...Object.fromEntries(
    "vim|vi|nvim|view|ex|ed|emacs|nano|pico|micro|code|ffmpeg|ffprobe|convert|magick|mogrify|identify"
      .split("|")
      .map((name): [string, Judge] => [
        name,
        (call) => (asksVersion(call) ? [] : reason("inline-code", `\`${name}\` can run commands of its own`)),
      ]),
  ),
  Rscript: other,
  R: other,
  java,
};
