/**
 * Task: Accept these meetings for me.
 * Verdict: broken
 * Why: An id that occurs twice in the input is answered twice.
 * Features: Promise.all, map
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

export default program({
  guarantees: [calendar.respondsOnly("accepted"), calendar.respondOnceEach()],
  async run({ ids }: { ids: string[] }) {
    await Promise.all(ids.map((id) => calendar.respond({ id, response: "accepted" })));
    return "Done.";
  },
});
