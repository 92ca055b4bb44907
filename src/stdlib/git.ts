/**
 * `foreclaim/std/git`: a repository on branches of one's own. Nothing is ever forced, nothing but commits of this run is
 * pushed, and only to the address and the branches that the operator names. Hooks do not run. The configuration inside the
 * repository can start programs, so one with settings that are not known to be harmless is refused.
 */

import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ProcessResult, runProcess } from "./process.ts";
import { refused } from "./refused.ts";

export { Refused } from "./refused.ts";

export interface RepositoryOptions {
  /** The folder of the working tree, with `.git` in it. */
  readonly folder: string | URL;
  /** Beginnings of the branches that may be made, committed to and pushed, as `agent/`. */
  readonly branches: readonly string[];
  /** Branches that are never touched, whatever else is said (default `main`, `master`, `develop`, `release`, `production`). */
  readonly protectedBranches?: readonly string[];
  /** Remote to push to: an `https:` or `file:` address (default nowhere). */
  readonly remote?: string;
  /** The header `Authorization` for an `https:` address; no helper is asked for credentials. */
  readonly authorization?: string;
  readonly author: { readonly name: string; readonly email: string };
  /** The program (default `/usr/bin/git`). */
  readonly git?: string;
  /** Files of one commit (default 100). */
  readonly maxFiles?: number;
  /** Bytes of one file (default 1 MiB). */
  readonly maxFileBytes?: number;
  /** Bytes that git may answer (default 1 MiB). */
  readonly maxBytes?: number;
  /** Milliseconds for one step (default 30,000). */
  readonly timeoutMs?: number;
}

export interface CommitInfo {
  readonly id: string;
  readonly author: string;
  readonly subject: string;
}

export interface Repository {
  /** The branch that is checked out. */
  readonly branch: () => Promise<string>;
  /** Paths that differ from the last commit, sorted. */
  readonly changed: () => Promise<string[]>;
  /** The latest commits, newest first. */
  readonly log: (request: { readonly most: number }) => Promise<CommitInfo[]>;
  /** The difference of the working tree from the last commit, as text. */
  readonly diff: () => Promise<string>;
  /** Makes a new branch from the last commit, and checks it out. */
  readonly start: (request: { readonly branch: string }) => Promise<void>;
  /** Commits these files to the branch, which must be checked out. Returns the commit's id. */
  readonly commit: (request: {
    readonly branch: string;
    readonly message: string;
    readonly paths: readonly string[];
  }) => Promise<string>;
  /** Pushes what this run has committed to the branch. Returns the commit's id. */
  readonly push: (request: { readonly branch: string }) => Promise<string>;
}

const MIB = 1024 * 1024;
const MAX_MESSAGE = 10_000;
const PROTECTED = ["main", "master", "develop", "release", "production"];

/** Settings that start no program and lead nowhere else. */
const HARMLESS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)|user\.(name|email)|init\.defaultbranch|remote\.[^\n]*\.(url|fetch)|branch\.[^\n]*\.(remote|merge))$/;

/** Settings of every command: none of the repository's, the user's or the system's own replaces them. */
const SETTINGS: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.pager": "cat",
  "core.askPass": "",
  "core.sshCommand": "false",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.quotePath": "false",
  "credential.helper": "",
  "commit.gpgSign": "false",
  "push.gpgSign": "false",
  "push.followTags": "false",
  "submodule.recurse": "false",
  "diff.ignoreSubmodules": "all",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  "protocol.https.allow": "always",
  "protocol.file.allow": "always",
  "http.followRedirects": "false",
};

/** A repository for tools. */
export function repository(options: RepositoryOptions): Repository {
  const folder = typeof options.folder === "string" ? options.folder : fileURLToPath(options.folder);
  const { branches, remote, author, git = "/usr/bin/git", maxFiles = 100 } = options;
  const { maxFileBytes = MIB, maxBytes = MIB, timeoutMs = 30_000 } = options;
  const kept = (options.protectedBranches ?? PROTECTED).map((name) => name.toLowerCase());
  if (remote !== undefined && !/^(https|file):\/\/[^\s-][^\s]*$/.test(remote))
    refused("bad-options", "`remote` is an address that begins with https:// or file://");
  for (const beginning of branches) checkName(`${beginning}x`);
  /** Commits of this run, by branch. */
  const made = new Map<string, string[]>();

  async function run(args: readonly string[], input?: string): Promise<ProcessResult> {
    await checkConfiguration();
    return command(args, input);
  }

  async function command(args: readonly string[], input?: string): Promise<ProcessResult> {
    return start(
      ["--no-pager", `--git-dir=${join(folder, ".git")}`, `--work-tree=${folder}`, ...args],
      folder,
      input,
    );
  }

  async function start(args: readonly string[], place: string, input?: string): Promise<ProcessResult> {
    const settings = {
      ...SETTINGS,
      "user.name": author.name,
      "user.email": author.email,
      ...(options.authorization !== undefined && {
        "http.extraHeader": `Authorization: ${options.authorization}`,
      }),
    };
    return runProcess({
      file: git,
      args,
      folder: place,
      env: { ...environmentOf(settings), PATH: "/usr/bin:/bin" },
      ...(input !== undefined && { input }),
      timeoutMs,
      maxBytes,
    });
  }

  async function text(args: readonly string[], input?: string): Promise<string> {
    const { code, out, err } = await run(args, input);
    if (code !== 0) return refused("failed", `git ${args[0] ?? ""}: ${err.trim().slice(0, 300)}`);
    return out;
  }

  /** Refuses a repository whose configuration could start programs or lead elsewhere. */
  async function checkConfiguration(): Promise<void> {
    const place = join(folder, ".git");
    const found = await lstat(place).catch(() => undefined);
    if (found?.isDirectory() !== true)
      refused("no-repository", "there is no folder `.git`, or it leads elsewhere");
    for (const name of ["config", "HEAD", "objects", "refs", "index", "info", "hooks"]) {
      const one = await lstat(join(place, name)).catch(() => undefined);
      if (one?.isSymbolicLink() === true) refused("link", `\`.git/${name}\` is a link`);
    }
    for (const name of ["commondir", "config.worktree", "objects/info/alternates", "info/grafts", "shallow"])
      if ((await lstat(join(place, name)).catch(() => undefined)) !== undefined)
        refused("configuration", `\`.git/${name}\` leads elsewhere or hides commits`);
    // As a plain file, from a folder that is no repository.
    const list = ["config", "--file", join(place, "config"), "--no-includes", "--list", "--name-only", "-z"];
    const { code, out } = await start(list, "/");
    if (code !== 0) refused("configuration", "the configuration of the repository cannot be read");
    for (const key of out.split("\0")) {
      if (key !== "" && !HARMLESS.test(key.toLowerCase()))
        refused(
          "configuration",
          `the repository sets \`${key.slice(0, 80)}\`, which is not known to be harmless`,
        );
    }
  }

  function checkBranch(branch: string): void {
    checkName(branch);
    if (kept.some((name) => branch.toLowerCase() === name || branch.toLowerCase().startsWith(`${name}/`)))
      refused("protected", `\`${branch}\` is protected`);
    if (!branches.some((beginning) => branch.startsWith(beginning) && branch.length > beginning.length))
      refused("branch", `\`${branch}\` is not among the branches of this tool`);
  }

  async function current(): Promise<string> {
    return (await text(["symbolic-ref", "--quiet", "--short", "HEAD"])).trim();
  }

  async function idOf(name: string): Promise<string> {
    return (await text(["rev-parse", "--verify", "--end-of-options", `${name}^{commit}`])).trim();
  }

  async function checkFile(path: string): Promise<void> {
    checkPath(path);
    const place = join(folder, path);
    const found = await lstat(place).catch(() => undefined);
    // A file that is gone is committed as deleted.
    if (found === undefined) return;
    if (!found.isFile()) refused("not-a-file", `\`${path}\` is no ordinary file`);
    if (found.size > maxFileBytes) refused("too-large", `\`${path}\` has more than ${maxFileBytes} bytes`);
  }

  return {
    branch: current,
    changed: async () => {
      const out = await text([
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=all",
      ]);
      return out
        .split("\0")
        .filter((line) => line !== "")
        .map((line) => line.slice(3))
        .sort();
    },
    log: async ({ most }) => {
      if (!Number.isSafeInteger(most) || most < 1 || most > 1000)
        return refused("too-many", "a log has 1 to 1,000 commits");
      const out = await text([
        "log",
        `--max-count=${most}`,
        "--format=%H%x00%an%x00%s%x00",
        "--no-show-signature",
        "HEAD",
      ]);
      const fields = out.split("\0").map((field) => field.replace(/^\n/, ""));
      return Array.from({ length: Math.floor(fields.length / 3) }, (_, at) => ({
        id: fields[3 * at] ?? "",
        author: fields[3 * at + 1] ?? "",
        subject: fields[3 * at + 2] ?? "",
      }));
    },
    diff: () =>
      text(["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all", "HEAD"]),
    start: async ({ branch }) => {
      checkBranch(branch);
      const there = await run(["show-ref", "--verify", "--quiet", `refs/heads/${branch}`]);
      if (there.code === 0) refused("exists", `the branch \`${branch}\` is there already`);
      await text(["switch", "--quiet", "--no-guess", "--no-recurse-submodules", "--create", branch]);
      made.set(branch, []);
    },
    commit: async ({ branch, message, paths }) => {
      checkBranch(branch);
      if (message.trim() === "" || message.length > MAX_MESSAGE || /[\0\ud800-\udfff]/u.test(message))
        return refused("message", "a message is a text of at most 10,000 characters");
      if (paths.length === 0 || paths.length > maxFiles)
        return refused("too-many", `a commit has 1 to ${maxFiles} files`);
      for (const path of paths) await checkFile(path);
      if ((await current()) !== branch) return refused("branch", `\`${branch}\` is not checked out`);
      const before = await idOf("HEAD");
      await text(["add", "--all", "--", ...paths]);
      await text(
        [
          "commit",
          "--quiet",
          "--no-verify",
          "--no-gpg-sign",
          "--cleanup=verbatim",
          "--file=-",
          "--only",
          "--",
          ...paths,
        ],
        message,
      );
      const id = await idOf("HEAD");
      // Nobody else committed in between.
      const parent = await idOf("HEAD^");
      if (parent !== before) return refused("changed", "the branch was changed by somebody else");
      made.set(branch, [...(made.get(branch) ?? []), id]);
      return id;
    },
    push: async ({ branch }) => {
      checkBranch(branch);
      if (remote === undefined) return refused("no-remote", "this tool pushes nowhere");
      const id = made.get(branch)?.at(-1);
      if (id === undefined)
        return refused("not-committed", `nothing was committed to \`${branch}\` in this run`);
      if (remote.startsWith("file:"))
        await stat(fileURLToPath(remote)).catch(() => refused("no-remote", "the remote is missing"));
      const own = new Set([...made.values()].flat());
      const heads = (await text(["ls-remote", "--heads", "--", remote]))
        .split("\n")
        .map((line) => line.split("\t")[0] ?? "");
      const known = heads.filter((head) => /^[0-9a-f]{40,64}$/.test(head)).map((head) => `^${head}`);
      const sent = (await text(["rev-list", "--ignore-missing", "--stdin"], `${[id, ...known].join("\n")}\n`))
        .trim()
        .split("\n");
      if (sent.some((commit) => commit !== "" && !own.has(commit)))
        return refused("foreign-commits", "commits would be pushed that this run has not made");
      // The id, not the branch: somebody may have moved it. Without `+` nothing is forced.
      await text([
        "push",
        "--quiet",
        "--no-verify",
        "--no-follow-tags",
        "--no-recurse-submodules",
        "--atomic",
        "--",
        remote,
        `${id}:refs/heads/${branch}`,
      ]);
      return id;
    },
  };
}

/** Settings by the environment, which other users of the machine do not see as they see arguments. */
function environmentOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  return {
    GIT_CEILING_DIRECTORIES: "/",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "https:file",
    GIT_EDITOR: "false",
    LC_ALL: "C",
    HOME: "/nonexistent",
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}

/** Refuses every name that git, a shell or a file system could read as something else. */
function checkName(name: string): void {
  if (typeof name !== "string" || !/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(name))
    refused("bad-name", "this is no plain name of a branch");
  if (
    name
      .split("/")
      .some(
        (part) =>
          part === "" ||
          part.startsWith(".") ||
          part.startsWith("-") ||
          part.endsWith(".") ||
          part.endsWith(".lock"),
      ) ||
    name.includes("..")
  )
    refused("bad-name", "this is no plain name of a branch");
  if (/^(head|fetch_head|orig_head|refs)(\/|$)/i.test(name))
    refused("bad-name", "git has this name for itself");
}

function checkPath(path: string): void {
  if (typeof path !== "string" || path === "" || path.length > 1024)
    refused("bad-path", "the path is empty or too long");
  if (/[\p{Cc}\p{Cf}\\:*?"<>|]/u.test(path) || /[\ud800-\udfff]/u.test(path))
    refused("bad-path", "the path holds characters that no plain name has");
  for (const part of path.split("/")) {
    if (part === "" || part.startsWith("-"))
      refused("bad-path", `\`${path}\` has an empty part, or looks like an option`);
    if (part.startsWith(".")) refused("hidden", `\`${path}\` names a hidden file or leaves its folder`);
    if (/[. ]$/.test(part) || /^git~\d/i.test(part))
      refused("bad-path", `\`${path}\` means something else on other systems`);
  }
}
