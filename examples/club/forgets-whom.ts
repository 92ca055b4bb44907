/** Wrong: remembers only those whose email went out, and one that failed may have gone out as well. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.once()],
  async run() {
    const written: string[] = [];
    for (const address of await club.subscribers()) {
      if (written.includes(address)) continue;
      try {
        await club.send({ to: address, body: "Hello" });
        written.push(address);
      } catch {
        await club.report({ about: address });
      }
    }
  },
});
