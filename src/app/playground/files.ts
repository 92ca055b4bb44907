/** The files of the playground: those that were built, and the WebAssembly of the parser and the solver from their packages. */
import { copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { systemCode, systemWords } from "../files/system-words.ts";

export interface PlaygroundFile {
  /** Its path on the disk. */
  readonly path: string;
  readonly type: string;
  readonly size: number;
  /** Changes with its content. */
  readonly tag: string;
  /** True if its name does too. */
  readonly isLasting: boolean;
}

/** By name. */
export type PlaygroundFiles = ReadonlyMap<string, PlaygroundFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** @param built the folder of the built playground */
export async function playgroundFiles(built: string): Promise<Result<PlaygroundFiles, Failure>> {
  try {
    const found = new Map<string, PlaygroundFile>();
    for (const [name, path] of [...(await ownFiles(built)), ...foreignFiles()]) {
      const type = types[extname(name)] ?? "text/plain; charset=utf-8";
      const { size, mtimeMs } = await stat(path);
      const tag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
      found.set(name, { path, type, size, tag, isLasting: /\.[0-9a-f]{12}\.(?:js|css|json)$/.test(name) });
    }
    return ok(found);
  } catch (thrown) {
    const message = `the playground cannot be read: ${systemWords(systemCode(thrown))}`;
    return plainFailure("FC9002", message, "install the package again");
  }
}

async function ownFiles(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => [name, join(folder, name)]);
}

/** As Node resolves them from here. Their names are what the build of the playground asks for. */
function foreignFiles(): [string, string][] {
  const require = createRequire(import.meta.url);
  return [
    ["parser.wasm", require.resolve("oxc-parser/wasm")],
    ["z3-built.js", require.resolve("z3-solver/build/z3-built.js")],
    ["z3-built.wasm", require.resolve("z3-solver/build/z3-built.wasm")],
  ];
}

/** Writes the playground into a folder that is empty or not there yet. */
export async function writePlayground(
  files: PlaygroundFiles,
  folder: string,
): Promise<Result<{ readonly files: number; readonly bytes: number }, Failure>> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) {
      const help = "name a folder that is empty or does not exist";
      return plainFailure("FC9004", `the folder \`${folder}\` is not empty`, help);
    }
    for (const [name, { path }] of files) await copyFile(path, join(folder, name));
    const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
    return ok({ files: files.size, bytes });
  } catch (thrown) {
    return plainFailure("FC9004", `cannot write \`${folder}\`: ${systemWords(systemCode(thrown))}`);
  }
}
