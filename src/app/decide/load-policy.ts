/** A policy from a file, and its clauses as guarantees of one program. */
import { dirname } from "node:path";
import {
  limitArgument,
  limitClause,
  type PolicyLimit,
  type ReadPolicy,
  readPolicy,
} from "../../approve/index.ts";
import { type BoundKind, boundKind } from "../../compare/index.ts";
import type { Compiled, CompiledTools } from "../../frontend/index.ts";
import { closest, isBuiltin, ok, type Path, type Result } from "../../ir/index.ts";
import { type Failure, firstFailure, plainFailure, textFailure } from "../failure.ts";
import type { SourceFiles } from "../files/port.ts";
import { readSource, type Source } from "../files/source.ts";
import { compileGuarantees } from "../load/parse-guarantee.ts";
import { toolFolders } from "../load/tool-folders.ts";
import { visibleTools } from "../load/visible-tools.ts";

export interface LoadedPolicy extends ReadPolicy, Source {}

/** The clauses of a policy, by their texts. */
export interface Clauses {
  readonly all: ReadonlyMap<string, Compiled>;
  /** Compiles the clause of a limit with another number. */
  readonly compile: (clause: string) => Result<Compiled, Failure>;
}

export async function loadPolicy(fs: SourceFiles, path: string): Promise<Result<LoadedPolicy, Failure>> {
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const { file, text } = source.value;
  const read = readPolicy(text);
  if (!read.ok) return textFailure(file, text, read.problems);
  return ok({ ...read.value, file, text });
}

/** Against the tool modules that a program in the folder is compiled against. */
export async function compileClauses(
  fs: SourceFiles,
  loaded: LoadedPolicy,
  folder: string,
  tools: readonly string[] | undefined,
): Promise<Result<Clauses, Failure>> {
  const visible = await visibleTools(fs, [folder], tools);
  if (visible.kind === "failed") return visible.failures[0] ?? plainFailure("FC9002", "no tools");
  const folders = await toolFolders(fs, folder, tools);
  if (!folders.ok) return folders;
  const compiled: readonly CompiledTools[] = visible.folders.map((one) => one.compiled);
  const where = { fs, folder, folders: folders.value, compiled, file: loaded.file };
  const all = new Map<string, Compiled>();
  const compile = (clause: string, path: Path): Result<Compiled, Failure> => {
    const found = compileGuarantees(where, [clause], new Set());
    if (found.kind === "compiled") return ok(found.value);
    const failures = found.kind === "invalid" ? found.failures : [found.failure];
    return atClause(loaded, path, failures);
  };
  const names = compiled.flatMap((one) => one.tools.map(({ name }) => name));
  const contracts = compiled.flatMap((one) => one.contracts);
  for (const [at, rule] of loaded.policy.rules.entries()) {
    for (const [i, tool] of rule.tools?.entries() ?? []) {
      if (names.includes(tool) || isBuiltin(tool)) continue;
      const near = closest(tool, names);
      const help = near === undefined ? undefined : `did you mean \`${near}\`?`;
      const failure = plainFailure("FC9001", `there is no tool \`${tool}\``, help);
      return atClause(loaded, ["rules", at, "tools", i], [failure]);
    }
    const places: (readonly [string, Path])[] = [
      ...rule.clauses.map((clause, i) => [clause, ["rules", at, rule.when, i]] as const),
      ...rule.limits.map((one, i) => [limitClause(one, one.atMost), ["rules", at, "limits", i]] as const),
    ];
    for (const [clause, path] of places) {
      if (all.has(clause)) continue;
      const found = compile(clause, path);
      if (!found.ok) return found;
      all.set(clause, found.value);
    }
    for (const [i, limit] of rule.limits.entries()) {
      const failure = unlimited(limit, contracts);
      if (failure !== undefined) return atClause(loaded, ["rules", at, "limits", i, "clause"], [failure]);
    }
  }
  return ok({ all, compile: (clause) => compile(clause, ["rules"]) });
}

/**
 * Why the `?` of a limit limits nothing, or not for certain.
 * SOUNDNESS: the least number for which a clause is proved bounds what a program does only if the number is an upper bound
 * in the contract itself, whatever the program is.
 */
function unlimited(
  { clause }: PolicyLimit,
  contracts: CompiledTools["contracts"],
): ReturnType<typeof plainFailure> | undefined {
  const name = clause.slice(0, clause.indexOf("(")).trim();
  const contract = contracts.find((one) => one.name === name);
  const param = contract?.params[limitArgument(clause) ?? -1];
  if (contract === undefined || param === undefined)
    return plainFailure("FC9001", `the contract of the limit \`${clause}\` cannot be read`);
  if (param.type.kind !== "int" && param.type.kind !== "real") {
    const message = `the \`?\` of \`${clause}\` stands for a number, and \`${param.name}\` is none`;
    return plainFailure("FC9001", message, "write `?` for a parameter that is a number");
  }
  const params = contract.params.map((one) => one.name);
  const kind = boundKind(contract.formula, param.name, params);
  if (kind === "upper") return undefined;
  const message = `the \`?\` of \`${clause}\` is no upper bound: ${boundWords[kind]}`;
  return plainFailure("FC9001", message, "name a contract such as `calls.count() <= n`");
}

const boundWords: Readonly<Record<Exclude<BoundKind, "upper">, string>> = {
  lower: "with a larger number the contract guarantees more",
  unused: "the contract guarantees the same with every number",
  unclear: "it is not proved that the contract guarantees less with a larger number",
};

/** The problems of a clause, at its place in the policy; those of tool modules stay where they are. */
function atClause({ file, text, locate }: LoadedPolicy, path: Path, failures: readonly Failure[]): Failure {
  const first = firstFailure(failures);
  if (first.file !== undefined && first.file !== file) return first;
  const span = locate(path);
  const problems = first.problems.map(({ code, message, help }) => ({
    code,
    message,
    path,
    ...(help !== undefined && { help }),
    ...(span && { span }),
  }));
  return { ok: false, file, source: text, problems };
}

export function folderOf(program: string): string {
  return program === "-" ? "." : dirname(program);
}
