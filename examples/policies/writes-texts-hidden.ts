/** Wrong: the name may begin with a dot or hold a slash. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.writesTexts()],
  async run({ name }: { name: string }) {
    if (name.includes("..")) return;
    await files.write({ path: `/box/${name}.md`, text: "# Notes" });
  },
});
