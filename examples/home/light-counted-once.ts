/** Wrong: thinks of the light that is on and forgets that switching is counted in every round. */
import { program } from "foreclaim";
import * as home from "./tools/home";

async function blink(room: home.Room, times: number) {
  for (let i = 0; i < times; i++) {
    await home.light({ room, on: true });
    await home.light({ room, on: false });
  }
}

export default program({
  guarantees: [home.calmLights(3)],
  async run() {
    await blink("kitchen", 3);
    const someone = await home.someoneHome();
    if (someone) await blink("kitchen", 1);
  },
});
