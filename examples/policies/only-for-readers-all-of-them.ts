/** Wrong: puts all notes into one email, and looks at the readers of the first. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.onlyForReaders()],
  async run({ id, to }: { id: string; to: string }) {
    const found = await agent.notes({ id });
    const [first] = found;
    if (first === undefined || !first.readers.includes(to)) return;
    await agent.send({ to, text: found.map((note) => note.text).join(", ") });
  },
});
