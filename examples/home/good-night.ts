/** Locks up for the night: a helper in a loop over constants, an input that is optional. */
import { program } from "foreclaim";
import * as home from "./tools/home";

const DOORS = ["front", "back", "garage"];

async function close(doors: readonly string[]) {
  for (const door of doors) await home.lock({ door });
}

export default program({
  guarantees: [home.allDoorsLockedAtEnd(), home.openAtEndAtMost(0), home.armedAtEnd(), home.calmLights(1)],
  async run({ nightLight }: { nightLight?: boolean }) {
    await close(DOORS);
    if (nightLight ?? false) await home.light({ room: "bath", on: true });
    await home.arm({ on: true });
  },
});
