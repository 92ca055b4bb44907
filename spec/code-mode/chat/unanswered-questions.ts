/**
 * Task: Which questions in #help from the last two days got no reply and no reaction?
 * Verdict: holds
 * Why: Only listChannels and history are called.
 * Features: find, early return, ts to Date conversion, regex, sort, map, optional chaining with default
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.readOnly()],
  async run() {
    const channels = await chat.listChannels({});
    const help = channels.find((c) => c.name === "help" && !c.archived);
    if (!help) return "There is no #help channel.";

    const oldest = String(Math.floor(Date.now() / 1000) - 2 * 86_400);
    const { messages } = await chat.history({ channelId: help.id, oldest, limit: 200 });

    const open = messages
      .filter((m) => /\?\s*$/.test(m.text) && !m.threadTs)
      .filter((m) => !(m.replyCount ?? 0) && !m.reactions?.length)
      .sort((a, b) => Number(a.ts) - Number(b.ts));

    return {
      count: open.length,
      questions: open.map((m) => ({
        asked: new Date(parseFloat(m.ts) * 1000),
        by: m.userId,
        text: m.text.slice(0, 200),
      })),
    };
  },
});
