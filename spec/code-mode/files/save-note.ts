/**
 * Task: Save this text as /out/note.txt, but don't overwrite an existing note.
 * Verdict: holds
 * Why: One write to a literal path without overwrite.
 * Features: await, template string
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.writesOnlyUnder("/out/"), files.neverOverwrites(), files.writesAtMost(1)],
  async run({ text }: { text: string }) {
    const { version } = await files.write({ path: "/out/note.txt", content: text });
    return `Saved version ${version}.`;
  },
});
