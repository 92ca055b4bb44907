/** Writes a file, and words the failure in one way. */
import { type Failure, plainFailure } from "../failure.ts";
import type { Chunks, FileSystem } from "./port.ts";
import { systemWords } from "./system-words.ts";

/** Writes all of it or nothing. Returns the failure, if there is one. */
export async function writeText(
  fs: Pick<FileSystem, "writeFile">,
  path: string,
  chunks: Chunks,
): Promise<Failure | undefined> {
  const code = await fs.writeFile(path, chunks);
  if (code === undefined) return undefined;
  const why = code === "ENOENT" ? "there is no such folder" : systemWords(code);
  return plainFailure("FC9004", `cannot write \`${path}\`: ${why}`);
}
