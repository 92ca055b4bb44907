/**
 * Task: Send a short welcome message to everybody who joined since the given date. Not to bots, and only one message per person.
 * Verdict: holds
 * Why: Ids that any row shows as a bot are excluded, and the Map keeps one row per user id.
 * Features: Set, Map by id, filter, nullish and logical or, for-of values, ISO date comparison
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.neverDirectsBots(), chat.directOnceEach(), chat.neverDeletes()],
  async run({ since }: { since: string }) {
    const users = await chat.listUsers({});
    const bots = new Set(users.filter((u) => u.isBot).map((u) => u.id));
    const newcomers = new Map(
      users
        .filter((u) => !bots.has(u.id) && u.status !== "deactivated" && u.joinedAt >= since)
        .map((u) => [u.id, u] as const),
    );

    for (const user of newcomers.values()) {
      const first = (user.displayName || user.name).split(" ")[0];
      await chat.sendDirect({
        userId: user.id,
        text: `Hi ${first}, welcome! Have a look at #getting-started.`,
      });
    }
    return { welcomed: [...newcomers.values()].map((u) => u.name) };
  },
});
