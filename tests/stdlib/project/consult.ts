/** Asks a person about a winner and about reserves. */
import { program } from "foreclaim";
import * as ask from "./tools/ask.ts";

export default program({
  guarantees: [ask.asksAtMost(2), ask.purposes(["the winner", "the reserves"]), ask.ownQuestions()],
  async run({ names }: { names: string[] }) {
    if (names.length > 9) return null;
    const winner = await ask.approve({ what: "the winner", text: names[0] ?? "nobody" });
    const reserves = await ask.approveList({ what: "the reserves", items: names });
    return { winner, reserves };
  },
});
