/** Wrong: fetches an order with one id and deletes another in one case. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const order = (id: string) => `https://api.example.com/orders/${id}`;

export default program({
  guarantees: [http.looksBeforeDelete(), http.atMost(2)],
  async run({ id, next }: { id: "17" | "18"; next: boolean }) {
    await http.get({ url: order(id) });
    await http.del({ url: order(next ? `${id}1` : id) });
  },
});
