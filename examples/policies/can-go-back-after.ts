/** Wrong: notes how it is when the new version is in place already. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.canGoBack()],
  async run() {
    await ops.deploy({ service: "web", version: "2.0", hour: 10 });
    await ops.snapshot({ service: "web" });
  },
});
