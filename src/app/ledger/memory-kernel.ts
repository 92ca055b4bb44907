/** A kernel of which nothing is kept, for a run without a ledger. */
import { ok, type Result } from "../../ir/index.ts";
import { Kernel, MemoryLog } from "../../kernel/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, SourceFiles } from "../files/port.ts";
import type { LoadedProgram } from "../load/typescript.ts";

/** @param stateFile the file with the state that a plan begins with */
export async function openMemoryKernel(
  fs: SourceFiles,
  { plan }: LoadedProgram,
  stateFile: string | undefined,
  { wallMs }: Pick<Clock, "wallMs">,
): Promise<Result<Kernel, Failure>> {
  const initial = plan === undefined ? noState(stateFile) : await stateIn(fs, stateFile);
  if (!initial.ok) return initial;
  const opened = await Kernel.open({ ledger: new MemoryLog(), clock: wallMs, ...initial.value });
  return opened.ok ? ok(opened.value) : plainFailure("FC9009", opened.problem.message);
}

interface Initial {
  readonly policy?: object;
  readonly state?: unknown;
}

function noState(file: string | undefined): Result<Initial, Failure> {
  if (file === undefined) return ok({});
  return plainFailure("FC9001", "`--state` is for plans", "omit it");
}

/** LIMIT: of steps that can be rolled back. */
const policy = { undoSteps: 10_000 };

async function stateIn(fs: SourceFiles, file: string | undefined): Promise<Result<Initial, Failure>> {
  if (file === undefined) return ok({ policy });
  const [{ loadState }, { stateToJson }] = await Promise.all([
    import("../load/plan.ts"),
    import("../../plan/index.ts"),
  ]);
  const state = await loadState(fs, file);
  return state.ok ? ok({ policy, state: stateToJson(state.value) }) : state;
}
