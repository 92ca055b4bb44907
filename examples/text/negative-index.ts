/** Wrong: `[-1]` is not the last element in JavaScript; it is not there at all. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.onlyDocuments(["last"])],
  async run() {
    const words = await text.words({ name: "readme" });
    if (words.length === 0) return;
    const last = words[-1]!;
    await text.write({ name: "last", text: last });
  },
});
