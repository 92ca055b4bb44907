/** Writes the same origin in two other ways: upper case and the default port make no difference. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.inside("https://api.example.com")],
  async run() {
    for (const url of ["https://API.example.com/health", "https://api.example.com:443/health"]) {
      await http.get({ url });
    }
  },
});
