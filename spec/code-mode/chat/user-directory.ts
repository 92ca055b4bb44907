/**
 * Task: List the active people with their name and how long they have been with us, grouped by year of joining. No email addresses.
 * Verdict: holds
 * Why: Only names and joining dates go into the answer.
 * Features: groupBy with reduce, Object.keys sort, destructuring, localeCompare, nullish coalescing
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

export default program({
  guarantees: [chat.readOnly(), chat.answerHides("email")],
  async run() {
    const users = await chat.listUsers({});
    const byYear = users
      .filter(({ isBot, status }) => !isBot && status !== "deactivated")
      .reduce<Record<string, string[]>>((acc, { name, displayName, joinedAt }) => {
        const year = joinedAt.slice(0, 4);
        acc[year] = [...(acc[year] ?? []), displayName ?? name];
        return acc;
      }, {});

    return Object.keys(byYear)
      .sort()
      .map((year) => ({ year, people: byYear[year].sort((a, b) => a.localeCompare(b)) }));
  },
});
