/** Files and time as ports. The app reads and writes through these, so that a caller decides what there is to see. */

/** The name of the input that stands in no file, for a host that has one. */
export const standardInput = "-";

/** Files that can be read. Nothing of a program or a tool module comes from anywhere else. */
export interface SourceFiles {
  /** Reads at most the limit, however endless the file. */
  readonly readFile: (path: string, limitBytes: number) => Promise<ReadBytes>;
  /** Reads without waiting, for the front end, which asks for modules as it meets them. */
  readonly readFileNow: (path: string, limitBytes: number) => ReadBytes;
  /** Lists a folder by name, following links. */
  readonly listFolder: (path: string) => Promise<Listing>;
  /** Returns the path with all links followed, with slashes; undefined if there is nothing. */
  readonly realPath: (path: string) => string | undefined;
}

export interface FileSystem extends SourceFiles {
  /** Streams a file, however long it is. Throws what the system throws. */
  readonly chunks: (path: string) => AsyncIterable<Uint8Array>;
  /** Writes all or nothing: a reader never sees half a file. Returns the error's code if it cannot be written. */
  readonly writeFile: (path: string, chunks: Chunks) => Promise<string | undefined>;
  /** Creates all files or none, and the folders they need; never touches what exists. */
  readonly createFiles: (
    files: ReadonlyMap<string, string>,
    modeOf?: (path: string) => number,
  ) => Promise<NotCreated | undefined>;
  /** Returns whether both paths lead to one existing file. */
  readonly isSameFile: (a: string, b: string) => Promise<boolean>;
}

export interface Clock {
  /** Measures durations. */
  readonly nowMs: () => number;
  /** Time of day, as `Date.now()`. */
  readonly wallMs: () => number;
}

export type Chunks = Iterable<string> | AsyncIterable<string>;

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

/** Why nothing was created: the files that exist already, or the one that cannot be written. */
export type NotCreated =
  | { readonly kind: "exists"; readonly paths: readonly string[] }
  | { readonly kind: "failed"; readonly path: string; readonly code: string };

/** Hears of work that may take long, for a host that can show it to somebody. */
export interface Notices {
  /** Called before a long text is read. */
  readonly reading: (file: string, length: number) => Promise<void>;
  /** Called once the work is done. */
  readonly clear: () => Promise<void>;
}

/** Returns the same files, with one more text that no module can import. */
export function withText<F extends SourceFiles>(base: F, path: string, text: string): F {
  const bytes = new TextEncoder().encode(text);
  return {
    ...base,
    readFile: async (wanted, limitBytes) => {
      if (wanted !== path) return base.readFile(wanted, limitBytes);
      return bytes.length > limitBytes ? { kind: "tooBig" } : { kind: "bytes", bytes };
    },
  };
}
