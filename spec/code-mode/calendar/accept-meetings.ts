/**
 * Task: Accept these meetings for me.
 * Verdict: holds
 * Why: The ids go through a Set and the response is a literal.
 * Features: Set, for-of
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

export default program({
  guarantees: [calendar.respondsOnly("accepted"), calendar.respondOnceEach()],
  async run({ ids }: { ids: string[] }) {
    for (const id of new Set(ids)) await calendar.respond({ id, response: "accepted" });
  },
});
