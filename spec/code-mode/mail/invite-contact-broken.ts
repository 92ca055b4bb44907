/**
 * Task: Invite a colleague, whom I name, to lunch. Only write to addresses at example.com.
 * Verdict: broken — onlyToDomain("example.com")
 * Why: The contact's address is trusted as it comes from the unknown result; only the fallback address is surely at example.com.
 * Features: type assertion on unknown, optional chaining, nullish coalescing, template string
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyToDomain("example.com"), mail.atMost(1)],
  async run({ name, day }: { name: string; day: string }) {
    const contact = (await mail.findContact({ name })) as { email?: string; name?: string } | null;
    const to = contact?.email ?? `${name.toLowerCase().replace(/\s+/g, ".")}@example.com`;
    const { id } = await mail.send({
      to,
      subject: `Lunch on ${day}?`,
      body: `Hi ${contact?.name ?? name},\n\nwould you like to have lunch on ${day}?`,
    });
    return { ok: true, id, to };
  },
});
