/** Wrong: a file says where the owner lives now, and half of it is approved. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";
import * as person from "./tools/person";
import * as reader from "./tools/reader";

export default program({
  guarantees: [banking.onlyTools(["update_user_info"])],
  async run() {
    const note = await banking.read_file({ file_path: "move.txt" });
    const street = await reader.text({ what: "the street", from: note });
    const city = await reader.text({ what: "the city", from: note });
    await banking.update_user_info({ street: await person.approve({ what: "street", text: street }), city });
  },
});
