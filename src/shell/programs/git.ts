/** Rules for git: subcommands that read or record; never force, never code of somebody else. */

import type { Call } from "../context.ts";
import { type Reason, reason } from "../reason.ts";
import { type Argument, isLiteral, STAR, shown } from "../values/argument.ts";
import { judgePath } from "../values/paths.ts";
import { hasOption, readOptions } from "./options.ts";
import { byRule, type Judge, type Rule } from "./rule.ts";

const DENIED: Rule["deny"] = {
  "inline-code": [
    "--exec",
    "--upload-pack",
    "--receive-pack",
    "--open-files-in-pager",
    "--ext-diff",
    "--textconv",
    "--extcmd",
    "--template",
    "--exec-path",
    "--config-env",
    "--server-option",
  ],
  destructive: ["--force", "--force-with-lease", "--mirror", "--prune-tags"],
};

const WORDS = [
  "--message",
  "--author",
  "--date",
  "--grep",
  "--since",
  "--until",
  "--after",
  "--before",
  "--format",
  "--pretty",
  "--committer",
  "--cleanup",
  "--trailer",
  "--reuse-message",
  "--max-count",
  "--sort",
  "--contains",
  "--merged",
  "--no-merged",
  "--depth",
  "--branch",
  "--strategy",
  "--unified",
];

const base: Rule = {
  short: "mFCcGSLnUsbt",
  long: [...WORDS, "--file", "--output", "--work-tree", "--git-dir"],
  text: [...WORDS, "-m", "-C", "-c", "-G", "-S", "-L", "-n", "-U", "-s", "-b", "-t"],
  writes: ["--output", "-o", "--output-directory"],
  deny: DENIED,
  operands: "read",
};

function rule(more: Rule): Judge {
  return byRule({ ...base, ...more, deny: { ...DENIED, ...more.deny } });
}

const reading = rule({
  short: "GSLnUsOc",
  deny: { "inline-code": [...(DENIED["inline-code"] ?? []), "-O"] },
});
/** Diffs: `-O` is an order file, and revisions are no paths. */
const diff = rule({ short: "GSLnUO" });

const add: Judge = rule({ short: "", deny: { destructive: ["-f", "--force"] } });

const commit: Judge = rule({
  short: "mFCctS",
  text: [...WORDS, "-m", "-C", "-c", "-S", "--fixup", "--squash"],
  long: [...WORDS, "--file", "--fixup", "--squash"],
  deny: { "dangerous-option": ["--template", "-t"] },
});

const branch: Judge = (call) => {
  if (call.args.some(({ text }) => /^-[a-zA-Z]*[DMCf]/.test(text)))
    return reason("destructive", "`git branch` would drop or overwrite a branch");
  return rule({ operands: "text", deny: { destructive: ["--force", "-f"] } })(call);
};

const checkout: Judge = (call) => {
  const texts = call.args.map(({ text }) => text);
  const dash = texts.indexOf("--");
  const paths =
    dash < 0 ? texts.filter((text) => text === "." || text === STAR || text === ":/") : texts.slice(dash + 1);
  if (
    texts.some((text) => /^-[a-zA-Z]*f$|^--force|^--discard|^-[a-zA-Z]*B$|^--ours|^--theirs|^-C$/.test(text))
  ) {
    return reason("destructive", "`git` would throw away changes");
  }
  if (paths.some((text) => /^(\.|\.\/|:\/|.*[\uE000-\uE002].*|\.\.)$/.test(text)) || paths.length > 3) {
    return reason("destructive", "`git` would throw away changes of many files");
  }
  return rule({ operands: "text", short: "bt" })(call);
};

const restore: Judge = (call) => {
  const { options, operands } = readOptions(call.args, { short: "s", long: ["--source"] });
  const stagedOnly = hasOption(options, "--staged", "-S") && !hasOption(options, "--worktree", "-W");
  if (
    !stagedOnly &&
    (operands.length === 0 ||
      operands.some(({ text }) => !/^[\w./ -]+$/.test(text) || /^\.?\.?\/?$/.test(text)))
  ) {
    return reason("destructive", "`git restore` would throw away changes of many files");
  }
  return [];
};

const reset: Judge = (call) =>
  call.args.some(
    ({ text }) => /^--(hard|merge|keep)/.test(text) || (text.startsWith("--h") && "--hard".startsWith(text)),
  )
    ? reason("destructive", "`git reset` would throw away changes")
    : rule({ operands: "text" })(call);

const stash: Judge = (call) => {
  const [first] = call.args;
  if (first !== undefined && /^(drop|clear)$/.test(first.text))
    return reason("destructive", "`git stash` would throw away changes");
  if (first !== undefined && !/^(list|show|push|pop|apply|save|branch|-.*)$/.test(first.text))
    return reason("unknown-option", "`git stash` is told something unknown");
  return rule({ operands: "text" })(call);
};

const KNOWN_FORGES =
  /^(https:\/\/|git@|ssh:\/\/git@)(github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|git\.sr\.ht|dev\.azure\.com|gitee\.com|[\w.-]+\.googlesource\.com|git\.kernel\.org|salsa\.debian\.org)[/:][\w.~/-]+$/;

function remoteReason(argument: Argument | undefined): readonly Reason[] {
  if (argument === undefined || /^[\w][\w.-]*$/.test(argument.text)) return [];
  return reason("network", `\`${shown(argument.text)}\` is no named remote`);
}

const push: Judge = (call) => {
  const rules: Rule = {
    ...base,
    short: "o",
    operands: "text",
    deny: {
      ...DENIED,
      destructive: [
        "-f",
        "--force",
        "--force-with-lease",
        "--force-if-includes",
        "--mirror",
        "-d",
        "--delete",
        "--prune",
      ],
      "inline-code": ["--receive-pack", "--exec", "-o", "--push-option"],
    },
  };
  const { operands } = readOptions(call.args, rules);
  const [remote, ...refs] = operands;
  return [
    ...byRule(rules)(call),
    ...remoteReason(remote),
    ...(refs.some(({ text }) => /^[+:]/.test(text))
      ? reason("destructive", "`git push` would overwrite or delete a branch")
      : []),
    ...(operands.some((each) => !isLiteral(each) && each.origins.some((origin) => origin !== "harmless"))
      ? reason("unknown-target", "only the run decides what is pushed where")
      : []),
  ];
};

const fetchRule: Judge = (call) => {
  const rules: Rule = {
    ...base,
    short: "oj",
    operands: "text",
    deny: { ...DENIED, "inline-code": [...(DENIED["inline-code"] ?? []), "-u", "--upload-pack", "-x"] },
  };
  const allowed = call.name === "fetch" ? call.args.filter(({ text }) => text !== "-u") : call.args;
  return [
    ...byRule(rules)({ ...call, args: allowed }),
    ...remoteReason(readOptions(allowed, rules).operands[0]),
  ];
};

const clone: Judge = (call) => {
  const rules: Rule = {
    ...base,
    short: "bjoucp",
    long: [
      "--branch",
      "--depth",
      "--config",
      "--upload-pack",
      "--template",
      "--origin",
      "--separate-git-dir",
      "--reference",
      "--filter",
      "--jobs",
    ],
    text: ["-b", "--branch", "--depth", "-o", "--origin", "--filter", "-j", "--jobs"],
    operands: "text",
    deny: {
      "inline-code": [
        "-u",
        "--upload-pack",
        "-c",
        "--config",
        "--template",
        "--separate-git-dir",
        "--reference",
        "--reference-if-able",
      ],
    },
  };
  const { operands } = readOptions(call.args, rules);
  const [source, target] = operands;
  const address = source?.text ?? "";
  return [
    ...byRule(rules)(call),
    ...(KNOWN_FORGES.test(address)
      ? []
      : reason("network", `\`${shown(address)}\` is no repository of a known forge`)),
    ...(target === undefined ? [] : judgePath(target, "write", call.context.folder.current)),
  ];
};

const remote: Judge = (call) => {
  const [first, , address] = call.args.filter(({ text }) => !text.startsWith("-"));
  switch (first?.text) {
    case undefined:
    case "show":
    case "get-url":
      return [];
    case "add":
      return KNOWN_FORGES.test(address?.text ?? "")
        ? []
        : reason("network", `\`${shown(address?.text ?? "")}\` is no repository of a known forge`);
    default:
      return reason("changes-remote", "`git remote` would change where commits go");
  }
};

const HARMLESS_SETTINGS =
  /^(user\.(name|email)|color\..*|push\.default|pull\.(rebase|ff)|init\.defaultbranch|core\.(autocrlf|filemode|ignorecase|quotepath|eol)|merge\.conflictstyle|diff\.(algorithm|colormoved)|fetch\.prune|rerere\.enabled|commit\.gpgsign|advice\..*|rebase\.(autostash|autosquash)|log\..*|branch\..*\.description)$/i;

const config: Judge = (call) => {
  const texts = call.args.map(({ text }) => text);
  const names = texts.filter((text) => !text.startsWith("-"));
  if (texts.some((text) => /^(-f|--file|--blob|-e|--edit)/.test(text)))
    return reason("dangerous-option", "`git config` uses another file");
  if (names.some((name) => /credential|token|password|extraheader/i.test(name)))
    return reason("reads-secret", "`git config` shows credentials");
  const reads =
    texts.some((text) => /^(--get|--get-all|--get-regexp|--list|-l|--show-origin)$/.test(text)) ||
    ["get", "list"].includes(names[0] ?? "");
  if (
    reads ||
    (names.length <= 1 && !texts.some((text) => /^--(unset|remove|rename|add|replace)/.test(text)))
  )
    return [];
  const [name = ""] = names[0] === "set" ? names.slice(1) : names;
  return HARMLESS_SETTINGS.test(name) &&
    isLiteral(call.args.at(-1) ?? { text: "\uE000", origins: [], variables: [] })
    ? []
    : reason("inline-code", `the setting \`${shown(name)}\` may run a command`);
};

const rebase: Judge = rule({
  operands: "text",
  short: "sX",
  deny: { "inline-code": ["-x", "--exec", "-i", "--interactive", "--edit-todo"] },
});

const only =
  (allowed: RegExp): Judge =>
  (call) =>
    call.args[0] === undefined ||
    (allowed.test(call.args[0].text) && (call.name !== "help" || call.args.length === 1))
      ? rule({ operands: "text" })(call)
      : reason("unknown-option", `\`git ${call.name}\` is told something that is not known to be harmless`);

const clean: Judge = (call) =>
  call.args.some(({ text }) => /^-[a-zA-Z]*n|^--dry-run$/.test(text)) &&
  !call.args.some(({ text }) => /^-[a-zA-Z]*[fi]|^--(force|interactive)/.test(text))
    ? []
    : reason("destructive", "`git clean` would delete files");

const tag: Judge = (call) =>
  call.args.some(({ text }) => /^(-d|--delete|-f|--force)$/.test(text))
    ? reason("destructive", "`git tag` would drop or move a tag")
    : rule({ operands: "text", short: "mFun" })(call);

const removal: Judge = (call) => {
  const { options, operands } = readOptions(call.args, {});
  if (hasOption(options, "--cached")) return [];
  if (hasOption(options, "-r", "-f", "--force"))
    return reason("destructive", "`git rm` would delete many files or changes");
  return operands.flatMap((path) => judgePath(path, "delete", call.context.folder.current));
};

const worktree: Judge = (call) => {
  const [first, path] = call.args.filter(({ text }) => !text.startsWith("-"));
  if (first?.text === "list" || first?.text === "prune") return [];
  if (
    first?.text !== "add" ||
    path === undefined ||
    call.args.some(({ text }) => /^(-f|--force|-B)$/.test(text))
  )
    return reason("destructive", "`git worktree` would drop or move a working tree");
  return judgePath(path, "write", call.context.folder.current);
};

const SUBCOMMANDS: Readonly<Record<string, Judge>> = {
  ...Object.fromEntries(
    "status|log|show|whatchanged|shortlog|blame|annotate|rev-parse|rev-list|ls-files|ls-tree|describe|name-rev|merge-base|cherry|count-objects|check-ignore|check-attr|cat-file|for-each-ref|show-ref|show-branch|var|verify-commit|verify-tag|grep|range-diff|diff-tree|diff-index|diff-files|fsck|version|stripspace|mailinfo|request-pull"
      .split("|")
      .map((name): [string, Judge] => [name, reading]),
  ),
  diff,
  grep: rule({
    short: "efABCmO",
    textFirst: 1,
    insteadOfText: ["-e"],
    text: ["-e"],
    deny: { "inline-code": ["-O", "--open-files-in-pager", "--ext-grep"] },
  }),
  show: rule({ operands: "read", short: "nUO" }),
  add,
  stage: add,
  commit,
  branch,
  checkout,
  switch: checkout,
  restore,
  reset,
  stash,
  push,
  fetch: fetchRule,
  pull: fetchRule,
  clone,
  remote,
  config,
  rebase,
  merge: rule({ operands: "text", short: "msXF" }),
  "cherry-pick": rule({ operands: "text", short: "mX" }),
  revert: rule({ operands: "text", short: "mX" }),
  tag,
  clean,
  mv: rule({ operands: "write", deny: { destructive: ["-f", "--force"] } }),
  rm: removal,
  init: rule({
    operands: "write",
    short: "b",
    text: ["-b", "--initial-branch"],
    deny: { "inline-code": ["--template", "--separate-git-dir"] },
  }),
  apply: rule({ operands: "read", deny: { "dangerous-option": ["--unsafe-paths", "--directory"] } }),
  archive: rule({
    operands: "text",
    short: "o",
    text: ["--format", "--prefix"],
    deny: { network: ["--remote", "--exec"] },
  }),
  "format-patch": rule({ operands: "text", short: "onv" }),
  reflog: only(/^(show|HEAD.*|-.*|exists)$/),
  notes: only(/^(list|show)$/),
  submodule: only(/^(status|summary|update|init|sync)$/),
  bisect: only(/^(start|good|bad|reset|skip|log|view|new|old|terms)$/),
  worktree,
  "ls-remote": (call) => [
    ...rule({ operands: "text", short: "o" })(call),
    ...remoteReason(readOptions(call.args, {}).operands[0]),
  ],
  help: only(/^(-a|-g|--all|--guides|[a-z][\w-]*)$/),
  gc: only(/^(--auto|--quiet)$/),
  lfs: only(/^(ls-files|status|env|version)$/),
};

const SAFE_GLOBALS =
  /^(--no-pager|--version|--help|-P|--no-optional-locks|--literal-pathspecs|--html-path|--man-path|-p|--paginate|-v|-h)$/;

/** Judges a git command line. */
export const git: Judge = (call) => {
  const { args } = call;
  let at = 0;
  for (; at < args.length; at += 1) {
    const { text } = args[at] ?? { text: "" };
    if (text === "-C") {
      const path = args[at + 1];
      const reasons = path === undefined ? [] : judgePath(path, "list", call.context.folder.current);
      if (reasons.length > 0) return reasons;
      at += 1;
    } else if (text === "-c") {
      const setting = args[at + 1]?.text ?? "";
      const [name = ""] = setting.split("=");
      if (!HARMLESS_SETTINGS.test(name) && !/^core\.pager=(cat)?$/.test(setting))
        return reason("inline-code", `the setting \`${shown(name)}\` may run a command`);
      at += 1;
    } else if (!text.startsWith("-")) break;
    else if (!SAFE_GLOBALS.test(text))
      return reason("dangerous-option", `\`git ${shown(text)}\` is not allowed`);
  }
  const subcommand = args[at];
  if (subcommand === undefined) return [];
  return judgeSubcommand(call, subcommand, args.slice(at + 1));
};

function judgeSubcommand(call: Call, subcommand: Argument, rest: readonly Argument[]): readonly Reason[] {
  if (!isLiteral(subcommand)) return reason("dynamic-program", "only the run decides what git does");
  const judge = Object.hasOwn(SUBCOMMANDS, subcommand.text) ? SUBCOMMANDS[subcommand.text] : undefined;
  if (judge === undefined)
    return reason("unknown-program", `\`git ${shown(subcommand.text)}\` is not known to be harmless`);
  return judge({ ...call, name: subcommand.text, args: rest });
}
