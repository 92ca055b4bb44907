/** Wrong: `replace` takes out the first occurrence and leaves the others. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.neverSays(["\t"])],
  async run() {
    const now = await text.read({ name: "readme" });
    await text.write({ name: "readme", text: now.replace("\t", " ") });
  },
});
