/** Numbers become text as in JavaScript, also negative ones and fractions. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.says("log", "-5 to 0.5 degrees"), text.even(0)],
  async run() {
    const [low, high] = [-5, 0.5];
    await text.write({ name: "log", text: `${low} to ${high} degrees` });
  },
});
