/**
 * Task: Remove the log files of a folder, but first copy each one to /backup (same path below it).
 * Verdict: broken
 * Why: The write is not awaited, so the remove starts before the backup is known to exist.
 * Features: Promise.all at the end, pending promises array, for-of, missing await
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.backsUpBeforeRemove(), files.removesAtMost(100)],
  async run({ folder }: { folder: string }) {
    const logs = (await files.list({ folder })).filter((e) => e.kind === "file" && e.name.endsWith(".log"));
    const pending: Promise<unknown>[] = [];

    for (const { path } of logs.slice(0, 100)) {
      const content = await files.read({ path });
      pending.push(files.write({ path: `/backup${path}`, content, overwrite: true }));
      pending.push(files.remove({ path }));
    }
    await Promise.all(pending);
    return { removed: pending.length / 2 };
  },
});
