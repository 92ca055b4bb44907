/** `compare`: the relation of two guarantees on every trace, or the differences of two programs. */

import { compareSides, differenceReport, type ProgramForm, relationReport } from "../../../app/index.ts";
import { isSame } from "../../../compare/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption, SolverChoice } from "../../options.ts";
import { Progress } from "../../progress.ts";
import { differenceText, relationText } from "./render.ts";

export interface CompareOptions extends JsonOption, SolverChoice {
  readonly tools?: readonly string[];
  readonly folder?: string;
  readonly as?: ProgramForm;
}

export async function compare(host: Host, a: string, b: string, options: CompareOptions): Promise<Ended> {
  const progress = new Progress(host);
  const { json, timeout, ...given } = options;
  const how = { ...given, timeoutMs: timeout * 1000, asking: () => progress.waiting(`${a}, ${b}`) };
  const compared = await compareSides(host, a, b, how, progress);
  await progress.clear();
  if (!compared.ok) return compared;
  const found = compared.value;
  const { first, second } = found;
  if (found.kind === "guarantees") {
    if (json) await writeJson(host.stdout, relationReport(first, second, found.relation));
    else await host.stdout.write(relationText(first, second, found.relation, host.stdout));
    return found.relation.kind === "equivalent" ? fine : notSo;
  }
  const { difference } = found;
  if (json) await writeJson(host.stdout, differenceReport(first, second, difference));
  else await host.stdout.write(differenceText(first, second, difference, host.stdout));
  return isSame(difference) && difference.unproved.length === 0 ? fine : notSo;
}
