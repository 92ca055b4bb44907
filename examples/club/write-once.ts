/** Skips whom it already wrote to: a list that grows in the loop. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.once(), club.eachAtMost(1)],
  async run() {
    const written: string[] = [];
    for (const address of await club.subscribers()) {
      if (written.includes(address)) continue;
      await club.send({ to: address, body: "Hello" });
      written.push(address);
    }
  },
});
