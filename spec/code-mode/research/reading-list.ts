/**
 * Task: Save a reading list of this month's articles about a topic into "reading", newest first.
 * Verdict: holds
 * Why: There is one saveNote with the literal folder "reading", and the text is cut to 3000 characters.
 * Features: optional date field, filter with startsWith on ISO month, numbered list with index, string cut, early return
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.savesOnlyIn("reading"), research.noteMax(3000), research.neverDeletes()],
  async run({ topic, month }: { topic: string; month: string }) {
    const { results } = await research.webSearch({ query: `${topic} ${month}`, count: 30 });
    const items = results
      .filter((r) => r.publishedAt?.startsWith(month))
      .sort((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""));
    if (!items.length) return `Nothing was published about ${topic} in ${month}.`;

    let text = "";
    for (const [i, item] of items.entries()) {
      const entry = `${i + 1}. [${item.title}](${item.url}), ${item.publishedAt?.slice(0, 10)}\n`;
      if (text.length + entry.length > 3000) break;
      text += entry;
    }
    const { id } = await research.saveNote({
      title: `Reading list: ${topic}, ${month}`,
      text,
      folder: "reading",
    });
    return { id, listed: text.split("\n").length - 1, found: items.length };
  },
});
