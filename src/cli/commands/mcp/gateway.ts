/** `mcp import` and `mcp update`: tool modules for the servers of others. */
import { type Attempt, readSource } from "../../../app/index.ts";
import {
  hasDrift,
  importTools,
  mostListBytes,
  readToolsList,
  type ToolDefinition,
  updateTools,
} from "../../../mcp/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import { reportFailure, writeJson } from "../../failure.ts";
import type { Terminal } from "../../terminal.ts";
import { importedText, updateText } from "./render.ts";

export interface ImportCommandOptions {
  readonly name: string;
  readonly out: string;
  readonly trustHints?: boolean;
  readonly json?: boolean;
}

export interface UpdateCommandOptions extends ImportCommandOptions {
  readonly accept?: boolean;
}

export async function importCommand(
  terminal: Terminal,
  file: string,
  { name, out, trustHints = false, json = false }: ImportCommandOptions,
): Promise<ExitCode> {
  const definitions = await definitionsIn(terminal, file);
  const made = definitions.ok
    ? await importTools(terminal, definitions.value, { name, out, trustHints })
    : definitions;
  if (!made.ok) return reportFailure(terminal, made.failure, json);
  if (json) await writeJson(terminal.stdout, { ok: true, ...made.value });
  else await terminal.stdout.write(importedText(made.value));
  return fine;
}

export async function updateCommand(
  terminal: Terminal,
  file: string,
  { name, out, trustHints = false, accept = false, json = false }: UpdateCommandOptions,
): Promise<ExitCode> {
  const definitions = await definitionsIn(terminal, file);
  const found = definitions.ok
    ? await updateTools(terminal, definitions.value, { name, out, trustHints, accept })
    : definitions;
  if (!found.ok) return reportFailure(terminal, found.failure, json);
  const { module, lock, drift, diff, accepted } = found.value;
  const { added, removed, changed } = drift;
  if (json)
    await writeJson(terminal.stdout, { ok: true, module, lock, added, removed, changed, diff, accepted });
  else await terminal.stdout.write(updateText(found.value));
  return accepted || !hasDrift(drift) ? fine : notSo;
}

async function definitionsIn(terminal: Terminal, file: string): Promise<Attempt<readonly ToolDefinition[]>> {
  const source = await readSource(terminal, file, mostListBytes);
  return source.ok ? readToolsList(source.value.file, source.value.text) : source;
}
