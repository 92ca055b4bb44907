/** The tool module `tools/fs.ts` that `init --with fs` writes. */

export const fsModule = `/**
 * Files below the folder \`files/\` of this project, as tools. Nothing outside it is ever read or written, and nothing is
 * deleted: \`foreclaim/std/fs\` refuses links, hidden files, races and whatever exceeds its limits.
 */
import { contract, coverage, fluent, labelled, pathInside, tool } from "foreclaim";
import { folder } from "foreclaim/std/fs";

const files = folder({ root: new URL("../files/", import.meta.url), maxFileBytes: 1_000_000, maxFiles: 100 });

/** True of a file that was read or made in this run. */
export const known = fluent<string, boolean>({ initial: false });

/** Returns the text of a file; null if there is none. */
export const read = tool({
  reads: true,
  source: "untrusted",
  stores: ["files"],
  requires: ({ path }) => !path.startsWith("/") && !path.startsWith(".") && !path.includes("/."),
  effects: ({ path }) => [known.set(path, true)],
  run: async ({ path }: { path: string }): Promise<string | null> => (await files.read(path)) ?? null,
});

/** Returns the names in a folder; "" is the folder of all files. */
export const list = tool({
  reads: true,
  source: "untrusted",
  stores: ["files"],
  ensures: (names) => names.length <= 1000,
  run: async ({ path }: { path: string }): Promise<string[]> => files.list(path),
});

/** Writes a new file. The call fails if the name is taken. */
export const create = tool({
  labels: ["write"],
  stores: ["files"],
  requires: ({ path, text }) =>
    !path.startsWith("/") && !path.startsWith(".") && !path.includes("/.") && text.length <= 1_000_000,
  effects: ({ path }) => [known.set(path, true)],
  run: async ({ path, text }: { path: string; text: string }): Promise<void> => files.create(path, text),
});

/** Writes over a file that was read before. The call fails if it has changed since. */
export const replace = tool({
  labels: ["write"],
  stores: ["files"],
  requires: ({ path, text }) => known.get(path) && text.length <= 1_000_000,
  run: async ({ path, text }: { path: string; text: string }): Promise<void> => files.replace(path, text),
});

/** Files are written only to this folder or below it. */
export const writesInside = contract((root: string) =>
  labelled<{ path: string }>("write").all((w) => pathInside(w.path, root)),
);

/** Files are read only below one of these folders. */
export const readsInside = contract((roots: string[]) =>
  read.all((r) => roots.some((root) => pathInside(r.path, root))),
);

/** Only these files are written. */
export const writesOnly = contract((paths: string[]) =>
  labelled<{ path: string }>("write").all((w) => paths.includes(w.path)),
);

/** At most so many files are written. */
export const writesAtMost = contract((n: number) => labelled("write").count() <= n);

/** All texts that are written have together at most so many characters. */
export const charactersAtMost = contract(
  (n: number) => create.sum((w) => w.text.length) + replace.sum((w) => w.text.length) <= n,
);

/** No file is written over. */
export const overwritesNothing = contract(() => replace.none());

/** Nothing is written. */
export const readOnly = contract(() => labelled("write").none());

/** A program that writes should say where and how much. */
export const policy = coverage({
  whenUsed: [create, replace],
  recommended: [writesInside, writesAtMost],
  label: "files",
});
`;
