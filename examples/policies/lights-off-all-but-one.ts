/** Wrong: leaves the light on in the hall when somebody comes. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.lightsOff()],
  async run() {
    await home.light({ room: "hall", on: true });
    await home.light({ room: "hall", on: await home.visitor({ door: "front" }) });
  },
});
