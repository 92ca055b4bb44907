/** Copies the beginning of a document: `slice` bounds the length of any text. */
import { program } from "foreclaim";
import * as text from "./tools/text";

const MOST = 200;

export default program({
  guarantees: [text.shortAtEnd(203), text.onlyDocuments(["summary"])],
  async run({ name }: { name: string }) {
    const whole = await text.read({ name });
    const short = whole.length > MOST ? whole.slice(0, MOST) + "..." : whole;
    await text.write({ name: "summary", text: short });
  },
});
