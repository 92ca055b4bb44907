/** Wrong: what stands before `@` is a user and not the host. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.inside("https://api.example.com"), http.keyed()],
  async run({ test }: { test: boolean }) {
    const host = test ? "api.example.com@staging.example" : "api.example.com";
    await http.post({ url: `https://${host}/orders`, body: "{}", key: "order-1" });
  },
});
