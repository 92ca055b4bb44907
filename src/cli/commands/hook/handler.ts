/** `hook`: decides on one call of a tool that an agent is about to make. */
import { foreclaim } from "../../../adapters/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { configuredServers, configuredSettings } from "../../../mcp/index.ts";
import { badInput, type ExitCode, fine } from "../../exit-code.ts";
import { reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";

export interface HookOptions {
  readonly folder: string;
  readonly tools?: readonly string[];
}

/** LIMIT: of what a host tells a hook. */
const mostBytes = 4_000_000;

/** SOUNDNESS: to the host every exit code but 2 lets the call pass, so whatever goes wrong here ends with 2. */
export async function hook(host: Host, { folder, tools }: HookOptions): Promise<ExitCode> {
  const blocked = async (why: string): Promise<ExitCode> => {
    await host.stderr.write(`foreclaim hook: ${visibleText(why)}\n`);
    return badInput;
  };
  try {
    const read = await host.readStdin(mostBytes);
    if (read.kind !== "bytes") return await blocked("the event cannot be read");
    const event = parsed(Buffer.from(read.bytes).toString("utf8"));
    if (event === undefined) return await blocked("the event is not JSON");
    const configured = configuredSettings(host, folder);
    if (!configured.ok) {
      await reportFailure(host, configured, false);
      return badInput;
    }
    const { preToolUse } = foreclaim({
      folder,
      ...(tools && { tools }),
      ...configured.value,
      programsOnly: configuredServers(folder),
    });
    const answer = await preToolUse(event);
    if (answer !== undefined) await writeJson(host.stdout, { ...answer });
    return fine;
  } catch (thrown) {
    return blocked(thrown instanceof Error ? thrown.message : "it failed");
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
