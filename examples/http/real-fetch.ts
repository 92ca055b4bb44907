/** Refused: the request is not made with a tool, and nobody could account for it. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.readOnly()],
  async run() {
    await fetch("https://api.example.com/orders", { method: "POST" });
  },
});
