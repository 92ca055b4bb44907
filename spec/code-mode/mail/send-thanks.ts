/**
 * Task: Thank bob@example.com for a thing.
 * Verdict: holds
 * Why: One send to the literal address.
 * Features: template string, single call
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyTo("bob@example.com"), mail.atMost(1)],
  run: async ({ thing }: { thing: string }) => {
    await mail.send({
      to: "bob@example.com",
      subject: "Thank you!",
      body: `Dear Bob,\n\nthank you for ${thing}.`,
    });
    return "Done";
  },
});
