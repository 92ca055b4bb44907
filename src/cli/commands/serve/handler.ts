/** `serve`: the approval service. */

import { rm } from "node:fs/promises";
import {
  type AgentService,
  type Failure,
  type ServiceSettings,
  serveApprovals,
  shown,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import { agentsOver, configuredSettings } from "../../../mcp/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { logTo } from "../../log.ts";
import type { JsonOption } from "../../options.ts";
import { entry, errorPages, pages } from "../../places.ts";
import { missingLedger } from "../mcp/missing-ledger.ts";

export interface ServeOptions extends ServiceSettings, JsonOption {
  readonly log: "text" | "json";
  /** A folder that is removed at the end. The end comes when standard input ends, which its parent holds open. */
  readonly temporary?: string;
  readonly mcp: boolean;
  readonly ledger?: string;
  readonly kernel?: string;
  readonly callTimeout: number;
}

export async function serve(host: Host, options: ServeOptions, version: string): Promise<Ended> {
  const { temporary, json } = options;
  const agents = await agentsFor(host, options, version);
  if (!agents.ok) return agents;
  const interrupted = new Promise<void>((resolve) => {
    host.onInterrupt?.(resolve);
    if (temporary !== undefined) void host.readStdin(1).then(() => resolve());
  });
  const log = logTo(host, options.log);
  try {
    const running = await serveApprovals(options, {
      fs: host,
      clock: host,
      log,
      entry,
      pages,
      ...(agents.value && { agents: agents.value }),
    });
    if (!running.ok) return running;
    const { address, page, key, credentials, stop } = running.value;
    const files = [...credentials];
    const lines = [
      `listening on ${address}, signing with ${key}`,
      ...files.map(([role, path]) => `  the ${role}'s credential is in ${visibleText(shown(path))}`),
      files.length === 0 ? `open ${page}` : `open ${page}  (valid once, for ten minutes)`,
    ];
    if (json)
      await writeJsonLine(host.stdout, {
        ok: true,
        address,
        page,
        key,
        credentials: Object.fromEntries(files),
      });
    else await host.stdout.write(`${lines.join("\n")}\n`);
    await interrupted;
    log("info", "stopping");
    await stop();
    return fine;
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

/** Agents file and run programs over MCP, each with its own credential. */
async function agentsFor(
  host: Host,
  options: ServeOptions,
  version: string,
): Promise<Result<((publicKey: string) => AgentService) | undefined, Failure>> {
  // A service that another command has started for one run has no agents of its own.
  if (!options.mcp || options.temporary !== undefined) return ok(undefined);
  const configured = configuredSettings(host, options.folder);
  if (!configured.ok) return configured;
  const ledger = options.ledger ?? configured.value.ledger;
  const missing = ledger === undefined ? undefined : await missingLedger(host, ledger);
  if (missing !== undefined) return missing;
  const { folder, tools, origin = [], solver, timeout, proveTimeout, callTimeout } = options;
  const { kernel = "main", budget } = {
    ...configured.value,
    ...(options.kernel && { kernel: options.kernel }),
  };
  const told = (text: string) => void host.stderr.write(`foreclaim mcp: ${visibleText(text)}\n`);
  return ok((serviceKey) =>
    agentsOver(
      { fs: host, version, entry, pages: errorPages, nowMs: host.nowMs, told },
      {
        folder,
        ...(tools && { tools }),
        ...(ledger !== undefined && { ledger }),
        ...(budget !== undefined && { budget }),
        ...(origin[0] !== undefined && { page: origin[0] }),
        kernel,
        serviceKey,
        solver,
        timeoutMs: timeout * 1000,
        proveTimeoutMs: proveTimeout * 1000,
        callTimeoutMs: callTimeout * 1000,
      },
    ),
  );
}
