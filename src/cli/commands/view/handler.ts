/** `view`: a program as description logic or as an OWL 2 ontology. */

import {
  failuresIn,
  firstFailure,
  load,
  misnamed,
  type ProgramForm,
  plainFailure,
  systemWords,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { PlainJson } from "../../../ir/index.ts";
import {
  axiomDl,
  closures,
  ontologyOf,
  printDl,
  printFunctional,
  printTurtle,
  printXml,
  statedAs,
  type View,
  viewOf,
} from "../../../view/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { Progress } from "../../progress.ts";

export interface ViewOptions {
  readonly dl?: boolean;
  readonly owl?: boolean;
  readonly format?: Format;
  readonly output?: string;
  readonly tools?: readonly string[];
  /** How the text of standard input is read. */
  readonly as?: ProgramForm;
  readonly json?: boolean;
}

type Format = "functional" | "turtle" | "xml";

export async function view(host: Host, path: string, options: ViewOptions): Promise<ExitCode> {
  const json = options.json === true;
  const misuse = await misnamed(host, [path], options);
  if (misuse !== undefined) return reportFailure(host, misuse, json);
  const { tools, as } = options;
  const loading = await load({ path, as, tools }, { fs: host, notices: new Progress(host) });
  if (loading.kind !== "loaded") return reportFailure(host, firstFailure(failuresIn(loading)), json);
  const found = viewOf(loading.loaded.document.checked);
  const text = textOf(found, options);
  const { output } = options;
  if (output !== undefined) {
    const code = await host.writeFile(output, [text]);
    if (code !== undefined) {
      const why = code === "ENOENT" ? "there is no such folder" : systemWords(code);
      return reportFailure(host, plainFailure("FC9004", `cannot write \`${output}\`: ${why}`), json);
    }
  }
  if (json) await writeJson(host.stdout, viewToJson(found, formatOf(options), output ?? null, text));
  else await host.stdout.write(output === undefined ? text : `written to ${visibleText(output)}\n`);
  return fine;
}

/** `--format` says that it is an ontology. */
function formatOf({ owl, format }: ViewOptions): Format | "dl" {
  return format ?? (owl ? "functional" : "dl");
}

function textOf(found: View, options: ViewOptions): string {
  switch (formatOf(options)) {
    case "dl":
      return printDl(found);
    case "functional":
      return printFunctional(ontologyOf(found));
    case "turtle":
      return printTurtle(ontologyOf(found));
    case "xml":
      return printXml(ontologyOf(found));
  }
}

/** The text is in it unless it was written to a file. */
function viewToJson(
  { hash, guarantees }: View,
  format: Format | "dl",
  file: string | null,
  text: string,
): { readonly [key: string]: PlainJson } {
  return {
    ok: true,
    hash,
    format,
    guarantees: guarantees.map((one) => ({
      guarantee: statedAs(one),
      status: one.status,
      sentence: one.sentence ?? null,
      axioms: one.axioms.map(axiomDl),
      closure: one.closure.map((name) => ({ name, text: closures[name] })),
      reasons: [...one.reasons],
    })),
    ...(file === null ? { text } : { file }),
  };
}
