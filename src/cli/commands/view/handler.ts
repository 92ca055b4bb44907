/** `view`: a program as description logic or as an OWL 2 ontology. */

import { failuresIn, firstFailure, load, misnamed, type ProgramForm, writeText } from "../../../app/index.ts";
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
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import { Progress } from "../../progress.ts";

export interface ViewOptions extends JsonOption {
  readonly dl?: boolean;
  readonly owl?: boolean;
  readonly format?: Format;
  readonly output?: string;
  readonly tools?: readonly string[];
  readonly as?: ProgramForm;
}

type Format = "functional" | "turtle" | "xml";

export async function view(host: Host, path: string, options: ViewOptions): Promise<Ended> {
  const json = options.json === true;
  const misuse = await misnamed(host, [path], options);
  if (misuse !== undefined) return misuse;
  const { tools, as } = options;
  const loading = await load({ path, as, tools }, { fs: host, notices: new Progress(host) });
  if (loading.kind !== "loaded") return firstFailure(failuresIn(loading));
  const found = viewOf(loading.loaded.document.checked);
  const text = textOf(found, options);
  const { output } = options;
  const failure = output === undefined ? undefined : await writeText(host, output, [text]);
  if (failure !== undefined) return failure;
  if (json) await writeJson(host.stdout, viewToJson(found, formatOf(options), output ?? null, text));
  else await host.stdout.write(output === undefined ? text : `wrote ${visibleText(output)}\n`);
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
