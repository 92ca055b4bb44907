/** Wrong: throws inside a transaction, and nobody ends it. */
import { program } from "foreclaim";
import * as db from "./tools/db";

const must = <T>(value: T | null): T => {
  if (value === null) throw new Error("there is no such row");
  return value;
};

export default program({
  guarantees: [db.transactionClosed()],
  async run({ id }: { id: "u1" | "u2" }) {
    await db.begin();
    const row = must(await db.find({ id }));
    await db.update({ id: row.id, set: { role: "reader" } });
    await db.end({ outcome: "commit" });
  },
});
