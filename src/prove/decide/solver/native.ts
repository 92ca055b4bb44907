/** A solver that is installed: several times as fast as the one Foreclaim brings along, and a second opinion. */
import { execFile } from "node:child_process";
import { type Dialect, recognise } from "./dialect.ts";
import { NativeEngine } from "./native-engine.ts";
import { defaultEngines, type PoolOptions, SolverPool } from "./pool.ts";
import { type Solver, SolverUnavailable } from "./port.ts";

/** LIMIT: printing a version takes milliseconds; what takes longer is waiting for something else. */
const versionLimitMs = 20_000;

/**
 * @param command a name that is looked up as the shell does, or a path; z3 from 4.12 and cvc5 from 1.0.3 are known
 *
 * ```ts
 * const solver = nativeSolver("z3");
 * await solver.version(); // rejects with a SolverUnavailable if there is none, or too old a one
 * ```
 */
export function nativeSolver(command: string, { engines = defaultEngines() }: PoolOptions = {}): Solver {
  let found: Promise<{ dialect: Dialect; version: string }> | undefined;
  const start = async () => {
    found ??= identify(command);
    try {
      const { dialect, version } = await found;
      return new NativeEngine(command, dialect, version);
    } catch (error) {
      found = undefined; // it may be installed by the next time
      throw error;
    }
  };
  return new SolverPool(command, start, engines);
}

async function identify(command: string): Promise<{ dialect: Dialect; version: string }> {
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(command, ["--version"], { timeout: versionLimitMs, windowsHide: true }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(unavailable(command, error.code));
    });
  });
  return recognise(command, printed);
}

function unavailable(command: string, code: unknown): SolverUnavailable {
  const help = "install it, or choose no solver to use the bundled one";
  if (code === "ENOENT") return new SolverUnavailable(`the solver \`${command}\` was not found`, help);
  return new SolverUnavailable(`the solver \`${command}\` could not be started`, help);
}
