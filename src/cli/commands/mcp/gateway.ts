/** `mcp import` and `mcp update`: tool modules for the servers of others. */
import { type Failure, isAbsent, plainFailure, readSource } from "../../../app/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import {
  addServer,
  definitionsOfServer,
  type HostServer,
  hasDrift,
  hostFiles,
  hostServers,
  type Imported,
  importTools,
  mostListBytes,
  readToolsList,
  type ToolDefinition,
  updateTools,
} from "../../../mcp/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { failureText, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { importedText, updateText } from "./render.ts";

export interface ImportCommandOptions {
  readonly name: string;
  readonly out: string;
  readonly trustHints?: boolean;
  readonly json?: boolean;
}

export type InitCommandOptions = Omit<ImportCommandOptions, "name">;

export interface AddCommandOptions extends InitCommandOptions {
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

/** Adds the servers that other hosts of this project have. One that cannot be added does not keep the others out. */
export async function initCommand(
  host: Host,
  { out, trustHints = false, json = false }: InitCommandOptions,
): Promise<Ended> {
  const found = await serversHere(host);
  if (!found.ok) return found;
  if (found.value.length === 0) {
    const help =
      "it looks at `.mcp.json`, `.cursor/mcp.json` and `.vscode/mcp.json`; see `foreclaim mcp add --help`";
    return plainFailure("FC9145", "no MCP server is configured here", help);
  }
  const added: Imported[] = [];
  let code: Ended = fine;
  for (const { as, config } of found.value) {
    const made = await addServer(host, config, { name: as, out, trustHints });
    if (made.ok) {
      added.push(made.value);
      if (!json) await host.stdout.write(importedText(made.value));
    } else {
      code = notSo;
      await host.stderr.write(failureText(made, host.stderr));
    }
  }
  if (json) await writeJson(host.stdout, { ok: code === fine, added: added.map((one) => ({ ...one })) });
  return code;
}

async function serversHere(host: Host): Promise<Result<readonly HostServer[], Failure>> {
  const found = new Map<string, HostServer>();
  for (const [file, field] of hostFiles) {
    const read = host.readFileNow(file, mostListBytes);
    if (read.kind === "failed" && isAbsent(read.code)) continue;
    const source = await readSource(host, file, mostListBytes);
    if (!source.ok) return source;
    const servers = hostServers(file, field, source.value.text);
    if (!servers.ok) return servers;
    // The same server may be configured for several hosts.
    for (const one of servers.value) if (!found.has(one.as)) found.set(one.as, one);
  }
  return ok([...found.values()]);
}

async function definitionsIn(host: Host, file: string): Promise<Result<readonly ToolDefinition[], Failure>> {
  const source = await readSource(host, file, mostListBytes);
  return source.ok ? readToolsList(source.value.file, source.value.text) : source;
}
