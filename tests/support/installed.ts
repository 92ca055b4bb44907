/** What Debian has and npm has not, for tests that need it; where it is not installed, a reason to leave them out. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The command to start a second solver of another make with; undefined where there is none. */
export function installedCvc5(): string | undefined {
  // One that was named must be there.
  const named = process.env.FORECLAIM_CVC5;
  if (named !== undefined) return named;
  if (spawnSync("cvc5", ["--version"]).error === undefined) return "cvc5";
  return missing("a second solver", "cvc5");
}

/** The class path of the OWL API; undefined where it, or a Java that compiles, is not installed. */
export function installedOwlApi(): string | undefined {
  const folder = "/usr/share/java";
  const isThere =
    existsSync(`${folder}/owlapi-api.jar`) && spawnSync("javac", ["-version"]).error === undefined;
  return isThere ? `${folder}/*` : missing("the OWL API", "libowlapi-java default-jdk-headless");
}

/** In CI it is an error, since nothing is skipped there. */
function missing(what: string, packages: string): undefined {
  if (process.env.CI === "true")
    throw new Error(`the tests with ${what} need it: apt-get install -y --no-install-recommends ${packages}`);
  process.stderr.write(`${what} is not installed: nothing is tested with it\n`);
  return undefined;
}
