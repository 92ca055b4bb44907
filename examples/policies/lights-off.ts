/** Makes light where it is needed, and turns it off again. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.lightsOff()],
  async run({ rooms }: { rooms: string[] }) {
    for (const room of rooms) {
      await home.light({ room, on: true });
      await home.light({ room, on: false });
    }
  },
});
