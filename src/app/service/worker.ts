/** A process that proves for the service: one request after the other, until it is killed or the service is gone. */
import { Worker } from "node:worker_threads";
import { ok, type Result } from "../../ir/index.ts";
import type { ProveOptions, SolverLimits } from "../../prove/index.ts";
import { compileClauses, loadPolicy } from "../decide/load-policy.ts";
import type { Failure } from "../failure.ts";
import type { Clock } from "../files/port.ts";
import { SolverPool, solverResources } from "../prove/solver-pool.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./messages.ts";
import { type JobContext, proveJob } from "./prove-job.ts";
import { closedFiles } from "./tool-files.ts";

/** Serves the parent process until it ends. Never returns. */
export async function proveForService({ nowMs }: Clock): Promise<never> {
  const say = (message: FromWorker): void => {
    process.send?.(message);
  };
  // Ctrl-C is told to all processes of a terminal; the service says when it is over.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit());
  watchParent();
  let context: JobContext | undefined;
  let last: Promise<void> = Promise.resolve();
  const hear = async (message: ToWorker): Promise<void> => {
    if (message.kind === "setup") {
      const made = await contextOf(message.setup, nowMs);
      if (made.ok) context = made.value;
      say(made.ok ? { kind: "ready" } : { kind: "failed", message: made.problems[0]?.message ?? "" });
      return;
    }
    if (context === undefined) throw new TypeError("a job came before the setup");
    const proved = await proveJob(context, message.job, (view) => say({ kind: "compiled", view }));
    say({ kind: "proved", proved });
  };
  process.on("message", (message: ToWorker) => {
    last = last.then(() => hear(message));
    // A fault ends the process, and the service says what became of the request.
    last.catch((thrown: unknown) => {
      process.stderr.write(
        `${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`,
      );
      process.exit(70);
    });
  });
  return new Promise<never>(() => {});
}

async function contextOf(setup: WorkerSetup, nowMs: () => number): Promise<Result<JobContext, Failure>> {
  const { tools, policy, solver: name, timeoutMs, memoryMb } = setup;
  const pool = new SolverPool();
  const solver = await pool.take(name);
  if (!solver.ok) return solver;
  const how = { pool, solver: name, timeoutMs, memoryMb };
  const context = { tools, how, nowMs };
  void warm(solver.value.get, { timeoutMs, resources: solverResources, memoryMb });
  if (policy === null) return ok({ ...context, policy: undefined });
  const closed = closedFiles(tools, new Map([[policy.file, policy.text]]));
  const loaded = await loadPolicy(closed, policy.file);
  if (!loaded.ok) return loaded;
  const clauses = await compileClauses(closed, loaded.value, tools.folder, tools.named ?? undefined);
  if (!clauses.ok) return clauses;
  return ok({ ...context, policy: { loaded: loaded.value, clauses: clauses.value } });
}

/** Loads the solver while nobody waits for it. What is wrong with it is said by the proof that needs it. */
async function warm(get: ProveOptions["solver"], limits: SolverLimits): Promise<void> {
  try {
    await (await get()).check({ text: "(assert false)", values: [] }, limits);
  } catch {
    // See above.
  }
}

/** A proof can keep this thread busy for long; another one notices that nobody waits for it any more. */
function watchParent(): void {
  const watch = `const parent = process.ppid;
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 1000);`;
  new Worker(watch, { eval: true }).unref();
}
