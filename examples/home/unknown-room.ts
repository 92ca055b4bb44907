/** Refused: there is no such room, and no such contract either. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.allDoorsLocked()],
  async run() {
    await home.light({ room: "cellar", on: true });
  },
});
