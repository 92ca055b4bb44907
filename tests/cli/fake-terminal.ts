/** A terminal for tests: files are strings in a map, and what is written can be read back. */
import type { Output, ReadBytes, Terminal } from "../../src/cli/terminal.ts";

export interface FakeOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string;
  /** Both outputs are a terminal of this width. */
  readonly columns?: number;
  readonly colour?: boolean;
  readonly unicode?: boolean;
  /** What reading or writing a path fails with. */
  readonly failing?: Readonly<Record<string, string>>;
  /** The clock, one entry per look; the last one stays. */
  readonly clockMs?: readonly number[];
}

export interface FakeTerminal extends Terminal {
  readonly out: () => string;
  readonly err: () => string;
  /** The files as they are now. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

export function fakeTerminal(options: FakeOptions = {}): FakeTerminal {
  const files = new Map(Object.entries(options.files ?? {}));
  const stdout = fakeOutput(options);
  const stderr = fakeOutput(options);
  const clock = [...(options.clockMs ?? [0])];
  return {
    stdout,
    stderr,
    out: stdout.text,
    err: stderr.text,
    files,
    isTyped: false,
    readFile: async (path, limitBytes) => {
      const code = options.failing?.[path];
      const content = files.get(path);
      if (code !== undefined) return { kind: "failed", code };
      return content === undefined ? { kind: "failed", code: "ENOENT" } : bytesOf(content, limitBytes);
    },
    readStdin: async (limitBytes) => bytesOf(options.stdin ?? "", limitBytes),
    writeFile: async (path, chunks) => {
      const code = options.failing?.[path];
      if (code === undefined) files.set(path, [...chunks].join(""));
      return code;
    },
    isSameFile: async (a, b) => a === b && files.has(a),
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
