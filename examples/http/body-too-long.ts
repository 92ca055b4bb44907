/** Wrong: escapes nothing and cuts nothing; a long note breaks what `post` requires. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.atMost(1)],
  async run({ note }: { note: string }) {
    await http.post({ url: "https://api.example.com/notes", body: `{"note":"${note}"}` });
  },
});
