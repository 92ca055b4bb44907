/** Wrong: believes that the heating does what it is told, where the tool caps it at 25. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.heatedBetween("bath", 28, 30)],
  async run() {
    await home.heat({ room: "bath", degrees: 28 });
  },
});
