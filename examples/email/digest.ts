/** Writes one digest for each address of a list with repetitions: a `Set`, a `Map` and an accumulator. */
import { program } from "foreclaim";
import * as email from "./tools/email";

const EVENTS = [
  { addr: "bob@example.com", what: "build" },
  { addr: "carol@example.com", what: "deploy" },
  { addr: "bob@example.com", what: "tests" },
];

export default program({
  guarantees: [email.uniqueRecipients(), email.atMost(2), email.contentLengthAtMost(30)],
  async run() {
    const events = new Map<string, string>();
    for (const { addr, what } of EVENTS) {
      const before = events.get(addr);
      events.set(addr, before === undefined ? what : `${before}, ${what}`);
    }
    const done = new Set<string>();
    for (const { addr } of EVENTS) {
      if (done.has(addr)) continue;
      done.add(addr);
      await email.send({ addr, msg: `Today: ${events.get(addr) ?? "nothing"}` });
    }
  },
});
