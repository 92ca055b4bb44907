/** Z3 from the package `z3-solver`, which needs nothing installed: the solver that Foreclaim brings along. */
import { defaultEngines, type PoolOptions, SolverPool } from "./pool.ts";
import type { Solver } from "./port.ts";
import { compile, startWasmEngine, type WasmFiles, z3Files } from "./wasm-engine.ts";

/**
 * Nothing is loaded before the first check, and nothing keeps the process alive after the last.
 *
 * ```ts
 * const solver = z3Wasm();
 * const script = { text: "(declare-const x Int) (assert (> x 5))", values: [{ name: "x", sort: "Int" }] } as const;
 * const answer = await solver.check(script, { timeoutMs: 5_000, resources: 10_000_000 });
 * ```
 */
export function z3Wasm({
  engines = defaultEngines(),
  files,
}: PoolOptions & { files?: WasmFiles } = {}): Solver {
  let compiled: Promise<object> | undefined;
  const start = async () => {
    const found = files ?? z3Files();
    compiled ??= compile(found);
    try {
      return await startWasmEngine(found, await compiled);
    } catch (error) {
      compiled = undefined; // whatever went wrong, the next start begins afresh
      throw error;
    }
  };
  return new SolverPool("z3-wasm", start, engines);
}
