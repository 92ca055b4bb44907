/**
 * Task: Remove files in /tmp/ that are older than a week, at most 50 of them.
 * Verdict: broken
 * Why: The path is not checked, and a shortcut in /tmp may point to a file in another folder.
 * Features: for-of, counter, Date, break, trust in folder listing
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.removesOnlyUnder("/tmp/"), files.removesAtMost(50)],
  async run() {
    const weekAgo = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
    const removed: string[] = [];
    let freed = 0;

    for (const entry of await files.list({ folder: "/tmp" })) {
      if (removed.length >= 50) break;
      if (entry.kind !== "file" || new Date(entry.modifiedAt) >= weekAgo) continue;
      await files.remove({ path: entry.path });
      removed.push(entry.name);
      freed += entry.size ?? 0;
    }
    return { removed, freedBytes: freed };
  },
});
