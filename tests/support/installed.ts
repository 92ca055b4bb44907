/** A second solver, of another make: Debian's cvc5, or where none is, a reason to leave its tests out. */
import { spawnSync } from "node:child_process";

/**
 * The command to start it with, or undefined where there is none; in CI that is an error, since what needs one is never
 * skipped there.
 */
export function installedCvc5(): string | undefined {
  const named = process.env.FORECLAIM_CVC5;
  // One that was named must be there.
  if (named !== undefined) return named;
  if (spawnSync("cvc5", ["--version"]).error === undefined) return "cvc5";
  if (process.env.CI === "true")
    throw new Error(
      "the tests of a second solver need cvc5: apt-get install -y --no-install-recommends cvc5",
    );
  process.stderr.write("no cvc5 is installed: a second solver is not tested\n");
  return undefined;
}
