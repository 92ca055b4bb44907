/**
 * Task: Post this status update in C_STATUS, 200 characters at most.
 * Verdict: holds
 * Why: One post in a literal channel with a text cut to 200 characters.
 * Features: slice, await
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.postsOnlyIn("C_STATUS"), chat.textAtMost(200), chat.atMostSent(1)],
  async run({ text }: { text: string }) {
    await chat.postMessage({ channelId: "C_STATUS", text: text.slice(0, 200) });
    return text.length > 200 ? "Posted (shortened)." : "Posted.";
  },
});
