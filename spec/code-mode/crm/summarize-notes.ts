/**
 * Task: Summarize the note history of one contact: who wrote how many notes, and the latest three note texts shortened to 80 characters.
 * Verdict: holds
 * Why: Only getContact and listNotes are called; nothing from the contact except the name is returned.
 * Features: JSON.parse with type assertion, try/catch fallback, Map counting, sort, slice, early return, Object.fromEntries
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

interface Note {
  author: string;
  body: string;
  createdAt: string;
}

function parseNotes(text: string): Note[] {
  try {
    const data = JSON.parse(text);
    return Array.isArray(data) ? (data as Note[]) : [];
  } catch {
    return [];
  }
}

function shorten(text: string, max = 80): string {
  return text.length <= max ? text : text.slice(0, max - 1) + "…";
}

export default program({
  guarantees: [crm.readOnly(), crm.answerHides("email"), crm.answerHides("phone")],
  async run({ contactId }: { contactId: string }) {
    const contact = await crm.getContact({ id: contactId });
    if (!contact) return { error: `No contact with id ${contactId}` };

    const notes = parseNotes(await crm.listNotes({ contactId }));
    const perAuthor = new Map<string, number>();
    for (const n of notes) {
      perAuthor.set(n.author, (perAuthor.get(n.author) ?? 0) + 1);
    }

    const latest = [...notes]
      .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
      .slice(0, 3)
      .map((n) => `${n.createdAt.slice(0, 10)} ${n.author}: ${shorten(n.body)}`);

    return { contact: contact.name, authors: Object.fromEntries(perAuthor), latest };
  },
});
