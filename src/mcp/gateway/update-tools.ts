/** Compares the definitions that a person has seen with those of today, and accepts them once they were read. */
import { type Failure, type FileSystem, plainFailure, readSource, systemWords } from "../../app/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import type { ToolDefinition } from "./definition.ts";
import { type ImportOptions, lockPath, modulePath, wrongName } from "./import-tools.ts";
import { lineDiff } from "./line-diff.ts";
import { type Drift, driftOf, type Lock, lockOf, lockText, readLock } from "./lock.ts";
import { generateModule } from "./module-text.ts";

export interface Update {
  readonly module: string;
  readonly lock: string;
  readonly drift: Drift;
  /** From the module as it is to the one that would be made now. */
  readonly diff: readonly string[];
  readonly accepted: boolean;
}

export interface UpdateOptions extends ImportOptions {
  /** Writes the digests of today into the lock. The module stays as it is. */
  readonly accept: boolean;
}

export async function updateTools(
  fs: FileSystem,
  definitions: readonly ToolDefinition[],
  options: UpdateOptions,
): Promise<Result<Update, Failure>> {
  const misnamed = wrongName(options.name);
  if (misnamed !== undefined) return misnamed;
  const [module, lock] = [modulePath(options), lockPath(options)];
  const seen = await loadLock(fs, lock);
  if (!seen.ok) return seen;
  const text = await readSource(fs, module);
  if (!text.ok) return text;
  const made = generateModule(definitions, options);
  const drift = driftOf(seen.value, definitions);
  const diff = hasDrift(drift) ? lineDiff(text.value.text, made.text) : [];
  const accepted = options.accept && hasDrift(drift);
  if (accepted) {
    const now = lockText(lockOf(options.name, definitions, made.tools));
    const code = await fs.writeFile(lock, [now]);
    if (code !== undefined) return plainFailure("FC9004", `cannot write \`${lock}\`: ${systemWords(code)}`);
  }
  return ok({ module, lock, drift, diff, accepted });
}

export function hasDrift({ added, removed, changed }: Drift): boolean {
  return added.length + removed.length + changed.length > 0;
}

export async function loadLock(
  fs: Pick<FileSystem, "readFile">,
  path: string,
): Promise<Result<Lock, Failure>> {
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const lock = readLock(source.value.text);
  if (lock !== undefined) return ok(lock);
  const help = "make it again: move the module away, and import the tools";
  return plainFailure("FC9144", `\`${path}\` is no lock of a tool module`, help);
}
