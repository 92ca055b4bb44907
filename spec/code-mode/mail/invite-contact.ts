/**
 * Task: Invite a colleague, whom I name, to lunch. Only write to addresses at example.com.
 * Verdict: holds
 * Why: The unknown contact is narrowed and the address is checked to end with "@example.com" before the only send.
 * Features: unknown narrowing, type guard, in operator, typeof, early return
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

interface Contact {
  email: string;
  name?: string;
}

function isContact(value: unknown): value is Contact {
  return typeof value === "object" && value !== null && "email" in value && typeof value.email === "string";
}

export default program({
  guarantees: [mail.onlyToDomain("example.com"), mail.atMost(1)],
  async run({ name, day }: { name: string; day: string }) {
    const found = await mail.findContact({ name });
    if (!isContact(found)) {
      return { ok: false, reason: `I found no contact called ${name}.` };
    }
    const email = found.email.trim();
    if (!email.endsWith("@example.com")) {
      return { ok: false, reason: `${name} is not at example.com.` };
    }
    const { id } = await mail.send({
      to: email,
      subject: `Lunch on ${day}?`,
      body: `Hi ${found.name ?? name},\n\nwould you like to have lunch on ${day}?`,
    });
    return { ok: true, id };
  },
});
