/** Refused: a request beside the program would be made without ever being proved. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const early = await http.get({ url: "https://api.example.com/health" });

export default program({
  guarantees: [http.atMost(1)],
  async run() {
    if (early.status === 200) await http.get({ url: "https://api.example.com/orders" });
  },
});
