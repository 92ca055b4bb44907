/** A kernel of which nothing is kept, for a run without a ledger. */
import { Kernel, MemoryLog } from "../../kernel/index.ts";
import { type Attempt, attained, failedAttempt, plainFailure } from "../failure.ts";
import type { Clock, SourceFiles } from "../files/port.ts";
import type { LoadedProgram } from "../load/typescript.ts";

/** @param stateFile the file with the state that a plan begins with */
export async function openMemoryKernel(
  fs: SourceFiles,
  { plan }: LoadedProgram,
  stateFile: string | undefined,
  { wallMs }: Pick<Clock, "wallMs">,
): Promise<Attempt<Kernel>> {
  const initial = plan === undefined ? noState(stateFile) : await stateIn(fs, stateFile);
  if (!initial.ok) return initial;
  const opened = await Kernel.open({ ledger: new MemoryLog(), clock: wallMs, ...initial.value });
  return opened.ok ? attained(opened.value) : failedAttempt(plainFailure("FC9009", opened.problem.message));
}

interface Initial {
  readonly policy?: object;
  readonly state?: unknown;
}

function noState(file: string | undefined): Attempt<Initial> {
  if (file === undefined) return attained({});
  return failedAttempt(plainFailure("FC9001", "`--state` is for plans", "leave it out"));
}

/** LIMIT: of steps that can be rolled back. */
const policy = { undoSteps: 10_000 };

async function stateIn(fs: SourceFiles, file: string | undefined): Promise<Attempt<Initial>> {
  if (file === undefined) return attained({ policy });
  const [{ loadState }, { stateToJson }] = await Promise.all([
    import("../load/plan.ts"),
    import("../../plan/index.ts"),
  ]);
  const state = await loadState(fs, file);
  return state.ok ? attained({ policy, state: stateToJson(state.value) }) : state;
}
