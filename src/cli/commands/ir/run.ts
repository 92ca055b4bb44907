/** `ir run`: one run of a document with mock tools. */

import {
  isFine,
  type MockRunOptions,
  recordedRunReport,
  runWithMocks,
  writeText,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { badInput, fine, notSo } from "../../exit-code.ts";
import { writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import { Progress } from "../../progress.ts";
import { jsonPieces } from "../../text/json-text.ts";
import { runText } from "./render.ts";

export async function runDocument(
  host: Host,
  path: string,
  options: MockRunOptions & JsonOption,
): Promise<Ended> {
  const ended = await runWithMocks(host, path, options, new Progress(host));
  if (!ended.ok) return ended;
  const { output, json } = options;
  const report = recordedRunReport(ended.value);
  const failure = output === undefined ? undefined : await writeText(host, output, jsonPieces(report));
  if (failure !== undefined) return failure;
  if (json) await writeJson(host.stdout, report);
  else {
    const wrote = output === undefined ? "" : `\nwrote ${visibleText(output)}\n`;
    await host.stdout.write(`${runText(ended.value, host.stdout)}${wrote}`);
  }
  if (ended.value.needsMock) return badInput;
  return isFine(ended.value) ? fine : notSo;
}
