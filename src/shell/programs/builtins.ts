/** Rules for commands of the shell itself. */

import { environmentReasons } from "../environment.ts";
import { reason } from "../reason.ts";
import { type Argument, isLiteral, literal } from "../values/argument.ts";
import { resolve, UNKNOWN_FOLDER } from "../values/folder.ts";
import { judgePath } from "../values/paths.ts";
import { byRule, type Judge, refuse, runsCode } from "./rule.ts";

const text: Judge = byRule({ operands: "text" });

const cd: Judge = (call) => {
  const [target = literal("\uE003")] = call.args.filter(({ text: each }) => !/^-[LPe@]+$/.test(each));
  const { folder } = call.context;
  const reasons = judgePath(target, "list", folder.current);
  const dynamic = target.text === "-" || target.text.startsWith("\uE000") || target.text.includes("\uE000");
  folder.current =
    dynamic && !target.origins.every((origin) => origin === "listing")
      ? UNKNOWN_FOLDER
      : resolve(target.text, folder.current);
  return reasons;
};

const evaluate: Judge = (call) => {
  if (!call.args.every(isLiteral)) return reason("inline-code", "only the run decides what `eval` does");
  return call.script(call.args.map((each) => each.text).join(" "));
};

const source: Judge = (call) => {
  const [path] = call.args;
  if (path === undefined || path.text.startsWith("/dev/") || !isLiteral(path))
    return reason("interpreter-input", "a script comes from elsewhere");
  const secrets = judgePath(path, "read", call.context.folder.current);
  if (secrets.length > 0) return secrets;
  return path.text.startsWith("/")
    ? reason("inline-code", "a script of another folder would run")
    : runsCode(call, `source ${path.text}`);
};

/** `export`, `declare` and the like. */
const declare: Judge = (call) => {
  const flags = call.args.filter(({ text: each }) => /^[-+]/.test(each)).map(({ text: each }) => each);
  const values = call.args.filter(({ text: each }) => !/^[-+]/.test(each));
  if (
    flags.some((flag) => /^-[a-zA-Z]*[pfFnit]/.test(flag)) &&
    !(flags.length === 1 && flags[0] === "-f" && values.length > 0)
  ) {
    return reason(
      "environment",
      `\`${call.name} ${flags.join(" ")}\` shows the environment or gives names another meaning`,
    );
  }
  if (values.length === 0) return reason("reads-secret", "the environment may hold secrets");
  return values.flatMap((value) => {
    const equals = value.text.indexOf("=");
    const name = equals < 0 ? value.text : value.text.slice(0, equals).replace(/\+$/, "");
    if (!/^[A-Za-z_]\w*$/.test(name))
      return reason("environment", "only the run decides which variable changes");
    return equals < 0
      ? []
      : environmentReasons(name, { ...value, text: value.text.slice(equals + 1) }, undefined);
  });
};

/** Names that a command assigns; a subscript would be evaluated. */
function plainNames(call: Parameters<Judge>[0], from: readonly Argument[]) {
  const bad = from.find(({ text: each }) => /[[\]`$]/.test(each) || !isLiteral(literal(each)));
  if (bad !== undefined) return reason("obfuscated", `\`${call.name}\` evaluates a subscript`);
  return from.flatMap((each) => environmentReasons(each.text, literal(""), undefined));
}

const read: Judge = (call) => {
  const names = call.args.filter(
    ({ text: each }, at) =>
      !each.startsWith("-") && !/^-[a-zA-Z]*[adinNptu]$/.test(call.args[at - 1]?.text ?? ""),
  );
  return plainNames(call, names);
};

const mapfile: Judge = (call) =>
  call.args.some(({ text: each }) => /^-[a-z]*C/.test(each))
    ? reason("inline-code", `\`${call.name} -C\` runs a command`)
    : plainNames(
        call,
        call.args.filter(({ text: each }) => !each.startsWith("-")),
      );

const letRule: Judge = (call) =>
  call.args.some((each) => !isLiteral(each) || /[[`]|\$\(/.test(each.text))
    ? reason("obfuscated", "`let` evaluates a subscript")
    : [];

const set: Judge = (call) => {
  if (call.args.length === 0) return reason("reads-secret", "the environment may hold secrets");
  return call.args.some(({ text: each }) => /^[-+][a-zA-Z]*[xv]$/.test(each)) ? [] : [];
};

const trap: Judge = (call) => {
  const [action, ...signals] = call.args;
  if (action === undefined || action.text === "-" || action.text === "" || action.text === "-l") return [];
  if (signals.some(({ text: each }) => /^(DEBUG|RETURN|ERR)$/.test(each)) && !isLiteral(action))
    return reason("inline-code", "a trap runs what only the run knows");
  return isLiteral(action)
    ? call.script(action.text)
    : reason("inline-code", "a trap runs what only the run knows");
};

const unset: Judge = (call) =>
  plainNames(
    call,
    call.args.filter(({ text: each }) => !/^-[vfn]$/.test(each)),
  );

const test: Judge = (call) => {
  if (
    call.args.some(
      ({ text: each }, at) => /^-[vR]$/.test(call.args[at - 1]?.text ?? "") && /[[\uE000]/.test(each),
    )
  )
    return reason("obfuscated", "a test evaluates a subscript");
  return [];
};

/** Judges of builtins by name. */
export const builtins: Readonly<Record<string, Judge>> = {
  cd,
  pushd: cd,
  popd: (call) => {
    call.context.folder.current = UNKNOWN_FOLDER;
    return [];
  },
  dirs: text,
  eval: evaluate,
  source,
  ".": source,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  read,
  mapfile,
  readarray: mapfile,
  let: letRule,
  set,
  shopt: (call) =>
    call.args.some(({ text: each }) => /expand_aliases|sourcepath|cdable_vars/.test(each))
      ? reason("alias", "an option of the shell gives words another meaning")
      : [],
  trap,
  unset,
  test,
  "[": test,
  shift: text,
  return: text,
  exit: text,
  break: text,
  continue: text,
  wait: text,
  getopts: text,
  disown: text,
  fg: text,
  bg: text,
  alias: (call) => (call.args.length === 0 ? [] : reason("alias", "`alias` gives a word another meaning")),
  unalias: text,
  hash: (call) =>
    call.args.some(({ text: each }) => /^-[a-z]*[pdt]/.test(each))
      ? reason("alias", "`hash` gives a program another place")
      : [],
  enable: refuse("alias", "gives commands another meaning"),
  bind: refuse("alias", "gives keys another meaning"),
  complete: refuse("alias", "runs a command at completion"),
  fc: refuse("inline-code", "runs earlier commands"),
  logout: text,
  help: text,
  caller: text,
};
