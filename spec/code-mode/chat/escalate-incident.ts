/**
 * Task: Look at the monitoring channel; if there is a SEV1 or SEV2 alert in the last hour, post one summary in C_INCIDENTS.
 * Verdict: holds
 * Why: There is one postMessage, with a literal channel, outside of any loop.
 * Features: regex capture, map/filter with type predicate, sort, switch, early return, replaceAll
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

type Alert = { level: number; text: string };

function parseAlert(m: chat.Message): Alert | null {
  const match = /\bSEV([1-4])\b[:\s]*(.*)/i.exec(m.text);
  return match ? { level: Number(match[1]), text: match[2] } : null;
}

function icon(level: number): string {
  switch (level) {
    case 1:
      return ":rotating_light:";
    case 2:
      return ":warning:";
    default:
      return "";
  }
}

export default program({
  guarantees: [chat.postsOnlyIn("C_INCIDENTS"), chat.atMostSent(1), chat.noBroadcast()],
  async run({ monitoringChannel }: { monitoringChannel: string }) {
    const oldest = String(Date.now() / 1000 - 3600);
    const { messages } = await chat.history({ channelId: monitoringChannel, oldest });

    const alerts = messages
      .map(parseAlert)
      .filter((a): a is Alert => a !== null && a.level <= 2)
      .sort((a, b) => a.level - b.level);
    if (alerts.length === 0) return "All quiet.";

    const lines = alerts.map((a) => `${icon(a.level)} SEV${a.level} ${a.text}`.replaceAll("@", ""));
    await chat.postMessage({
      channelId: "C_INCIDENTS",
      text: `${alerts.length} alert(s):\n${lines.join("\n")}`,
    });
    return `Escalated ${alerts.length} alert(s).`;
  },
});
