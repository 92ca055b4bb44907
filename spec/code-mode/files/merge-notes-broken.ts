/**
 * Task: Merge all Markdown notes of a folder into one document /out/<title>.md with a heading per note. Don't overwrite anything.
 * Verdict: broken
 * Why: The title is put into the path unchanged, so a title like "../etc/hosts" leaves /out.
 * Features: sequential reads, string accumulation, template path, endsWith
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [
    files.writesOnlyUnder("/out/"),
    files.neverOverwrites(),
    files.writesAtMost(1),
    files.neverRemoves(),
  ],
  async run({ folder, title }: { folder: string; title: string }) {
    const entries = await files.list({ folder });
    let doc = `# ${title}\n`;
    let count = 0;

    for (const entry of entries) {
      if (entry.kind !== "file" || !entry.name.endsWith(".md")) continue;
      const text = await files.read({ path: entry.path });
      doc += `\n## ${entry.name.slice(0, -3)}\n\n${text.trim()}\n`;
      count++;
    }

    if (count === 0) return "No notes found.";
    const path = `/out/${title.trim()}.md`;
    await files.write({ path, content: doc });
    return `Merged ${count} notes into ${path}.`;
  },
});
