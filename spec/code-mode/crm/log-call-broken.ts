/**
 * Task: Log a call with contact c-42: write a note with the given text, at most 500 characters.
 * Verdict: broken
 * Why: The prefix "Call: " is added after the text was cut to 500 characters, so the body can have 506.
 * Features: string replace with regex, trim, slice, template string, early return
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

const CONTACT = "c-42";
const MAX = 500;

export default program({
  guarantees: [crm.notesOnlyTo("c-42"), crm.notesShort(500), crm.atMostNotes(1)],
  async run({ text }: { text: string }) {
    const clean = text.replace(/\s+/g, " ").trim();
    if (clean === "") return "Nothing to log.";

    const body = clean.length > MAX ? clean.slice(0, MAX - 1) + "…" : clean;
    const { id } = await crm.addNote({ contactId: CONTACT, body: `Call: ${body}` });
    return `Logged note ${id} (${body.length} characters).`;
  },
});
