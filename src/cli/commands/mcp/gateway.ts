/** `mcp import`, `mcp add` and `mcp update`: tool modules for the servers of others. */
import { type Failure, plainFailure, readSource } from "../../../app/index.ts";
import type { Result } from "../../../ir/index.ts";
import {
  addServer,
  definitionsOfServer,
  hasDrift,
  importTools,
  mostListBytes,
  readToolsList,
  type ToolDefinition,
  updateTools,
} from "../../../mcp/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { importedText, updateText } from "./render.ts";

export interface ImportCommandOptions {
  readonly name: string;
  readonly out: string;
  readonly trustHints?: boolean;
  readonly json?: boolean;
}

export interface AddCommandOptions extends Omit<ImportCommandOptions, "name"> {
  readonly url?: string;
  readonly env?: readonly string[];
}

export interface UpdateCommandOptions extends ImportCommandOptions {
  readonly accept?: boolean;
}

export async function importCommand(
  host: Host,
  file: string,
  { name, out, trustHints = false, json = false }: ImportCommandOptions,
): Promise<Ended> {
  const definitions = await definitionsIn(host, file);
  const made = definitions.ok
    ? await importTools(host, definitions.value, { name, out, trustHints })
    : definitions;
  if (!made.ok) return made;
  if (json) await writeJson(host.stdout, { ok: true, ...made.value });
  else await host.stdout.write(importedText(made.value));
  return fine;
}

export async function updateCommand(
  host: Host,
  file: string | undefined,
  { name, out, trustHints = false, accept = false, json = false }: UpdateCommandOptions,
): Promise<Ended> {
  const definitions =
    file === undefined ? await definitionsOfServer(name, out) : await definitionsIn(host, file);
  const found = definitions.ok
    ? await updateTools(host, definitions.value, { name, out, trustHints, accept })
    : definitions;
  if (!found.ok) return found;
  const { module, lock, drift, diff, accepted } = found.value;
  const { added, removed, changed } = drift;
  if (json) await writeJson(host.stdout, { ok: true, module, lock, added, removed, changed, diff, accepted });
  else await host.stdout.write(updateText(found.value));
  return accepted || !hasDrift(drift) ? fine : notSo;
}

export async function addCommand(
  host: Host,
  name: string,
  [command, ...args]: readonly string[],
  { url, env = [], out, trustHints = false, json = false }: AddCommandOptions,
): Promise<Ended> {
  if ((command === undefined) === (url === undefined)) {
    const help = "write `foreclaim mcp add <name> -- <command>`, or `--url <url>`";
    return plainFailure("FC9001", "a server has a command or a URL", help);
  }
  if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    return plainFailure("FC9001", `\`${url}\` is no address of a server`);
  // The name of a secret is kept, and never the secret.
  const passed = Object.fromEntries(env.map((one) => [one, `\${${one}}`]));
  const config = url === undefined ? { command: command ?? "", args, env: passed } : { url };
  const made = await addServer(host, config, { name, out, trustHints });
  if (!made.ok) return made;
  if (json) await writeJson(host.stdout, { ok: true, ...made.value });
  else await host.stdout.write(importedText(made.value));
  return fine;
}

async function definitionsIn(host: Host, file: string): Promise<Result<readonly ToolDefinition[], Failure>> {
  const source = await readSource(host, file, mostListBytes);
  return source.ok ? readToolsList(source.value.file, source.value.text) : source;
}
