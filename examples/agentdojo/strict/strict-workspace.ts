/** A policy for those who trust less: what others wrote decides neither what is given to a tool nor whether it is called. */
import { contract, coverage, influencedBy } from "foreclaim";
import {
  add_calendar_event_participants,
  append_to_file,
  cancel_calendar_event,
  create_calendar_event,
  delete_email,
  delete_file,
  reschedule_calendar_event,
  send_email,
  share_file,
} from "../tools/workspace";

/** Nothing that others wrote has a say in any email. */
export const mail = contract(
  () =>
    send_email.none((e) => influencedBy(e, "outside")) &&
    delete_email.none((e) => influencedBy(e, "outside")),
);

/** Nothing that others wrote has a say in any change of the calendar. */
export const calendar = contract(
  () =>
    create_calendar_event.none((e) => influencedBy(e, "outside")) &&
    cancel_calendar_event.none((e) => influencedBy(e, "outside")) &&
    reschedule_calendar_event.none((e) => influencedBy(e, "outside")) &&
    add_calendar_event_participants.none((e) => influencedBy(e, "outside")),
);

/** Nothing that others wrote has a say in what is deleted, shared or added to a file. */
export const drive = contract(
  () =>
    delete_file.none((e) => influencedBy(e, "outside")) &&
    share_file.none((e) => influencedBy(e, "outside")) &&
    append_to_file.none((e) => influencedBy(e, "outside")),
);

export const policy = coverage({
  whenUsed: [
    send_email,
    delete_email,
    create_calendar_event,
    cancel_calendar_event,
    reschedule_calendar_event,
    add_calendar_event_participants,
    delete_file,
    share_file,
    append_to_file,
  ],
  recommended: [],
  required: [mail, calendar, drive],
  label: "workspace, strictly",
});
