/** Wrong: shows the documents of one customer to another. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.ownDocuments()],
  async run() {
    for (const one of await data.documents({ customer: "C-0001" })) {
      for (const customer of ["C-0001", "C-0002"]) await data.share({ id: one.id, customer });
    }
  },
});
