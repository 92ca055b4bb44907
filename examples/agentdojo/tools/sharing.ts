/** Promises about mail, calendar and drive: who decides whom something goes to, and who gets to read what. */
import { contract, coverage, flowsFrom, mayRead, untrusted } from "foreclaim";
import * as person from "./person";
import {
  add_calendar_event_participants,
  append_to_file,
  cancel_calendar_event,
  create_calendar_event,
  create_file,
  delete_email,
  delete_file,
  list_files,
  reschedule_calendar_event,
  search_calendar_events,
  search_contacts_by_email,
  search_contacts_by_name,
  search_files,
  search_files_by_filename,
  send_email,
  share_file,
} from "./workspace";

// ── the policy ───────────────────────────────────────────────────────────────────────────────────────────

const isSharedWith = (file_id: string, people: string[]) =>
  list_files.rows.some((f) => f.id === file_id && people.every((one) => f.shared_with.includes(one))) ||
  search_files.rows.some((f) => f.id === file_id && people.every((one) => f.shared_with.includes(one))) ||
  search_files_by_filename.rows.some(
    (f) => f.id === file_id && people.every((one) => f.shared_with.includes(one)),
  );

/** Nothing that others wrote says whom an email goes to, unless those who get it may read all that is in it. */
export const emailRecipients = contract(() =>
  send_email.all(
    (e) =>
      (!untrusted(e.recipients) && !untrusted(e.cc) && !untrusted(e.bcc)) ||
      (e.cc === undefined &&
        e.bcc === undefined &&
        mayRead(e.subject, e.recipients) &&
        mayRead(e.body, e.recipients) &&
        (e.attachments === undefined ||
          (mayRead(e.attachments, e.recipients) &&
            e.attachments.every((a) => a.file_id !== undefined && isSharedWith(a.file_id, e.recipients))))),
  ),
);

/** Nothing that others wrote says which email is deleted. */
export const deletedEmails = contract(() => delete_email.all((e) => !untrusted(e.email_id)));

/** Nothing that others wrote says who is invited, unless those who are may read all that the event says. */
export const eventParticipants = contract(() =>
  create_calendar_event.all(
    (e) =>
      e.participants === undefined ||
      !untrusted(e.participants) ||
      (mayRead(e.title, e.participants) &&
        mayRead(e.description, e.participants) &&
        mayRead(e.location, e.participants) &&
        mayRead(e.start_time, e.participants) &&
        mayRead(e.end_time, e.participants)),
  ),
);

/** Nothing that others wrote says which event is cancelled. */
export const cancelledEvents = contract(() => cancel_calendar_event.all((e) => !untrusted(e.event_id)));

/** An event is moved to times that everybody may know, or that those who take part may. */
export const rescheduledTimes = contract(() =>
  reschedule_calendar_event.all(
    (e) =>
      (!flowsFrom(e.new_start_time, "restricted") && !flowsFrom(e.new_end_time, "restricted")) ||
      search_calendar_events.rows.some(
        (row) =>
          row.id === e.event_id &&
          mayRead(e.new_start_time, row.participants) &&
          mayRead(e.new_end_time, row.participants),
      ),
  ),
);

/** Nothing that others wrote says who is added to an event. */
export const addedParticipants = contract(() =>
  add_calendar_event_participants.all((e) => !untrusted(e.participants)),
);

/** Nothing that others wrote says which file is deleted. */
export const deletedFiles = contract(() => delete_file.all((e) => !untrusted(e.file_id)));

/** Nothing that others wrote says with whom a file is shared. */
export const sharedWith = contract(() => share_file.all((e) => !untrusted(e.email)));

/** Everybody may read what is added to a file, or those who have the file may. */
export const appendedContent = contract(() =>
  append_to_file.all(
    (e) =>
      !flowsFrom(e.content, "restricted") ||
      search_files_by_filename.rows.some(
        (f) => f.id === e.file_id && mayRead(e.content, f.owner) && mayRead(e.content, f.shared_with),
      ) ||
      search_files.rows.some(
        (f) => f.id === e.file_id && mayRead(e.content, f.owner) && mayRead(e.content, f.shared_with),
      ),
  ),
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
  required: [
    emailRecipients,
    deletedEmails,
    eventParticipants,
    cancelledEvents,
    rescheduledTimes,
    addedParticipants,
    deletedFiles,
    sharedWith,
    appendedContent,
  ],
  label: "workspace",
});

// ── what a request can fix ───────────────────────────────────────────────────────────────────────────────

/** No tool that changes something is called but these. */
export const onlyTools = contract(
  (names: string[]) =>
    (names.includes("send_email") || send_email.none()) &&
    (names.includes("delete_email") || delete_email.none()) &&
    (names.includes("create_calendar_event") || create_calendar_event.none()) &&
    (names.includes("cancel_calendar_event") || cancel_calendar_event.none()) &&
    (names.includes("reschedule_calendar_event") || reschedule_calendar_event.none()) &&
    (names.includes("add_calendar_event_participants") || add_calendar_event_participants.none()) &&
    (names.includes("append_to_file") || append_to_file.none()) &&
    (names.includes("create_file") || create_file.none()) &&
    (names.includes("delete_file") || delete_file.none()) &&
    (names.includes("share_file") || share_file.none()),
);

const isNamed = (address: string, addresses: string[]) =>
  addresses.includes(address) || person.approve.some((a) => a.text === address);

const isContact = (people: string[]) =>
  people.length === 1 &&
  (search_contacts_by_name.rows.some((c) => people.includes(c.email)) ||
    search_contacts_by_email.rows.some((c) => people.includes(c.email)));

/** Emails, invitations and files go only to these addresses, to contacts, and to those whom the person approved. */
export const onlyAddresses = contract(
  (addresses: string[]) =>
    send_email.all(
      (e) =>
        e.cc === undefined &&
        e.bcc === undefined &&
        (e.recipients.every((one) => isNamed(one, addresses)) || isContact(e.recipients)),
    ) &&
    create_calendar_event.all(
      (e) =>
        e.participants === undefined ||
        e.participants.every((one) => isNamed(one, addresses)) ||
        isContact(e.participants),
    ) &&
    add_calendar_event_participants.all(
      (e) => e.participants.every((one) => isNamed(one, addresses)) || isContact(e.participants),
    ) &&
    share_file.all((e) => isNamed(e.email, addresses) || isContact([e.email])),
);

/** Only what has one of these ids is deleted or cancelled, and what the person approved. */
export const onlyRemoved = contract(
  (ids: string[]) =>
    delete_email.all((e) => ids.includes(e.email_id) || person.approve.some((a) => a.text === e.email_id)) &&
    delete_file.all((e) => ids.includes(e.file_id) || person.approve.some((a) => a.text === e.file_id)) &&
    cancel_calendar_event.all(
      (e) => ids.includes(e.event_id) || person.approve.some((a) => a.text === e.event_id),
    ),
);

/** Nothing at all is promised. */
export const noGuarantees = contract(() => true);
