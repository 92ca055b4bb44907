/** `playground`: the prover in a browser, served or written as files. */
import { playgroundFiles, servePlayground, writePlayground } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import { playgroundFolder } from "../../places.ts";

export interface PlaygroundOptions extends JsonOption {
  readonly host: string;
  readonly port: number;
  readonly out?: string;
}

export async function playground(host: Host, options: PlaygroundOptions): Promise<Ended> {
  const { out, json } = options;
  const files = await playgroundFiles(playgroundFolder);
  if (!files.ok) return files;
  if (out !== undefined) {
    const written = await writePlayground(files.value, out);
    if (!written.ok) return written;
    const size = `${written.value.files} files, ${(written.value.bytes / 1_000_000).toFixed(1)} MB`;
    if (json) await writeJsonLine(host.stdout, { ok: true, folder: out, ...written.value });
    else await host.stdout.write(`wrote ${visibleText(out)}: ${size}\n`);
    return fine;
  }
  const interrupted = new Promise<void>((resolve) => {
    host.onInterrupt?.(resolve);
  });
  const running = await servePlayground(files.value, options);
  if (!running.ok) return running;
  const { address, close } = running.value;
  if (json) await writeJsonLine(host.stdout, { ok: true, address });
  else await host.stdout.write(`open ${address}\n`);
  await interrupted;
  await close();
  return fine;
}
