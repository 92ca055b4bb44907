/** Wrong: half of three is no level of a headline; the parameter is a whole number. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.levels([1, 2, 3])],
  async run({ depth }: { depth: number }) {
    if (depth < 2 || depth > 6) return;
    await text.publish({ level: depth / 2, lines: ["Chapter"] });
  },
});
