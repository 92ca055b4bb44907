/** Wrong: a name that comes as an input may be empty or start with a dot, which `write` does not allow. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.startsWith("#")],
  async run({ name }: { name: string }) {
    if (name === ".env") return;
    await text.write({ name, text: "# empty" });
  },
});
