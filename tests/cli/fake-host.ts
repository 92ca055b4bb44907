/** A terminal for tests: files are strings in a map, and what is written can be read back. */
import { relative, resolve } from "node:path";
import type { ReadBytes } from "../../src/app/files/port.ts";
import type { Host, Output } from "../../src/cli/host.ts";

export interface FakeOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string;
  /** Both outputs are a terminal of this width. */
  readonly columns?: number;
  readonly colour?: boolean;
  readonly unicode?: boolean;
  /** Errors of reading or writing a path. */
  readonly failing?: Readonly<Record<string, string>>;
  /** The clock, one entry per look; the last one stays. */
  readonly clockMs?: readonly number[];
  readonly wallMs?: number;
}

export interface FakeHost extends Host {
  readonly out: () => string;
  readonly err: () => string;
  /** The files as they are now. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

export function fakeHost(options: FakeOptions = {}): FakeHost {
  const files = new Map(Object.entries(options.files ?? {}));
  const stdout = fakeOutput(options);
  const stderr = fakeOutput(options);
  const clock = [...(options.clockMs ?? [0])];
  const readFileNow = (path: string, limitBytes: number): ReadBytes => {
    const code = options.failing?.[path];
    if (code !== undefined) return { kind: "failed", code };
    // A path may be given as it stands or resolved, as the front end does.
    const content = files.get(path) ?? files.get(relative(process.cwd(), resolve(path)));
    return content === undefined ? { kind: "failed", code: "ENOENT" } : bytesOf(content, limitBytes);
  };
  return {
    stdout,
    stderr,
    out: stdout.text,
    err: stderr.text,
    files,
    isTyped: false,
    readFile: async (path, limitBytes) =>
      path === "-" ? bytesOf(options.stdin ?? "", limitBytes) : readFileNow(path, limitBytes),
    readFileNow,
    readStdin: async (limitBytes) => bytesOf(options.stdin ?? "", limitBytes),
    chunks: async function* (path) {
      const content = path === "-" ? (options.stdin ?? "") : files.get(path);
      const code = options.failing?.[path];
      if (content === undefined || code !== undefined)
        throw Object.assign(new Error(), { code: code ?? "ENOENT" });
      yield typeof content === "string" ? new TextEncoder().encode(content) : content;
    },
    writeFile: async (path, chunks) => {
      const code = options.failing?.[path];
      if (code !== undefined) return code;
      let text = "";
      for await (const chunk of chunks) text += chunk;
      files.set(path, text);
      return undefined;
    },
    createFiles: async (created) => {
      const paths = [...created.keys()].filter((path) => files.has(path));
      if (paths.length > 0) return { kind: "exists", paths };
      for (const [path, text] of created) files.set(path, text);
      return undefined;
    },
    listFolder: async (path) => {
      const prefix = path === "" || path === "." ? "" : `${relative(process.cwd(), resolve(path))}/`;
      const inside = [...files.keys()].filter((name) => name.startsWith(prefix));
      if (inside.length === 0) return { kind: "failed", code: "ENOENT" };
      const names = new Map(
        inside.map((name) => {
          const [first = "", ...rest] = name.slice(prefix.length).split("/");
          return [first, rest.length === 0 ? ("file" as const) : ("folder" as const)];
        }),
      );
      return { kind: "entries", entries: Array.from(names, ([name, kind]) => ({ name, kind })) };
    },
    realPath: (path) => path,
    isSameFile: async (a, b) => a === b && files.has(a),
    wallMs: () => options.wallMs ?? 0,
    nowMs: () => (clock.length > 1 ? clock.shift()! : clock[0]!),
  };
}

function fakeOutput({
  columns,
  colour = false,
  unicode = false,
}: FakeOptions): Output & { text: () => string } {
  const written: string[] = [];
  return {
    write: async (text) => {
      written.push(text);
    },
    lost: () => undefined,
    text: () => written.join(""),
    isTTY: columns !== undefined,
    columns,
    colour,
    unicode,
  };
}

function bytesOf(content: string | Uint8Array, limitBytes: number): ReadBytes {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return bytes.length > limitBytes ? { kind: "tooBig" } : { kind: "bytes", bytes };
}
