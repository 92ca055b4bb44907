/** The file system of Node as the port sees it. */
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { hrtime, pid } from "node:process";
import type { Readable } from "node:stream";
import { append } from "../../ir/index.ts";
import type { Chunks, Clock, FileSystem, FolderEntry, Listing, NotCreated, ReadBytes } from "./port.ts";
import { systemCode } from "./system-words.ts";

export const nodeFiles: FileSystem = {
  readFile: async (path, limitBytes) => {
    try {
      const handle = await open(path, constants.O_RDONLY);
      // Opening a directory succeeds, and reading from it does not.
      return await readAll(createReadStream(path, { fd: handle }), limitBytes);
    } catch (thrown) {
      return { kind: "failed", code: systemCode(thrown) };
    }
  },
  readFileNow,
  chunks: (path) => createReadStream(path),
  writeFile: replaceFile,
  createFiles,
  listFolder,
  realPath,
  isSameFile: async (a, b) => {
    const [left, right] = await Promise.all([a, b].map((path) => realpath(path).catch(() => undefined)));
    return left !== undefined && left === right;
  },
};

export const nodeClock: Clock = {
  nowMs: () => Number(hrtime.bigint()) / 1e6,
  wallMs: () => Date.now(),
};

/** Reads a stream of bytes up to the limit. */
export async function readAll(stream: Readable, limitBytes: number): Promise<ReadBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError("a stream of bytes was expected");
      length += chunk.length;
      if (length > limitBytes) {
        stream.destroy();
        return { kind: "tooBig" };
      }
      chunks.push(chunk);
    }
  } catch (thrown) {
    return { kind: "failed", code: systemCode(thrown) };
  }
  return { kind: "bytes", bytes: Buffer.concat(chunks, length) };
}

function readFileNow(path: string, limitBytes: number): ReadBytes {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY);
    if (fstatSync(file).isDirectory()) return { kind: "failed", code: "EISDIR" };
    const chunks: Uint8Array[] = [];
    // One byte more than allowed tells a file that is too big, also where its size is not known beforehand.
    for (let left = limitBytes + 1; left > 0; ) {
      const chunk = Buffer.alloc(Math.min(left, 1 << 16));
      const length = readSync(file, chunk);
      if (length === 0) return { kind: "bytes", bytes: Buffer.concat(chunks) };
      chunks.push(chunk.subarray(0, length));
      left -= length;
    }
    return { kind: "tooBig" };
  } catch (thrown) {
    return { kind: "failed", code: systemCode(thrown) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

async function listFolder(path: string): Promise<Listing> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const kinds = entries.map(async (entry): Promise<FolderEntry> => {
      const { name } = entry;
      const found = entry.isSymbolicLink() ? await stat(`${path}/${name}`).catch(() => undefined) : entry;
      const kind = found?.isFile() ? "file" : found?.isDirectory() ? "folder" : "other";
      return { name, kind, ...(entry.isSymbolicLink() && { isLink: true }) };
    });
    const all = await Promise.all(kinds);
    return { kind: "entries", entries: all.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } catch (thrown) {
    return { kind: "failed", code: systemCode(thrown) };
  }
}

function realPath(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return sep === "/" ? real : real.split(sep).join("/");
  } catch {
    return undefined;
  }
}

async function createFiles(
  files: ReadonlyMap<string, string>,
  modeOf: (path: string) => number = () => 0o666,
): Promise<NotCreated | undefined> {
  const there = await Promise.all(
    [...files.keys()].map(async (path) => ((await isThere(path)) ? [path] : [])),
  );
  const paths = there.flat();
  if (paths.length > 0) return { kind: "exists", paths };
  const made: string[] = [];
  const folders: string[] = [];
  for (const [path, text] of files) {
    try {
      const first = await mkdir(dirname(path), { recursive: true });
      if (first !== undefined) append(folders, foldersFrom(first, dirname(path)));
      await writeFile(path, text, { flag: "wx", mode: modeOf(path) });
      made.push(path);
    } catch (thrown) {
      for (const one of made) await rm(one, { force: true });
      // Only what is empty goes: somebody else may have put something there.
      for (const folder of folders.reverse()) await rmdir(folder).catch(() => undefined);
      const code = systemCode(thrown);
      // Another process has made the file since we looked.
      if (code === "EEXIST" && (await isThere(path))) return { kind: "exists", paths: [path] };
      return { kind: "failed", path, code };
    }
  }
  return undefined;
}

/** Also for a link that leads nowhere, which must not be written through. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The folders from the first to the last, outermost first. */
function foldersFrom(first: string, last: string): string[] {
  const found: string[] = [];
  for (let folder = resolve(last); ; folder = dirname(folder)) {
    found.unshift(folder);
    if (folder === resolve(first) || folder === dirname(folder)) return found;
  }
}

async function replaceFile(path: string, chunks: Chunks): Promise<string | undefined> {
  let aside: string | undefined;
  try {
    const target = await realpath(path).catch(() => path);
    const existing = await stat(target).catch(() => undefined);
    if (existing !== undefined && !existing.isFile()) {
      // A device or a pipe must not be moved away by a file of its name.
      await writeFile(target, chunks);
      return undefined;
    }
    aside = `${target}.${pid}.tmp`;
    await writeFile(aside, chunks);
    await rename(aside, target);
    return undefined;
  } catch (thrown) {
    if (aside !== undefined) await rm(aside, { force: true }).catch(() => undefined);
    return systemCode(thrown);
  }
}
