/**
 * Task: How many hotels of each star rating are free in a city, and what do they cost on average?
 * Verdict: holds
 * Why: Only searchHotels is called, page by page.
 * Features: index loop over pages, Record keyed by number, Object.entries, map, reduce, Math.round
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.readOnly()],
  async run({ city, checkIn, checkOut }: { city: string; checkIn: string; checkOut: string }) {
    const first = await travel.searchHotels({ city, checkIn, checkOut, page: 1 });
    const hotels = [...first.hotels];
    for (let page = 2; page <= Math.min(first.pages, 20); page++) {
      const next = await travel.searchHotels({ city, checkIn, checkOut, page });
      hotels.push(...next.hotels);
    }

    const byStars: Record<number, travel.Hotel[]> = {};
    for (const hotel of hotels) {
      (byStars[hotel.stars] ??= []).push(hotel);
    }

    const rows = Object.entries(byStars).map(([stars, list]) => ({
      stars: Number(stars),
      count: list.length,
      averageCents: Math.round(list.reduce((s, h) => s + h.nightlyCents, 0) / list.length),
    }));
    rows.sort((a, b) => b.stars - a.stars);
    return { city, total: hotels.length, rows };
  },
});
