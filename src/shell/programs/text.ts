/** Rules for programs that read files and write text. */

import { judgeAwk } from "../languages/awk.ts";
import { judgeSed } from "../languages/sed.ts";
import { type Reason, reason } from "../reason.ts";
import { type Argument, isLiteral, literal } from "../values/argument.ts";
import type { resolve } from "../values/folder.ts";
import { judgePath } from "../values/paths.ts";
import { hasOption, type Option, readOptions } from "./options.ts";
import { byRule, decodedReason, deniedOptions, type Judge, type Rule } from "./rule.ts";

const PLAIN =
  "cat|tac|nl|wc|cut|paste|join|comm|fold|fmt|rev|expand|unexpand|pr|od|hexdump|xxd|strings|cksum|sum|md5sum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|shasum|b2sum|b3sum|diff3|sdiff|cmp|column|colrm|look|tsort|ul|vis|zcat|zgrep|bzcat|xzcat|zstdcat|zless|dos2unix|unix2dos|csvcut|csvstat|csvlook|csvgrep|csvsort|csvjoin|csvformat|in2csv|xsv|qsv|datamash|base64|base32|basenc|iconv|gzcat|file|hexyl|glow|wdiff|colordiff|tokei|scc|cloc|sloccount|hadolint|yamllint|markdownlint|markdownlint-cli2|shellcheck|jsonlint|xmlstarlet";

/** Values of options are judged like operands: which letters take a value differs from program to program. */
const plain: Rule = { long: ["--output", "--files0-from", "--from-file"], writes: ["--output", "-O"] };

/** `cut` and the like: separators and fields are no paths. */
const fields: Rule = { short: "dfcbt", text: ["-d", "-f", "-c", "-b", "-t"] };

/** `grep` and its kin: a pattern, then paths; a recursive one sweeps. */
const grep: Rule = {
  short: "efmABCdD",
  long: ["--regexp", "--file", "--max-count", "--context", "--after-context", "--before-context", "--label"],
  textFirst: 1,
  insteadOfText: ["-e", "-f", "--regexp", "--file"],
  text: ["-e", "--regexp", "-m", "-A", "-B", "-C", "--label"],
  also: (call, options, operands) => {
    const said = hasOption(options, "-e", "-f", "--regexp", "--file");
    const paths = operands.slice(said ? 0 : 1);
    if (!hasOption(options, "-r", "-R", "--recursive", "--dereference-recursive")) return [];
    return sweep(call.context.folder.current, paths);
  },
};

function sweep(from: ReturnType<typeof resolve>, paths: readonly Argument[]): readonly Reason[] {
  return (paths.length === 0 ? [literal(".")] : paths).flatMap((path) => judgePath(path, "sweep", from));
}

const ripgrep: Rule = {
  short: "efgmtTABCMjrE",
  long: [
    "--regexp",
    "--file",
    "--glob",
    "--type",
    "--max-count",
    "--context",
    "--pre",
    "--pre-glob",
    "--replace",
    "--max-depth",
    "--iglob",
    "--ignore-file",
  ],
  textFirst: 1,
  insteadOfText: ["-e", "-f", "--regexp", "--files", "--type-list"],
  text: ["-e", "-g", "-t", "-T", "-r", "--regexp", "--glob", "--replace", "--iglob"],
  deny: {
    "dangerous-option": ["--pre", "--hostname-bin", "--search-zip", "--pager", "-O", "--open-files-in-pager"],
  },
  also: (call, options, operands) => {
    const said = hasOption(options, "-e", "-f", "--regexp", "--files");
    return sweep(call.context.folder.current, operands.slice(said ? 0 : 1));
  },
};

/** `ag` and `ack`: short options without values but for counts. */
const searcher: Rule = {
  short: "ABCm",
  textFirst: 1,
  deny: ripgrep.deny ?? {},
  also: (call, _options, operands) => sweep(call.context.folder.current, operands.slice(1)),
};

const sortRule: Rule = {
  short: "ktoSTe",
  long: [
    "--key",
    "--field-separator",
    "--output",
    "--buffer-size",
    "--temporary-directory",
    "--compress-program",
    "--files0-from",
    "--parallel",
  ],
  text: ["-k", "-t", "--key", "--field-separator", "-S", "--buffer-size"],
  writes: ["-o", "--output", "-T", "--temporary-directory"],
  deny: { "dangerous-option": ["--compress-program"] },
};

const awk: Judge = (call) => {
  const from = call.context.folder.current;
  const rule: Rule = {
    short: "Fvfieml",
    long: ["--field-separator", "--assign", "--file", "--source", "--include", "--load"],
    text: ["-F", "-v", "--field-separator", "--assign"],
    deny: {
      "inline-code": [
        "-f",
        "--file",
        "-i",
        "--include",
        "-l",
        "--load",
        "-E",
        "--exec",
        "-e",
        "--source",
        "-D",
        "--debug",
        "-d",
        "--dump-variables",
        "-p",
        "--profile",
        "-o",
        "--pretty-print",
        "-W",
      ],
    },
  };
  const { options, operands } = readOptions(call.args, rule);
  const refused = deniedOptions(call.name, options, rule);
  if (refused.length > 0) return refused;
  const [program, ...files] = operands;
  if (program === undefined) return [];
  if (!isLiteral(program)) return reason("inline-code", "only the run decides what an awk program does");
  const values = options.filter(({ name }) => name === "-v" || name === "--assign").map(({ value }) => value);
  return [
    ...judgeAwk(program.text, from, call.script),
    ...values.flatMap((value) => (value === undefined ? [] : decodedReason({ ...call, args: [value] }))),
    ...files.flatMap((file) => (/^[A-Za-z_]\w*=/.test(file.text) ? [] : judgePath(file, "read", from))),
  ];
};

const sed: Judge = (call) => {
  const from = call.context.folder.current;
  const rule: Rule = {
    short: "efl",
    long: ["--expression", "--file", "--line-length"],
    deny: { "inline-code": ["-f", "--file"] },
  };
  // `-i` takes its suffix only when attached: `-i.bak`, `-Ei`.
  const inPlace = call.args.some(({ text }) => /^-[nErsuz]*i/.test(text) || text.startsWith("--in-place"));
  const args = call.args.filter(({ text }) => !/^-[nErsuz]*i/.test(text) && !text.startsWith("--in-place"));
  const { options, operands } = readOptions(args, rule);
  const refused = deniedOptions(call.name, options, rule);
  if (refused.length > 0) return refused;
  const given = options
    .filter(({ name }) => name === "-e" || "--expression".startsWith(name))
    .map(({ value }) => value);
  const scripts = given.length > 0 ? given : operands.slice(0, 1);
  const files = given.length > 0 ? operands : operands.slice(1);
  return [
    ...scripts.flatMap((script) => {
      if (script === undefined) return [];
      if (isLiteral(script)) return judgeSed(script.text, from);
      return sedTemplate(script, from);
    }),
    ...files.flatMap((file) => judgePath(file, inPlace ? "write" : "read", from)),
    ...(inPlace ? files.flatMap((file) => judgePath(file, "read", from)) : []),
  ];
};

/** A script with unknown text in it may hold anything that the text makes of it. */
function sedTemplate(script: Argument, _from: ReturnType<typeof resolve>): readonly Reason[] {
  const harmless = script.origins.every((origin) => origin === "harmless") && script.variables.length === 0;
  return harmless ? [] : reason("inline-code", "only the run decides what a sed script does");
}

const jq: Judge = (call) => {
  const rule: Rule = {
    short: "fL",
    long: ["--from-file", "--indent"],
    textFirst: 1,
    insteadOfText: ["-f", "--from-file"],
    deny: { "dangerous-option": ["-L", "--library-path"] },
  };
  // `--arg name value` takes two arguments.
  const args: Argument[] = [];
  const files: Argument[] = [];
  for (let at = 0; at < call.args.length; at += 1) {
    const each = call.args[at];
    if (each === undefined) break;
    if (each.text === "--arg" || each.text === "--argjson") at += 2;
    else if (["--slurpfile", "--rawfile"].includes(each.text)) {
      files.push(call.args[at + 2] ?? literal(""));
      at += 2;
    } else if (each.text === "--args" || each.text === "--jsonargs") break;
    else args.push(each);
  }
  const [filter] = readOptions(args, rule).operands;
  const text = (filter?.text ?? "").replace(/"(?:[^"\\]|\\[^(])*"/g, '""');
  if (
    /(^|[^.\w])(env|input_filename|import|include|modulemeta|debug|getpath_env)\b|\$ENV|\$__prog/.test(text)
  ) {
    return reason("reads-secret", "a jq filter reads the environment or a module");
  }
  return [
    ...byRule(rule)({ ...call, args }),
    ...files.flatMap((file) => judgePath(file, "read", call.context.folder.current)),
  ];
};

const yq: Judge = (call) => {
  if (call.args.some(({ text }) => /\b(load|load_str|env|envsubst|strenv)\b/.test(text))) {
    return reason("dangerous-option", "a yq expression loads files or the environment");
  }
  const inPlace = call.args.some(({ text }) => /^-[a-zA-Z]*i$|^--inplace/.test(text));
  return byRule({
    textFirst: 1,
    short: "opPI",
    operands: inPlace ? "write" : "read",
    deny: { "dangerous-option": ["-s", "--split-exp", "--from-file"] },
  })(call);
};

/** `printf -v` assigns; the rest is text. */
const printf: Judge = (call) =>
  call.args[0]?.text === "-v" && !/^[a-z_]\w*$/.test(call.args[1]?.text ?? "")
    ? reason("environment", "`printf -v` changes a variable of the environment")
    : [];

const head: Judge = (call) => {
  const rule: Rule = { short: "cn", long: ["--bytes", "--lines"] };
  const { options, operands } = readOptions(call.args, rule);
  const size = options.find(({ name }) => name === "-c" || name === "--bytes")?.value?.text;
  const bounded = size !== undefined && /^\d{1,9}([kKMm]?B?)?$/.test(size) && toBytes(size) <= MAX_BYTES;
  const from = call.context.folder.current;
  return operands.flatMap((path) =>
    bounded && /^\/dev\/(zero|u?random)$/.test(path.text) ? [] : judgePath(path, "read", from),
  );
};

/** Bytes that a command may write or take from an endless device. */
export const MAX_BYTES = 1024 ** 3;

/** Bytes of a size such as `10M`; infinite if it is no size. */
export function toBytes(text: string): number {
  const match = /^(\d+)([kKMGTPE]?)(i?B|b)?$/.exec(text);
  if (match === null) return Number.POSITIVE_INFINITY;
  const power = "KMGTPE".indexOf((match[2] ?? "").toUpperCase());
  return Number(match[1]) * (match[2] === "" ? 1 : 1024 ** (power + 1));
}

const splitRule: Rule = {
  short: "lbnaCt",
  long: ["--lines", "--bytes", "--filter", "--additional-suffix", "--number"],
  lastWritten: true,
  deny: { "dangerous-option": ["--filter"] },
};

/** The second operand of `uniq` is written to. */
const uniqRule: Rule = { short: "fsw", lastWritten: true };

const viewers: Rule = {
  short: "xyjbhkopPtTz",
  deny: {
    "dangerous-option": [
      "-o",
      "-O",
      "-k",
      "-P",
      "--pager",
      "--log-file",
      "--LOG-FILE",
      "--lesskey-file",
      "--lesskey-src",
    ],
  },
  also: (_call, _options, operands) =>
    operands.some(({ text }) => text.startsWith("+"))
      ? reason("inline-code", "a pager is told to run a command")
      : [],
};

const tail: Rule = { short: "cns", long: ["--lines", "--bytes", "--pid"], text: ["-n", "-c", "-s"] };
const diff: Rule = {
  short: "UCILW",
  long: ["--to-file", "--from-file", "--label", "--unified"],
  text: ["-I", "-L", "--label"],
  deny: { "dangerous-option": ["--to-file", "--from-file"] },
};

/** Judges of text programs by name. */
export const textPrograms: Readonly<Record<string, Judge>> = {
  ...Object.fromEntries(PLAIN.split("|").map((name): [string, Judge] => [name, byRule(plain)])),
  ...Object.fromEntries(
    "grep egrep fgrep zegrep zfgrep pcregrep".split(" ").map((name): [string, Judge] => [name, byRule(grep)]),
  ),
  cut: byRule(fields),
  paste: byRule({ short: "d", text: ["-d"] }),
  join: byRule({ short: "t12joae", text: ["-t", "-1", "-2", "-j", "-o", "-a", "-e"] }),
  column: byRule({ short: "so", text: ["-s", "-o"] }),
  rg: byRule(ripgrep),
  ag: byRule(searcher),
  ack: byRule(searcher),
  sort: byRule(sortRule),
  uniq: byRule(uniqRule),
  tr: byRule({ operands: "text" }),
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  sed,
  gsed: sed,
  jq,
  yq,
  head,
  tail: byRule(tail),
  diff: byRule(diff),
  split: byRule(splitRule),
  csplit: byRule(splitRule),
  less: byRule(viewers),
  more: byRule(viewers),
  most: byRule(viewers),
  bat: byRule({
    short: "lHrp",
    long: ["--language", "--style", "--paging", "--theme", "--line-range"],
    deny: { "dangerous-option": ["--pager", "cache"] },
  }),
  batcat: byRule({ short: "lHrp", deny: { "dangerous-option": ["--pager"] } }),
  shuf: byRule({
    short: "nioe",
    long: ["--head-count", "--input-range", "--output"],
    writes: ["-o", "--output"],
  }),
  echo: () => [],
  printf,
  tee: byRule({ operands: "write" }),
  xmllint: byRule({
    long: ["--xpath", "--output", "--schema", "--encode"],
    text: ["--xpath"],
    writes: ["--output", "-o"],
    deny: { "dangerous-option": ["--noent", "--shell", "--loaddtd", "--path", "--xinclude", "--dtdvalid"] },
  }),
  mlr: (call) =>
    call.args.some(({ text }) =>
      /\b(system|exec|tee|dump|emit|print)\b.*[>|(]|\b(system|exec)\b|^--prepipe|^--load|^-s$|^--from-file/.test(
        text,
      ),
    )
      ? reason("inline-code", "a Miller expression runs a command or writes a file")
      : byRule({ short: "nf" })(call),
  pandoc: byRule({
    short: "otfFLHBAVMd",
    long: ["--output", "--to", "--from"],
    writes: ["-o", "--output", "--extract-media", "--log"],
    text: ["-t", "-f", "--to", "--from", "-V", "-M"],
    deny: {
      "inline-code": [
        "-F",
        "--filter",
        "-L",
        "--lua-filter",
        "--pdf-engine",
        "--pdf-engine-opt",
        "-d",
        "--defaults",
        "--data-dir",
        "--syntax-definition",
        "--template",
      ],
    },
  }),
  bc: byRule({ short: "e", text: ["-e"] }),
  units: byRule({ operands: "text" }),
};

export type { Option };
