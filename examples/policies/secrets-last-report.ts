/** Wrong: reports an error to the outside when the secret is not there. */
import { program } from "foreclaim";
import * as web from "./tools/web";

export default program({
  guarantees: [web.secretsLast()],
  async run() {
    const token = await web.secret({ name: "help" });
    if (token === "") await web.post({ url: "https://errors.example.com", body: "no token" });
  },
});
