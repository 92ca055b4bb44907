/** A process that proves for the language server: one program after the other, until it is killed or the server is gone. */
import { nodeFiles, SolverPool } from "../app/index.ts";
import type { FromWorker, ToWorker } from "./proof.ts";
import { proveJob } from "./prove-job.ts";

/** Serves the parent process until it ends. Never returns. */
export async function proveForEditor(): Promise<never> {
  const say = (message: FromWorker): void => {
    process.send?.(message);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit());
  const pool = new SolverPool();
  let last: Promise<void> = Promise.resolve();
  process.on("message", ({ job }: ToWorker) => {
    last = last.then(async () => say({ kind: "proved", proof: await proveJob(nodeFiles, pool, job) }));
    // A fault ends the process, and the server says so.
    last.catch((thrown: unknown) => {
      process.stderr.write(
        `${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`,
      );
      process.exit(70);
    });
  });
  say({ kind: "ready" });
  void warm(pool);
  return new Promise<never>(() => {});
}

/** Loads the solver while nobody waits for it. A proof that needs it says what is wrong with it. */
async function warm(pool: SolverPool): Promise<void> {
  const limits = { timeoutMs: 10_000, resources: 1_000_000 };
  await pool
    .using("z3", async ({ get }) => (await get()).check({ text: "(assert false)", values: [] }, limits))
    .catch(() => undefined);
}
