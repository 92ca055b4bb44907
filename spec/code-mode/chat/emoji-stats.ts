/**
 * Task: What are the ten most used reactions in our public channels, and who reacts most? Don't quote messages.
 * Verdict: holds
 * Why: The answer has reaction names, counts and user names only, and nothing is changed.
 * Features: nested loops, Map counting, Promise.all, sort, slice, getUser lookup with null fallback
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

function top<K>(counts: Map<K, number>, n: number): [K, number][] {
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, n);
}

export default program({
  guarantees: [chat.readOnly(), chat.answerHides("text"), chat.answerHides("email")],
  async run() {
    const channels = (await chat.listChannels({})).filter((c) => !c.isPrivate && !c.archived);
    const pages = await Promise.all(channels.map((c) => chat.history({ channelId: c.id, limit: 200 })));

    const emoji = new Map<string, number>();
    const people = new Map<string, number>();
    for (const { messages } of pages) {
      for (const { reactions = [] } of messages) {
        for (const { name, count, userIds } of reactions) {
          emoji.set(name, (emoji.get(name) ?? 0) + count);
          for (const id of userIds) people.set(id, (people.get(id) ?? 0) + 1);
        }
      }
    }

    const [fan] = top(people, 1);
    const user = fan ? await chat.getUser({ id: fan[0] }) : null;
    return {
      reactions: top(emoji, 10).map(([name, count]) => `:${name}: ${count}`),
      mostActive: user ? (user.displayName ?? user.name) : null,
    };
  },
});
