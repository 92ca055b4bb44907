/** Breaks each guarantee: asks what a file says, again and again. */
import { program } from "foreclaim";
import * as ask from "./tools/ask.ts";
import * as fs from "./tools/fs.ts";

export default program({
  guarantees: [ask.asksAtMost(2), ask.purposes(["the winner"]), ask.ownQuestions()],
  async run() {
    const what = (await fs.read({ path: "question.txt" })) ?? "";
    for (const text of ["one", "two", "three"]) await ask.approve({ what, text });
  },
});
