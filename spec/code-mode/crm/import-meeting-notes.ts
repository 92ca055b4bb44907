/**
 * Task: Here is the protocol of our sales meeting. Each section starts with "## <contact name or email>"; add the bullet points of a section as a note to that contact. One note per contact, 20 at most, 1000 characters at most. Tell me what could not be assigned.
 * Verdict: holds
 * Why: The notes are collected per contact id in a Map, cut to 1000 characters, and at most 20 entries are written, each once.
 * Features: text parsing with state, regex, Map with array values, helper functions, interface, Promise.all lookups, slice, entries, ternary, try/catch
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

const MAX_NOTES = 20;
const MAX_LENGTH = 1000;

interface Section {
  heading: string;
  points: string[];
}

function parseProtocol(text: string): Section[] {
  const sections: Section[] = [];
  let current: Section | undefined;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const heading = /^##\s+(.+)$/.exec(line);
    if (heading) {
      current = { heading: heading[1], points: [] };
      sections.push(current);
      continue;
    }
    const point = /^[-*]\s+(.+)$/.exec(line);
    if (point && current) current.points.push(point[1]);
  }
  return sections.filter((s) => s.points.length > 0);
}

async function findContact(heading: string): Promise<crm.Contact | null> {
  const wanted = heading.toLowerCase();
  const hits = await crm.searchContacts({ query: heading, limit: 10 });
  const exact = hits.filter((c) => c.name.toLowerCase() === wanted || c.email.toLowerCase() === wanted);
  return exact.length === 1 ? exact[0] : null;
}

function noteText(points: string[]): string {
  const body =
    `Sales meeting ${new Date().toISOString().slice(0, 10)}\n` + points.map((p) => `- ${p}`).join("\n");
  return body.length <= MAX_LENGTH ? body : `${body.slice(0, MAX_LENGTH - 4)}\n...`;
}

export default program({
  guarantees: [crm.noteOnceEach(), crm.atMostNotes(20), crm.notesShort(1000), crm.neverDeletes()],
  async run({ protocol }: { protocol: string }) {
    const sections = parseProtocol(protocol);
    if (sections.length === 0) return { error: "The protocol has no sections with bullet points." };

    const contacts = await Promise.all(sections.map((s) => findContact(s.heading)));
    const pointsById = new Map<string, string[]>();
    const unassigned: string[] = [];
    sections.forEach((section, i) => {
      const contact = contacts[i];
      if (!contact) {
        unassigned.push(section.heading);
        return;
      }
      const list = pointsById.get(contact.id) ?? [];
      pointsById.set(contact.id, [...list, ...section.points]);
    });

    const written: string[] = [];
    const failed: string[] = [];
    for (const [contactId, points] of [...pointsById.entries()].slice(0, MAX_NOTES)) {
      try {
        await crm.addNote({ contactId, body: noteText(points) });
        written.push(contactId);
      } catch (e) {
        failed.push(`${contactId}: ${e instanceof Error ? e.message : "unknown error"}`);
      }
    }

    const left = Math.max(0, pointsById.size - MAX_NOTES);
    return {
      written,
      failed,
      unassigned,
      ...(left > 0 ? { warning: `${left} contacts were left out (limit ${MAX_NOTES})` } : {}),
    };
  },
});
