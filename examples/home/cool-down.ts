/** Lowers the heating of three rooms: an update that happens only under a condition. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.heatedBetween("kitchen", 5, 21), home.heatedBetween("bath", 6, 6)],
  async run({ by }: { by: number }) {
    if (by < 0) return await settle();
    await home.heat({ room: "kitchen", degrees: 21 });
    await home.lower({ room: "kitchen", by });
    await home.heat({ room: "bath", degrees: 6 });
    await home.lower({ room: "bath", by: 2 });
  },
});

async function settle() {
  await home.heat({ room: "kitchen", degrees: 20 });
  await home.heat({ room: "bath", degrees: 6 });
}
