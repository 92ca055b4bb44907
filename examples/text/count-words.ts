/** Counts long words: a pure loop over what a tool returned, and a call that depends on the count. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.onlyDocuments(["stats"]), text.oneLine()],
  async run() {
    const words = await text.words({ name: "readme" });
    const long = words.filter((word) => word.length > 8).length;
    if (long > 0) await text.write({ name: "stats", text: `${long} long words` });
  },
});
