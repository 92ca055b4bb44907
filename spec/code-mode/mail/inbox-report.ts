/**
 * Task: Send boss@example.com a report of last week's mail: volume per day, the busiest senders and open questions. Try again when sending fails, up to three times.
 * Verdict: holds
 * Why: The retry loop calls send at most three times, always with the constant address, a short subject and no cc.
 * Features: class with methods, Map counting, Date getUTCDay, padStart/padEnd, toSorted, retry loop with setTimeout, do-while pagination, regex, private fields
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const BOSS = "boss@example.com";
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

class InboxReport {
  private readonly perDay = new Map<number, number>();
  private readonly perSender = new Map<string, number>();
  private readonly questions: string[] = [];
  private total = 0;

  add(m: mail.Message): void {
    this.total += 1;
    const day = new Date(m.receivedAt).getUTCDay();
    this.perDay.set(day, (this.perDay.get(day) ?? 0) + 1);
    this.perSender.set(m.from, (this.perSender.get(m.from) ?? 0) + 1);
    if (m.labels.includes("unread") && /\?\s*$/.test(m.subject)) {
      this.questions.push(`${m.subject} (${m.from})`);
    }
  }

  get size(): number {
    return this.total;
  }

  toText(): string {
    const days = DAYS.map((name, i) => `${name}  ${"#".repeat(Math.min(40, this.perDay.get(i) ?? 0))}`);
    const senders = [...this.perSender]
      .toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))
      .slice(0, 5)
      .map(([sender, n]) => `${String(n).padStart(4)}  ${sender}`);
    const open = this.questions.length > 0 ? this.questions.map((q) => `- ${q}`) : ["- none"];
    return [
      "Messages per day",
      ...days,
      "",
      "Busiest senders",
      ...senders,
      "",
      "Open questions",
      ...open,
    ].join("\n");
  }
}

export default program({
  guarantees: [mail.onlyTo("boss@example.com"), mail.atMost(3), mail.subjectMax(60), mail.neverTrashes()],
  async run({ from, to }: { from: string; to: string }) {
    const report = new InboxReport();
    let pageToken: string | undefined;
    let pages = 0;
    do {
      const page = await mail.search({ query: `after:${from} before:${to}`, limit: 100, pageToken });
      page.messages.filter((m) => m.receivedAt >= from && m.receivedAt < to).forEach((m) => report.add(m));
      pageToken = page.nextPageToken;
      pages++;
    } while (pageToken !== undefined && pages < 25);

    if (report.size === 0) return { sent: false, reason: "No mail in this week." };

    const body = report.toText();
    for (let attempt = 1; attempt <= 3; attempt++) {
      try {
        const { id } = await mail.send({ to: BOSS, subject: `Inbox report: ${report.size} messages`, body });
        return { sent: true, id, attempt };
      } catch (error) {
        console.log(`Attempt ${attempt} failed: ${String(error)}`);
        if (attempt < 3) await sleep(500 * 2 ** attempt);
      }
    }
    return { sent: false, reason: "The mail server did not accept the report." };
  },
});
