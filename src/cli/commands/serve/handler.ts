/** `serve`: the approval service. */

import { rm } from "node:fs/promises";
import { type ServiceSettings, serveApprovals, shown } from "../../../app/index.ts";
import type { Log } from "../../../approve/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import { entry, pages } from "../../places.ts";

export interface ServeOptions extends ServiceSettings, JsonOption {
  readonly log: "text" | "json";
  /** A folder that is removed at the end. The end comes when standard input ends, which its parent holds open. */
  readonly temporary?: string;
}

export async function serve(host: Host, options: ServeOptions): Promise<Ended> {
  const { temporary, json } = options;
  const interrupted = new Promise<void>((resolve) => {
    host.onInterrupt?.(resolve);
    if (temporary !== undefined) void host.readStdin(1).then(() => resolve());
  });
  const log = logTo(host, options.log);
  try {
    const running = await serveApprovals(options, { fs: host, clock: host, log, entry, pages });
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

/** Logs to standard error: one line for people, or one JSON object, for each event. */
function logTo({ stderr, wallMs }: Host, form: "text" | "json"): Log {
  return (level, event, fields = {}) => {
    const time = new Date(wallMs()).toISOString();
    if (form === "json") void stderr.write(`${JSON.stringify({ time, level, event, ...fields })}\n`);
    // For people, a line for every HTTP response would bury the events that matter.
    else if (event !== "answered") {
      const said = Object.entries(fields).map(([name, value]) => `${name}=${visibleText(String(value))}`);
      const mark = level === "info" ? "" : `${level}: `;
      void stderr.write(`${time.slice(11, 19)} ${mark}${[event, ...said].join(" ")}\n`);
    }
  };
}
