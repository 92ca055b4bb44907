/** Fetches an order by a number that was looked at: a regular expression, and `urlInside`. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.inside("https://api.example.com/orders"), http.readOnly(), http.atMost(1)],
  async run({ id }: { id: string }) {
    if (!/^\d+$/.test(id)) return;
    await http.get({ url: `https://api.example.com/orders/${id}` });
  },
});
