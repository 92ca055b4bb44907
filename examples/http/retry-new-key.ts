/** Wrong: keys are promised to be used once, and the repetition after a failure uses the same one. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const request = { url: "https://api.example.com/payments", body: "17", key: "payment-17" };

export default program({
  guarantees: [http.keyed(), http.keysOnce()],
  async run() {
    try {
      await http.post(request);
    } catch {
      await http.post(request);
    }
  },
});
