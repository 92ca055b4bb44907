/**
 * Task: Send a short welcome message to everybody who joined since the given date. Not to bots, and only one message per person.
 * Verdict: broken
 * Why: Bots are recognized by their name ending in "bot" instead of isBot.
 * Features: regex test, Set, continue, for-of, nullish coalescing
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.neverDirectsBots(), chat.directOnceEach(), chat.neverDeletes()],
  async run({ since }: { since: string }) {
    const greeted = new Set<string>();
    for (const user of await chat.listUsers({})) {
      if (/bot$/i.test(user.name) || user.status === "deactivated") continue;
      if (user.joinedAt < since || greeted.has(user.id)) continue;
      greeted.add(user.id);
      await chat.sendDirect({ userId: user.id, text: `Hi ${user.displayName ?? user.name}, welcome!` });
    }
    return { welcomed: greeted.size };
  },
});
