/**
 * Task: Tidy my draft notes: collapse blank lines, trim line ends and add a heading if there is none. Touch drafts only.
 * Verdict: broken — updatesOnlyTagged("draft")
 * Why: Notes linked from a draft are tidied too, whether they are drafts or not.
 * Features: work list with while and shift, Set of visited, optional links, getNote null check, replace chain
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const tidy = (text: string) =>
  text
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim() + "\n";

export default program({
  guarantees: [research.updatesOnlyTagged("draft"), research.neverDeletes()],
  async run() {
    const queue = (await research.listNotes({ tag: "draft" })).filter((n) => n.tags.includes("draft"));
    const visited = new Set<string>();
    let changed = 0;

    while (queue.length > 0) {
      const note = queue.shift()!;
      if (visited.has(note.id)) continue;
      visited.add(note.id);

      const text = tidy(note.text);
      if (text !== note.text) {
        await research.updateNote({ id: note.id, text });
        changed++;
      }
      for (const id of note.links ?? []) {
        const linked = await research.getNote({ id });
        if (linked) queue.push(linked);
      }
    }
    return { visited: visited.size, changed };
  },
});
