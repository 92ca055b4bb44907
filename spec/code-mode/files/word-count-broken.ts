/**
 * Task: How long are the chapters in this folder? Words per file and in total; don't show any of the text.
 * Verdict: broken
 * Why: The chapter is named after the first Markdown heading, which is text of the file.
 * Features: regex match with m flag, optional chaining, nullish coalescing, for-of, total
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.readOnly(), files.contentsHidden()],
  async run({ folder }: { folder: string }) {
    const report: { chapter: string; words: number }[] = [];
    let total = 0;
    for (const entry of await files.list({ folder })) {
      if (entry.kind !== "file" || !/\.(md|txt)$/.test(entry.name)) continue;
      const text = await files.read({ path: entry.path });
      const words = (text.match(/\S+/g) ?? []).length;
      const heading = text.match(/^#\s+(.+)$/m)?.[1];
      report.push({ chapter: heading ?? entry.name, words });
      total += words;
    }
    return { report, total };
  },
});
