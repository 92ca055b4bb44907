/** Breaks each guarantee: writes where a name says, over a file, twice, and reads elsewhere. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";

export default program({
  guarantees: [
    fs.writesInside("reports"),
    fs.readsInside(["reports"]),
    fs.writesOnly(["reports/a.txt"]),
    fs.writesAtMost(1),
    fs.charactersAtMost(10),
    fs.overwritesNothing(),
    fs.readOnly(),
  ],
  async run({ text }: { text: string }) {
    await fs.read({ path: "notes/a.txt" });
    await fs.replace({ path: "notes/a.txt", text: text.slice(0, 100) });
    await fs.create({ path: "notes/b.txt", text: "b" });
  },
});
