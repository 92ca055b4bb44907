/** Confirms after every second transfer: a counter of the program and the states of the promise go together. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.confirmedEverySecond()],
  async run() {
    let open = 0;
    for (const { id, account, amount } of await desk.requests()) {
      if (open === 2) {
        await desk.confirm();
        open = 0;
      }
      await desk.transfer({ request: id, account, amount });
      open += 1;
    }
  },
});
