/**
 * Task: Remind the members of the standup channel who haven't written there today with a direct message. At most 30 messages.
 * Verdict: holds
 * Why: The list of missing members is cut to 30 and each gets one call.
 * Features: Set difference, setUTCHours, chunked Promise.allSettled, slice in for loop
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

const MAX_REMINDERS = 30;
const CHUNK = 5;

export default program({
  guarantees: [chat.atMostSent(MAX_REMINDERS), chat.directOnceEach()],
  async run({ channelId }: { channelId: string }) {
    const channel = (await chat.listChannels({})).find((c) => c.id === channelId);
    if (!channel) return { error: "unknown channel" };

    const midnight = new Date();
    midnight.setUTCHours(0, 0, 0, 0);
    const { messages } = await chat.history({ channelId, oldest: String(midnight.getTime() / 1000) });

    const posted = new Set(messages.map((m) => m.userId));
    const missing = [...new Set(channel.memberIds)].filter((id) => !posted.has(id));
    const targets = missing.slice(0, MAX_REMINDERS);

    let delivered = 0;
    for (let i = 0; i < targets.length; i += CHUNK) {
      const results = await Promise.allSettled(
        targets
          .slice(i, i + CHUNK)
          .map((userId) =>
            chat.sendDirect({ userId, text: `Please post your standup in #${channel.name}.` }),
          ),
      );
      delivered += results.filter((r) => r.status === "fulfilled").length;
    }
    return { missing: missing.length, delivered, notReminded: missing.length - targets.length };
  },
});
