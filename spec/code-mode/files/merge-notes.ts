/**
 * Task: Merge all Markdown notes of a folder into one document /out/<title>.md with a heading per note. Don't overwrite anything.
 * Verdict: holds
 * Why: The file name is a slug of letters, digits and dashes below /out/ and overwrite is never set.
 * Features: slug with regex, Promise.all reading, sort, join, default for empty slug, endsWith
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

const slugify = (s: string) =>
  s
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");

export default program({
  guarantees: [
    files.writesOnlyUnder("/out/"),
    files.neverOverwrites(),
    files.writesAtMost(1),
    files.neverRemoves(),
  ],
  async run({ folder, title }: { folder: string; title: string }) {
    const notes = (await files.list({ folder }))
      .filter((e) => e.kind === "file" && e.name.endsWith(".md"))
      .sort((a, b) => a.name.localeCompare(b.name));
    if (notes.length === 0) return "No notes found.";

    const parts = await Promise.all(
      notes.map(
        async (n) => `## ${n.name.replace(/\.md$/, "")}\n\n${(await files.read({ path: n.path })).trim()}`,
      ),
    );
    const path = `/out/${slugify(title) || "notes"}.md`;
    const { version } = await files.write({ path, content: `# ${title}\n\n${parts.join("\n\n")}\n` });
    return `Merged ${notes.length} notes into ${path} (version ${version}).`;
  },
});
