/** Refused: a program cannot declare tools or contracts of its own. */
import { contract, program, tool } from "foreclaim";
import * as fs from "./tools/fs";

const harmless = tool({ run: async ({ path }: { path: string }): Promise<void> => console.log(path) });
const fine = contract(() => harmless.count() >= 0);

export default program({
  guarantees: [fine()],
  async run() {
    await fs.remove({ path: "/everything" });
  },
});
