/** Wrong: asks a fourth time after three answers of no, which `ping` does not allow. */
import { program } from "foreclaim";
import * as http from "./tools/http";

async function alive(host: string): Promise<boolean> {
  for (let i = 0; i < 3; i++) {
    if (await http.ping({ host })) return true;
  }
  return false;
}

export default program({
  guarantees: [http.readOnly()],
  async run() {
    const host = "a.example.com";
    const up = (await alive(host)) || (await http.ping({ host }));
    if (up) await http.get({ url: `https://${host}/` });
  },
});
