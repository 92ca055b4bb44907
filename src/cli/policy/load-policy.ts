/** A policy from a file, and its clauses as guarantees of one program. */
import { dirname } from "node:path";
import { readPolicy } from "../../approve/index.ts";
import type { ReadPolicy } from "../../approve/read-policy.ts";
import type { Compiled, CompiledTools } from "../../frontend/index.ts";
import type { Path } from "../../ir/index.ts";
import { toolFolders } from "../config.ts";
import {
  type Attempt,
  attained,
  type Failure,
  failedAttempt,
  plainFailure,
  textFailure,
} from "../failure.ts";
import { readSource, type Source } from "../source.ts";
import { compileStated } from "../stated.ts";
import type { Terminal } from "../terminal.ts";
import { visibleTools } from "../tools/visible.ts";

export interface LoadedPolicy extends ReadPolicy, Source {}

/** By their texts. */
export type Clauses = ReadonlyMap<string, Compiled>;

export async function loadPolicy(terminal: Terminal, path: string): Promise<Attempt<LoadedPolicy>> {
  const source = await readSource(terminal, path);
  if (!source.ok) return source;
  const { file, text } = source.value;
  const read = readPolicy(text);
  if (!read.ok) return failedAttempt(textFailure(file, text, read.problems));
  return attained({ ...read.value, file, text });
}

/** Against the tool modules that a program in the folder is compiled against. */
export async function compileClauses(
  terminal: Terminal,
  loaded: LoadedPolicy,
  folder: string,
  tools: readonly string[] | undefined,
): Promise<Attempt<Clauses>> {
  const visible = await visibleTools(terminal, [folder], tools);
  if (visible.kind === "failed")
    return failedAttempt(visible.failures[0] ?? plainFailure("FC9002", "no tools"));
  const folders = await toolFolders(terminal, folder, tools);
  if (!folders.ok) return folders;
  const compiled: readonly CompiledTools[] = visible.folders.map((one) => one.compiled);
  const where = { terminal, folder, folders: folders.value, compiled, file: loaded.file };
  const clauses = new Map<string, Compiled>();
  for (const [at, rule] of loaded.policy.rules.entries()) {
    for (const [i, clause] of rule.clauses.entries()) {
      if (clauses.has(clause)) continue;
      const found = compileStated(where, [clause], new Set());
      if (found.kind === "compiled") clauses.set(clause, found.value);
      else {
        const failures = found.kind === "invalid" ? found.failures : [found.failure];
        return failedAttempt(atClause(loaded, ["rules", at, rule.when, i], failures));
      }
    }
  }
  return attained(clauses);
}

/** The problems of a clause, at its place in the policy; those of tool modules stay where they are. */
function atClause({ file, text, locate }: LoadedPolicy, path: Path, failures: readonly Failure[]): Failure {
  const [first = { problems: [] }] = failures;
  if (first.file !== undefined && first.file !== file) return first;
  const span = locate(path);
  const problems = first.problems.map(({ code, message, help }) => ({
    code,
    message,
    path,
    ...(help !== undefined && { help }),
    ...(span && { span }),
  }));
  return { file, source: text, problems };
}

export function folderOf(program: string): string {
  return program === "-" ? "." : dirname(program);
}
