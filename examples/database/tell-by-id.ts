/** Changes some rows and tells each of them: a helper with effects, called for every id of a list. */
import { program } from "foreclaim";
import * as db from "./tools/db";
import { atMost, send } from "./tools/mail";

const IDS = ["u1", "u2", "u3"];

async function optOut(id: string): Promise<void> {
  const row = await db.find({ id });
  if (!row?.consented) return;
  await db.begin();
  await db.update({ id, set: { consented: false } });
  await db.end({ outcome: "commit" });
  await send({ addr: row.email, msg: "You will not hear from us again." });
}

export default program({
  guarantees: [
    db.tellsEveryone(),
    atMost(3),
    db.onlyRows(IDS),
    db.transactionClosed(),
    db.looksBeforeUpdate(),
  ],
  async run() {
    for (const id of IDS) await optOut(id);
  },
});
