/** Puts a header above a document unless it has one: `startsWith` on a tool result, read before written. */
import { program } from "foreclaim";
import { read, readsFirst, startsWith, write } from "./tools/text";

const HEADER = "Copyright Example Ltd\n";

export default program({
  guarantees: [startsWith("Copyright"), readsFirst()],
  async run() {
    const now = await read({ name: "readme" });
    if (now.startsWith(HEADER)) return;
    await write({ name: "readme", text: HEADER + now });
  },
});
