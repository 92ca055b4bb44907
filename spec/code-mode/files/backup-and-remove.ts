/**
 * Task: Remove the log files of a folder, but first copy each one to /backup (same path below it).
 * Verdict: holds
 * Why: Each remove is awaited after the write of exactly what was read from the same path.
 * Features: sequential awaits, endsWith, for-of, Set to skip duplicates, continue on error
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.backsUpBeforeRemove(), files.removesAtMost(100)],
  async run({ folder }: { folder: string }) {
    const logs = (await files.list({ folder })).filter((e) => e.kind === "file" && e.name.endsWith(".log"));
    const paths = [...new Set(logs.map((e) => e.path))].slice(0, 100);

    let removed = 0;
    const failed: string[] = [];
    for (const path of paths) {
      try {
        const content = await files.read({ path });
        await files.write({ path: "/backup" + path, content, overwrite: true });
        await files.remove({ path });
        removed++;
      } catch {
        failed.push(path);
      }
    }
    return { removed, failed };
  },
});
