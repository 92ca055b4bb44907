/** Files: documents in folders: the tools and contracts of `tools.md`. */
import { answer, contract, flowsFrom, labelled, resultOf, tool } from "foreclaim";
import { mock } from "../../mock.ts";

const isPath = (path: string) =>
  path.startsWith("/") &&
  !path.endsWith("/") &&
  !path.includes("//") &&
  !`${path}/`.includes("/./") &&
  !`${path}/`.includes("/../");
const isSize = (size: number | undefined) => size === undefined || (size >= 0 && Number.isInteger(size));
const isUnder = (path: string, prefix: string) => path.startsWith(prefix) && !`/${path}/`.includes("/../");

export interface Entry {
  path: string;
  name: string;
  kind: "file" | "folder";
  size?: number;                   // bytes; files only, not always known
  modifiedAt: string;              // ISO date-time
  owner: string;                   // email
  tags?: string[];
}

export interface TreeNode {
  name: string;
  kind: "file" | "folder";
  size?: number;
  children?: TreeNode[];
}

export const list = tool({
  reads: true,
  ensures: (entries) => entries.every((one) => isPath(one.path) && isSize(one.size) && one.path.endsWith(`/${one.name}`) && !one.name.includes("/")),
  run: async (args: { folder: string }): Promise<Entry[]> => mock("files.list", args),
});

export const tree = tool({
  reads: true,
  run: async (args: { root: string; depth?: number }): Promise<TreeNode> => mock("files.tree", args),
});

export const stat = tool({
  reads: true,
  ensures: (entry) => entry === null || (isPath(entry.path) && isSize(entry.size) && entry.path.endsWith(`/${entry.name}`) && !entry.name.includes("/")),
  run: async (args: { path: string }): Promise<Entry | null> => mock("files.stat", args),
});

/** The text of the file. */
export const read = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { path: string }): Promise<string> => mock("files.read", args),
});


export const write = tool({
  labels: ["change"],
  run: async (args: { path: string; content: string; overwrite?: boolean }): Promise<{ path: string; version: number }> => mock("files.write", args),
});

export const move = tool({
  labels: ["change"],
  run: async (args: { from: string; to: string }): Promise<Entry> => mock("files.move", args),
});

/** Irreversible; a folder is removed with everything in it. */
export const remove = tool({
  labels: ["change"],
  run: async (args: { path: string }): Promise<void> => mock("files.remove", args),
});

export const share = tool({
  labels: ["change"],
  run: async (args: { path: string; email: string; role: "viewer" | "editor" }): Promise<{ link: string }> => mock("files.share", args),
});

/** There is no call of `write`, `move`, `remove` or `share`. */
export const readOnly = contract(() => labelled("change").none());

/** There is no call of `remove`. */
export const neverRemoves = contract(() => remove.none());

/** The `path` of every `remove` begins with prefix and has no segment "..". */
export const removesOnlyUnder = contract((prefix: string) => remove.all((r) => isUnder(r.path, prefix)));

/** There are at most n calls of `remove`. */
export const removesAtMost = contract((n: number) => remove.count() <= n);

/**
 * Before every `remove` of a path p there is an earlier `write` with `path` equal to "/backup" + p and a `content` that an earlier `read` of p returned.
 * @weaker The written content is not compared with the text that was read.
 */
export const backsUpBeforeRemove = contract(() =>
  write.precedes(remove, (w, r) => w.path === `/backup${r.path}` && resultOf(w) !== undefined) &&
  read.precedes(remove, (g, r) => g.path === r.path && resultOf(g) !== undefined));

/** Every `path` of `write` and every `to` of `move` begins with prefix and has no segment "..". */
export const writesOnlyUnder = contract((prefix: string) => write.all((w) => isUnder(w.path, prefix)) && move.all((m) => isUnder(m.to, prefix)));

/** No `write` has `overwrite` true. */
export const neverOverwrites = contract(() => write.none((w) => w.overwrite === true));

/** No two calls of `write` have the same `path`. */
export const writeOnceEach = contract(() => write.distinct((w) => w.path));

/** There are at most n calls of `write`. */
export const writesAtMost = contract((n: number) => write.count() <= n);

/** In every `move` the part after the last "/" of `to` equals the part after the last "/" of `from`. */
export const movesKeepName = contract(() =>
  move.all((m) => m.to.slice(m.to.lastIndexOf("/") + 1) === m.from.slice(m.from.lastIndexOf("/") + 1)));

/** Every `share` has this `email`. */
export const sharesOnlyWith = contract((email: string) => share.all((s) => s.email === email));

/** Every `share` has this `role`. */
export const sharesOnlyAs = contract((role: "viewer" | "editor") => share.all((s) => s.role === role));

/** No `read` has a `path` that begins with prefix. */
export const neverReads = contract((prefix: string) => read.none((r) => r.path.startsWith(prefix)));

/**
 * No string in the answer contains text that comes from a result of `read` (lengths, counts and yes/no results are allowed).
 * @stronger Lengths, counts and yes/no results count as flow too.
 */
export const contentsHidden = contract(() => answer.none((a) => flowsFrom(a.value, read)));
