/** `trace verify`: whether a trace is what a kernel wrote, from a ledger or from an exported file, offline. */

import {
  addressOf,
  count,
  entriesText,
  type Failure,
  firstBytes,
  type KernelChoice,
  listed,
  loadAgainst,
  withTrace,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import type { Verification } from "../../../kernel/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { paintOf, writeJsonLine } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import { verifiedWithProgress } from "./verified.ts";

export interface VerifyOptions extends KernelChoice {
  readonly checkpoint?: readonly string[];
  readonly key?: readonly string[];
  readonly quorum?: number;
}

export async function verifyTrace(host: Host, from: string, options: VerifyOptions): Promise<Ended> {
  const address = addressOf(from);
  if (!address.ok) return address;
  const files = options.checkpoint ?? [];
  const against = await loadAgainst(host, address.value, files, options.key, options.quorum);
  if (!against.ok) return against;
  const found = await withTrace(host, from, options.kernel, async (source) => {
    const result = await verifiedWithProgress(host, source, against.value);
    const others = result.entries === 0 ? await source.kernels().catch(() => []) : [];
    return ok({ result, others });
  });
  const told = found.ok ? found : await damaged(host, address.value.file, found);
  if (!told.ok) return told;
  const { result, others } = told.value;
  if (options.json) await writeJsonLine(host.stdout, toJson(result));
  else await host.stdout.write(toText(result, against.value.checkpoints.length, others, host.stdout));
  return result.ok ? fine : notSo;
}

type Found = { readonly result: Verification; readonly others: readonly string[] };

/** Turns a ledger that exists and cannot be opened into one that does not verify. An absent or busy one stays a failure. */
async function damaged(
  host: Host,
  file: string | undefined,
  failed: Failure,
): Promise<Result<Found, Failure>> {
  const [problem] = failed.problems;
  if (file === undefined || problem?.code !== "FC9006" || failed.isPassing) return failed;
  const first = await firstBytes(host, file);
  if (!first.ok || first.value === undefined) return failed;
  const what = `it cannot be read: ${problem.message}`;
  return ok({
    result: { ok: false, entries: 0, head: "", notReplayed: [], problem: { seq: 1, what } },
    others: [],
  });
}

function toJson({ ok, entries, head, problem, notReplayed }: Verification) {
  return {
    ok,
    entries,
    head,
    ...(problem === undefined ? {} : { problem: { ...problem } }),
    ...(notReplayed.length === 0 ? {} : { notReplayed }),
  };
}

function toText(
  { ok, entries, head, problem, notReplayed }: Verification,
  checkpoints: number,
  others: readonly string[],
  output: Output,
): string {
  const { green, red, dim } = paintOf(output);
  const lines = ok
    ? [
        `${green("ok")}  ${entriesText(entries)}: hashes, order, every decision${checkpoints === 0 ? "" : ` and ${count(checkpoints, "checkpoint")}`}`,
        `    ${dim("head")} ${head}`,
      ]
    : [
        `${red("not ok")}  entry ${problem?.seq}: ${visibleText(problem?.what ?? "")}`,
        ...(entries === 0
          ? []
          : [`        ${entriesText(entries)} before it ${entries === 1 ? "is" : "are"} fine`]),
      ];
  if (ok && checkpoints === 0)
    lines.push("    no external checkpoint: truncation at the end of the trace cannot be detected");
  if (notReplayed.length > 0)
    lines.push(
      `    believed from the trace, not judged again: ${listed(notReplayed.map((name) => `\`${visibleText(name)}\``))}`,
    );
  if (others.length > 0)
    lines.push(
      `        the ledger has ${listed(others.map((name) => `\`${visibleText(name)}\``))}; choose one with --kernel`,
    );
  return `${lines.join("\n")}\n`;
}
