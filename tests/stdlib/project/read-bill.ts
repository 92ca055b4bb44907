/** Has one file read by the model, and answers with what it says. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";
import * as llm from "./tools/llm.ts";

export default program({
  guarantees: [llm.readsAtMost(1), llm.shortTexts(5000), llm.keepsInputs()],
  async run() {
    const text = (await fs.read({ path: "bill.txt" })) ?? "";
    return await llm.billIn({ text: text.slice(0, 5000) });
  },
});
