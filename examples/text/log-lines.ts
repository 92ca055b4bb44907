/** Appends lines and keeps count: an accumulator that decides in each turn, `entries`, `break`. */
import { program } from "foreclaim";
import * as text from "./tools/text";

const LINES = ["start", "load", "run", "stop"];

export default program({
  guarantees: [text.shortAtEnd(20), text.oneLine()],
  async run({ most }: { most: number }) {
    let length = 0;
    for (const [i, line] of LINES.entries()) {
      if (i >= most) break;
      const entry = `${i + 1} ${line};`;
      if (length + entry.length > 20) break;
      length += entry.length;
      await text.append({ name: "log", text: entry });
    }
  },
});
