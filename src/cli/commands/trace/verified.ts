/** Verifies a trace and tells a waiting person how far it is. */
import { type Against, entriesText, type TraceSource, type Verified, verified } from "../../../app/index.ts";
import type { Host } from "../../host.ts";
import { Progress } from "../../progress.ts";

export async function verifiedWithProgress(
  host: Host,
  source: TraceSource,
  against?: Against,
): Promise<Verified> {
  const progress = new Progress(host);
  const total = host.stderr.isTTY ? await source.total().catch(() => undefined) : undefined;
  try {
    return await verified(source, against, (entries) =>
      progress.part(entries, total, `${entriesText(entries)} verified`),
    );
  } finally {
    await progress.clear();
  }
}
