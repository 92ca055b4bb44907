/** Breaks each guarantee: gives the model an input, twice. */
import { program } from "foreclaim";
import * as llm from "./tools/llm.ts";

export default program({
  guarantees: [llm.readsAtMost(1), llm.shortTexts(10), llm.keepsInputs()],
  async run({ letter }: { letter: string }) {
    for (const _ of [1, 2]) if (letter.length <= 100) await llm.billIn({ text: letter });
  },
});
