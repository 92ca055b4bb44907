/** A process that proves for the service: one request after the other, until it is killed or the service is gone. */
import { Worker } from "node:worker_threads";
import type { ProveOptions, SolverLimits } from "../../prove/index.ts";
import { type Attempt, attained, failedAttempt } from "../failure.ts";
import { compileClauses, loadPolicy } from "../policy/load-policy.ts";
import { chooseSolver, solverResources } from "../prove/solver-choice.ts";
import type { Terminal } from "../terminal.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./messages.ts";
import { proveJob, type Workshop } from "./prove-job.ts";
import { closedTerminal } from "./tool-files.ts";

export async function workFor(terminal: Terminal): Promise<void> {
  const say = (message: FromWorker): void => {
    process.send?.(message);
  };
  // Ctrl-C is told to all processes of a terminal; the service says when it is over.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit());
  watchParent();
  let shop: Workshop | undefined;
  let last: Promise<void> = Promise.resolve();
  const hear = async (message: ToWorker): Promise<void> => {
    if (message.kind === "setup") {
      const made = await workshopOf(terminal, message.setup);
      if (made.ok) shop = made.value;
      say(made.ok ? { kind: "ready" } : { kind: "failed", message: made.failure.problems[0]?.message ?? "" });
      return;
    }
    if (shop === undefined) throw new TypeError("a job came before the setup");
    const proved = await proveJob(shop, message.job, (view) => say({ kind: "compiled", view }));
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
  await new Promise(() => {});
}

async function workshopOf(terminal: Terminal, setup: WorkerSetup): Promise<Attempt<Workshop>> {
  const { tools, policy, solver: name, timeoutMs, memoryMb } = setup;
  const solver = await chooseSolver(name);
  if (!solver.ok) return solver;
  const limits = { timeoutMs, resources: solverResources, memoryMb };
  const shop = { terminal, tools, options: { solver: solver.value.get, limits } };
  void warm(solver.value.get, limits);
  if (policy === null) return attained({ ...shop, policy: undefined });
  const closed = closedTerminal(terminal, tools, new Map([[policy.file, policy.text]]));
  const loaded = await loadPolicy(closed, policy.file);
  if (!loaded.ok) return loaded;
  const clauses = await compileClauses(closed, loaded.value, tools.folder, tools.named ?? undefined);
  if (!clauses.ok) return failedAttempt(clauses.failure);
  return attained({ ...shop, policy: { loaded: loaded.value, clauses: clauses.value } });
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
