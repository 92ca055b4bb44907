/** Sends the archive the very text that somebody else gets: a value that calls of one loop share. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.archived("archive@club.example")],
  async run() {
    for (const address of await club.subscribers()) {
      if (address === "archive@club.example") continue;
      const body = `News for ${address}`;
      await club.send({ to: address, body });
      await club.send({ to: "archive@club.example", body });
    }
  },
});
