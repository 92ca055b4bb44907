/** Puts a number that was tested into a query. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.selectsOnly()],
  async run({ id }: { id: string }) {
    if (!/^[0-9]{1,6}$/.test(id)) return;
    await data.sql({ text: `SELECT name FROM customers WHERE id = ${id}` });
  },
});
