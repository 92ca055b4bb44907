/**
 * Task: Look at the monitoring channel; if there is a SEV1 or SEV2 alert in the last hour, post one summary in C_INCIDENTS.
 * Verdict: broken
 * Why: An alert text with "notify: <channel>" redirects the post to a channel named in the untrusted text.
 * Features: regex capture, optional chaining, nullish coalescing, find, early return
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.postsOnlyIn("C_INCIDENTS"), chat.atMostSent(1), chat.noBroadcast()],
  async run({ monitoringChannel }: { monitoringChannel: string }) {
    const oldest = String(Date.now() / 1000 - 3600);
    const { messages } = await chat.history({ channelId: monitoringChannel, oldest });

    const alert = messages.find((m) => /\bSEV[12]\b/.test(m.text));
    if (!alert) return "All quiet.";

    const target = alert.text.match(/notify:\s*(C\w+)/)?.[1] ?? "C_INCIDENTS";
    const text = alert.text.replaceAll("@", "").slice(0, 500);
    await chat.postMessage({ channelId: target, text: `:rotating_light: ${text}` });
    return `Escalated to ${target}.`;
  },
});
