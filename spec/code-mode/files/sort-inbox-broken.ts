/**
 * Task: Tidy /inbox: move each file to /docs/<type>/ depending on its extension, keeping names.
 * Verdict: broken
 * Why: A tag of the file is used as folder name without a check, so the tag ".." puts a ".." segment into the path.
 * Features: destructuring with default array, tag fallback, split/pop, template path
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.writesOnlyUnder("/docs/"), files.movesKeepName(), files.neverRemoves()],
  async run() {
    const moved: Record<string, string> = {};
    for (const { kind, name, path, tags: [tag] = [] } of await files.list({ folder: "/inbox" })) {
      if (kind === "folder") continue;
      // a tag is more meaningful than the extension
      const folder = tag ?? name.split(".").pop() ?? "other";
      const to = `/docs/${folder.toLowerCase()}/${name}`;
      await files.move({ from: path, to });
      moved[path] = to;
    }
    return moved;
  },
});
