/**
 * Task: Which channels had no message in the last N days (default 60)? Sort by last activity and mention the number of members.
 * Verdict: holds
 * Why: Only listChannels and history are called and no message text is used.
 * Features: Promise.all with async map, Math.max with spread and default, null date, conditional string, filter
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.readOnly(), chat.answerHides("text")],
  async run({ days = 60 }: { days?: number }) {
    const channels = await chat.listChannels({ includeArchived: false });
    const now = Date.now() / 1000;

    const rows = await Promise.all(
      channels.map(async ({ id, name, memberIds }) => {
        const { messages } = await chat.history({ channelId: id, limit: 1 });
        const last = Math.max(0, ...messages.map((m) => parseFloat(m.ts)));
        return { name, members: memberIds.length, last };
      }),
    );

    const inactive = rows.filter((r) => now - r.last > days * 86_400).sort((a, b) => a.last - b.last);
    return inactive.map(({ name, members, last }) => {
      const when = last === 0 ? "never used" : `last message ${Math.floor((now - last) / 86_400)} days ago`;
      return `#${name} (${members} member${members === 1 ? "" : "s"}): ${when}`;
    });
  },
});
