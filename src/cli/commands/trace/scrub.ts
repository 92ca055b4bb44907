/** `trace scrub` and `trace recover`: damage that nobody has asked about yet, and the way back from it. */

import {
  addressOf,
  entriesText,
  type KernelChoice,
  loadAgainst,
  recovered,
  type ScrubbedKernel,
  scrubbed,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { paintOf, reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { VerifyOptions } from "./verify.ts";

export async function scrubLedger(host: Host, ledger: string, { json }: { json?: boolean }): Promise<Ended> {
  const found = await scrubbed(host, ledger);
  if (!found.ok) return found;
  const isFine = found.value.every((one) => one.ok);
  if (json) {
    const kernels = found.value.map(({ problem, ...one }) =>
      problem === undefined ? one : { ...one, problem: { ...problem } },
    );
    await writeJsonLine(host.stdout, { ok: isFine, kernels });
  } else await host.stdout.write(found.value.map((one) => scrubLine(one, host)).join(""));
  return isFine ? fine : notSo;
}

function scrubLine({ kernel, ok, entries, problem }: ScrubbedKernel, host: Host): string {
  const { green, red } = paintOf(host.stdout);
  if (kernel === "") return `${red("not ok")}  the file: ${visibleText(problem?.what ?? "")}\n`;
  const name = `\`${visibleText(kernel)}\``;
  if (ok) return `${green("ok")}      ${name}  ${entriesText(entries)}\n`;
  return `${red("not ok")}  ${name}  entry ${problem?.seq}: ${visibleText(problem?.what ?? "")}\n`;
}

export async function recoverLedger(
  host: Host,
  ledger: string,
  target: string,
  options: VerifyOptions & KernelChoice,
): Promise<Ended> {
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const against = await loadAgainst(
    host,
    address.value,
    options.checkpoint ?? [],
    options.key,
    options.quorum,
  );
  if (!against.ok) return against;
  const done = await recovered(host, ledger, target, options.kernel, against.value);
  const { json = false } = options;
  if (!done.ok) {
    if (done.problems[0]?.code !== "FC9007") return done;
    await reportFailure(host, done, json, "one line");
    return notSo;
  }
  const { entries, head, lost } = done.value;
  const { green, yellow } = paintOf(host.stdout);
  if (json)
    await writeJsonLine(host.stdout, {
      ok: true,
      entries,
      head,
      ...(lost === undefined ? {} : { lost: { ...lost } }),
    });
  else
    await host.stdout.write(
      `${green("recovered")}  ${entriesText(entries)}, in ${visibleText(target)}\n${
        lost === undefined
          ? ""
          : `${yellow("lost")}       from entry ${lost.seq} on: ${visibleText(lost.what)}\n           what happened after it is not known: compare the state with the world\n`
      }`,
    );
  return fine;
}
