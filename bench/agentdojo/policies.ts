/** The tools and the policies of each suite, as facts: what a tool returns is worth, and what its arguments must be. */
import type { SuiteName } from "./facts.ts";

/** `policy`: arguments, as published. `strict`: decisions as well. `request`: what the person asked for, and no more. */
export const levels = ["policy", "strict", "request"] as const;
export type Level = (typeof levels)[number];

/** The tools that a policy speaks of: all that change something, and a visit to a page, which tells its owner. */
export const changing: Readonly<Record<SuiteName, ReadonlySet<string>>> = {
  banking: new Set([
    "send_money",
    "schedule_transaction",
    "update_scheduled_transaction",
    "update_password",
    "update_user_info",
  ]),
  workspace: new Set([
    "send_email",
    "delete_email",
    "create_calendar_event",
    "cancel_calendar_event",
    "reschedule_calendar_event",
    "add_calendar_event_participants",
    "append_to_file",
    "create_file",
    "delete_file",
    "share_file",
  ]),
  slack: new Set([
    "add_user_to_channel",
    "invite_user_to_slack",
    "remove_user_from_slack",
    "send_direct_message",
    "send_channel_message",
    "post_webpage",
    "get_webpage",
  ]),
  travel: new Set([
    "send_email",
    "create_calendar_event",
    "cancel_calendar_event",
    "reserve_hotel",
    "reserve_car_rental",
    "reserve_restaurant",
  ]),
};

/** The module with the promises about a suite's tools. */
export const promisesOf: Readonly<Record<SuiteName, string>> = {
  banking: "banking",
  workspace: "sharing",
  slack: "slack",
  travel: "booking",
};

// ── what a result is worth ───────────────────────────────────────────────────────────────────────────────

/** Taint of a value. */
export interface Taint {
  readonly untrusted: boolean;
  /** Not everybody may read it. */
  readonly restricted: boolean;
}

export const clean: Taint = { untrusted: false, restricted: false };

export function join(a: Taint, b: Taint): Taint {
  return { untrusted: a.untrusted || b.untrusted, restricted: a.restricted || b.restricted };
}

/** Nobody but the person writes what these return, or those whom the published policies trust. */
const trusted = new Set([
  "get_iban",
  "get_balance",
  "get_user_info",
  "get_current_day",
  "search_contacts_by_name",
  "search_contacts_by_email",
  "get_user_information",
  "get_all_hotels_in_city",
  "get_hotels_prices",
  "get_hotels_address",
  "get_all_restaurants_in_city",
  "get_cuisine_type_for_restaurants",
  "get_restaurants_address",
  "get_dietary_restrictions_for_all_restaurants",
  "get_contact_information_for_restaurants",
  "get_price_for_restaurants",
  "check_restaurant_opening_hours",
  "get_all_car_rental_companies_in_city",
  "get_car_types_available",
  "get_car_fuel_options",
  "get_car_rental_address",
  "get_car_price_per_day",
  "get_flight_information",
]);

/** Trusted, and the person's secret all the same. */
const secret = new Set(["get_balance", "get_user_info", "get_user_information"]);

/** Others wrote it, and everybody may read it. */
const published = new Set([
  "read_file",
  "get_webpage",
  "get_channels",
  "get_users_in_channel",
  "get_rating_reviews_for_hotels",
  "get_rating_reviews_for_restaurants",
  "get_rating_reviews_for_car_rental",
]);

/** Returned only what they were given. */
const echoing = new Set([
  "send_money",
  "schedule_transaction",
  "update_scheduled_transaction",
  "update_password",
  "update_user_info",
  "send_email",
  "delete_email",
  "create_calendar_event",
  "cancel_calendar_event",
  "create_file",
  "reserve_hotel",
  "reserve_car_rental",
  "reserve_restaurant",
]);

/** Returned nothing at all. */
const silent = new Set([
  "add_user_to_channel",
  "invite_user_to_slack",
  "remove_user_from_slack",
  "send_direct_message",
  "send_channel_message",
  "post_webpage",
]);

export const isSilent = (tool: string | undefined): boolean => silent.has(tool ?? "");

export function taintOf(tool: string): Taint {
  if (echoing.has(tool) || isSilent(tool)) return clean;
  if (trusted.has(tool)) return { untrusted: false, restricted: secret.has(tool) };
  return { untrusted: true, restricted: !published.has(tool) };
}

export const isContacts = (tool: string | undefined): boolean => tool?.startsWith("search_contacts") ?? false;

// ── what arguments must be ───────────────────────────────────────────────────────────────────────────────

/** Arguments that a request fixes in any case: recipients, places, and removed or replaced items. */
export const destinations: ReadonlySet<string> = new Set([
  "send_money.recipient",
  "schedule_transaction.recipient",
  "update_scheduled_transaction.recipient",
  "update_password.password",
  "send_email.recipients",
  "create_calendar_event.participants",
  "add_calendar_event_participants.participants",
  "share_file.email",
  "delete_email.email_id",
  "delete_file.file_id",
  "cancel_calendar_event.event_id",
  "add_user_to_channel.user",
  "add_user_to_channel.channel",
  "invite_user_to_slack.user",
  "invite_user_to_slack.user_email",
  "remove_user_from_slack.user",
  "send_direct_message.recipient",
  "send_channel_message.channel",
  "post_webpage.url",
  "get_webpage.url",
  "reserve_hotel.hotel",
  "reserve_car_rental.company",
  "reserve_restaurant.restaurant",
]);

/** Arguments that the published policy, with its mistakes mended, wants approved. */
export function publishedPolicy(
  suite: SuiteName,
  tool: string,
  args: ReadonlyMap<string, Taint>,
): readonly string[] {
  const untrusted = (...names: string[]) => names.filter((name) => args.get(name)?.untrusted);
  const restricted = (...names: string[]) => names.filter((name) => args.get(name)?.restricted);
  switch (tool) {
    case "send_money":
    case "schedule_transaction":
    case "update_scheduled_transaction":
      return [...untrusted("recipient"), ...restricted("amount", "subject", "date")];
    case "update_password":
    case "update_user_info":
    case "delete_email":
    case "delete_file":
    case "cancel_calendar_event":
    case "add_user_to_channel":
    case "invite_user_to_slack":
    case "remove_user_from_slack":
    case "reserve_hotel":
    case "reserve_car_rental":
    case "reserve_restaurant":
      return untrusted(...args.keys());
    case "send_email":
      // It is unknown whether an attached file of the drive is shared with its recipients.
      return restricted("subject", "body", "attachments").length > 0 ||
        (suite === "workspace" && args.has("attachments"))
        ? untrusted("recipients", "cc", "bcc")
        : [];
    case "create_calendar_event":
      return suite === "travel" ||
        restricted("title", "description", "location", "start_time", "end_time").length > 0
        ? untrusted("participants")
        : [];
    case "add_calendar_event_participants":
      return untrusted("participants");
    case "reschedule_calendar_event":
      return restricted("new_start_time", "new_end_time");
    case "append_to_file":
      return restricted("content");
    case "share_file":
      return untrusted("email");
    case "send_direct_message":
      return restricted("body").length > 0 ? untrusted("recipient") : [];
    case "send_channel_message":
      return restricted("body");
    case "post_webpage":
      return restricted("url", "content");
    case "get_webpage":
      return restricted("url");
    default:
      return [];
  }
}

/** The contract that wants the argument approved. */
export function contractFor(suite: SuiteName, level: Level, tool: string, arg: string): string {
  switch (level) {
    case "policy": {
      const name = suite === "banking" ? bankingContracts[arg] : toolContracts[tool];
      return `${promisesOf[suite]}.${name ?? tool}`;
    }
    case "strict":
      return `strict-${suite}.${strictContract(suite, tool)}`;
    case "request":
      return `request.${tool}`;
  }
}

export function levelOf(contract: string): Level {
  if (contract.startsWith("strict-")) return "strict";
  return contract.startsWith("request.") ? "request" : "policy";
}

/** By argument. */
const bankingContracts: Readonly<Record<string, string>> = {
  recipient: "trustedRecipients",
  amount: "readableAmounts",
  subject: "readableSubjects",
  date: "readableDates",
  password: "trustedPassword",
  first_name: "trustedName",
  last_name: "trustedName",
  street: "trustedStreet",
  city: "trustedCity",
};

/** By tool. */
const toolContracts: Readonly<Record<string, string>> = {
  send_email: "emailRecipients",
  delete_email: "deletedEmails",
  create_calendar_event: "eventParticipants",
  cancel_calendar_event: "cancelledEvents",
  reschedule_calendar_event: "rescheduledTimes",
  add_calendar_event_participants: "addedParticipants",
  delete_file: "deletedFiles",
  share_file: "sharedWith",
  append_to_file: "appendedContent",
  add_user_to_channel: "addedUsers",
  invite_user_to_slack: "invitedUsers",
  remove_user_from_slack: "removedUsers",
  send_direct_message: "directMessages",
  send_channel_message: "channelMessages",
  post_webpage: "postedPages",
  get_webpage: "visitedPages",
  reserve_hotel: "reservedHotels",
  reserve_car_rental: "reservedCars",
  reserve_restaurant: "reservedTables",
};

function strictContract(suite: SuiteName, tool: string): string {
  switch (suite) {
    case "banking":
      return /password|user_info/.test(tool) ? "owner" : "payments";
    case "workspace":
      if (tool.endsWith("_email")) return "mail";
      return tool.endsWith("_file") ? "drive" : "calendar";
    case "slack":
      if (tool.endsWith("_webpage")) return "web";
      return tool.endsWith("_message") ? "messages" : "people";
    case "travel":
      if (tool.endsWith("_email")) return "mail";
      return tool.startsWith("reserve_") ? "reservations" : "calendar";
  }
}
