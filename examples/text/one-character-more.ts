/** Wrong: cuts at 20 and adds three dots, which makes 23. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.shortAtEnd(20)],
  async run() {
    const whole = await text.read({ name: "readme" });
    await text.write({ name: "summary", text: `${whole.slice(0, 20)}...` });
  },
});
