/** Wrong: reports every failed try, which may be three for one member. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportsAtMost(2)],
  async run() {
    const [first] = await club.members();
    if (first === undefined) return;
    let tries = 0;
    while (tries < 3) {
      try {
        await club.send({ to: first.email, body: "Hello" });
        return;
      } catch {
        await club.report({ about: first.email });
        tries += 1;
      }
    }
  },
});
