/** Writes a text under a name that was tested. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.writesTexts()],
  async run({ name }: { name: string }) {
    const title = /^[a-z]+$/.test(name) ? name : "untitled";
    await files.write({ path: `/box/${title}.md`, text: "# Notes" });
  },
});
