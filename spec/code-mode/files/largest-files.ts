/**
 * Task: Find the ten largest files below a folder and when they were last changed.
 * Verdict: holds
 * Why: Only list is called.
 * Features: queue with shift, visited Set against cycles, while loop, sort, slice, limit on calls
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.readOnly()],
  async run({ folder }: { folder: string }) {
    const queue = [folder];
    const visited = new Set<string>();
    const found: files.Entry[] = [];

    while (queue.length > 0 && visited.size < 500) {
      const current = queue.shift()!;
      if (visited.has(current)) continue;
      visited.add(current);
      for (const entry of await files.list({ folder: current })) {
        if (entry.kind === "folder") queue.push(entry.path);
        else found.push(entry);
      }
    }

    const top = found
      .filter((f) => f.size !== undefined)
      .sort((a, b) => b.size! - a.size! || a.path.localeCompare(b.path))
      .slice(0, 10);
    return {
      scannedFolders: visited.size,
      files: top.map(({ path, size, modifiedAt }) => ({ path, size, modified: modifiedAt.slice(0, 10) })),
    };
  },
});
