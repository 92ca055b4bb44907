/** Wrong: one ticket for the first, and a second service is deployed with it. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.ticketFirst()],
  async run({ version }: { version: string }) {
    await ops.ticket({ service: "web", text: "new version" });
    await ops.deploy({ service: "web", version, hour: 10 });
    if (version !== "1.0") await ops.deploy({ service: "api", version, hour: 10 });
  },
});
