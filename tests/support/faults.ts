/** A library that makes system calls on SQLite files fail; compiled here, since no package has it. */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/tools.mjs";

/** Failing calls in 100,000. */
export interface Faults {
  readonly seed: number;
  readonly read?: number;
  readonly write?: number;
  readonly sync?: number;
  /** Writes that find no room, and writes of which half is written. */
  readonly full?: number;
  readonly short?: number;
}

/** Compiles the library into a folder; undefined, with a notice, where there is no C compiler or no way to preload. */
export function faultLibrary(folder: string): string | undefined {
  const path = join(folder, "faults.so");
  const args = ["-shared", "-fPIC", "-O1", "-o", path, join(ROOT, "tests/support/faults.c"), "-ldl"];
  const made = process.platform === "linux" ? spawnSync("cc", args, { encoding: "utf8" }) : undefined;
  if (made?.status === 0) return path;
  if (made?.error === undefined && made !== undefined) throw new Error(made.stderr);
  process.stderr.write("there is no C compiler, or this is not Linux: failing disks are not tested\n");
  return undefined;
}

/** The environment of a process whose calls on files named `….faulty.db` fail, and the file that counts them. */
export function faultEnvironment(
  library: string,
  log: string,
  faults: Faults,
): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: library,
    FAULT_LOG: log,
    FAULT_SEED: `${faults.seed}`,
    FAULT_READ: `${faults.read ?? 0}`,
    FAULT_WRITE: `${faults.write ?? 0}`,
    FAULT_SYNC: `${faults.sync ?? 0}`,
    FAULT_FULL: `${faults.full ?? 0}`,
    FAULT_SHORT: `${faults.short ?? 0}`,
  };
}

export function faultCount(log: string): number {
  return existsSync(log) ? statSync(log).size : 0;
}
