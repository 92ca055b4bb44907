/**
 * Task: What is the latest login code that a given service mailed me?
 * Verdict: holds
 * Why: Only search and read are called.
 * Features: regex match with named group, optional chaining, early return inside a loop, slice copy, null answer
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const CODE = /(?:code|pin)\D{0,20}(?<code>\d{4,8})\b/i;

export default program({
  guarantees: [mail.readOnly()],
  async run({ service }: { service: string }) {
    const { messages } = await mail.search({ query: `${service} code`, limit: 10 });
    const ordered = messages.slice().sort((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1));

    for (const m of ordered) {
      const { body } = await mail.read({ id: m.id });
      const code = body.match(CODE)?.groups?.code ?? m.snippet.match(CODE)?.groups?.code;
      if (code) {
        return { code, receivedAt: m.receivedAt, from: m.from };
      }
    }

    return { code: null };
  },
});
