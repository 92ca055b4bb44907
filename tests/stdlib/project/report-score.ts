/** Sends one short text. */
import { program } from "foreclaim";
import * as http from "./tools/http.ts";

export default program({
  guarantees: [http.inside("https://api.example.com"), http.atMost(1), http.shortBodies(100)],
  async run({ score }: { score: "low" | "high" }) {
    await http.post({ url: "https://api.example.com/results", body: `{"score":"${score}"}` });
  },
});
