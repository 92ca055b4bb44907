/** Refused: a helper reads the clock, and what it would write cannot be known before the run. */
import { program } from "foreclaim";
import * as text from "./tools/text";

const stamp = (line: string) => `${new Date().toISOString()} ${line}`;

export default program({
  guarantees: [text.onlyDocuments(["log"])],
  async run() {
    await text.append({ name: "log", text: stamp("started") });
  },
});
