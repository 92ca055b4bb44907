/**
 * Task: When did a person last write to me?
 * Verdict: holds
 * Why: Only search is called.
 * Features: map, sort, at(-1), nullish coalescing
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.readOnly()],
  async run({ person }: { person: string }) {
    const { messages } = await mail.search({ query: `from:${person}` });
    return (
      messages
        .map((m) => m.receivedAt)
        .sort()
        .at(-1) ?? "never"
    );
  },
});
