/** `trace checkpoint`: signs the length and the last entry of a trace. */

import { type CheckpointOptions, entriesText, signTrace } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { paintOf, reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { verifiedWithProgress } from "./verified.ts";

export async function checkpointTrace(
  host: Host,
  ledger: string,
  options: CheckpointOptions,
): Promise<Ended> {
  const signed = await signTrace(host, ledger, options, (source, against) =>
    verifiedWithProgress(host, source, against),
  );
  const { json = false } = options;
  if (!signed.ok) {
    if (signed.problems[0]?.code !== "FC9007") return signed;
    await reportFailure(host, signed, json, "one line");
    return notSo;
  }
  const { file, keyFile, entries, head } = signed.value;
  const { green, dim } = paintOf(host.stdout);
  if (json) await writeJsonLine(host.stdout, { ok: true, file, entries, head });
  else
    await host.stdout.write(
      `${green("signed")}  ${entriesText(entries)}, in ${visibleText(file)}\n        ${dim("head")} ${head}\n        keep it and its public key ${visibleText(keyFile)} where writers of the ledger cannot change them\n`,
    );
  return fine;
}
