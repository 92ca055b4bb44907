/**
 * Task: How long are the chapters in this folder? Words per file and in total; don't show any of the text.
 * Verdict: holds
 * Why: From each text only the number of words is used.
 * Features: Promise.all, split with regex, filter(Boolean), reduce, sort with numeric collation
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.readOnly(), files.contentsHidden()],
  async run({ folder }: { folder: string }) {
    const chapters = (await files.list({ folder }))
      .filter((e) => e.kind === "file" && /\.(md|txt)$/.test(e.name))
      .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));

    const counts = await Promise.all(
      chapters.map(async ({ name, path }) => {
        const text = await files.read({ path });
        return { name, words: text.split(/\s+/).filter(Boolean).length };
      }),
    );
    return { chapters: counts, total: counts.reduce((n, c) => n + c.words, 0) };
  },
});
