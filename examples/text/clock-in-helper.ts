/** Refused: a helper reads the clock of the process, which no trace records. */
import { program } from "foreclaim";
import * as text from "./tools/text";

const stamp = (line: string) => `${performance.now()} ${line}`;

export default program({
  guarantees: [text.onlyDocuments(["log"])],
  async run() {
    await text.append({ name: "log", text: stamp("started") });
  },
});
