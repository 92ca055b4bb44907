/** Repeats a request up to three times with the same key: status codes and failures, a bounded loop. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const URL = "https://api.example.com/payments";

export default program({
  guarantees: [http.keyed(), http.atMost(3), http.sendsAtMost(72)],
  async run({ note }: { note: string }) {
    const body = note.slice(0, 24);
    for (let i = 0; i < 3; i++) {
      try {
        const { status } = await http.post({ url: URL, body, key: "payment-17" });
        if (status < 500) return;
      } catch {
        continue;
      }
    }
  },
});
