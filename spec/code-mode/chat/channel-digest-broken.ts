/**
 * Task: Post a digest of yesterday's messages of a channel to the digest channel C_DIGEST, without pinging everybody and not longer than 4000 characters.
 * Verdict: broken
 * Why: Removing the pings one after the other can create one: "@chan@herenel" becomes "@channel".
 * Features: chained replaceAll, filter, slice, join
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

function withoutPings(text: string): string {
  return text.replaceAll("@channel", "").replaceAll("@everyone", "").replaceAll("@here", "");
}

export default program({
  guarantees: [chat.postsOnlyIn("C_DIGEST"), chat.noBroadcast(), chat.textAtMost(4000), chat.atMostSent(1)],
  async run({ channelId }: { channelId: string }) {
    const oldest = (Date.now() / 1000 - 86_400).toFixed(6);
    const { messages } = await chat.history({ channelId, oldest, limit: 500 });

    const popular = messages
      .filter((m) => (m.reactions ?? []).some((r) => r.count >= 3))
      .map((m) => `• ${m.text.slice(0, 120)}`);
    const digest = withoutPings(`*Digest*: ${messages.length} messages\n${popular.join("\n")}`);

    await chat.postMessage({ channelId: "C_DIGEST", text: digest.slice(0, 4000) });
    return { messages: messages.length, highlighted: popular.length };
  },
});
