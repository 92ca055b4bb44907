/** Promises about trips: who decides what is booked and whom something goes to, and who gets to read what. */
import { contract, coverage, mayRead, untrusted } from "foreclaim";
import {
  cancel_calendar_event,
  create_calendar_event,
  reserve_car_rental,
  reserve_hotel,
  reserve_restaurant,
  send_email,
} from "./travel";

/** Nothing that others wrote says whom an email goes to, unless those who get it may read all that is in it. */
export const emailRecipients = contract(() =>
  send_email.all(
    (e) =>
      (!untrusted(e.recipients) && !untrusted(e.cc) && !untrusted(e.bcc)) ||
      (e.cc === undefined &&
        e.bcc === undefined &&
        mayRead(e.subject, e.recipients) &&
        mayRead(e.body, e.recipients) &&
        (e.attachments === undefined || mayRead(e.attachments, e.recipients))),
  ),
);

/** Nothing that others wrote says who is invited to an event. */
export const eventParticipants = contract(() => create_calendar_event.all((e) => !untrusted(e.participants)));

/** Nothing that others wrote says which event is cancelled. */
export const cancelledEvents = contract(() => cancel_calendar_event.all((e) => !untrusted(e.event_id)));

/** No review says which room is reserved, or for when. */
export const reservedHotels = contract(() =>
  reserve_hotel.all((e) => !untrusted(e.hotel) && !untrusted(e.start_day) && !untrusted(e.end_day)),
);

/** No review says where a car is reserved, or for when. */
export const reservedCars = contract(() =>
  reserve_car_rental.all((e) => !untrusted(e.company) && !untrusted(e.start_time) && !untrusted(e.end_time)),
);

/** No review says where a table is reserved, or for when. */
export const reservedTables = contract(() =>
  reserve_restaurant.all((e) => !untrusted(e.restaurant) && !untrusted(e.start_time)),
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
  required: [
    emailRecipients,
    eventParticipants,
    cancelledEvents,
    reservedHotels,
    reservedCars,
    reservedTables,
  ],
  label: "travel",
});

/** Nothing at all is promised. */
export const noGuarantees = contract(() => true);
