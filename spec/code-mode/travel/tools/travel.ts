/** Travel: the tools and contracts of `tools.md`. */
import { contract, labelled, resultOf, tool } from "foreclaim";
import { mock } from "../../mock.ts";

const isWhole = (n: number) => Number.isInteger(n) && n >= 0;
const isCents = (n: number) => isWhole(n) && n <= 100_000_000;

export type Cabin = "economy" | "premium" | "business";
export type Flight = {
  id: string;
  carrier: string;
  from: string;             // airport code
  to: string;
  departs: string;          // ISO date-time
  arrives: string;
  stops: number;
  cabin: Cabin;
  priceCents: number;       // for one passenger
  seatsLeft: number;
};
export type Hotel = {
  id: string;
  name: string;
  stars: 1 | 2 | 3 | 4 | 5;
  nightlyCents: number;
  rating?: number;          // 0 to 10, absent for new hotels
  address: { city: string; country: string; geo?: { lat: number; lon: number } };
};
export type Booking = {
  id: string;
  kind: "flight" | "hotel";
  refId: string;            // flight or hotel id
  status: "confirmed" | "pending" | "cancelled";
  priceCents: number;
  start: string;            // ISO date-time
  end: string;
  refundableUntil?: string | null;
};

export const searchFlights = tool({
  reads: true,
  ensures: (flights) =>
    flights.every((one) => isCents(one.priceCents) && isWhole(one.stops) && isWhole(one.seatsLeft)),
  run: async (args: { from: string; to: string; date: string; cabin?: Cabin }): Promise<Flight[]> => mock("travel.searchFlights", args),
});

export const searchHotels = tool({
  reads: true,
  ensures: (page) => isWhole(page.pages) && page.hotels.every((one) => isCents(one.nightlyCents)),
  run: async (args: { city: string; checkIn: string; checkOut: string; page?: number }): Promise<{ hotels: Hotel[]; pages: number }> => mock("travel.searchHotels", args),
});

/** Plain text written by guests, untrusted */
export const reviews = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { hotelId: string }): Promise<string> => mock("travel.reviews", args),
});

/** JSON text { "USD": number, … } */
export const exchangeRates = tool({
  reads: true,
  run: async (args: { base: string }): Promise<string> => mock("travel.exchangeRates", args),
});

export const listBookings = tool({
  reads: true,
  ensures: (bookings) => bookings.every((one) => isCents(one.priceCents)),
  run: async (args: { status?: Booking["status"] }): Promise<Booking[]> => mock("travel.listBookings", args),
});

export const askUser = tool({
  reads: true,
  run: async (args: { question: string }): Promise<"yes" | "no"> => mock("travel.askUser", args),
});


export const bookFlight = tool({
  labels: ["change"],
  ensures: (booked, { maxPriceCents }) => isCents(booked.chargedCents) && booked.chargedCents <= maxPriceCents,
  run: async (args: { flightId: string; passengers: { name: string; birthDate?: string }[]; maxPriceCents: number }): Promise<{ bookingId: string; status: "confirmed" | "pending"; chargedCents: number }> => mock("travel.bookFlight", args),
});

export const bookHotel = tool({
  labels: ["change"],
  ensures: (booked, { maxPriceCents }) => isCents(booked.chargedCents) && booked.chargedCents <= maxPriceCents,
  run: async (args: { hotelId: string; checkIn: string; checkOut: string; guests: number; maxPriceCents: number }): Promise<{ bookingId: string; chargedCents: number }> => mock("travel.bookHotel", args),
});

export const cancelBooking = tool({
  labels: ["change"],
  ensures: (cancelled) => isCents(cancelled.refundedCents),
  run: async (args: { bookingId: string }): Promise<{ refundedCents: number }> => mock("travel.cancelBooking", args),
});

/** The run never calls `bookFlight`, `bookHotel` or `cancelBooking`. */
export const readOnly = contract(() => labelled("change").none());

/** At most n calls of `bookFlight`. */
export const atMostFlights = contract((n: number) => bookFlight.count() <= n);

/** At most n calls of `bookHotel`. */
export const atMostHotels = contract((n: number) => bookHotel.count() <= n);

/** Every `bookFlight` has `maxPriceCents` ≤ cents. */
export const maxFlightPrice = contract((cents: number) => bookFlight.all((b) => b.maxPriceCents <= cents));

/** The sum of `chargedCents` over all bookings that resolve is ≤ cents. */
export const budget = contract((cents: number) =>
  bookFlight.sum((b) => resultOf(b)?.chargedCents ?? 0) + bookHotel.sum((b) => resultOf(b)?.chargedCents ?? 0) <= cents);

/** Every booked `flightId` is the id of a flight that an earlier `searchFlights` of the run returned with `stops` equal to 0. */
export const nonstopOnly = contract(() =>
  searchFlights.precedes(bookFlight, (s, b) => resultOf(s)?.some((f) => f.id === b.flightId && f.stops === 0) ?? false));

/** Every booked `flightId` is the id of a flight that an earlier `searchFlights` of the run returned with `cabin` equal to "economy". */
export const onlyEconomy = contract(() =>
  searchFlights.precedes(bookFlight, (s, b) => resultOf(s)?.some((f) => f.id === b.flightId && f.cabin === "economy") ?? false));

/**
 * The k-th call of `bookFlight`, `bookHotel` or `cancelBooking` (counted together) is made when at least k `askUser` calls have already resolved to "yes".
 * @weaker The numbers are compared at the end, not at every call.
 */
export const askedBefore = contract(() =>
  askUser.precedes(labelled("change"), (q) => resultOf(q) === "yes") &&
  bookFlight.count() + bookHotel.count() + cancelBooking.count() <= askUser.count((q) => resultOf(q) === "yes"));

/** Every cancelled `bookingId` is the id of a booking that an earlier `listBookings` of the run returned with that `kind`. */
export const cancelsOnly = contract((kind: "flight" | "hotel") =>
  listBookings.precedes(cancelBooking, (l, c) => resultOf(l)?.some((b) => b.id === c.bookingId && b.kind === kind) ?? false));

/** Every cancelled `bookingId` is the id of a booking that an earlier `listBookings` of the run returned with a string in `refundableUntil`. */
export const cancelsOnlyRefundable = contract(() =>
  listBookings.precedes(cancelBooking, (l, c) => resultOf(l)?.some((b) => b.id === c.bookingId && typeof b.refundableUntil === "string") ?? false));

/** No two `cancelBooking` calls of the run have the same `bookingId`. */
export const cancelsEachOnce = contract(() => cancelBooking.distinct((c) => c.bookingId));

/**
 * Every `cancelBooking` call is made after a `bookFlight` or `bookHotel` call of the run has resolved.
 * @unstated `precedes` goes by the start of calls, and all cancellations come after a booking of one kind.
 */
export const booksBeforeCancel = contract(() =>
  bookFlight.precedes(cancelBooking, (b) => resultOf(b) !== undefined) ||
  bookHotel.precedes(cancelBooking, (b) => resultOf(b) !== undefined));
