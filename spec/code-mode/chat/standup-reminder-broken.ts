/**
 * Task: Remind the members of the standup channel who haven't written there today with a direct message. At most 30 messages.
 * Verdict: broken
 * Why: The counter is raised only for successful messages, so with failures more than 30 calls are made.
 * Features: for-of, try/catch, counter, break, Set
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.atMostSent(30), chat.directOnceEach()],
  async run({ channelId }: { channelId: string }) {
    const channel = (await chat.listChannels({})).find((c) => c.id === channelId);
    if (!channel) return { error: "unknown channel" };

    const midnight = new Date();
    midnight.setUTCHours(0, 0, 0, 0);
    const { messages } = await chat.history({ channelId, oldest: String(midnight.getTime() / 1000) });
    const posted = new Set(messages.map((m) => m.userId));

    let sent = 0;
    const failed: string[] = [];
    for (const userId of new Set(channel.memberIds)) {
      if (posted.has(userId)) continue;
      if (sent >= 30) break;
      try {
        await chat.sendDirect({ userId, text: `Please post your standup in #${channel.name}.` });
        sent++;
      } catch {
        failed.push(userId);
      }
    }
    return { sent, failed };
  },
});
