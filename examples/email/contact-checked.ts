/** Looks an address up and writes only if it is known: `undefined` is checked before use. */
import { program } from "foreclaim";
import * as email from "./tools/email";

async function write(name: string, msg: string, subject = "Hello"): Promise<boolean> {
  const addr = await email.lookup({ name });
  if (addr === undefined) return false;
  await email.send({ addr, msg, subject });
  return true;
}

export default program({
  guarantees: [email.atMost(2), email.subjectStartsWith("H")],
  async run() {
    const reached = await write("bob", "See you at ten.");
    if (!reached) await write("carol", "Please tell Bob: ten o'clock.", "Hi");
  },
});
