/** Lets guests in if somebody is home, and locks up otherwise: the alarm must fit the doors. */
import { program } from "foreclaim";
import { alarmFits, arm, lock, onlyOpens, someoneHome, unlock } from "./tools/home";

export default program({
  guarantees: [alarmFits(), onlyOpens(["front"])],
  run: async () => {
    const host = await someoneHome();
    await arm({ on: !host });
    host ? await unlock({ door: "front" }) : await lock({ door: "front" });
  },
});
