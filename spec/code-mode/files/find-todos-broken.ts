/**
 * Task: List all TODO comments in the text files of a project folder (with subfolders), with file and line number. Stay out of /private/.
 * Verdict: broken
 * Why: Only folders are tested; a shortcut to a file in /private (or folder "/private" itself as input) is read.
 * Features: stack with pop, matchAll, index loop, nested loops
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.readOnly(), files.neverReads("/private/")],
  async run({ folder }: { folder: string }) {
    const stack = [folder];
    const seen = new Set<string>();
    const todos: string[] = [];

    while (stack.length) {
      const dir = stack.pop()!;
      if (seen.has(dir)) continue;
      seen.add(dir);
      for (const e of await files.list({ folder: dir })) {
        if (e.kind === "folder") {
          if (e.path !== "/private" && !e.path.startsWith("/private/")) stack.push(e.path);
          continue;
        }
        if (!/\.(ts|js|py|md|txt)$/.test(e.name)) continue;
        const lines = (await files.read({ path: e.path })).split("\n");
        for (let i = 0; i < lines.length; i++) {
          const at = lines[i].indexOf("TODO");
          if (at >= 0) todos.push(`${e.path}:${i + 1} ${lines[i].slice(at).trim()}`);
        }
      }
    }
    return todos.length ? todos.join("\n") : "No TODOs.";
  },
});
