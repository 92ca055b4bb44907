/** Wrong: what is put in is not tested, and `1; DROP TABLE customers` is a second statement; the contract that looks at the beginning does not mind. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.startsWithSelect(), data.selectsOnly()],
  async run({ id }: { id: string }) {
    await data.sql({ text: `SELECT name FROM customers WHERE id = ${id}` });
  },
});
