/** Wrong: between `A` and `z` lie not only letters but also `_`, which was not to be written. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.neverSays(["_"])],
  async run({ word }: { word: string }) {
    if (!/^[A-z]+$/.test(word)) return;
    await text.write({ name: "words", text: word });
  },
});
