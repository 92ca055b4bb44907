/** Rules for programs that list, make, move, delete and pack files. */

import type { Call } from "../context.ts";
import { type Reason, reason } from "../reason.ts";
import { type Argument, isLiteral, literal, ONE, STAR, shown, UNKNOWN } from "../values/argument.ts";
import { judgePath, judgeTree, namesRebuilt } from "../values/paths.ts";
import { hasOption, readOptions } from "./options.ts";
import { byRule, deniedOptions, isShell, type Judge, type Rule, refuse } from "./rule.ts";
import { MAX_BYTES, toBytes } from "./text.ts";

const folder = (call: Call) => call.context.folder.current;

const copy: Rule = {
  short: "tSZm",
  long: ["--target-directory", "--suffix", "--mode", "--owner", "--group"],
  lastWritten: true,
  writes: ["-t", "--target-directory"],
  text: ["-m", "--mode", "-S", "--suffix"],
  injectable: false,
  also: (call, options, operands) => {
    const mode = options.find(({ name }) => name === "-m" || name === "--mode")?.value;
    const [, second] = operands;
    return [
      ...(mode === undefined ? [] : modeReasons(mode.text)),
      ...(call.name === "install" && hasOption(options, "-s", "--strip-program")
        ? reason("dangerous-option", "`install -s` runs a program")
        : []),
      ...(call.name === "mv" ? moved(call, operands, hasOption(options, "-t", "--target-directory")) : []),
      ...(call.name === "ln" && second === undefined ? judgePath(literal("."), "write", folder(call)) : []),
    ];
  },
};

/** A file that is moved is gone from where it was. */
function moved(call: Call, operands: readonly Argument[], targeted: boolean): readonly Reason[] {
  const sources = targeted ? operands : operands.slice(0, -1);
  const target = operands.at(-1);
  if (target?.text === "/dev/null") return reason("destructive", "`mv` to `/dev/null` destroys files");
  return sources.flatMap((source) => judgePath(source, "write", folder(call)));
}

/** Links to a folder of the system open it to everything that follows links. */
const link: Judge = (call) => {
  const { operands } = readOptions(call.args, { short: "tS" });
  const [target] = operands;
  if (target !== undefined && /^\/([^/]*\/?$|(usr\/)?s?bin\/|etc\/)/.test(target.text)) {
    return reason("reads-system", `\`${shown(target.text)}\` would be reachable through a link`);
  }
  return byRule(copy)(call);
};

const remove: Judge = (call) => {
  const rule: Rule = { deny: { destructive: ["--no-preserve-root"] } };
  const { options, operands } = readOptions(call.args, rule);
  const refused = deniedOptions(call.name, options, rule);
  if (refused.length > 0) return refused;
  if (operands.length === 0) return reason("destructive", "`rm` gets its files from somewhere else");
  const recursive = hasOption(options, "-r", "-R", "--recursive");
  const dashed = operands.find(({ text }) => text.startsWith(UNKNOWN) && text.length > 1);
  if (dashed !== undefined && recursive)
    return reason("destructive", `\`${shown(dashed.text)}\` may be any folder`);
  return operands.flatMap((path) =>
    recursive ? judgeTree(path, folder(call)) : judgePath(path, "delete", folder(call)),
  );
};

function modeReasons(mode: string): readonly Reason[] {
  if (/^[0-7]{4,}$/.test(mode) && !/^0+[0-7]{3}$/.test(mode))
    return reason("privilege", `mode \`${mode}\` sets the user or group of those who run a file`);
  if (/[+=][rwxXugo]*[st]/.test(mode))
    return reason("privilege", `mode \`${mode}\` sets the user or group of those who run a file`);
  if (/^[0-7]*[2367]$/.test(mode) || /(^|,)[ugoa]*[oa][ugoa]*[+=][rx]*w/.test(mode)) {
    return reason("privilege", `mode \`${mode}\` lets everybody write`);
  }
  return [];
}

const chmod: Judge = (call) => {
  const { operands, injectable, options } = readOptions(
    call.args.filter(({ text }) => !/^-[rwx]+$/.test(text)),
    {},
  );
  const symbolic = call.args.find(({ text }) => /^-[rwx]+$/.test(text));
  const [mode, ...files] = symbolic === undefined ? operands : [symbolic, ...operands];
  if (injectable.length > 0)
    return reason("wildcard-injection", "`*` may name a file that `chmod` reads as an option; write `./*`");
  if (hasOption(options, "--reference"))
    return reason("dangerous-option", "`chmod --reference` takes its mode from a file");
  if (mode === undefined || !isLiteral(mode))
    return reason("privilege", "only the run decides which mode files get");
  return [...modeReasons(mode.text), ...files.flatMap((file) => judgePath(file, "write", folder(call)))];
};

/** Actions of `find` that write or run. */
const find: Judge = (call) => {
  const from = folder(call);
  const reasons: Reason[] = [];
  const roots: Argument[] = [];
  const names: string[] = [];
  const { args } = call;
  let expression = false;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at];
    if (argument === undefined) break;
    const { text } = argument;
    if (!expression && !/^[-(!]/.test(text) && text !== "\\(") {
      if (/^[\uE001\uE002]/.test(text))
        reasons.push({
          code: "wildcard-injection",
          message: "`*` may name a file that `find` reads as an expression; write `./*`",
        });
      roots.push(argument);
      continue;
    }
    if (!expression && /^-([HLP]|O\d)$/.test(text)) continue;
    expression = true;
    if (!isLiteral(argument) && text.startsWith("-"))
      reasons.push({ code: "dangerous-option", message: "only the run decides what `find` does" });
    if (/^-(i?name|i?path|i?wholename|i?regex|i?lname)$/.test(text)) {
      names.push(args[at + 1]?.text ?? "");
      at += 1;
    } else if (/^-(exec|execdir|ok|okdir)$/.test(text)) {
      const end = args.findIndex(
        (each, index) =>
          index > at && (each.text === ";" || (each.text === "+" && args[index - 1]?.text === "{}")),
      );
      const inner = args.slice(at + 1, end < 0 ? args.length : end);
      reasons.push(...executed(call, inner, names));
      at = end < 0 ? args.length : end;
    } else if (text === "-delete") reasons.push(...deletes(roots, names, call));
    else if (/^-f(print0?|printf|ls)$/.test(text)) {
      reasons.push(...judgePath(args[at + 1] ?? literal(""), "write", from));
      at += 1;
    } else if (text === "-files0-from")
      reasons.push({
        code: "dangerous-option",
        message: "`find -files0-from` reads its folders from a file",
      });
    else if (
      /^-(perm|user|group|uid|gid|writable|nouser|nogroup)$/.test(text) &&
      roots.some((root) => root.text === "/" || root.text === "/usr")
    ) {
      reasons.push({ code: "privilege", message: "`find` looks for files with special rights" });
    } else if (/^-(newer\w*|samefile|anewer|cnewer)$/.test(text)) {
      reasons.push(...judgePath(args[at + 1] ?? literal(""), "list", from));
      at += 1;
    }
  }
  for (const name of names) {
    const pattern = name.replace(/^.*\//, "").replaceAll("*", STAR).replaceAll("?", ONE);
    if (judgePath(literal(pattern), "read", from).length > 0) {
      reasons.push({ code: "reads-secret", message: `\`find\` looks for secrets: \`${shown(name)}\`` });
    }
  }
  return [
    ...reasons,
    ...(roots.length === 0 ? [literal(".")] : roots).flatMap((root) => judgePath(root, "sweep", from)),
  ];
};

function deletes(roots: readonly Argument[], names: readonly string[], call: Call): readonly Reason[] {
  const inside = (roots.length === 0 ? [literal(".")] : roots).every(
    (root) =>
      isLiteral(root) &&
      !/^\/|^\.\.|^~/.test(root.text) &&
      judgePath(root, "write", folder(call)).length === 0,
  );
  const rebuilt = names.length > 0 && names.every((name) => namesRebuilt(name));
  return inside && rebuilt ? [] : reason("destructive", "`find` would delete files that nothing makes again");
}

/** The command of `-exec`, with a found path in place of `{}`. */
function executed(call: Call, inner: readonly Argument[], names: readonly string[]): readonly Reason[] {
  const [program] = inner;
  if (isShell(program?.text ?? ""))
    return reason("inline-code", "a shell would run for every file that is found");
  if (program?.text === "rm" || program?.text === "rmdir") {
    const options = inner.slice(1).filter(({ text }) => text !== "{}");
    if (options.every(({ text }) => /^-[rfRv]+$|^--$/.test(text))) return deletes([], names, call);
  }
  const args = inner.map(
    (each): Argument => ({
      ...each,
      text: each.text.replaceAll("{}", UNKNOWN),
      origins: each.text.includes("{}") ? [...each.origins, "listing"] : each.origins,
    }),
  );
  return call.runs(args, { kind: "none" });
}

const fd: Judge = (call) => {
  if (call.args.some(({ text }) => /^(-x|-X|--exec|--exec-batch)/.test(text))) {
    const at = call.args.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)$/.test(text));
    if (at < 0) return reason("dangerous-option", "`fd` runs a command");
    const inner = call.args.slice(at + 1);
    return inner.length === 0
      ? reason("dangerous-option", "`fd` runs a command")
      : executed(call, [...inner, literal("{}")], []);
  }
  return byRule({
    short: "eEtdgjS",
    long: ["--extension", "--exclude", "--type", "--max-depth"],
    textFirst: 1,
    text: ["-e", "-E", "-t"],
    operands: "sweep",
  })(call);
};

/** Old-style option letters of `tar` count like those with a dash. */
const tar: Judge = (call) => {
  const [first, ...rest] = call.args;
  const args = first !== undefined && /^[A-Za-z]+$/.test(first.text) ? spread(first, rest) : call.args;
  const rule: Rule = {
    short: "fCTXbgHFIKLNV",
    long: [
      "--file",
      "--directory",
      "--exclude",
      "--exclude-from",
      "--files-from",
      "--transform",
      "--xform",
      "--checkpoint-action",
      "--to-command",
      "--use-compress-program",
      "--info-script",
      "--new-volume-script",
      "--rsh-command",
      "--rmt-command",
      "--owner",
      "--group",
      "--mode",
      "--strip-components",
      "--mtime",
    ],
    text: ["--exclude", "--transform", "--owner", "--group", "--mtime", "--mode"],
    writes: ["-C", "--directory"],
    deny: {
      "inline-code": [
        "--checkpoint-action",
        "--checkpoint",
        "--to-command",
        "-I",
        "--use-compress-program",
        "-F",
        "--info-script",
        "--new-volume-script",
        "--rsh-command",
        "--rmt-command",
      ],
      "writes-system": ["-P", "--absolute-names"],
      destructive: [
        "--remove-files",
        "--delete",
        "--recursive-unlink",
        "--unlink-first",
        "-U",
        "--overwrite-dir",
      ],
    },
    injectable: true,
  };
  const { options } = readOptions(args, rule);
  const creates = hasOption(options, "-c", "--create", "-r", "--append", "-u", "--update", "-A");
  const extracts = hasOption(options, "-x", "--extract", "--get");
  const archive = options.find(({ name }) => name === "-f" || name === "--file")?.value;
  if (archive !== undefined && /^[^/]+:/.test(archive.text))
    return reason("network", "`tar` reaches another machine");
  const result = byRule({ ...rule, writes: creates ? ["-f", "--file"] : ["-C", "--directory"] })({
    ...call,
    args,
  });
  if (result.length > 0 || !extracts) return creates ? [...result, ...swept(args, rule, call)] : result;
  return judgePath(literal("."), "write", folder(call));
};

function swept(args: readonly Argument[], rule: Rule, call: Call): readonly Reason[] {
  return readOptions(args, rule).operands.flatMap((path) => judgePath(path, "sweep", folder(call)));
}

/** `xzvf a b` as `-x -z -v -f a b`. */
function spread(letters: Argument, rest: readonly Argument[]): readonly Argument[] {
  const left = [...rest];
  return [
    ...[...letters.text].flatMap((letter) => {
      const option = literal(`-${letter}`);
      if (!"fCTXbgHFIKLNV".includes(letter)) return [option];
      const value = left.shift();
      return value === undefined ? [option] : [option, value];
    }),
    ...left,
  ];
}

const dd: Judge = (call) => {
  const values = new Map<string, Argument>();
  for (const argument of call.args) {
    const equals = argument.text.indexOf("=");
    if (equals < 0) return reason("unknown-option", `\`dd\` does not know \`${shown(argument.text)}\``);
    values.set(argument.text.slice(0, equals), { ...argument, text: argument.text.slice(equals + 1) });
  }
  const [input, output] = [values.get("if"), values.get("of")];
  const endless = input !== undefined && /^\/dev\/(zero|u?random)$/.test(input.text);
  const size =
    toBytes(values.get("bs")?.text ?? "512") *
    Number(values.get("count")?.text ?? (endless ? Number.POSITIVE_INFINITY : 1));
  const empties = input?.text === "/dev/null";
  return [
    ...(size > MAX_BYTES || Number.isNaN(size)
      ? reason("unbounded", "`dd` writes more than 1 GiB or without an end")
      : []),
    ...(empties && output !== undefined ? reason("destructive", "`dd` empties a file") : []),
    ...(input === undefined || endless ? [] : judgePath(input, "read", folder(call))),
    ...(output === undefined ? [] : judgePath(output, "write", folder(call))),
  ];
};

const sized: Judge = (call) => {
  const { options, operands } = readOptions(call.args, {
    short: "slor",
    long: ["--size", "--length", "--offset", "--reference"],
  });
  const size =
    options.find(({ name }) => ["-s", "-l", "--size", "--length"].includes(name))?.value?.text ?? "";
  if (!(toBytes(size.replace(/^[+<]/, "")) <= MAX_BYTES))
    return reason("unbounded", `\`${call.name}\` makes a file of more than 1 GiB`);
  return operands.flatMap((path) => judgePath(path, "write", folder(call)));
};

const packers: Rule = { short: "SbTMo", writes: ["-o"], injectable: false, operands: "read" };

/** Judges of file programs by name. */
export const filePrograms: Readonly<Record<string, Judge>> = {
  ls: byRule({ operands: "list", short: "IwT", text: ["-I", "--ignore", "--hide"] }),
  dir: byRule({ operands: "list" }),
  exa: byRule({ operands: "list" }),
  eza: byRule({ operands: "list" }),
  lsd: byRule({ operands: "list" }),
  tree: byRule({
    operands: "list",
    short: "LIPHTo",
    text: ["-I", "-P", "-H", "-T"],
    writes: ["-o", "--output"],
    deny: { "dangerous-option": ["-R", "--fromfile", "--fromtabfile"] },
  }),
  stat: byRule({ operands: "list", short: "cf", text: ["-c", "-f", "--format", "--printf"] }),
  du: byRule({ operands: "list", short: "dtBX", deny: { "dangerous-option": ["--files0-from"] } }),
  df: byRule({ operands: "list", short: "txB" }),
  realpath: byRule({ operands: "list" }),
  readlink: byRule({ operands: "list" }),
  basename: byRule({ operands: "text" }),
  dirname: byRule({ operands: "text" }),
  file: byRule({
    operands: "list",
    short: "fmF",
    deny: { "dangerous-option": ["-f", "--files-from", "-m", "--magic-file", "-C"] },
  }),
  test: byRule({ operands: "list", singleDash: true }),
  "[": byRule({ operands: "list", singleDash: true }),
  mkdir: byRule({ operands: "write", short: "m", text: ["-m", "--mode"] }),
  rmdir: byRule({ operands: "delete" }),
  touch: byRule({ operands: "write", short: "dtr", text: ["-d", "-t", "--date"] }),
  mktemp: byRule({ operands: "write", short: "p", text: ["--suffix"], writes: ["-p", "--tmpdir"] }),
  cp: byRule(copy),
  mv: byRule(copy),
  install: byRule(copy),
  ln: link,
  link,
  rm: remove,
  unlink: byRule({ operands: "delete" }),
  chmod,
  chown: refuse("privilege", "changes the owner of files"),
  chgrp: refuse("privilege", "changes the group of files"),
  chattr: refuse("privilege", "changes attributes of files"),
  truncate: sized,
  fallocate: sized,
  dd,
  find,
  fd,
  fdfind: fd,
  tar,
  bsdtar: tar,
  gtar: tar,
  zip: byRule({
    short: "xinbt",
    lastWritten: false,
    injectable: true,
    deny: {
      "inline-code": ["-T", "-TT", "--test", "--unzip-command"],
      destructive: ["-m", "--move", "-d", "--delete"],
    },
    also: (call, _options, [archive, ...inputs]) => [
      ...(archive === undefined ? [] : judgePath(archive, "write", folder(call))),
      ...inputs.flatMap((path) => judgePath(path, "sweep", folder(call))),
    ],
  }),
  unzip: byRule({ short: "dxP", writes: ["-d"], text: ["-x"], deny: { "writes-system": ["-:"] } }),
  zipinfo: byRule({}),
  gzip: byRule(packers),
  gunzip: byRule(packers),
  bzip2: byRule(packers),
  bunzip2: byRule(packers),
  xz: byRule(packers),
  unxz: byRule(packers),
  zstd: byRule(packers),
  unzstd: byRule(packers),
  lz4: byRule(packers),
  "7z": archiver,
  "7za": archiver,
  rsync: byRule({
    short: "efTB",
    long: ["--rsh", "--exclude", "--include", "--rsync-path", "--files-from", "--log-file"],
    text: ["--exclude", "--include", "-f", "--filter"],
    lastWritten: true,
    injectable: true,
    deny: {
      "inline-code": ["-e", "--rsh", "--rsync-path", "--daemon"],
      destructive: [
        "--delete",
        "--delete-before",
        "--delete-after",
        "--delete-during",
        "--delete-excluded",
        "--remove-source-files",
        "--del",
      ],
      "dangerous-option": ["--files-from", "--log-file", "--copy-devices", "--write-devices"],
    },
    also: (_call, _options, operands) =>
      operands.some(({ text }) => /^[^/]+:/.test(text))
        ? reason("network", "`rsync` reaches another machine")
        : [],
  }),
  patch: byRule({
    short: "pidoBDFrYz",
    operands: "write",
    writes: ["-o", "--output", "-r", "-d", "--directory"],
    deny: { "dangerous-option": ["-e", "--ed"] },
  }),
};

function archiver(call: Call): readonly Reason[] {
  const [command, ...rest] = call.args;
  if (command?.text === "l" || command?.text === "t") return byRule({})({ ...call, args: rest });
  if (!/^[axe]$/.test(command?.text ?? ""))
    return reason("unknown-option", `\`${call.name}\` is told something unknown`);
  return byRule({
    singleDash: true,
    deny: { destructive: ["-sdel"] },
    also: (inner, options, [archive, ...inputs]) => [
      ...(archive === undefined ? [] : judgePath(archive, "write", folder(inner))),
      ...inputs.flatMap((path) => judgePath(path, "sweep", folder(inner))),
      ...(inner.args.some(({ text }) => text === "\uE001")
        ? reason("wildcard-injection", "`*` may name an option")
        : []),
      ...options
        .filter(({ name }) => name.startsWith("-o"))
        .flatMap(({ name }) => judgePath(literal(name.slice(2)), "write", folder(inner))),
    ],
  })({ ...call, args: rest });
}
