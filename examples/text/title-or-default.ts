/** Uses the title if there is one: `??` on what may be undefined, and what the tool ensures. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.oneLine(), text.shortAtEnd(70)],
  async run() {
    const line = (await text.title({ name: "readme" })) ?? "Untitled";
    await text.write({ name: "index", text: `Contents: ${line}` });
  },
});
