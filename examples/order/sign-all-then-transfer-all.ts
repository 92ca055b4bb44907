/** Has all requests signed in one loop and transfers them in the next: each has its own signature before. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.ownRequestSigned(), desk.signedFirst()],
  async run() {
    const open = await desk.requests();
    for (const { id } of open) await desk.sign({ request: id, by: "ada" });
    for (const { id, account, amount } of open) await desk.transfer({ request: id, account, amount });
  },
});
