/** `shell classify`: a verdict for each command line, in order, as it comes. */

import { linesOf, plainFailure, systemCode, systemWords } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { type ClassifiedLine, classifyLine } from "../../../shell/index.ts";
import type { Ended } from "../../command-spec.ts";
import { badInput, fine } from "../../exit-code.ts";
import { paintOf } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";

export interface ShellClassifyOptions extends JsonOption {
  readonly allowRunsCode?: boolean;
}

export async function classifyLines(host: Host, file: string, options: ShellClassifyOptions): Promise<Ended> {
  let understood = true;
  try {
    for await (const line of linesOf(host.chunks(file))) {
      const text = line.kind === "text" ? line.text : "";
      if (line.kind === "text" && text.trim() === "") continue;
      const result = classifyLine(text, { allowRunsCode: options.allowRunsCode === true });
      understood &&= result.understood;
      await host.stdout.write(options.json === true ? jsonOf(result) : shown(text, result, host));
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return plainFailure("FC9002", `cannot read \`${file}\`: ${systemWords(code)}`);
  }
  return understood ? fine : badInput;
}

/** Compact, as readers of lines expect. */
function jsonOf({ verdict, reasons }: ClassifiedLine): string {
  return `${JSON.stringify({ verdict, reasons })}\n`;
}

function shown(line: string, { verdict, reasons }: ClassifiedLine, host: Host): string {
  const { green, red, dim } = paintOf(host.stdout);
  const head = verdict === "allow" ? green("allow ") : red("refuse");
  const why = reasons.map(({ code, message }) => `        ${dim(code)} ${visibleText(message)}\n`);
  return `${head}  ${visibleText(line.slice(0, 200))}\n${why.join("")}`;
}
