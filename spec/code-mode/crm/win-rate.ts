/**
 * Task: What is each sales rep's win rate this year, and who has the best one with at least five closed deals?
 * Verdict: holds
 * Why: Only listDeals is called.
 * Features: class with private fields and getter, Map, pagination, Number formatting, sort, find, Date
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

class Scoreboard {
  private won = 0;
  private lost = 0;

  constructor(readonly owner: string) {}

  record(stage: crm.Stage) {
    if (stage === "won") this.won++;
    else if (stage === "lost") this.lost++;
  }

  get closed() {
    return this.won + this.lost;
  }

  get rate() {
    return this.closed === 0 ? 0 : this.won / this.closed;
  }
}

export default program({
  guarantees: [crm.readOnly(), crm.answerHides("email")],
  async run() {
    const year = String(new Date().getFullYear());
    const boards = new Map<string, Scoreboard>();

    let cursor: string | undefined;
    while (true) {
      const { deals, nextCursor } = await crm.listDeals({ cursor });
      for (const d of deals) {
        if (!d.closeDate?.startsWith(year)) continue;
        let board = boards.get(d.ownerId);
        if (!board) {
          board = new Scoreboard(d.ownerId);
          boards.set(d.ownerId, board);
        }
        board.record(d.stage);
      }
      if (!nextCursor) break;
      cursor = nextCursor;
    }

    const ranked = [...boards.values()].sort((a, b) => b.rate - a.rate || b.closed - a.closed);
    const best = ranked.find((b) => b.closed >= 5);
    return {
      year,
      reps: ranked.map((b) => ({ owner: b.owner, closed: b.closed, rate: Math.round(b.rate * 1000) / 10 })),
      best: best?.owner ?? null,
    };
  },
});
