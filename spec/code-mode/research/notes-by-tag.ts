/**
 * Task: Give me an index of my notes by tag, titles only; I share my screen, so show nothing of the texts.
 * Verdict: holds
 * Why: The answer has tags and titles only; the text of a note is never read.
 * Features: nested for-of, object of arrays with ??=, Object.keys sort, localeCompare, Object.fromEntries
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.readOnly(), research.answerHides("text")],
  async run() {
    const notes = await research.listNotes({});
    const index: Record<string, string[]> = {};
    for (const { title, tags } of notes) {
      for (const tag of tags.length > 0 ? tags : ["untagged"]) {
        (index[tag] ??= []).push(title);
      }
    }
    return Object.fromEntries(
      Object.keys(index)
        .sort((a, b) => a.localeCompare(b))
        .map((tag) => [tag, index[tag].sort((a, b) => a.localeCompare(b))]),
    );
  },
});
