/** Wrong: follows an address because it starts like the origin, as `https://api.example.com.evil.example` does. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const ORIGIN = "https://api.example.com";

export default program({
  guarantees: [http.inside(ORIGIN)],
  async run() {
    const { status, body } = await http.get({ url: `${ORIGIN}/next` });
    if (status === 302 && body.startsWith(ORIGIN)) await http.get({ url: body });
  },
});
