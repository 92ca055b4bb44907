/**
 * Task: Move documents in a folder that haven't changed since the given year to /archive/<year>/, keeping their names. Remove nothing.
 * Verdict: holds
 * Why: The target ends with the entry's name, which is the last segment of the source path, below a literal folder.
 * Features: template path, getUTCFullYear, for-of, try/catch collecting problems, object grouping
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.movesKeepName(), files.writesOnlyUnder("/archive/"), files.neverRemoves()],
  async run({ folder, before }: { folder: string; before: number }) {
    const moved: Record<number, string[]> = {};
    const problems: string[] = [];

    for (const entry of await files.list({ folder })) {
      if (entry.kind !== "file") continue;
      const year = new Date(entry.modifiedAt).getUTCFullYear();
      if (Number.isNaN(year) || year >= before) continue;
      try {
        await files.move({ from: entry.path, to: `/archive/${year}/${entry.name}` });
        (moved[year] ??= []).push(entry.name);
      } catch (e) {
        problems.push(`${entry.path}: ${(e as Error).message}`);
      }
    }
    return { moved, problems };
  },
});
