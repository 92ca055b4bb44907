/** Refused: a tool module of somebody else, not below a `tools` folder beside the program or above it. */
import { program } from "foreclaim";
import * as email from "../email/tools/email";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.readOnly()],
  async run() {
    const addr = await email.lookup({ name: "bob" });
    await fs.read({ path: `/mail/${addr ?? "nobody"}` });
  },
});
