/** Texts from files: every way in which reading can fail is one clear sentence. */
import { defaultLimits, ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { type ReadBytes, type SourceFiles, standardInput } from "./port.ts";
import { systemWords } from "./system-words.ts";

export interface Source {
  /** As it is shown. */
  readonly file: string;
  readonly text: string;
}

/**
 * Reads a text.
 * LIMIT: of bytes; a text within it may still be too long for its reader, which then says so itself.
 */
export async function readSource(
  fs: Pick<SourceFiles, "readFile">,
  path: string,
  mostBytes = defaultLimits.textLength,
): Promise<Result<Source, Failure>> {
  const file = path === standardInput ? "<stdin>" : path;
  return textOf(file, await fs.readFile(path, mostBytes), mostBytes);
}

/** The text of what was read, or why there is none. */
export function textOf(file: string, read: ReadBytes, mostBytes: number): Result<Source, Failure> {
  if (read.kind !== "bytes") {
    return plainFailure("FC9002", `cannot read \`${file}\`: ${reasonOf(read, mostBytes)}`);
  }
  const text = decoded(read.bytes);
  if (text !== undefined) return ok({ file, text });
  const help = isUtf16(read.bytes) ? "it looks like UTF-16; save it as UTF-8" : "save it as UTF-8";
  return plainFailure("FC9003", `cannot read \`${file}\`: its bytes are not UTF-8`, help);
}

function reasonOf(read: Exclude<ReadBytes, { readonly kind: "bytes" }>, mostBytes: number): string {
  if (read.kind === "failed") return systemWords(read.code);
  return `it is larger than ${mostBytes / 1024 / 1024} MiB`;
}

/** The byte order mark is left to the readers, which know whether they take one. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
