/** Sends a note to somebody who may read it. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.onlyForReaders()],
  async run({ id, to }: { id: string; to: string }) {
    for (const note of await agent.notes({ id })) {
      if (note.readers.includes(to)) await agent.send({ to, text: note.text });
    }
  },
});
