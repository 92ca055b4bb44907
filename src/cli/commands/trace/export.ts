/** `trace export`: all entries as JSON Lines, exactly the bytes that the hashes cover. */

import {
  entriesText,
  exportLine,
  type KernelChoice,
  readTrace,
  withTrace,
  writeText,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { StoredEntry } from "../../../kernel/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";

export async function exportTrace(
  host: Host,
  from: string,
  options: KernelChoice & { readonly output?: string },
): Promise<Ended> {
  const { output, kernel, json } = options;
  const done = await withTrace(host, from, kernel, (source) =>
    readTrace(source, kernel, async (entries) => {
      if (output !== undefined) return writeText(host, output, linesOf(entries));
      for await (const line of linesOf(entries)) await host.stdout.write(line);
      return undefined;
    }),
  );
  if (!done.ok) return done;
  if (output !== undefined && json)
    await writeJsonLine(host.stdout, { ok: true, file: output, entries: done.value });
  else if (output !== undefined)
    await host.stdout.write(`wrote ${entriesText(done.value)} to ${visibleText(output)}\n`);
  return fine;
}

async function* linesOf(entries: AsyncIterable<StoredEntry>): AsyncGenerator<string> {
  for await (const stored of entries) yield `${exportLine(stored)}\n`;
}
