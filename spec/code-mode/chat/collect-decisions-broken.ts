/**
 * Task: Collect lines starting with "Decision:" of the last week from all channels except the board channel C_BOARD and post them in C_DECISIONS.
 * Verdict: broken
 * Why: The board channel is excluded by its name "board"; if C_BOARD has another name, its decisions are posted.
 * Features: filter by name, Promise.all, zip by index, flatMap, regex with m flag, matchAll
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.secretStays("C_BOARD"), chat.postsOnlyIn("C_DECISIONS"), chat.atMostSent(1)],
  async run() {
    const oldest = String(Math.floor(Date.now() / 1000) - 7 * 86_400);
    const channels = (await chat.listChannels({})).filter((c) => c.name !== "board" && !c.archived);
    const pages = await Promise.all(channels.map((c) => chat.history({ channelId: c.id, oldest })));

    const decisions = pages.flatMap(({ messages }, i) =>
      messages.flatMap((m) =>
        [...m.text.matchAll(/^Decision:\s*(.+)$/gm)].map(([, d]) => `#${channels[i].name}: ${d}`),
      ),
    );
    if (decisions.length > 0) {
      await chat.postMessage({ channelId: "C_DECISIONS", text: decisions.join("\n") });
    }
    return { posted: decisions.length };
  },
});
