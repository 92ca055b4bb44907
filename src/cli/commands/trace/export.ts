/** `trace export`: all entries as JSON Lines, exactly as they were hashed. */

import {
  entriesText,
  exportLine,
  type KernelChoice,
  plainFailure,
  systemWords,
  type TraceSource,
  Unreadable,
  withTrace,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok } from "../../../ir/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { answered } from "../kernel/render.ts";

export interface ExportOptions extends KernelChoice {
  readonly output?: string;
}

export async function exportTrace(host: Host, from: string, options: ExportOptions): Promise<ExitCode> {
  const done = await withTrace(host, from, options.kernel, async (source) => {
    const { output } = options;
    let entries = 0;
    const lines = async function* () {
      for await (const line of linesOf(source)) {
        entries++;
        yield line;
      }
    };
    try {
      if (output === undefined) for await (const line of lines()) await host.stdout.write(line);
      else {
        const code = await host.writeFile(output, lines());
        const words = code === "ENOENT" ? "there is no such folder" : systemWords(code ?? "");
        if (code !== undefined) return plainFailure("FC9004", `cannot write \`${output}\`: ${words}`);
      }
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown;
      const help = `see \`foreclaim trace verify ${source.address.shown}\``;
      return plainFailure("FC9007", thrown.message, help);
    }
    if (entries === 0) {
      const help = `make one: \`foreclaim kernel init ${source.address.shown} --budget usd=10\``;
      return plainFailure(
        "FC9008",
        `there is no kernel \`${options.kernel}\` in \`${source.address.shown}\``,
        help,
      );
    }
    if (output !== undefined && options.json)
      await writeJsonLine(host.stdout, { ok: true, file: output, entries });
    else if (output !== undefined)
      await host.stdout.write(`wrote ${entriesText(entries)} to ${visibleText(output)}\n`);
    return ok<ExitCode>(fine);
  });
  return answered(host, done, options.json);
}

async function* linesOf(source: TraceSource): AsyncGenerator<string> {
  for await (const stored of source.entries()) yield `${exportLine(stored)}\n`;
}
