/** Files: promises about where an agent reads and writes, and what it may remove. */
import { contract, fluent, labelled, pathInside, tool } from "foreclaim";

const files = new Map([["/box/notes.txt", "hello"]]);

/** True if a file is open. */
export const isOpen = fluent<string, boolean>({ initial: false });

/** The text of a file. */
export const read = tool({
  labels: ["file"],
  reads: true,
  run: async ({ path }: { path: string }): Promise<string> => files.get(path) ?? "",
});

/** Writes a file. */
export const write = tool({
  labels: ["file"],
  run: async ({ path, text }: { path: string; text: string }): Promise<void> => {
    files.set(path, text);
  },
});

/** Makes a new file; fails if there is one. */
export const create = tool({
  run: async ({ path }: { path: string }): Promise<void> => {
    if (files.has(path)) throw new Error(`${path} is there already`);
    files.set(path, "");
  },
});

/** Removes a file. */
export const remove = tool({
  labels: ["file"],
  run: async ({ path }: { path: string }): Promise<void> => {
    files.delete(path);
  },
});

/** Copies a file to where it is kept for good. */
export const backup = tool({
  run: async ({ path }: { path: string }): Promise<void> => {
    files.set(`/backup${path}`, files.get(path) ?? "");
  },
});

/** The files in a folder. */
export const list = tool({
  reads: true,
  ensures: (paths) => paths.length <= 40,
  run: async ({ folder }: { folder: string }): Promise<string[]> =>
    [...files.keys()].filter((path) => path.startsWith(folder)),
});

/** Opens a file for writing. */
export const open = tool({
  requires: ({ path }) => !isOpen.get(path),
  effects: ({ path }) => [isOpen.set(path, true)],
  run: async ({ path }: { path: string }): Promise<void> => {
    files.set(path, "");
  },
});

/** Closes a file. */
export const close = tool({
  effects: ({ path }) => [isOpen.set(path, false)],
  run: async ({ path }: { path: string }): Promise<void> => {
    files.set(path, files.get(path) ?? "");
  },
});

/** Every path that is read, written or removed is this folder or below it, after normalizing. */
export const sandbox = contract((root: string) =>
  labelled<{ path: string }>("file").all((f) => pathInside(f.path, root)),
);

/** Too little: `/box/../etc/passwd` and `/box-of-ann/x` begin with `/box` as well. */
export const startsWithFolder = contract((root: string) =>
  labelled<{ path: string }>("file").all((f) => f.path.startsWith(root)),
);

/** At most so many files are removed. */
export const removesAtMost = contract((n: number) => remove.count() <= n);

/** Only what was made in this run is removed. */
export const removesOwn = contract(() => create.precedes(remove, (c, r) => c.path === r.path));

/** A file is backed up before it is removed. */
export const backupFirst = contract(() => backup.precedes(remove, (b, r) => b.path === r.path));

/** Every file that was opened is closed at the end. */
export const allClosed = contract(() => isOpen.final.none((file) => file.value));

/** Only texts are written: no program, and nothing hidden. */
export const writesTexts = contract(() =>
  write.all((w) => /^(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+\.(?:txt|md)$/.test(w.path)),
);
