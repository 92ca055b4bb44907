/**
 * Task: Compare the reviews of the three best-rated hotels in a city and tell me which sounds the nicest.
 * Verdict: holds
 * Why: The review text only feeds word counts; no booking tool is called.
 * Features: regex with g flag and match length, word lists, Promise.all of async map, sort, optional rating
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

const GOOD = ["clean", "friendly", "quiet", "great", "lovely", "comfortable"];
const BAD = ["dirty", "rude", "noisy", "broken", "smell", "cold"];

const countWords = (text: string, words: string[]): number =>
  words.reduce((n, w) => n + (text.match(new RegExp(`\\b${w}\\b`, "gi")) ?? []).length, 0);

export default program({
  guarantees: [travel.readOnly()],
  async run({ city, checkIn, checkOut }: { city: string; checkIn: string; checkOut: string }) {
    const { hotels } = await travel.searchHotels({ city, checkIn, checkOut });
    const top = hotels
      .filter((h) => h.rating !== undefined)
      .sort((a, b) => b.rating! - a.rating!)
      .slice(0, 3);

    const scored = await Promise.all(
      top.map(async (h) => {
        const text = await travel.reviews({ hotelId: h.id });
        const good = countWords(text, GOOD);
        const bad = countWords(text, BAD);
        return { name: h.name, rating: h.rating, good, bad, mood: good - 2 * bad };
      }),
    );

    scored.sort((a, b) => b.mood - a.mood);
    return { nicest: scored[0]?.name ?? null, scored };
  },
});
