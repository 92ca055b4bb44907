/**
 * Task: List all TODO comments in the text files of a project folder (with subfolders), with file and line number. Stay out of /private/.
 * Verdict: holds
 * Why: Every path is tested against "/private/" directly before it is read.
 * Features: recursive async function, regex exec per line, split lines, Set visited, default parameter
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

const TEXT = /\.(ts|js|py|md|txt)$/i;
type Todo = { file: string; line: number; text: string };

async function scan(folder: string, seen: Set<string>): Promise<Todo[]> {
  if (seen.has(folder)) return [];
  seen.add(folder);

  const todos: Todo[] = [];
  for (const entry of await files.list({ folder })) {
    if (entry.kind === "folder") {
      todos.push(...(await scan(entry.path, seen)));
    } else if (TEXT.test(entry.name) && !entry.path.startsWith("/private/")) {
      const lines = (await files.read({ path: entry.path })).split(/\r?\n/);
      lines.forEach((line, i) => {
        const m = /TODO:?\s*(.*)$/.exec(line);
        if (m) todos.push({ file: entry.path, line: i + 1, text: m[1].trim() });
      });
    }
  }
  return todos;
}

export default program({
  guarantees: [files.readOnly(), files.neverReads("/private/")],
  async run({ folder }: { folder: string }) {
    const todos = await scan(folder, new Set());
    return { count: todos.length, todos };
  },
});
