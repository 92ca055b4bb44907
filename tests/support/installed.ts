/** Programs from Debian for tests; if one is missing, a reason to skip them. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { recognise } from "../../src/prove/decide/solver/dialect.ts";

/** The command of a cvc5 that the product takes; undefined where there is none, or one that is too old. */
export function installedCvc5(): string | undefined {
  return usableSolver("cvc5", process.env.FORECLAIM_CVC5) ?? missing("a second solver", "cvc5");
}

/** The command of a z3 that the product takes; undefined where there is none, or one that is too old. Needed nowhere. */
export function installedZ3(): string | undefined {
  return usableSolver("z3", process.env.FORECLAIM_Z3);
}

/**
 * The first solver of a kind that starts and is new enough, by the product's own rule.
 *
 * @param named the one that must be there, if there is such; what is wrong with it is thrown
 */
function usableSolver(kind: "z3" | "cvc5", named: string | undefined): string | undefined {
  const command = named ?? kind;
  const { error, stdout } = spawnSync(command, ["--version"], { encoding: "utf8" });
  try {
    if (error !== undefined) throw error;
    const { dialect } = recognise(command, stdout);
    if (dialect.name !== kind) throw new Error(`\`${command}\` is a ${dialect.name} and not a ${kind}`);
    return command;
  } catch (problem) {
    if (named !== undefined) throw problem;
    if (error === undefined) process.stderr.write(`not tested with: ${messageOf(problem)}\n`);
    return undefined;
  }
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
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
