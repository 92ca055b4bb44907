/** `compare`: how two guarantees stand to each other on every trace, or what two programs differ in. */

import {
  differenceReport,
  type Failure,
  isClause,
  joinedLayer,
  loadSide,
  misnamed,
  optionsFor,
  type ProgramForm,
  plainFailure,
  relationReport,
  type Side,
  type SolverName,
  SolverPool,
  withProver,
} from "../../../app/index.ts";
import { differ, isSame, type Layer, type RelateOptions, relate } from "../../../compare/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import { reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { Progress } from "../../progress.ts";
import { differenceText, relationText } from "./render.ts";

export interface CompareOptions {
  readonly json?: boolean;
  /** For each question to the solver, in seconds. */
  readonly timeout: number;
  readonly tools?: readonly string[];
  readonly folder?: string;
  /** How the text of standard input is read. */
  readonly as?: ProgramForm;
  readonly solver: SolverName;
}

export async function compare(host: Host, a: string, b: string, options: CompareOptions): Promise<ExitCode> {
  const fail = (failure: Failure) => reportFailure(host, failure, options.json === true);
  const paths = [a, b].filter((one) => !isClause(one));
  const misuse = await misnamed(host, paths, options);
  if (misuse !== undefined) return fail(misuse);
  const progress = new Progress(host);
  const first = await loadSide(host, a, optionsFor(a, paths, options), progress);
  if (!first.ok) return fail(first);
  const second = await loadSide(host, b, optionsFor(b, paths, options), progress);
  if (!second.ok) return fail(second);
  const sides = [first.value, second.value] as const;
  const layer = joinedLayer(sides.flatMap((side) => [side.layer, side.document]));
  if (!layer.ok) return fail(layer);
  const pool = new SolverPool();
  try {
    const how = { pool, solver: options.solver, timeoutMs: options.timeout * 1000 };
    const code = await withProver(how, (prover) => {
      const given: RelateOptions = { ...prover, asking: () => progress.waiting(`${a}, ${b}`) };
      const arePrograms = sides.every(({ kind }) => kind === "program");
      const ended = { host, json: options.json === true, progress };
      return arePrograms
        ? comparePrograms(sides, layer.value, given, ended)
        : compareGuarantees(sides, layer.value, given, ended);
    });
    return code.ok ? code.value : await fail(code);
  } finally {
    await pool.close();
  }
}

interface Ended {
  readonly host: Host;
  readonly json: boolean;
  readonly progress: Progress;
}

async function compareGuarantees(
  [first, second]: readonly [Side, Side],
  layer: Layer,
  options: RelateOptions,
  { host, json, progress }: Ended,
): Promise<ExitCode> {
  // SOUNDNESS: a guarantee that is left out would be one that follows from anything.
  const bare = [first, second]
    .flatMap(({ guarantees }) => guarantees)
    .find((one) => one.formula === undefined);
  if (bare !== undefined) {
    const message = `what \`${visibleText(bare.name)}\` says is not in the document, so it cannot be compared`;
    const help = "name the folder of its tool modules with --tools";
    return reportFailure(host, plainFailure("FC9001", message, help), json);
  }
  const formulas = (side: Side) => side.guarantees.flatMap(({ formula }) => formula ?? []);
  const relation = await relate(formulas(first), formulas(second), layer, options);
  await progress.clear();
  if (json) await writeJson(host.stdout, relationReport(first, second, relation));
  else await host.stdout.write(relationText(first, second, relation, host.stdout));
  return relation.kind === "equivalent" ? fine : notSo;
}

async function comparePrograms(
  [first, second]: readonly [Side, Side],
  layer: Layer,
  options: RelateOptions,
  { host, json, progress }: Ended,
): Promise<ExitCode> {
  const found = await differ(first.document, second.document, layer, options);
  await progress.clear();
  if (found.kind === "apart") {
    const message = `the two programs mean different things by \`${found.name}\``;
    return reportFailure(host, plainFailure("FC9001", message), json);
  }
  const { difference } = found;
  if (json) await writeJson(host.stdout, differenceReport(first, second, difference));
  else await host.stdout.write(differenceText(first, second, difference, host.stdout));
  return isSame(difference) && difference.unproved.length === 0 ? fine : notSo;
}
