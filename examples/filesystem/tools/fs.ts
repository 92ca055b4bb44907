/** Files below a temporary folder of their own, and promises about which are read, written and removed. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { contract, coverage, fluent, type Int, labelled, pathInside, tool } from "foreclaim";

let made: string | undefined;

/** Resolves a path; nothing outside the temporary folder is ever touched. */
function inside(path: string): string {
  made ??= mkdtempSync(join(tmpdir(), "foreclaim-example-"));
  return join(made, normalize(`/${path}`));
}

/** The number of bytes that this run wrote to a path, counting each character as one. */
export const size = fluent<string, Int>({ initial: 0 });

/** True if a path is locked against other writers. */
export const locked = fluent<string, boolean>({ initial: false });

/** The text of a file; undefined if there is none. */
export const read = tool({
  reads: true,
  run: async ({ path }: { path: string; encoding?: "utf8" | "latin1" }): Promise<string | undefined> => {
    try {
      return readFileSync(inside(path), "utf8");
    } catch {
      return undefined;
    }
  },
});

/** Returns true if there is such a file. */
export const exists = tool({
  reads: true,
  run: async ({ path }: { path: string }): Promise<boolean> => existsSync(inside(path)),
});

/** The names in a folder. */
export const list = tool({
  reads: true,
  ensures: (names) => names.length <= 100,
  run: async ({ path }: { path: string }): Promise<string[]> => readdirSync(inside(path)),
});

/** Writes a file, a new one or over an old one. */
export const write = tool({
  labels: ["change"],
  requires: ({ path }) => path.startsWith("/") && locked.get(path),
  effects: ({ path, text, append }) => [
    size.set(path, append === true ? size.get(path) + text.length : text.length),
  ],
  cost: ({ text }) => text.length,
  run: async ({ path, text, append }: { path: string; text: string; append?: boolean }): Promise<void> => {
    mkdirSync(dirname(inside(path)), { recursive: true });
    writeFileSync(inside(path), text, { flag: append ? "a" : "w" });
  },
});

/** Copies a file to where nothing is yet. */
export const copy = tool({
  labels: ["change"],
  requires: ({ from, path }) => from !== path,
  run: async ({ from, path }: { from: string; path: string }): Promise<void> => {
    mkdirSync(dirname(inside(path)), { recursive: true });
    writeFileSync(inside(path), readFileSync(inside(from)));
  },
});

/** Removes a file. */
export const remove = tool({
  labels: ["change"],
  requires: ({ path }) => path !== "/" && !locked.get(path),
  effects: ({ path }) => [size.set(path, 0)],
  run: async ({ path }: { path: string }): Promise<void> => {
    rmSync(inside(path), { force: true });
  },
});

/** Locks a path against other writers. */
export const lock = tool({
  requires: ({ path }) => !locked.get(path),
  effects: ({ path }) => [locked.set(path, true)],
  run: async ({ path }: { path: string }): Promise<void> => {
    console.log(`locked ${path}`);
  },
});

/** Lets others write a path again. */
export const release = tool({
  idempotent: true,
  effects: ({ path }) => [locked.set(path, false)],
  run: async ({ path }: { path: string }): Promise<void> => {
    console.log(`released ${path}`);
  },
});

/** Only these files are changed in any way, word for word. */
export const changesOnly = contract((paths: string[]) =>
  labelled<{ path: string }>("change").all((c) => paths.includes(c.path)),
);

/** Every changed path is this folder or below it, after normalizing. */
export const changesInside = contract((root: string) =>
  labelled<{ path: string }>("change").all((c) => pathInside(c.path, root)),
);

/** Every path that is read is below one of these folders. */
export const readsInside = contract((roots: string[]) =>
  read.all((r) => roots.some((root) => pathInside(r.path, root))),
);

/** Nothing is removed. */
export const keepsFiles = contract(() => remove.none());

/** Nothing is changed. */
export const readOnly = contract(() => labelled("change").none());

/** No file that was written is longer than this at the end. */
export const smallFiles = contract((n: number) => size.final.all((f) => f.value <= n));

/** All texts together have at most so many characters. */
export const writesAtMost = contract((n: number) => write.sum((w) => w.text.length) <= n);

/** No file is written twice. */
export const writesOnce = contract(() => write.distinct((w) => w.path));

/** Nothing is locked at the end. */
export const nothingLockedAtEnd = contract(() => locked.final.all((p) => !p.value));

/** A file is copied before it is written over or removed. */
export const backedUp = contract(
  () =>
    copy.precedes(write, (c, w) => c.from === w.path) && copy.precedes(remove, (c, r) => c.from === r.path),
);

/** A file is read before it is written. */
export const readsFirst = contract(() => read.precedes(write, (r, w) => r.path === w.path));

/** Only files with one of these endings are written. */
export const endings = contract((allowed: string[]) =>
  write.all((w) => allowed.some((end) => w.path.endsWith(end))),
);

/** Two files get the same text at least once. */
export const inStep = contract((a: string, b: string) =>
  write
    .where((w) => w.path === a)
    .sharesValue(
      write.where((w) => w.path === b),
      (w) => w.text,
    ),
);

/** Nothing is read any more once something was removed. */
export const removesLast = contract(() => read.neverAfter(remove) && write.neverAfter(remove));

export const policy = coverage({
  whenUsed: [write, remove, copy],
  recommended: [changesOnly, keepsFiles],
  required: [nothingLockedAtEnd],
  label: "filesystem",
});
