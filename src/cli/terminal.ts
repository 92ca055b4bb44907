/** The outside world as commands see it: two outputs, files, and a clock. Everything else in this room is data. */

import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { hrtime, pid } from "node:process";
import type { Readable, Writable } from "node:stream";
import { append } from "../ir/index.ts";

export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Never more than the limit is read, however endless the file. */
  readonly readFile: (path: string, limitBytes: number) => Promise<ReadBytes>;
  /** The same without waiting, for the front end, which asks for modules as it meets them. */
  readonly readFileNow: (path: string, limitBytes: number) => ReadBytes;
  readonly readStdin: (limitBytes: number) => Promise<ReadBytes>;
  /** A file as it comes, or standard input (undefined), however long it is. Throws what the system throws. */
  readonly chunks: (path: string | undefined) => AsyncIterable<Uint8Array>;
  /** Whether standard input is a person's keyboard. */
  readonly isTyped: boolean;
  /** All or nothing: a reader never sees half a file. Gives the error's code if it cannot be written. */
  readonly writeFile: (path: string, chunks: Chunks) => Promise<string | undefined>;
  /** All of them or none; what is there already is never touched. Folders are made as they are needed. */
  readonly createFiles: (
    files: ReadonlyMap<string, string>,
    modeOf?: (path: string) => number,
  ) => Promise<NotCreated | undefined>;
  /** What is in a folder, by name; links are followed. */
  readonly listFolder: (path: string) => Promise<Listing>;
  /** Where a path leads when all links are followed, with slashes; undefined if there is nothing. */
  readonly realPath: (path: string) => string | undefined;
  /** Whether both paths lead to one existing file. */
  readonly isSameFile: (a: string, b: string) => Promise<boolean>;
  /** For how long something takes. */
  readonly nowMs: () => number;
  /** What a clock on the wall shows, as `Date.now()`. */
  readonly wallMs: () => number;
  /** Tells once that the person, or the system, wants the command to end; gives a way to listen no more. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Ends the process soon, also if something goes on in it that nobody waits for any more. */
  readonly abandon?: () => void;
  /** Sends everything to standard error that others than the command print to standard output, from now on. */
  readonly reserveStdout?: () => void;
}

export type Chunks = Iterable<string> | AsyncIterable<string>;

export interface Output {
  /** Resolves once it was taken. What nobody reads any more is dropped. */
  readonly write: (text: string) => Promise<void>;
  /** The error's code if something was lost that somebody may still be waiting for, as on a full disk. */
  readonly lost: () => string | undefined;
  readonly isTTY: boolean;
  /** Known for a terminal only. */
  readonly columns: number | undefined;
  readonly colour: boolean;
  /** Whether signs beyond ASCII will be seen as what they are. */
  readonly unicode: boolean;
}

export type ReadBytes =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "tooBig" }
  /** The system's word for it, such as `ENOENT`. */
  | { readonly kind: "failed"; readonly code: string };

export type Listing =
  | { readonly kind: "entries"; readonly entries: readonly FolderEntry[] }
  | { readonly kind: "failed"; readonly code: string };

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
  readonly isLink?: true;
}

/** Why nothing was created: the files that are there already, or the one that cannot be written. */
export type NotCreated =
  | { readonly kind: "exists"; readonly paths: readonly string[] }
  | { readonly kind: "failed"; readonly path: string; readonly code: string };

interface Process {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Environment;
  readonly platform: string;
  readonly on?: (event: Interruption, listener: () => void) => unknown;
  readonly off?: (event: Interruption, listener: () => void) => unknown;
  readonly exit?: () => unknown;
}

type Interruption = "SIGINT" | "SIGTERM";
type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };
type Environment = Readonly<Record<string, string | undefined>>;

export function processTerminal(process: Process, reserveStdout?: () => void): Terminal {
  return {
    ...(reserveStdout && { reserveStdout }),
    stdout: outputOf(process.stdout, process),
    stderr: outputOf(process.stderr, process),
    readFile: async (path, limitBytes) => {
      try {
        const handle = await open(path, constants.O_RDONLY);
        // Opening a directory succeeds, and reading from it does not.
        return await readAll(createReadStream(path, { fd: handle }), limitBytes);
      } catch (thrown) {
        return { kind: "failed", code: codeOf(thrown) };
      }
    },
    readFileNow,
    readStdin: (limitBytes) => readAll(process.stdin, limitBytes),
    chunks: (path) => (path === undefined ? process.stdin : createReadStream(path)),
    // Only who asks needs the stream, which takes a while to make.
    get isTyped() {
      return process.stdin.isTTY === true;
    },
    writeFile: replaceFile,
    createFiles,
    listFolder,
    realPath,
    isSameFile: async (a, b) => {
      const [left, right] = await Promise.all([a, b].map((path) => realpath(path).catch(() => undefined)));
      return left !== undefined && left === right;
    },
    nowMs: () => Number(hrtime.bigint()) / 1e6,
    wallMs: () => Date.now(),
    onInterrupt: (listener) => listenOnce(process, listener),
    abandon: () => {
      setTimeout(() => process.exit?.(), soonMs).unref();
    },
  };
}

/** By then the command has set its exit code. */
const soonMs = 100;

/** The second time the system does what it always does, and ends the process. */
function listenOnce(process: Process, listener: () => void): () => void {
  const leave = (): void => {
    process.off?.("SIGINT", hear);
    process.off?.("SIGTERM", hear);
  };
  const hear = (): void => {
    leave();
    listener();
  };
  process.on?.("SIGINT", hear);
  process.on?.("SIGTERM", hear);
  return leave;
}

function outputOf(stream: Stream, { env, platform }: Process): Output {
  let closed = false;
  let lost: string | undefined;
  // Without a listener, a reader that leaves early (`| head`) would end us with a stack trace.
  const note = (error: Error): void => {
    closed = true;
    const code = codeOf(error);
    if (code !== "EPIPE") lost ??= code;
  };
  stream.on("error", note);
  const isTTY = stream.isTTY === true;
  return {
    write: (text) =>
      new Promise((resolve) => {
        if (closed) resolve();
        else {
          stream.write(text, (error) => {
            if (error) note(error);
            resolve();
          });
        }
      }),
    lost: () => lost,
    isTTY,
    get columns() {
      return isTTY ? stream.columns : undefined;
    },
    colour: hasColour(isTTY, env),
    unicode: isTTY && isUtf8(env, platform),
  };
}

/** https://no-color.org and https://force-color.org: any value that is not empty counts. */
export function hasColour(isTTY: boolean, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return isTTY && env.TERM !== "dumb";
}

/** As the C library decides it: the first of the three that is set counts. */
export function isUtf8(env: Environment, platform: string): boolean {
  if (env.TERM === "linux") return false; // the console's font has few signs
  if (platform === "win32") return env.WT_SESSION !== undefined || env.TERM_PROGRAM === "vscode";
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || "");
}

async function readAll(stream: Readable, limitBytes: number): Promise<ReadBytes> {
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
    return { kind: "failed", code: codeOf(thrown) };
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
    return { kind: "failed", code: codeOf(thrown) };
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
    return { kind: "failed", code: codeOf(thrown) };
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
      return { kind: "failed", path, code: codeOf(thrown) };
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
    return codeOf(thrown);
  }
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof Error && "code" in thrown && typeof thrown.code === "string") return thrown.code;
  throw thrown;
}
