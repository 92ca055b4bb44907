/**
 * Task: Save this text as /out/note.txt, but don't overwrite an existing note.
 * Verdict: broken
 * Why: When a note of an earlier day exists, overwrite is true.
 * Features: stat check, boolean expression, early return
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.writesOnlyUnder("/out/"), files.neverOverwrites(), files.writesAtMost(1)],
  async run({ text }: { text: string }) {
    const path = "/out/note.txt";
    const existing = await files.stat({ path });
    const today = new Date().toISOString().slice(0, 10);
    if (existing?.modifiedAt.startsWith(today)) return "There is already a note of today.";
    const { version } = await files.write({ path, content: text, overwrite: existing !== null });
    return `Saved version ${version}.`;
  },
});
