/** `lint`: what is wrong with contracts, tools, policies and guarantees that compile, and do not say what was meant. */

import {
  count,
  lintPath,
  type PlacedFindings,
  problemsToJson,
  SolverPool,
  withProver,
} from "../../../app/index.ts";
import type { RelateOptions } from "../../../compare/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { failureText, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption, SolverChoice } from "../../options.ts";
import { Progress } from "../../progress.ts";

export interface LintOptions extends JsonOption, SolverChoice {
  readonly verbose?: boolean;
  readonly tools?: readonly string[];
}

export async function lint(host: Host, paths: readonly string[], options: LintOptions): Promise<Ended> {
  const json = options.json === true;
  const progress = new Progress(host);
  const found: PlacedFindings[] = [];
  const pool = new SolverPool();
  try {
    const how = { pool, solver: options.solver, timeoutMs: options.timeout * 1000 };
    for (const path of paths) {
      const linted = await withProver(how, (prover) => {
        const given: RelateOptions = { ...prover, asking: () => progress.waiting(path), quick: true };
        return lintPath(host, path, options.tools, given, progress);
      });
      await progress.clear();
      if (!linted.ok) return linted;
      if (!linted.value.ok) return linted.value;
      found.push(linted.value.value);
    }
  } finally {
    await pool.close();
  }
  const failures = found.flatMap((one) => one.failures);
  const undecided = found.flatMap((one) => one.undecided);
  const total = failures.reduce((sum, { problems }) => sum + problems.length, 0);
  if (json) {
    const findings = failures.flatMap((failure) => problemsToJson(failure));
    await writeJson(host.stdout, { findings, undecided });
    return total === 0 ? fine : notSo;
  }
  const texts = failures.map((failure) => failureText(failure, host.stdout));
  const open = options.verbose === true ? undecided.map((one) => `not decided: ${visibleText(one)}\n`) : [];
  if (open.length > 0) texts.push(open.join(""));
  const looked = `${count(total, "finding")} in ${paths.map(visibleText).join(", ")}\n`;
  await host.stdout.write([...texts, looked].join("\n"));
  return total === 0 ? fine : notSo;
}
