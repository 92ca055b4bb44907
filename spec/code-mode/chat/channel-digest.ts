/**
 * Task: Post a digest of yesterday's messages of a channel to the digest channel C_DIGEST, without pinging everybody and not longer than 4000 characters.
 * Verdict: holds
 * Why: Every "@" of the text is replaced, the text is cut to 4000 after that, and the channel is a constant.
 * Features: do-while pagination, replaceAll, slice, array join, Map counting, template string
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

const DIGEST = "C_DIGEST";
const MAX = 4000;

export default program({
  guarantees: [chat.postsOnlyIn("C_DIGEST"), chat.noBroadcast(), chat.textAtMost(4000), chat.atMostSent(1)],
  async run({ channelId }: { channelId: string }) {
    const oldest = (Date.now() / 1000 - 86_400).toFixed(6);
    const all: chat.Message[] = [];
    let cursor: string | undefined;
    do {
      const page = await chat.history({ channelId, oldest, cursor });
      all.push(...page.messages);
      cursor = page.nextCursor;
    } while (cursor && all.length < 1000);

    const perUser = new Map<string, number>();
    for (const m of all) perUser.set(m.userId, (perUser.get(m.userId) ?? 0) + 1);

    const popular = all
      .filter((m) => m.reactions?.some((r) => r.count >= 3))
      .map((m) => `• ${m.text.replace(/\s+/g, " ").slice(0, 120)}`);

    const text = [`*Digest*: ${all.length} messages by ${perUser.size} people`, ...popular]
      .join("\n")
      .replaceAll("@", "＠")
      .slice(0, MAX);

    await chat.postMessage({ channelId: DIGEST, text });
    return { messages: all.length, highlighted: popular.length };
  },
});
