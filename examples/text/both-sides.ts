/** Wrong: promises that something is written, but `&&` skips the call when there is no title. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.says("index", "ok")],
  async run() {
    const line = await text.title({ name: "readme" });
    line !== undefined && (await text.write({ name: "index", text: "ok" }));
  },
});
