/** Tool modules of one folder or saved layer, compiled by themselves. */
import { type CompiledTools, compileTools } from "../../frontend/index.ts";
import { type Attempt, attained, failedAttempt } from "../failure.ts";
import { posix } from "../files/paths.ts";
import type { SourceFiles } from "../files/port.ts";
import { mountLayers } from "./bundle-file-system.ts";
import { isSavedLayer } from "./form.ts";
import { modulesIn } from "./module-files.ts";
import { failuresOf, Modules } from "./typescript.ts";

/** LIMIT: of what is looked at to tell a saved layer from a document. */
const firstBytes = 200_000_000;

/** Tells a folder or a saved layer from a program. */
export async function areTools(fs: SourceFiles, path: string): Promise<boolean> {
  if ((await fs.listFolder(path)).kind === "entries") return true;
  if (!isSavedLayer(path)) return false;
  const read = await fs.readFile(path, firstBytes);
  return read.kind === "bytes" && Buffer.from(read.bytes).includes('"foreclaimTools"');
}

export async function loadToolModules(fs: SourceFiles, path: string): Promise<Attempt<CompiledTools>> {
  const mounted = await mountLayers(fs, [path], ".");
  if (!mounted.ok) return mounted;
  const [root = path] = mounted.value.tools ?? [];
  const files = await modulesIn(mounted.value.fs, posix(root));
  if (!files.ok) return files;
  const modules = new Modules(mounted.value.fs);
  const compiled = compileTools(files.value, modules.host([posix(root)]));
  if (modules.failure !== undefined) return failedAttempt(modules.failure);
  if (compiled.ok) return attained(compiled.value);
  return failedAttempt(failuresOf(compiled.problems, compiled.sources)[0] ?? { problems: [] });
}
