/** Attacks on `foreclaim/std/git` with a real git and a real `file://` remote: each is refused, and no hostile program starts. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Repository, type RepositoryOptions, repository } from "../../src/stdlib/git.ts";

let base = "";
let work = "";
let bare = "";
let marker = "";
let repo: Repository;

const author = { name: "Agent", email: "agent@example.com" };
const raw = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", HOME: base },
  });
const open = (more: Partial<RepositoryOptions> = {}) =>
  repository({ folder: work, branches: ["agent/"], remote: pathToFileURL(bare).href, author, ...more });

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "foreclaim-git-"));
  work = join(base, "work");
  bare = join(base, "remote.git");
  marker = join(base, "started");
  raw(base, "init", "--quiet", "--bare", "--initial-branch=main", bare);
  raw(base, "init", "--quiet", "--initial-branch=main", work);
  writeFileSync(join(work, "a.txt"), "one\n");
  raw(work, "add", "a.txt");
  raw(work, "commit", "--quiet", "-m", "first");
  raw(work, "push", "--quiet", bare, "main");
  repo = open();
});
afterEach(() => {
  expect(existsSync(marker)).toBe(false);
  rmSync(base, { recursive: true, force: true });
});

const script = () => `#!/bin/sh\ntouch ${marker}\n`;
function hostile(path: string): string {
  writeFileSync(path, script());
  chmodSync(path, 0o755);
  return path;
}
const heads = () => raw(bare, "for-each-ref", "--format=%(refname) %(objectname)").trim().split("\n");

it("makes a branch, commits two files and pushes them", async () => {
  expect(await repo.branch()).toBe("main");
  writeFileSync(join(work, "a.txt"), "two\n");
  writeFileSync(join(work, "ü b.txt"), "new\n");
  writeFileSync(join(work, "other.txt"), "not this\n");
  expect(await repo.changed()).toEqual(["a.txt", "other.txt", "ü b.txt"]);
  expect(await repo.diff()).toContain("+two");
  await repo.start({ branch: "agent/fix" });
  const id = await repo.commit({
    branch: "agent/fix",
    message: "Mend\n\n# kept --force",
    paths: ["a.txt", "ü b.txt"],
  });
  expect(await repo.push({ branch: "agent/fix" })).toBe(id);
  expect(heads()).toContain(`refs/heads/agent/fix ${id}`);
  expect(raw(bare, "log", "-1", "--format=%an %B", id)).toContain("Agent Mend\n\n# kept --force");
  expect(raw(bare, "ls-tree", "--name-only", "-z", id).split("\0")).toEqual(["a.txt", "ü b.txt", ""]);
  expect(await repo.log({ most: 1 })).toEqual([{ id, author: "Agent", subject: "Mend" }]);
  expect(await repo.log({ most: 9 })).toHaveLength(2);
  rmSync(join(work, "a.txt"));
  const gone = await repo.commit({ branch: "agent/fix", message: "Remove", paths: ["a.txt"] });
  expect(await repo.push({ branch: "agent/fix" })).toBe(gone);
});

describe("names", () => {
  const bad = [
    "main",
    "Main",
    "MASTER",
    "main/x",
    "other",
    "agent/",
    "agent",
    "",
    "agent/../main",
    "agent//x",
    "agent/x.lock",
    "agent/.x",
    "agent/-x",
    "agent/x.",
    "agent/x y",
    "agent/x~1",
    "agent/x^{}",
    "agent/@{-1}",
    "agent/x:refs/heads/main",
    "+agent/x",
    "agent/x\n",
    "agent/x\0",
    "HEAD",
    "refs/heads/main",
    "refs/heads/agent/x",
    "--upload-pack=touch started",
    "--receive-pack=touch started",
    "-c",
    "--force",
    "--mirror",
    "--exec=sh",
    "ext::sh -c touch% started",
    "agent/ü",
    `agent/${"x".repeat(100)}`,
  ];
  it(`refuses each of ${bad.length}, for all that takes a branch`, async () => {
    const before = heads();
    const passed: string[] = [];
    for (const branch of bad) {
      const calls = [
        repo.start({ branch }),
        repo.commit({ branch, message: "m", paths: ["a.txt"] }),
        repo.push({ branch }),
      ];
      for (const one of await Promise.allSettled(calls))
        if (one.status !== "rejected" || one.reason.name !== "Refused") passed.push(branch);
    }
    expect(passed).toEqual([]);
    expect(heads()).toEqual(before);
  });

  it("refuses paths that are options, patterns, hidden, links, folders or too large", async () => {
    await repo.start({ branch: "agent/x" });
    mkdirSync(join(work, "sub"));
    symlinkSync("/etc/passwd", join(work, "link"));
    symlinkSync("/etc", join(work, "etc"));
    writeFileSync(join(work, "big.txt"), "x".repeat(1001));
    const small = open({ maxFileBytes: 1000, maxFiles: 2 });
    const bad = [
      "-A",
      "--all",
      "--pathspec-from-file=x",
      "../outside",
      "/etc/passwd",
      ".git/config",
      ".gitattributes",
      "sub/.env",
      ":/",
      ":(glob)**",
      "*.txt",
      "",
      "a.txt\n",
      "GIT~1/config",
      "sub",
      "link",
      "etc/passwd",
      "big.txt",
      "missing.txt",
      "a\\b",
    ];
    const passed: string[] = [];
    for (const path of bad) {
      const [one] = await Promise.allSettled([
        small.commit({ branch: "agent/x", message: "m", paths: [path] }),
      ]);
      if (one?.status !== "rejected" || one.reason.name !== "Refused") passed.push(path);
    }
    expect(passed).toEqual([]);
    await expect(
      small.commit({ branch: "agent/x", message: "m", paths: ["a", "b", "c"] }),
    ).rejects.toMatchObject({ code: "too-many" });
    await expect(small.commit({ branch: "agent/x", message: "m", paths: [] })).rejects.toMatchObject({
      code: "too-many",
    });
    for (const message of ["", " \n", "x".repeat(10_001), "\0"])
      await expect(small.commit({ branch: "agent/x", message, paths: ["a.txt"] })).rejects.toMatchObject({
        code: "message",
      });
  });

  it.each([
    "ext::sh -c touch% started",
    "git@example.com:x",
    "ssh://-oProxyCommand=touch/x",
    "http://x.io/r",
    "https://-x",
    "--upload-pack=x",
    "/tmp/x",
    "fd::17",
  ])("refuses %s as a remote", (remote) => {
    expect(() => open({ remote })).toThrow(expect.objectContaining({ code: "bad-options" }));
  });
});

describe("what is pushed", () => {
  it("is what this run has committed, and nothing else", async () => {
    writeFileSync(join(work, "a.txt"), "two\n");
    await repo.start({ branch: "agent/x" });
    await expect(repo.push({ branch: "agent/x" })).rejects.toMatchObject({ code: "not-committed" });
    // Somebody else's commit below it, which nobody has published.
    raw(work, "commit", "--quiet", "-am", "unpublished");
    writeFileSync(join(work, "a.txt"), "three\n");
    await repo.commit({ branch: "agent/x", message: "m", paths: ["a.txt"] });
    await expect(repo.push({ branch: "agent/x" })).rejects.toMatchObject({ code: "foreign-commits" });
    expect(heads()).toHaveLength(1);
  });

  it("is the commit that was made, not what the branch has become", async () => {
    writeFileSync(join(work, "a.txt"), "two\n");
    await repo.start({ branch: "agent/x" });
    const id = await repo.commit({ branch: "agent/x", message: "m", paths: ["a.txt"] });
    writeFileSync(join(work, "a.txt"), "secret\n");
    raw(work, "commit", "--quiet", "-am", "added by somebody else");
    expect(await repo.push({ branch: "agent/x" })).toBe(id);
    expect(heads()).toContain(`refs/heads/agent/x ${id}`);
  });

  it("never replaces what is there", async () => {
    writeFileSync(join(work, "a.txt"), "two\n");
    await repo.start({ branch: "agent/x" });
    await repo.commit({ branch: "agent/x", message: "m", paths: ["a.txt"] });
    const other = join(base, "other");
    raw(base, "clone", "--quiet", bare, other);
    raw(other, "switch", "--quiet", "-c", "agent/x");
    raw(other, "commit", "--quiet", "--allow-empty", "-m", "theirs");
    raw(other, "push", "--quiet", "origin", "agent/x");
    const before = heads();
    await expect(repo.push({ branch: "agent/x" })).rejects.toMatchObject({ code: "failed" });
    expect(heads()).toEqual(before);
    await expect(open({ protectedBranches: ["agent/x"] }).start({ branch: "agent/x" })).rejects.toMatchObject(
      { code: "protected" },
    );
  });

  it("goes nowhere without a remote, or if another branch is checked out or taken", async () => {
    await repo.start({ branch: "agent/x" });
    await expect(repo.start({ branch: "agent/x" })).rejects.toMatchObject({ code: "exists" });
    await expect(repo.commit({ branch: "agent/y", message: "m", paths: ["a.txt"] })).rejects.toMatchObject({
      code: "branch",
    });
    await expect(
      repository({ folder: work, branches: ["agent/"], author }).push({ branch: "agent/x" }),
    ).rejects.toMatchObject({ code: "no-remote" });
  });
});

describe("what is in the repository", () => {
  const flow = async () => {
    writeFileSync(join(work, "a.txt"), "two\n");
    await repo.diff();
    await repo.changed();
    await repo.start({ branch: "agent/x" });
    await repo.commit({ branch: "agent/x", message: "m", paths: ["a.txt"] });
    await repo.push({ branch: "agent/x" });
  };

  it("has hooks that do not run", async () => {
    for (const name of [
      "pre-commit",
      "prepare-commit-msg",
      "commit-msg",
      "post-commit",
      "pre-push",
      "post-checkout",
      "post-index-change",
      "reference-transaction",
      "fsmonitor-watchman",
    ])
      hostile(join(work, ".git/hooks", name));
    await flow();
    expect(heads()).toHaveLength(2);
  });

  const program = () => hostile(join(base, "evil"));
  const settings = [
    "core.fsmonitor",
    "core.hooksPath",
    "core.sshCommand",
    "core.editor",
    "core.pager",
    "core.askPass",
    "core.worktree",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "diff.external",
    "diff.x.textconv",
    "diff.x.command",
    "filter.x.clean",
    "filter.x.smudge",
    "filter.x.process",
    "merge.x.driver",
    "gpg.program",
    "credential.helper",
    "alias.status",
    "include.path",
    "includeIf.gitdir:/.path",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "remote.origin.vcs",
    "remote.origin.proxy",
    "url.x.insteadOf",
    "url.x.pushInsteadOf",
    "http.proxy",
    "http.sslVerify",
    "protocol.ext.allow",
    "uploadpack.packObjectsHook",
    "extensions.worktreeConfig",
    "extensions.partialClone",
    "submodule.x.update",
    "trace2.eventTarget",
  ];
  it(`refuses each of ${settings.length} settings, before git looks at it`, async () => {
    writeFileSync(join(work, ".gitattributes"), "* filter=x diff=x merge=x\n");
    const config = join(work, ".git/config");
    const clean = readFileSync(config, "utf8");
    const passed: string[] = [];
    for (const key of settings) {
      execFileSync("git", ["config", "--file", config, key, program()]);
      const calls = [
        repo.branch(),
        repo.changed(),
        repo.diff(),
        repo.log({ most: 1 }),
        repo.start({ branch: "agent/y" }),
      ];
      for (const one of await Promise.allSettled(calls))
        if (one.status !== "rejected" || one.reason.code !== "configuration") passed.push(key);
      writeFileSync(config, clean);
    }
    expect(passed).toEqual([]);
    await flow();
  });

  it("leads nowhere else: links, other folders, borrowed objects", async () => {
    const git = join(work, ".git");
    writeFileSync(join(git, "objects/info/alternates"), `${bare}/objects\n`);
    await expect(repo.branch()).rejects.toMatchObject({ code: "configuration" });
    rmSync(join(git, "objects/info/alternates"));
    writeFileSync(join(git, "commondir"), `${bare}\n`);
    await expect(repo.branch()).rejects.toMatchObject({ code: "configuration" });
    rmSync(join(git, "commondir"));
    for (const name of ["info/grafts", "shallow"]) {
      writeFileSync(join(git, name), "");
      await expect(repo.branch()).rejects.toMatchObject({ code: "configuration" });
      rmSync(join(git, name));
    }
    renameSync(join(git, "config"), join(base, "config"));
    symlinkSync(join(base, "config"), join(git, "config"));
    await expect(repo.branch()).rejects.toMatchObject({ code: "link" });
    renameSync(git, join(base, "moved"));
    symlinkSync(join(base, "moved"), git);
    await expect(repo.branch()).rejects.toMatchObject({ code: "no-repository" });
    rmSync(git);
    writeFileSync(git, `gitdir: ${join(base, "moved")}\n`);
    await expect(repo.branch()).rejects.toMatchObject({ code: "no-repository" });
  });

  it("is not run with the environment or the settings of the user", async () => {
    const before = { ...process.env };
    writeFileSync(join(base, ".gitconfig"), `[core]\n\tfsmonitor = ${program()}\n`);
    Object.assign(process.env, {
      HOME: base,
      XDG_CONFIG_HOME: base,
      GIT_EXTERNAL_DIFF: program(),
      GIT_SSH_COMMAND: program(),
      GIT_DIR: "/nonexistent",
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${program()}'`,
      GIT_ASKPASS: program(),
    });
    try {
      await flow();
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
    }
    expect(heads()).toHaveLength(2);
  });
});

it("ends a git that is slow, and one that says too much", async () => {
  const slow = join(base, "slow");
  writeFileSync(slow, "#!/bin/sh\nsleep 600\n");
  chmodSync(slow, 0o755);
  await expect(open({ git: slow, timeoutMs: 100 }).branch()).rejects.toMatchObject({ code: "too-slow" });
  writeFileSync(join(work, "a.txt"), "x".repeat(5000));
  await expect(open({ maxBytes: 4000 }).diff()).rejects.toMatchObject({ code: "too-large" });
  expect((await open({ maxBytes: 6000 }).diff()).length).toBeGreaterThan(5000);
});
