/** The tool module `tools/git.ts` that `init --with git` writes. */

export const gitModule = `/**
 * A repository, as tools. \`foreclaim/std/git\` works on branches below \`agent/\` alone, never forces, pushes nothing but commits
 * of this run, and runs no hooks; a repository whose settings could start programs is refused.
 */
import { contract, coverage, type Int, labelled, pathInside, tool, untrusted } from "foreclaim";
import { repository } from "foreclaim/std/git";

const repo = repository({
  folder: new URL("../repository/", import.meta.url),
  branches: ["agent/"],
  remote: "https://example.com/team/repository.git",
  author: { name: "Agent", email: "agent@example.com" },
});

export interface Commit {
  id: string;
  author: string;
  subject: string;
}

/** Returns the paths that differ from the last commit. */
export const changed = tool({
  reads: true,
  source: "untrusted",
  stores: ["repository"],
  run: async (): Promise<string[]> => repo.changed(),
});

/** Returns the latest commits, newest first. */
export const log = tool({
  reads: true,
  source: "untrusted",
  stores: ["repository"],
  requires: ({ most }) => most >= 1 && most <= 1000,
  ensures: (commits, { most }) => commits.length <= most,
  run: async ({ most }: { most: Int }): Promise<Commit[]> => repo.log({ most }),
});

/** Returns how the files differ from the last commit, as text. */
export const diff = tool({
  reads: true,
  source: "untrusted",
  stores: ["repository"],
  run: async (): Promise<string> => repo.diff(),
});

/** Makes a new branch from the last commit, and checks it out. */
export const start = tool({
  labels: ["branch"],
  stores: ["repository"],
  requires: ({ branch }) => branch.startsWith("agent/"),
  run: async ({ branch }: { branch: string }): Promise<void> => repo.start({ branch }),
});

/** Commits files to the branch, which must be checked out. Returns the commit's id. */
export const commit = tool({
  labels: ["branch"],
  stores: ["repository"],
  requires: ({ branch, message, paths }) =>
    branch.startsWith("agent/") && message !== "" && message.length <= 10_000 && paths.length >= 1,
  run: async ({
    branch,
    message,
    paths,
  }: {
    branch: string;
    message: string;
    paths: string[];
  }): Promise<string> => repo.commit({ branch, message, paths }),
});

/** Pushes what this run has committed to the branch. Returns the commit's id. */
export const push = tool({
  labels: ["branch"],
  stores: ["repository"],
  requires: ({ branch }) => branch.startsWith("agent/"),
  run: async ({ branch }: { branch: string }): Promise<string> => repo.push({ branch }),
});

/** Only these branches are made, committed to and pushed. */
export const onlyBranches = contract((names: string[]) =>
  labelled<{ branch: string }>("branch").all((b) => names.includes(b.branch)),
);

/** Only files below this folder are committed. */
export const commitsInside = contract((root: string) =>
  commit.all((c) => c.paths.every((path) => pathInside(path, root))),
);

/** Only these files are committed. */
export const commitsOnly = contract((files: string[]) =>
  commit.all((c) => c.paths.every((path) => files.includes(path))),
);

/** A branch is pushed only after something was committed to it. */
export const commitsFirst = contract(() => commit.precedes(push, (c, p) => c.branch === p.branch));

/** Nothing that others wrote is in a message or decides which files are committed. */
export const ownCommits = contract(() => commit.none((c) => untrusted(c.message) || untrusted(c.paths)));

/** At most so many pushes. */
export const pushesAtMost = contract((n: number) => push.count() <= n);

/** Nothing is pushed. */
export const pushesNothing = contract(() => push.none());

/** A program that pushes commits first, and should say where to and what. */
export const policy = coverage({
  whenUsed: [commit, push],
  required: [commitsFirst()],
  recommended: [onlyBranches, commitsOnly],
  label: "repository",
});
`;
