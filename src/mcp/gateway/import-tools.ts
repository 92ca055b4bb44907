/** Makes a tool module and its lock from definitions, and says what a person should look at. Never overwrites anything. */
import { join } from "node:path";
import { type Failure, type FileSystem, isAbsent, plainFailure, systemWords } from "../../app/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import type { ToolDefinition } from "./definition.ts";
import { lockOf, lockText } from "./lock.ts";
import { generateModule } from "./module-text.ts";
import { isReserved } from "./names.ts";
import type { JsonReason } from "./shape.ts";

export interface ImportOptions {
  readonly name: string;
  /** The folder of the module. */
  readonly out: string;
  readonly trustHints: boolean;
}

export interface Imported {
  readonly module: string;
  readonly lock: string;
  readonly tools: number;
  /** Places that hold any JSON value, by reason. */
  readonly open: Readonly<Partial<Record<JsonReason, number>>>;
  readonly ignored: readonly string[];
  /** The server of the catalogue whose contracts the module has. */
  readonly recognized?: string;
}

export async function importTools(
  fs: FileSystem,
  definitions: readonly ToolDefinition[],
  options: ImportOptions,
): Promise<Result<Imported, Failure>> {
  const misnamed = wrongName(options.name);
  if (misnamed !== undefined) return misnamed;
  if (definitions.length === 0)
    return plainFailure("FC9141", "the server has no tools", "nothing was written");
  const made = generateModule(definitions, options);
  const [module, lock] = [modulePath(options), lockPath(options)];
  const files = new Map([
    [module, made.text],
    [lock, lockText(lockOf(options.name, definitions, made.tools))],
  ]);
  const problem = await fs.createFiles(files);
  if (problem?.kind === "exists") {
    const help = "`foreclaim mcp update` shows what has changed; a module that was read is never overwritten";
    return plainFailure("FC9142", `\`${problem.paths[0]}\` is there already`, help);
  }
  if (problem !== undefined) {
    const why = isAbsent(problem.code) ? "a part of its path is not a folder" : systemWords(problem.code);
    return plainFailure("FC9004", `cannot write \`${problem.path}\`: ${why}`, "nothing was changed");
  }
  return ok({
    module,
    lock,
    tools: definitions.length,
    open: counted(made.open),
    ignored: made.ignored,
    ...(made.recognized !== undefined && { recognized: made.recognized }),
  });
}

export function modulePath({ name, out }: Pick<ImportOptions, "name" | "out">): string {
  return join(out, `${name}.ts`);
}

export function lockPath({ name, out }: Pick<ImportOptions, "name" | "out">): string {
  return join(out, `${name}.lock.json`);
}

/** Returns what is wrong with the name of a server; undefined if it can name a module and a label. */
export function wrongName(name: string): Failure | undefined {
  const isTaken = ["changes", "destructive", "open_world"].includes(name) || isReserved(name);
  if (/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) && !isTaken) return undefined;
  const help = "use letters, digits and `_`, and no word of the language: `--name github`";
  return plainFailure("FC9143", `\`${name}\` cannot be the name of a module`, help);
}

function counted(reasons: readonly JsonReason[]): Partial<Record<JsonReason, number>> {
  const counts: Partial<Record<JsonReason, number>> = {};
  for (const one of reasons) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}
