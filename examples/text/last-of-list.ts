/** Takes the last element with `at(-1)` and the rest with `slice`: negative positions count from the end. */
import { program } from "foreclaim";
import * as text from "./tools/text";

const LINES = ["one", "two", "three"];

export default program({
  guarantees: [text.publishesOnly(["three", "one", "two"]), text.says("last", "three"), text.levels([1, 2])],
  async run({ level }: { level: number }) {
    const last = LINES.at(-1) ?? "";
    await text.write({ name: "last", text: last });
    await text.publish({ level: level > 1 ? 2 : 1, lines: [last, ...LINES.slice(0, -1)], lang: "en" });
  },
});
