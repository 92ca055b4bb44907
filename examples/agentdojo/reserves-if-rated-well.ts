/** Reserves the room that the request names if its reviews are good: they have a say in whether, and in nothing else. */
import { program } from "foreclaim";
import * as booking from "./tools/booking";
import * as reader from "./tools/reader";
import * as travel from "./tools/travel";

export default program({
  guarantees: [booking.reservedHotels()],
  async run() {
    const reviews = await travel.get_rating_reviews_for_hotels({ hotel_names: ["Elm House"] });
    const rating = await reader.amount({ what: "the rating", from: reviews["Elm House"] ?? "" });
    if (rating > 4)
      await travel.reserve_hotel({ hotel: "Elm House", start_day: "2026-01-11", end_day: "2026-01-15" });
  },
});
