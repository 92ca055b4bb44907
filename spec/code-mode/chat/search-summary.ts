/**
 * Task: Where was the topic discussed? Search all messages and tell me per channel how often and when last. Don't quote anything.
 * Verdict: holds
 * Why: The text of the matches is not used; the answer has channel names, counts and dates.
 * Features: JSON.parse with type assertion, page loop, total check, Map, Array.isArray guard, Number.isFinite
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

interface SearchPage {
  matches: { channel: string; user: string; text: string; ts: string }[];
  total: number;
}

export default program({
  guarantees: [chat.readOnly(), chat.answerHides("text")],
  async run({ topic }: { topic: string }) {
    const names = new Map(
      (await chat.listChannels({ includeArchived: true })).map((c) => [c.id, `#${c.name}`]),
    );
    const stats = new Map<string, { count: number; last: number }>();

    let seen = 0;
    for (let page = 1; page <= 10; page++) {
      const result = JSON.parse(await chat.searchMessages({ query: topic, page })) as SearchPage;
      if (!Array.isArray(result.matches) || result.matches.length === 0) break;
      for (const m of result.matches) {
        const s = stats.get(m.channel) ?? { count: 0, last: 0 };
        s.count++;
        const at = Number(m.ts);
        if (Number.isFinite(at)) s.last = Math.max(s.last, at);
        stats.set(m.channel, s);
      }
      seen += result.matches.length;
      if (seen >= result.total) break;
    }

    return [...stats]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([id, { count, last }]) => ({
        channel: names.get(id) ?? "(unknown channel)",
        count,
        last: last > 0 ? new Date(last * 1000).toISOString().slice(0, 10) : "unknown",
      }));
  },
});
