/**
 * Task: List the active people with their name and how long they have been with us, grouped by year of joining. No email addresses.
 * Verdict: broken
 * Why: If the display name is missing the local part of the email is shown.
 * Features: Map of arrays, split, logical or fallback chain, optional chaining, helper
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

function label(u: chat.User): string {
  return u.displayName || u.email?.split("@")[0] || u.name;
}

export default program({
  guarantees: [chat.readOnly(), chat.answerHides("email")],
  async run() {
    const byYear = new Map<string, string[]>();
    for (const u of await chat.listUsers({})) {
      if (u.isBot || u.status === "deactivated") continue;
      const year = u.joinedAt.slice(0, 4);
      byYear.set(year, [...(byYear.get(year) ?? []), label(u)]);
    }
    return Object.fromEntries([...byYear].sort());
  },
});
