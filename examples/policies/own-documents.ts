/** Shows a customer what is theirs. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.ownDocuments()],
  async run({ customer }: { customer: string }) {
    for (const one of await data.documents({ customer })) {
      await data.share({ id: one.id, customer: one.customer });
    }
  },
});
