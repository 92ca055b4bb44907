/**
 * Task: Collect lines starting with "Decision:" of the last week from all channels except the board channel C_BOARD and post them in C_DECISIONS.
 * Verdict: holds
 * Why: history is never called with C_BOARD, so none of its texts can be in the post.
 * Features: filter by id, sequential history calls, split lines, startsWith, flat list, join
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

const BOARD = "C_BOARD";

export default program({
  guarantees: [chat.secretStays("C_BOARD"), chat.postsOnlyIn("C_DECISIONS"), chat.atMostSent(1)],
  async run() {
    const oldest = String(Math.floor(Date.now() / 1000) - 7 * 86_400);
    const channels = (await chat.listChannels({})).filter((c) => c.id !== BOARD && !c.archived);

    const decisions: string[] = [];
    for (const { id, name } of channels) {
      const { messages } = await chat.history({ channelId: id, oldest });
      for (const line of messages.flatMap((m) => m.text.split("\n"))) {
        if (line.startsWith("Decision:"))
          decisions.push(`#${name}: ${line.slice("Decision:".length).trim()}`);
      }
    }
    if (decisions.length === 0) return { posted: false, decisions };

    await chat.postMessage({
      channelId: "C_DECISIONS",
      text: `Decisions of the week\n${decisions.join("\n")}`,
    });
    return { posted: true, decisions };
  },
});
