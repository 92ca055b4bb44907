/** The decision of a policy about a program, without asking anybody and without running anything. */
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, firstFailure } from "../failure.ts";
import type { SourceFiles } from "../files/port.ts";
import { mountedFor } from "../load/bundle-file-system.ts";
import { nameProgram, type ProgramForm } from "../load/form.ts";
import { failuresIn, loadRunnable, type Runnable } from "../load.ts";
import type { ProveHow } from "../prove.ts";
import { type AppliedPolicy, applyPolicy } from "./apply-policy.ts";
import { compileClauses, folderOf, type LoadedPolicy, loadPolicy } from "./load-policy.ts";

export interface CheckedPolicy {
  readonly path: string;
  readonly applied: AppliedPolicy;
}

export async function checkPolicyOn(
  files: SourceFiles,
  policy: LoadedPolicy,
  program: string,
  options: { readonly tools?: readonly string[] | undefined; readonly as?: ProgramForm | undefined },
  how: ProveHow,
): Promise<Result<CheckedPolicy, Failure>> {
  const named = await nameProgram(files, program, options);
  if (!named.ok) return named;
  const { path, form } = named.value;
  const mounted = await mountedFor(named.value.fs, path, form, options.tools);
  if (!mounted.ok) return mounted;
  const { fs, tools } = mounted.value;
  const loading = await loadRunnable({ path, as: form, tools }, { fs });
  if (loading.kind !== "loaded") return firstFailure(failuresIn(loading));
  const applied = await appliedOn({ fs, path, tools }, policy, loading.loaded, how);
  return applied.ok ? ok({ path, applied: applied.value }) : applied;
}

/** A program, as its policy's clauses import tool modules. */
interface Where {
  readonly fs: SourceFiles;
  readonly path: string;
  readonly tools?: readonly string[] | undefined;
}

/** Reads a policy and applies it to a loaded program. */
export async function applyPolicyFile(
  where: Where,
  file: string,
  loaded: Runnable,
  how: ProveHow,
): Promise<Result<AppliedPolicy, Failure>> {
  const policy = await loadPolicy(where.fs, file);
  return policy.ok ? appliedOn(where, policy.value, loaded, how) : policy;
}

async function appliedOn(
  { fs, path, tools }: Where,
  policy: LoadedPolicy,
  loaded: Runnable,
  how: ProveHow,
): Promise<Result<AppliedPolicy, Failure>> {
  const clauses = await compileClauses(fs, policy, folderOf(path), tools);
  return clauses.ok ? applyPolicy(policy.policy, clauses.value, loaded, how) : clauses;
}
