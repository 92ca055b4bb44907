/**
 * Task: Remove files in /tmp/ that are older than a week, at most 50 of them.
 * Verdict: holds
 * Why: A file is removed only if its path begins with "/tmp/", and the list is cut to 50.
 * Features: filter with several conditions, startsWith, Date, slice, Promise.allSettled
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

const MAX = 50;

export default program({
  guarantees: [files.removesOnlyUnder("/tmp/"), files.removesAtMost(MAX)],
  async run() {
    const weekAgo = Date.now() - 7 * 24 * 60 * 60 * 1000;
    const entries = await files.list({ folder: "/tmp" });

    const old = entries.filter(
      (e) => e.kind === "file" && e.path.startsWith("/tmp/") && Date.parse(e.modifiedAt) < weekAgo,
    );
    const batch = old.slice(0, MAX);
    const results = await Promise.allSettled(batch.map((e) => files.remove({ path: e.path })));

    const removed = batch.filter((_, i) => results[i].status === "fulfilled");
    return {
      removed: removed.map((e) => e.name),
      freedBytes: removed.reduce((s, e) => s + (e.size ?? 0), 0),
      remaining: old.length - removed.length,
    };
  },
});
