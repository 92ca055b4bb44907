/**
 * Task: Work through the open queue: answer frequent questions from our text blocks, escalate bugs to engineering, leave the rest. One reply per ticket, no refunds.
 * Verdict: broken — repliesOncePerTicket()
 * Why: A ticket is marked as handled only when its handling succeeds, so a duplicate after a failed status change is answered again.
 * Features: discriminated union, function table, labeled loop with continue, Set, Map cache, switch with exhaustive cases, try/catch, stats object, sort with rank table
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

type Decision =
  | { kind: "answer"; text: string; solve: boolean }
  | { kind: "bug"; note: string }
  | { kind: "leave"; why: string };

const BLOCKS: { pattern: RegExp; text: string; solve: boolean }[] = [
  {
    pattern: /invoice copy|copy of (my|the) invoice/i,
    text: "You find all invoices under Account, Billing.",
    solve: true,
  },
  {
    pattern: /change (my )?(email|address)/i,
    text: "You can change your data under Account, Profile.",
    solve: true,
  },
  {
    pattern: /where is my (order|parcel)/i,
    text: "We are checking with the carrier and will write to you tomorrow.",
    solve: false,
  },
];

const RANK: Record<tickets.Priority, number> = { urgent: 0, high: 1, normal: 2, low: 3 };

function decide(t: tickets.Ticket): Decision {
  if (t.comments.some((c) => c.author === "agent" && c.public))
    return { kind: "leave", why: "already answered" };
  const text = `${t.subject}\n${t.body}`;
  const block = BLOCKS.find((b) => b.pattern.test(text));
  if (block) return { kind: "answer", text: block.text, solve: block.solve };
  if (/\b(crash|exception|stack trace|error \d{3})\b/i.test(text)) {
    return { kind: "bug", note: text.slice(0, 500) };
  }
  return { kind: "leave", why: "needs a human" };
}

export default program({
  guarantees: [
    tickets.repliesOncePerTicket(),
    tickets.solvedOnlyAfterReply(),
    tickets.escalatesOnlyTo("engineering"),
    tickets.neverRefunds(),
    tickets.neverCloses(),
  ],
  async run({ maxTickets = 40 }: { maxTickets?: number }) {
    const handled = new Set<string>();
    const stats = { answered: 0, escalated: 0, left: 0, failed: 0 };

    queue: for (let page = 1; page <= 10; page++) {
      const result = await tickets.searchTickets({ status: "open", page });
      const batch = result.tickets
        .filter((t) => t.status === "open")
        .sort((a, b) => RANK[a.priority] - RANK[b.priority] || a.createdAt.localeCompare(b.createdAt));

      for (const t of batch) {
        if (handled.size >= maxTickets) break queue;
        if (handled.has(t.id)) continue;
        const decision = decide(t);
        try {
          switch (decision.kind) {
            case "answer":
              await tickets.reply({ ticketId: t.id, text: `Hello,\n\n${decision.text}`, public: true });
              await tickets.setStatus({ ticketId: t.id, status: decision.solve ? "solved" : "pending" });
              stats.answered++;
              break;
            case "bug":
              await tickets.escalate({ ticketId: t.id, team: "engineering", note: decision.note });
              stats.escalated++;
              break;
            case "leave":
              stats.left++;
              break;
          }
          handled.add(t.id);
        } catch (e) {
          stats.failed++;
          console.log(`${t.id}: ${String(e)}`);
        }
      }
      if (!result.hasMore) break;
    }

    return { seen: handled.size, ...stats };
  },
});
