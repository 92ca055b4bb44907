/**
 * Task: Move documents in a folder that haven't changed since the given year to /archive/<year>/, keeping their names. Remove nothing.
 * Verdict: broken
 * Why: If a document with the same name exists in the archive, the name gets a suffix like "(2)".
 * Features: while loop for unique name, stat, lastIndexOf, slice, template path
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

async function freePath(folder: string, name: string): Promise<string> {
  let candidate = `${folder}/${name}`;
  let n = 2;
  while (await files.stat({ path: candidate })) {
    const dot = name.lastIndexOf(".");
    candidate =
      dot > 0 ? `${folder}/${name.slice(0, dot)} (${n})${name.slice(dot)}` : `${folder}/${name} (${n})`;
    n++;
  }
  return candidate;
}

export default program({
  guarantees: [files.movesKeepName(), files.writesOnlyUnder("/archive/"), files.neverRemoves()],
  async run({ folder, before }: { folder: string; before: number }) {
    const moved: string[] = [];
    for (const entry of await files.list({ folder })) {
      const year = new Date(entry.modifiedAt).getUTCFullYear();
      if (entry.kind !== "file" || !(year < before)) continue;
      const to = await freePath(`/archive/${year}`, entry.name);
      await files.move({ from: entry.path, to });
      moved.push(to);
    }
    return { moved };
  },
});
