/** `mcp init`: the servers that a project has configured for other hosts, and our own entry beside them. */
import { dirname, resolve } from "node:path";
import {
  type Failure,
  isAbsent,
  makeKernel,
  plainFailure,
  readSource,
  systemWords,
} from "../../../app/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import {
  addServer,
  configuredServers,
  type HostServer,
  hostFiles,
  hostServers,
  type Imported,
  mostListBytes,
  ownEntryText,
  withOwnEntry,
} from "../../../mcp/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { failureText, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { importedText, initEndText } from "./render.ts";

export interface InitCommandOptions {
  readonly out: string;
  readonly from?: readonly string[];
  readonly ledger: string;
  /** False with `--no-entry`. */
  readonly entry: boolean;
  readonly trustHints?: boolean;
  readonly json?: boolean;
}

/** The result of `mcp init`, beside the modules. */
export interface Initialized {
  /** Servers that `foreclaim.json` had already. */
  readonly present: readonly string[];
  readonly notes: readonly string[];
  /** The files that have our own entry now. */
  readonly entries: readonly string[];
  /** Entries that a person has to write, with the file that they belong to. */
  readonly toWrite: readonly { readonly file: string; readonly text: string }[];
  /** The servers that the agent reaches directly still, by file. */
  readonly direct: readonly { readonly file: string; readonly names: readonly string[] }[];
  readonly ledger?: string;
}

/** Adds the servers that other hosts of this project have. One that cannot be added does not keep the others out. */
export async function initCommand(
  host: Host,
  { out, from, ledger, entry, trustHints = false, json = false }: InitCommandOptions,
): Promise<Ended> {
  const found = await serversHere(host, from);
  if (!found.ok) return found;
  const { files, servers, notes } = found.value;
  if (servers.length === 0) {
    const looked = (from ?? hostFiles).map((one) => `\`${one}\``).join(", ");
    return plainFailure(
      "FC9145",
      "no MCP server is configured here",
      `it looked at ${looked}; name another file with --from, or add one server with \`foreclaim mcp add\``,
    );
  }
  const present = serversOf(out);
  const added: Imported[] = [];
  let code: Ended = fine;
  const failed = async (failure: Failure): Promise<void> => {
    code = notSo;
    await host.stderr.write(failureText(failure, host.stderr));
  };
  for (const { as, config } of servers) {
    if (present.includes(as)) continue;
    const made = await addServer(host, config, { name: as, out, trustHints });
    if (made.ok) {
      added.push(made.value);
      if (!json) await host.stdout.write(importedText(made.value));
    } else await failed(made);
  }
  const known = serversOf(out);
  const isThere = servers.filter(({ as }) => known.includes(as));
  const kept = { present: isThere.map(({ as }) => as).filter((as) => present.includes(as)), notes };
  let initialized: Initialized = { ...kept, entries: [], toWrite: [], direct: [] };
  if (entry && isThere.length > 0) {
    const written = await writeEntries(host, files, isThere, resolve(dirname(resolve(out)), ledger), ledger);
    if (written.ok) initialized = { ...kept, ...written.value };
    else await failed(written);
  }
  if (json)
    await writeJson(host.stdout, {
      ok: code === fine,
      added: added.map((one) => ({ ...one })),
      present: initialized.present,
      entries: initialized.entries,
      toWrite: initialized.toWrite.map((one) => ({ ...one })),
      notes,
      ...(initialized.ledger !== undefined && { ledger: initialized.ledger }),
    });
  else await host.stdout.write(initEndText(initialized));
  return code;
}

/** A configuration that cannot be read is reported by the first server that is added. */
function serversOf(out: string): readonly string[] {
  try {
    return configuredServers(dirname(resolve(out)));
  } catch {
    return [];
  }
}

// ── the configurations of hosts ──────────────────────────────────────────────────────────────────────────

interface HostFile {
  readonly file: string;
  readonly text: string;
  readonly hasOwn: boolean;
  /** False for a file that the operator has named: it may serve other projects too. */
  readonly isOfProject: boolean;
}

interface Found {
  readonly files: readonly HostFile[];
  readonly servers: readonly HostServer[];
  readonly notes: readonly string[];
}

async function serversHere(host: Host, from: readonly string[] | undefined): Promise<Result<Found, Failure>> {
  const files: HostFile[] = [];
  const notes: string[] = [];
  const found = new Map<string, HostServer>();
  for (const file of from ?? hostFiles) {
    if (from === undefined) {
      const read = host.readFileNow(file, mostListBytes);
      if (read.kind === "failed" && isAbsent(read.code)) continue;
    }
    const source = await readSource(host, file, mostListBytes);
    if (!source.ok) return source;
    const { text } = source.value;
    const read = await hostServers(file, text);
    if (!read.ok) return read;
    const { servers, hasOwn } = read.value;
    files.push({ file, text, hasOwn, isOfProject: from === undefined });
    notes.push(...read.value.notes);
    for (const one of servers) {
      // The same server may be configured for several hosts.
      const other = found.get(one.as);
      if (other === undefined) found.set(one.as, one);
      else if (JSON.stringify(other.config) !== JSON.stringify(one.config))
        notes.push(`\`${one.name}\` of \`${file}\` is not the one of \`${other.from}\`, which was taken`);
    }
  }
  return ok({ files, servers: [...found.values()], notes });
}

/** Writes our own entry where it can be written without harm, and makes the ledger that it names. */
async function writeEntries(
  host: Host,
  files: readonly HostFile[],
  servers: readonly HostServer[],
  ledgerPath: string,
  ledger: string,
): Promise<Result<Omit<Initialized, "present" | "notes">, Failure>> {
  const isNew = host.readFileNow(ledgerPath, 1);
  if (isNew.kind === "failed" && isAbsent(isNew.code)) {
    const made = await makeKernel(host, ledgerPath, { kernel: "main" });
    if (!made.ok) return made;
  }
  const entries: string[] = [];
  const toWrite: { file: string; text: string }[] = [];
  for (const { file, text, hasOwn, isOfProject } of files) {
    if (hasOwn) continue;
    const changed = isOfProject ? await withOwnEntry(file, text, ledger) : undefined;
    if (changed === undefined) toWrite.push({ file, text: ownEntryText(file, ledger) });
    else {
      const code = await host.writeFile(file, [changed]);
      if (code !== undefined) return plainFailure("FC9004", `cannot write \`${file}\`: ${systemWords(code)}`);
      entries.push(file);
    }
  }
  const direct = files.map(({ file }) => ({
    file,
    names: servers.filter((one) => one.from === file).map(({ name }) => name),
  }));
  return ok({ entries, toWrite, direct: direct.filter(({ names }) => names.length > 0), ledger });
}
