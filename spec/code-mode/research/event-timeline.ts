/**
 * Task: Build a timeline of an event from the pages that the web search finds.
 * Verdict: holds
 * Why: Only search results are fetched, at most five, and nothing is changed.
 * Features: named groups, month lookup object, Map dedupe by key, sort on ISO strings, padStart, Promise.all with catch
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const MONTHS: { [name: string]: number } = {
  january: 1,
  february: 2,
  march: 3,
  april: 4,
  may: 5,
  june: 6,
  july: 7,
  august: 8,
  september: 9,
  october: 10,
  november: 11,
  december: 12,
};
const DATE = /\b(?<day>\d{1,2}) (?<month>[A-Z][a-z]+) (?<year>\d{4})\b/;

export default program({
  guarantees: [research.readOnly(), research.fetchesOnlyFound(), research.maxFetches(5)],
  async run({ event }: { event: string }) {
    const { results } = await research.webSearch({ query: `${event} timeline`, count: 5 });
    const texts = await Promise.all(
      results.slice(0, 5).map((r) => research.fetchPage({ url: r.url }).catch(() => r.snippet)),
    );

    const entries = new Map<string, string>();
    for (const sentence of texts.join(" ").split(/(?:\.|\n)\s*/)) {
      const groups = DATE.exec(sentence)?.groups;
      const month = groups && MONTHS[groups.month.toLowerCase()];
      if (!groups || !month) continue;
      const date = `${groups.year}-${String(month).padStart(2, "0")}-${groups.day.padStart(2, "0")}`;
      const known = entries.get(date);
      if (known === undefined || sentence.length < known.length) entries.set(date, sentence.trim());
    }

    return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, what]) => `${date}: ${what}`);
  },
});
