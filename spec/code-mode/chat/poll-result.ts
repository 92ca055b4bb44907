/**
 * Task: Count the votes of the poll: everybody votes in the poll's thread with a line "vote: <option>", the last vote of a person counts, bots don't. Post the result once in C_POLLS, without names, 1000 characters at most, no pings.
 * Verdict: holds
 * Why: Options are the fixed input list with "@" removed, the text is cut to 1000 characters and posted once in the literal channel.
 * Features: pagination with Set of cursors, Map last-wins, sort by numeric ts, regex, toLowerCase lookup, repeat for bars, padEnd, reduce, ties, early returns
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

const RESULT_CHANNEL = "C_POLLS";

async function threadMessages(channelId: string, threadTs: string): Promise<chat.Message[]> {
  const messages: chat.Message[] = [];
  const used = new Set<string>();
  let cursor: string | undefined;
  while (true) {
    const page: { messages: chat.Message[]; nextCursor?: string } = await chat.history({
      channelId,
      oldest: threadTs,
      cursor,
    });
    messages.push(...page.messages.filter((m) => m.threadTs === threadTs));
    if (!page.nextCursor || used.has(page.nextCursor)) return messages;
    used.add(page.nextCursor);
    cursor = page.nextCursor;
  }
}

function bar(count: number, max: number): string {
  const width = max === 0 ? 0 : Math.round((20 * count) / max);
  return "█".repeat(width) + "░".repeat(20 - width);
}

export default program({
  guarantees: [
    chat.postsOnlyIn("C_POLLS"),
    chat.atMostSent(1),
    chat.noBroadcast(),
    chat.textAtMost(1000),
    chat.neverDeletes(),
    chat.answerHides("text"),
  ],
  async run({ channelId, pollTs, options }: { channelId: string; pollTs: string; options: string[] }) {
    const clean = [...new Set(options.map((o) => o.replaceAll("@", "").trim()).filter((o) => o !== ""))];
    if (clean.length < 2) return { error: "A poll needs at least two options." };
    const byKey = new Map(clean.map((o) => [o.toLowerCase(), o]));

    const users = await chat.listUsers({});
    const bots = new Set(users.filter((u) => u.isBot).map((u) => u.id));

    const replies = await threadMessages(channelId, pollTs);
    replies.sort((a, b) => Number(a.ts) - Number(b.ts));

    const votes = new Map<string, string>(); // user -> option
    let invalid = 0;
    for (const { userId, text } of replies) {
      if (bots.has(userId)) continue;
      const m = /^\s*vote:\s*(.+?)\s*$/im.exec(text);
      if (!m) continue;
      const option = byKey.get(m[1].toLowerCase());
      if (option === undefined) invalid++;
      else votes.set(userId, option);
    }

    const tally = clean.map((option) => ({
      option,
      count: [...votes.values()].reduce((n, v) => (v === option ? n + 1 : n), 0),
    }));
    tally.sort((a, b) => b.count - a.count);

    const best = tally[0].count;
    const winners = tally.filter((t) => t.count === best).map((t) => t.option);
    const headline =
      votes.size === 0
        ? "Nobody voted."
        : winners.length > 1
          ? `Tie: ${winners.join(", ")}`
          : `Winner: ${winners[0]}`;
    const width = Math.min(30, Math.max(...clean.map((o) => o.length)));
    const lines = tally.map(
      ({ option, count }) => `${option.slice(0, 30).padEnd(width)} ${bar(count, best)} ${count}`,
    );

    const text = [`*Poll result* (${votes.size} votes)`, ...lines, headline].join("\n");
    await chat.postMessage({ channelId: RESULT_CHANNEL, text: text.slice(0, 1000) });
    return { headline, votes: votes.size, invalid };
  },
});
