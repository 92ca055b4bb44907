/** `tools`: what tool modules declare, as an author of programs needs to know it. */

import {
  type CatalogueModule,
  catalogueOf,
  count,
  type Entry,
  type Flag,
  listed,
  moduleReport,
  mountLayers,
  type Policy,
  problemsToJson,
  visibleTools,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { badInput, fine } from "../../exit-code.ts";
import { columnsOf, failureText, paintOf, writeJson } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import type { Paint } from "../../text/paint.ts";
import { wrap } from "../../text/width.ts";

export interface ToolsCommandOptions extends JsonOption {
  readonly tools?: readonly string[];
}

export async function listTools(
  host: Host,
  from: readonly string[],
  options: ToolsCommandOptions,
): Promise<Ended> {
  const [first = ".", ...others] = from;
  const mounted = await mountLayers(host, options.tools, first);
  if (!mounted.ok) return mounted;
  const found = await visibleTools(mounted.value.fs, [first, ...others], mounted.value.tools);
  if (found.kind === "failed") {
    const { failures } = found;
    if (options.json) await writeJson(host.stdout, { ok: false, problems: failures.flatMap(problemsToJson) });
    else await host.stderr.write(failures.map((failure) => failureText(failure, host.stderr)).join("\n"));
    return badInput;
  }
  const modules = found.folders.flatMap((folder) => catalogueOf(folder, first));
  if (options.json) await writeJson(host.stdout, { ok: true, modules: modules.map(moduleReport) });
  else await host.stdout.write(catalogueText(modules, host.stdout));
  return fine;
}

function catalogueText(modules: readonly CatalogueModule[], output: Output): string {
  const paint = paintOf(output);
  const width = columnsOf(output);
  const told = modules.filter(({ entries, policies }) => entries.length + policies.length > 0);
  const parts = told.map((module) => moduleLines(module, width, paint).join("\n"));
  const all = told.flatMap(({ entries }) => entries);
  const kinds = (["tool", "fluent", "contract"] as const).map((kind) =>
    count(all.filter((entry) => entry.kind === kind).length, kind),
  );
  return `${[...parts, `${listed(kinds)} in ${count(told.length, "module")}`].join("\n\n")}\n`;
}

function moduleLines({ file, importLine, entries, policies }: CatalogueModule, width: number, paint: Paint) {
  return [
    paint.bold(visibleText(file)),
    `  ${paint.dim(visibleText(importLine))}`,
    ...entries.flatMap((entry) => ["", ...entryLines(entry, width, paint)]),
    ...policies.flatMap((policy) => ["", ...policyLines(policy, width, paint)]),
  ];
}

const flagWords: Readonly<Record<Flag, string>> = {
  reads: "reads only",
  idempotent: "idempotent",
  undoable: "can be undone",
  untrusted: "its result is untrusted",
};

function entryLines(entry: Entry, width: number, paint: Paint): string[] {
  const { kind, signature, doc, clauses, labels, flags } = entry;
  const also = [
    ...(labels.length === 0 ? [] : [{ word: "labels", text: labels.join(", ") }]),
    ...(flags.length === 0 ? [] : [{ word: "note", text: flags.map((flag) => flagWords[flag]).join(", ") }]),
  ];
  return [
    ...hanging(`${kind} ${signature}`, 2, width, 6).map((line, i) =>
      i === 0 ? line.replace(kind, paint.cyan(kind)) : line,
    ),
    ...(doc === undefined ? [] : doc.split("\n").flatMap((line) => hanging(line, 4, width, 4))),
    ...[...clauses, ...also].flatMap(({ word, text }) =>
      hanging(`${word} ${text}`, 4, width, 6).map((line, i) =>
        i === 0 ? line.replace(word, paint.dim(word)) : line,
      ),
    ),
  ];
}

function policyLines({ name, label, whenUsed, required, recommended }: Policy, width: number, paint: Paint) {
  const list = (word: string, names: readonly string[]) =>
    names.length === 0 ? [] : hanging(`${word} ${names.join(", ")}`, 4, width, 6);
  return [
    `  ${paint.cyan("coverage")} ${visibleText(name)}${label === undefined ? "" : ` (${visibleText(label)})`}`,
    ...list("when used:", whenUsed),
    ...list("required:", required),
    ...list("recommended:", recommended),
  ];
}

/** Lines that fit, the first with one indentation and the others with another. */
function hanging(text: string, first: number, width: number, others: number): string[] {
  const shown = visibleText(text);
  return wrap(shown, Math.max(20, width - others)).map(
    (line, i) => " ".repeat(i === 0 ? first : others) + line,
  );
}
