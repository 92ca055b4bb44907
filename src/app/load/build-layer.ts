/** Saves the tool modules of a folder as one file, which `--tools` takes in place of the folder. */
import { basename, resolve } from "node:path";
import { compileTools } from "../../frontend/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { readLayer, saveLayer } from "../../link/index.ts";
import { type Failure, firstFailure, plainFailure } from "../failure.ts";
import { posix } from "../files/paths.ts";
import type { FileSystem } from "../files/port.ts";
import { writeText } from "../files/write.ts";
import { modulesIn } from "./module-files.ts";
import { folderWords } from "./tool-folders.ts";
import { failuresOf, Modules } from "./typescript.ts";

export interface BuiltLayer {
  readonly hash: string;
  readonly modules: string;
  readonly tools: number;
  readonly fluents: number;
  readonly contracts: number;
}

export async function buildLayer(
  fs: FileSystem,
  folder: string,
  output: string,
): Promise<Result<BuiltLayer, Failure>> {
  const listing = await fs.listFolder(folder);
  if (listing.kind === "failed")
    return plainFailure("FC9002", `cannot read \`${folder}\`: ${folderWords(listing.code)}`);
  const root = posix(folder);
  const files = await modulesIn(fs, root);
  if (!files.ok) return files;
  const modules = new Modules(fs);
  const compiled = compileTools(files.value, modules.host([root]));
  if (modules.failure !== undefined) return modules.failure;
  if (!compiled.ok) return firstFailure(failuresOf(compiled.problems, compiled.sources));
  const { tools, fluents, contracts, declarations } = compiled.value;
  if (declarations.length === 0) {
    const help = "name the folder that holds the tool modules";
    return plainFailure("FC9001", `\`${folder}\` declares no tools`, help);
  }
  const text = saveLayer(basename(resolve(folder)), root, compiled.value);
  // A file that cannot be read back is reported now and not to its first user.
  const read = readLayer(text);
  if (!read.ok) return { ok: false, problems: [{ ...read.problem, path: [] }] };
  const failure = await writeText(fs, output, [text]);
  if (failure !== undefined) return failure;
  const counts = { tools: tools.length, fluents: fluents.length, contracts: contracts.length };
  return ok({ hash: read.value.hash, modules: read.value.modules, ...counts });
}
