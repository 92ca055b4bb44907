/** Refused: reaches for what the tool module keeps to itself, and for the file system. */
import { readFileSync } from "node:fs";
import { program } from "foreclaim";
import * as db from "./tools/db";
import { sent } from "./tools/mail";

export default program({
  guarantees: [db.readOnly()],
  async run() {
    await db.find({ id: readFileSync("/etc/hostname", "utf8") + sent.length });
  },
});
