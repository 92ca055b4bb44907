/** Wrong: the hotels come from the guide, and a review that is made up decides which of them is reserved. */
import { program } from "foreclaim";
import * as booking from "./tools/booking";
import * as reader from "./tools/reader";
import * as travel from "./tools/travel";

export default program({
  guarantees: [booking.emailRecipients()],
  async run() {
    const reviews = await travel.get_rating_reviews_for_hotels({ hotel_names: ["Elm House", "Oak House"] });
    const elm = await reader.amount({ what: "the rating", from: reviews["Elm House"] ?? "" });
    const oak = await reader.amount({ what: "the rating", from: reviews["Oak House"] ?? "" });
    const hotel = elm > oak ? "Elm House" : "Oak House";
    await travel.reserve_hotel({ hotel, start_day: "2026-01-11", end_day: "2026-01-15" });
  },
});
