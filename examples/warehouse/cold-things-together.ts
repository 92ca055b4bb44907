/** Moves what must be cold to a cold shelf: records as values. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.coldShelf(7), shop.nothingOnTheFloor()],
  async run() {
    for (const item of await shop.coldItems()) await shop.move({ item, shelf: 7, cold: true });
  },
});
