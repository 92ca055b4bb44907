/** Wrong: looks at how the path begins, and `/box/../etc/passwd` begins so; so does the contract that says no more. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.startsWithFolder("/box/"), files.sandbox("/box")],
  async run({ path }: { path: string }) {
    if (!path.startsWith("/box/")) return;
    await files.write({ path, text: "hello" });
  },
});
