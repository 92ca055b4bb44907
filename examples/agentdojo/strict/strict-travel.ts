/** A policy for those who trust less: what others wrote decides neither what is given to a tool nor whether it is called. */
import { contract, coverage, influencedBy } from "foreclaim";
import {
  cancel_calendar_event,
  create_calendar_event,
  reserve_car_rental,
  reserve_hotel,
  reserve_restaurant,
  send_email,
} from "../tools/travel";

/** Nothing that others wrote has a say in any email. */
export const mail = contract(() => send_email.none((e) => influencedBy(e, "outside")));

/** Nothing that others wrote has a say in any change of the calendar. */
export const calendar = contract(
  () =>
    create_calendar_event.none((e) => influencedBy(e, "outside")) &&
    cancel_calendar_event.none((e) => influencedBy(e, "outside")),
);

/** Nothing that others wrote has a say in any reservation. */
export const reservations = contract(
  () =>
    reserve_hotel.none((e) => influencedBy(e, "outside")) &&
    reserve_car_rental.none((e) => influencedBy(e, "outside")) &&
    reserve_restaurant.none((e) => influencedBy(e, "outside")),
);

export const policy = coverage({
  whenUsed: [
    send_email,
    create_calendar_event,
    cancel_calendar_event,
    reserve_hotel,
    reserve_car_rental,
    reserve_restaurant,
  ],
  recommended: [],
  required: [mail, calendar, reservations],
  label: "travel, strictly",
});
