/**
 * Hotels, restaurants, cars and flights, a calendar and mail: the tools of AgentDojo's travel suite. Others write the
 * reviews, and can put events into the calendar; the published policies trust all the rest. Only the person may know who
 * they are and how they pay.
 */
import { tool } from "foreclaim";

export interface Email {
  id: string;
  sender: string;
  recipients: string[];
  cc: string[];
  subject: string;
  body: string;
}

export interface CalendarEvent {
  id: string;
  title: string;
  description: string;
  start_time: string;
  end_time: string;
  location: string;
  participants: string[];
}

export interface Attachment {
  /** `file` or `event`. */
  type: string;
  file_id?: string;
}

const me = "ann@example.com";
const sent: Email[] = [];
const events: CalendarEvent[] = [];
const reservations: { place: string; from: string; until: string }[] = [];

/** The facts of the guide about each of these. */
async function facts<Value>(names: string[], of: (name: string) => Value): Promise<Record<string, Value>> {
  return Object.fromEntries(names.map((name) => [name, of(name)]));
}

function reserve(place: string, from: string, until: string): string {
  reservations.push({ place, from, until });
  return `${place} is reserved from ${from} until ${until}`;
}

// ── what can be looked at ────────────────────────────────────────────────────────────────────────────────

/** The person: name, numbers of papers, bank account and card. */
export const get_user_information = tool({
  reads: true,
  stores: [],
  labels: ["restricted"],
  readers: () => [],
  run: async (): Promise<Record<string, string>> => ({ "First Name": "Ann", "Passport Number": "X1" }),
});

/** The hotels of a city. */
export const get_all_hotels_in_city = tool({
  reads: true,
  stores: [],
  run: async ({ city }: { city: string }): Promise<string> => `One in ${city}`,
});

/** Prices of hotels. */
export const get_hotels_prices = tool({
  reads: true,
  stores: [],
  run: async ({ hotel_names }: { hotel_names: string[] }): Promise<Record<string, string>> =>
    facts(hotel_names, () => "100 to 200"),
});

/** Ratings and reviews of hotels, which anybody can write. */
export const get_rating_reviews_for_hotels = tool({
  reads: true,
  source: "untrusted",
  stores: [],
  labels: ["outside"],
  run: async ({ hotel_names }: { hotel_names: string[] }): Promise<Record<string, string>> =>
    facts(hotel_names, (name) => `${name} is rated 4.2`),
});

/** The address of a hotel. */
export const get_hotels_address = tool({
  reads: true,
  stores: [],
  run: async ({ hotel_name }: { hotel_name: string }): Promise<Record<string, string>> =>
    facts([hotel_name], () => "1 Elm Street"),
});

/** The restaurants of a city. */
export const get_all_restaurants_in_city = tool({
  reads: true,
  stores: [],
  run: async ({ city }: { city: string }): Promise<string> => `One in ${city}`,
});

/** Cuisines of restaurants. */
export const get_cuisine_type_for_restaurants = tool({
  reads: true,
  stores: [],
  run: async ({ restaurant_names }: { restaurant_names: string[] }): Promise<Record<string, string>> =>
    facts(restaurant_names, () => "French"),
});

/** Addresses of restaurants. */
export const get_restaurants_address = tool({
  reads: true,
  stores: [],
  run: async ({ restaurant_names }: { restaurant_names: string[] }): Promise<Record<string, string>> =>
    facts(restaurant_names, () => "2 Elm Street"),
});

/** Ratings and reviews of restaurants, which anybody can write. */
export const get_rating_reviews_for_restaurants = tool({
  reads: true,
  source: "untrusted",
  stores: [],
  labels: ["outside"],
  run: async ({ restaurant_names }: { restaurant_names: string[] }): Promise<Record<string, string>> =>
    facts(restaurant_names, (name) => `${name} is rated 4.2`),
});

/** Diets that restaurants cater for. */
export const get_dietary_restrictions_for_all_restaurants = tool({
  reads: true,
  stores: [],
  run: async ({ restaurant_names }: { restaurant_names: string[] }): Promise<Record<string, string>> =>
    facts(restaurant_names, () => "vegan"),
});

/** Telephone numbers of restaurants. */
export const get_contact_information_for_restaurants = tool({
  reads: true,
  stores: [],
  run: async ({ restaurant_names }: { restaurant_names: string[] }): Promise<Record<string, string>> =>
    facts(restaurant_names, () => "none"),
});

/** Prices for each person. */
export const get_price_for_restaurants = tool({
  reads: true,
  stores: [],
  run: async ({ restaurant_names }: { restaurant_names: string[] }): Promise<Record<string, number>> =>
    facts(restaurant_names, () => 20),
});

/** Opening hours of restaurants. */
export const check_restaurant_opening_hours = tool({
  reads: true,
  stores: [],
  run: async ({ restaurant_names }: { restaurant_names: string[] }): Promise<Record<string, string>> =>
    facts(restaurant_names, () => "18:00 to 23:00"),
});

/** The car rental companies of a city. */
export const get_all_car_rental_companies_in_city = tool({
  reads: true,
  stores: [],
  run: async ({ city }: { city: string }): Promise<string> => `One in ${city}`,
});

/** Types of cars that companies have. */
export const get_car_types_available = tool({
  reads: true,
  stores: [],
  run: async ({ company_name }: { company_name: string[] }): Promise<Record<string, string[]>> =>
    facts(company_name, () => ["SUV"]),
});

/** Ratings and reviews of companies, which anybody can write. */
export const get_rating_reviews_for_car_rental = tool({
  reads: true,
  source: "untrusted",
  stores: [],
  labels: ["outside"],
  run: async ({ company_name }: { company_name: string[] }): Promise<Record<string, string>> =>
    facts(company_name, (name) => `${name} is rated 4.2`),
});

/** Fuels of the cars that companies have. */
export const get_car_fuel_options = tool({
  reads: true,
  stores: [],
  run: async ({ company_name }: { company_name: string[] }): Promise<Record<string, string[]>> =>
    facts(company_name, () => ["Electric"]),
});

/** Addresses of companies. */
export const get_car_rental_address = tool({
  reads: true,
  stores: [],
  run: async ({ company_name }: { company_name: string[] }): Promise<Record<string, string>> =>
    facts(company_name, () => "3 Elm Street"),
});

/** Prices for each day. */
export const get_car_price_per_day = tool({
  reads: true,
  stores: [],
  run: async ({ company_name }: { company_name: string[] }): Promise<Record<string, number>> =>
    facts(company_name, () => 40),
});

/** The flights between two cities. */
export const get_flight_information = tool({
  reads: true,
  stores: [],
  run: async ({
    departure_city,
    arrival_city,
  }: {
    departure_city: string;
    arrival_city: string;
  }): Promise<string> => `One from ${departure_city} to ${arrival_city}`,
});

/** Events that contain a text. */
export const search_calendar_events = tool({
  reads: true,
  source: "untrusted",
  stores: ["calendar"],
  labels: ["outside", "restricted"],
  readers: (row) => row.participants,
  run: async ({ query, date }: { query: string; date?: string }): Promise<CalendarEvent[]> =>
    events.filter((one) => one.title.includes(query) && one.start_time.startsWith(date ?? "")),
});

/** The events of a day. */
export const get_day_calendar_events = tool({
  reads: true,
  source: "untrusted",
  stores: ["calendar"],
  labels: ["outside", "restricted"],
  readers: (row) => row.participants,
  run: async ({ day }: { day: string }): Promise<CalendarEvent[]> =>
    events.filter((one) => one.start_time.startsWith(day)),
});

// ── what changes something ───────────────────────────────────────────────────────────────────────────────

/** Makes an event, and writes to those who take part. */
export const create_calendar_event = tool({
  stores: ["calendar", "mail"],
  run: async (given: {
    title: string;
    start_time: string;
    end_time: string;
    description?: string;
    participants?: string[];
    location?: string;
  }): Promise<CalendarEvent> => {
    const made = { description: "", location: "", ...given, id: `${events.length + 1}` };
    const event = { ...made, participants: [me, ...(given.participants ?? [])] };
    events.push(event);
    return event;
  },
});

/** Cancels an event, and writes to those who take part. */
export const cancel_calendar_event = tool({
  stores: ["calendar", "mail"],
  run: async ({ event_id }: { event_id: string }): Promise<string> => {
    const at = events.findIndex(({ id }) => id === event_id);
    if (at < 0) throw new Error(`nothing has the id ${event_id}`);
    events.splice(at, 1);
    return event_id;
  },
});

/** Reserves a room. */
export const reserve_hotel = tool({
  stores: ["reservations"],
  run: async ({
    hotel,
    start_day,
    end_day,
  }: {
    hotel: string;
    start_day: string;
    end_day: string;
  }): Promise<string> => reserve(hotel, start_day, end_day),
});

/** Reserves a car. */
export const reserve_car_rental = tool({
  stores: ["reservations"],
  run: async ({
    company,
    start_time,
    end_time,
  }: {
    company: string;
    start_time: string;
    end_time: string;
  }): Promise<string> => reserve(company, start_time, end_time),
});

/** Reserves a table for two hours. */
export const reserve_restaurant = tool({
  stores: ["reservations"],
  run: async ({ restaurant, start_time }: { restaurant: string; start_time: string }): Promise<string> =>
    reserve(restaurant, start_time, "two hours later"),
});

/** Sends an email. */
export const send_email = tool({
  stores: ["mail"],
  run: async (given: {
    recipients: string[];
    subject: string;
    body: string;
    attachments?: Attachment[];
    cc?: string[];
    bcc?: string[];
  }): Promise<Email> => {
    const { recipients, subject, body, cc = [] } = given;
    const email = { id: `${sent.length + 100}`, sender: me, recipients, cc, subject, body };
    sent.push(email);
    return email;
  },
});
