/** Gives each version to a few, waits, and gives it to the rest. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.canaryFirst()],
  async run({ versions }: { versions: string[] }) {
    for (const version of versions) {
      await ops.roll({ service: "web", version, to: "canary" });
      await ops.settle({ service: "web" });
      await ops.roll({ service: "web", version, to: "rest" });
    }
  },
});
