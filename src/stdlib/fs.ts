/**
 * `foreclaim/std/fs`: files below one folder. Nothing outside it is read or written, by whatever links and races;
 * hidden files, other names of a file and whatever is no ordinary file are refused. There is no way to delete.
 *
 * Every segment of a path is opened relative to the folder before it, without following links. Node has no `openat`; on
 * Linux `/proc/self/fd/N/name` is one. Elsewhere segments are checked before and after a file is opened.
 */

import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, lstat, open, opendir, realpath, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Refused, refused } from "./refused.ts";

export { Refused } from "./refused.ts";

export interface FolderOptions {
  readonly root: string | URL;
  /** Bytes of one file (default 1 MiB). */
  readonly maxFileBytes?: number;
  /** Bytes written in all (default 16 MiB). */
  readonly maxTotalBytes?: number;
  /** Files written in all (default 100). */
  readonly maxFiles?: number;
  /** Names of a listing (default 1,000). */
  readonly maxNames?: number;
}

export interface Folder {
  /** The text of a file, and remembers its digest; undefined if there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
  readonly exists: (path: string) => Promise<boolean>;
  /** SHA-256 of a file's bytes as hex; undefined if there is none. */
  readonly digest: (path: string) => Promise<string | undefined>;
  /** Names of visible files and folders in a folder, sorted; "" is the folder itself. */
  readonly list: (path: string) => Promise<string[]>;
  /** Writes a new file; refuses a name that is taken, also by a link. */
  readonly create: (path: string, text: string) => Promise<void>;
  /** Writes over a file that was read before and has not changed since. */
  readonly replace: (path: string, text: string) => Promise<void>;
}

const MIB = 1024 * 1024;
const MAX_PATH = 1024;
const MAX_SEGMENT = 255;
const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const hasDescriptors = process.platform === "linux";

/** Opens a folder for tools. The folder itself is trusted, and may be a link. */
export function folder(options: FolderOptions): Folder {
  const root = typeof options.root === "string" ? options.root : fileURLToPath(options.root);
  const { maxFileBytes = MIB, maxTotalBytes = 16 * MIB, maxFiles = 100, maxNames = 1000 } = options;
  const known = new Map<string, string>();
  const written = new Set<string>();
  let total = 0;

  /** Runs with the folder of a path open; every folder on the way stays open until the end. */
  async function inside<Result>(
    path: string,
    use: (place: Place, name: string) => Promise<Result>,
  ): Promise<Result> {
    const segments = segmentsOf(path);
    const name = segments.pop();
    if (name === undefined) return refused("bad-path", "the path names no file");
    return below(root, segments, (place) => use(place, name));
  }

  async function bytesOf(path: string): Promise<Buffer | undefined> {
    return inside(path, async (place, name) => {
      const handle = await openFile(place, name);
      if (handle === undefined) return undefined;
      try {
        return await readBytes(handle, path, maxFileBytes);
      } finally {
        await handle.close();
      }
    });
  }

  function count(path: string, bytes: number): void {
    if (bytes > maxFileBytes) refused("too-large", `\`${path}\` would have more than ${maxFileBytes} bytes`);
    if (total + bytes > maxTotalBytes)
      refused("too-large", `more than ${maxTotalBytes} bytes would be written in all`);
    if (!written.has(path) && written.size >= maxFiles)
      refused("too-many", `more than ${maxFiles} files would be written`);
  }

  function note(path: string, bytes: Buffer): void {
    total += bytes.length;
    written.add(path);
    known.set(path, digestOf(bytes));
  }

  return {
    read: async (path) => {
      const bytes = await bytesOf(path);
      if (bytes === undefined) return undefined;
      const text = textOf(bytes, path);
      known.set(path, digestOf(bytes));
      return text;
    },
    exists: async (path) => (await bytesOrNone(bytesOf, path)) !== undefined,
    digest: async (path) => {
      const bytes = await bytesOf(path);
      return bytes === undefined ? undefined : digestOf(bytes);
    },
    list: async (path) =>
      below(root, path === "" ? [] : segmentsOf(path), (place) => namesIn(place, maxNames)),
    create: async (path, text) => {
      const bytes = bytesOfText(text);
      count(path, bytes.length);
      await inside(path, (place, name) =>
        withTemporary(place, bytes, async (temporary) => {
          await link(temporary, at(place, name)).catch((error: unknown) => refuseSystem(error, path));
          await unlink(temporary);
        }),
      );
      note(path, bytes);
    },
    replace: async (path, text) => {
      const before = known.get(path);
      if (before === undefined) refused("not-read", `\`${path}\` was not read before it is written over`);
      const bytes = bytesOfText(text);
      count(path, bytes.length);
      await inside(path, (place, name) =>
        withTemporary(place, bytes, async (temporary) => {
          const handle = await openFile(place, name);
          if (handle === undefined) return refused("changed", `\`${path}\` is gone since it was read`);
          try {
            const now = digestOf(await readBytes(handle, path, maxFileBytes));
            if (now !== before) refused("changed", `\`${path}\` has changed since it was read`);
          } finally {
            await handle.close();
          }
          // A rename takes the place of a link, and never follows it.
          await rename(temporary, at(place, name)).catch((error: unknown) => refuseSystem(error, path));
        }),
      );
      note(path, bytes);
    },
  };
}

/** An open folder. */
interface Place {
  readonly handle: FileHandle;
  /** Its path where descriptors have none. */
  readonly path: string;
}

async function bytesOrNone(
  read: (path: string) => Promise<Buffer | undefined>,
  path: string,
): Promise<true | undefined> {
  try {
    return (await read(path)) === undefined ? undefined : true;
  } catch (error) {
    if (error instanceof Refused && error.code === "too-large") return true;
    throw error;
  }
}

/** The parts of a path; refuses every form that means something else than the parts say. */
function segmentsOf(path: string): string[] {
  if (typeof path !== "string" || path === "" || path.length > MAX_PATH)
    refused("bad-path", "the path is empty or too long");
  if (/[\p{Cc}\p{Cf}\\]/u.test(path) || !wellFormed(path))
    refused("bad-path", "the path holds characters that no plain name has");
  const segments = path.split("/");
  for (const segment of segments) {
    if (segment === "") refused("bad-path", `\`${path}\` is absolute or has an empty part`);
    if (segment.startsWith(".")) refused("hidden", `\`${path}\` names a hidden file or leaves its folder`);
    if (Buffer.byteLength(segment) > MAX_SEGMENT) refused("bad-path", "a name is too long");
    if (/[. ]$/.test(segment) || /[:*?"<>|]/.test(segment))
      refused("bad-path", `\`${path}\` means something else on other systems`);
  }
  return segments;
}

function wellFormed(text: string): boolean {
  return !/[\ud800-\udfff]/u.test(text);
}

function at(place: Place, name: string): string {
  return hasDescriptors ? `/proc/self/fd/${place.handle.fd}/${name}` : join(place.path, name);
}

/** Opens folder after folder, without links, and closes them all at the end. */
async function below<Result>(
  root: string,
  segments: readonly string[],
  use: (place: Place) => Promise<Result>,
): Promise<Result> {
  const handles: FileHandle[] = [];
  try {
    const start = await realpath(root).catch(() =>
      refused("no-folder", "the folder of the tools is missing"),
    );
    let place: Place = { handle: await open(start, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path: start };
    handles.push(place.handle);
    for (const segment of segments) {
      const path = join(place.path, segment);
      const handle = await open(at(place, segment), O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(
        (error: unknown) => refuseSystem(error, segment),
      );
      handles.push(handle);
      place = { handle, path };
      if (!hasDescriptors) await confirm(place);
    }
    return await use(place);
  } finally {
    for (const handle of handles) await handle.close();
  }
}

/** Checks a folder on systems without paths of descriptors: the open folder must still be the one that its path names, without links. */
async function confirm({ handle, path }: Place): Promise<void> {
  const [held, named, real] = [await handle.stat(), await lstat(path), await realpath(path)];
  if (real !== path || held.ino !== named.ino || held.dev !== named.dev)
    refused("link", "a folder is a link or was moved");
}

/** Opens an ordinary file with one name; undefined if there is none. */
async function openFile(place: Place, name: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(at(place, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    return refuseSystem(error, name);
  }
  const stat = await handle.stat();
  const problem = !stat.isFile()
    ? "is no ordinary file"
    : stat.nlink !== 1
      ? "has another name elsewhere"
      : undefined;
  if (problem === undefined) return handle;
  await handle.close();
  return refused("not-a-file", `\`${name}\` ${problem}`);
}

/** Reads at most so many bytes, however large the file says it is. */
async function readBytes(handle: FileHandle, path: string, maxBytes: number): Promise<Buffer> {
  const { size } = await handle.stat();
  if (size > maxBytes) refused("too-large", `\`${path}\` has more than ${maxBytes} bytes`);
  const chunks: Buffer[] = [];
  let length = 0;
  while (true) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(65_536), 0, 65_536, null);
    if (bytesRead === 0) return Buffer.concat(chunks, length);
    length += bytesRead;
    if (length > maxBytes) refused("too-large", `\`${path}\` has more than ${maxBytes} bytes`);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

async function namesIn(place: Place, maxNames: number): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of await opendir(hasDescriptors ? `/proc/self/fd/${place.handle.fd}` : place.path)) {
    if (entry.name.startsWith(".")) continue;
    names.push(entry.name);
    if (names.length > maxNames) refused("too-many", `the folder has more than ${maxNames} names`);
  }
  return names.sort();
}

/** Writes bytes to a new hidden file of a folder, and removes it unless it was moved. */
async function withTemporary(
  place: Place,
  bytes: Buffer,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const path = at(place, `.foreclaim-${randomBytes(8).toString("hex")}`);
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600).catch((error: unknown) =>
    refuseSystem(error, "a temporary file"),
  );
  try {
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await use(path);
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

function bytesOfText(text: string): Buffer {
  if (!wellFormed(text)) refused("bad-text", "the text is not well-formed Unicode");
  return Buffer.from(text, "utf8");
}

function textOf(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refused("bad-text", `\`${path}\` is not UTF-8`);
  }
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

function refuseSystem(error: unknown, path: string): never {
  const code = codeOf(error);
  if (code === "ELOOP" || code === "EMLINK") return refused("link", `\`${path}\` is a link`);
  if (code === "ENOTDIR") return refused("link", `\`${path}\` is no folder, or a link`);
  if (code === "EEXIST") return refused("exists", `\`${path}\` is there already`);
  if (code === "ENOENT") return refused("no-folder", `the folder of \`${path}\` is missing`);
  if (code === "ENXIO") return refused("not-a-file", `\`${path}\` is no ordinary file`);
  return refused("failed", `\`${path}\`: ${code === "" ? "failed" : code}`);
}
