/** Wrong: checks one text for the word and writes the other one too. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.neverSays(["secret"])],
  async run({ remark }: { remark: string }) {
    const now = await text.read({ name: "readme" });
    if (now.includes("secret")) return;
    await text.write({ name: "public", text: now });
    await text.write({ name: "remark", text: remark });
  },
});
