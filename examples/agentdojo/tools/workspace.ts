/**
 * Mail, a calendar and a drive: the tools of AgentDojo's workspace suite. Others can write into emails, events and
 * files; the contacts are the person's own. Who may read something is who sent or got it, takes part in it, or has it
 * shared with them.
 */
import { type Int, tool } from "foreclaim";

export interface Email {
  id: string;
  sender: string;
  recipients: string[];
  cc: string[];
  subject: string;
  body: string;
}

export interface Contact {
  name: string;
  email: string;
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

export interface DriveFile {
  id: string;
  filename: string;
  content: string;
  owner: string;
  shared_with: string[];
  size: Int;
}

export interface Attachment {
  /** `file` or `event`. */
  type: string;
  file_id?: string;
}

const me = "ann@example.com";
const sent: Email[] = [];
const received: Email[] = [
  { id: "1", sender: "bob@example.com", recipients: [me], cc: [], subject: "Lunch", body: "On Friday?" },
];
const contacts: Contact[] = [{ name: "Bob", email: "bob@example.com" }];
const events: CalendarEvent[] = [];
const drive: DriveFile[] = [
  { id: "1", filename: "plans.txt", content: "Walk on Monday.", owner: me, shared_with: [], size: 15 },
];

const has = (text: string, query: string) => text.toLowerCase().includes(query.toLowerCase());

function take<Item extends { id: string }>(items: Item[], id: string): Item {
  const at = items.findIndex((item) => item.id === id);
  const [item] = at < 0 ? [] : items.splice(at, 1);
  if (item === undefined) throw new Error(`nothing has the id ${id}`);
  return item;
}

function find<Item extends { id: string }>(items: Item[], id: string): Item {
  const item = items.find((one) => one.id === id);
  if (item === undefined) throw new Error(`nothing has the id ${id}`);
  return item;
}

// ── mail ─────────────────────────────────────────────────────────────────────────────────────────────────

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

/** Deletes an email. */
export const delete_email = tool({
  stores: ["mail"],
  run: async ({ email_id }: { email_id: string }): Promise<string> => take(received, email_id).id,
});

/** Received emails that are unread. */
export const get_unread_emails = tool({
  reads: true,
  source: "untrusted",
  stores: ["mail"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.sender, ...row.recipients, ...row.cc],
  run: async (): Promise<Email[]> => received,
});

/** Sent emails. */
export const get_sent_emails = tool({
  reads: true,
  source: "untrusted",
  stores: ["mail"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.sender, ...row.recipients, ...row.cc],
  run: async (): Promise<Email[]> => sent,
});

/** Received emails. */
export const get_received_emails = tool({
  reads: true,
  source: "untrusted",
  stores: ["mail"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.sender, ...row.recipients, ...row.cc],
  run: async (): Promise<Email[]> => received,
});

/** Drafts: emails that were written and not sent. */
export const get_draft_emails = tool({
  reads: true,
  source: "untrusted",
  stores: ["mail"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.sender, ...row.recipients, ...row.cc],
  run: async (): Promise<Email[]> => [],
});

/** Emails that contain a text. */
export const search_emails = tool({
  reads: true,
  source: "untrusted",
  stores: ["mail"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.sender, ...row.recipients, ...row.cc],
  run: async ({ query, sender }: { query: string; sender?: string }): Promise<Email[]> =>
    received.filter(
      (one) => has(one.subject + one.body, query) && (sender === undefined || one.sender === sender),
    ),
});

/** The contacts with a name, which the person has put there. */
export const search_contacts_by_name = tool({
  reads: true,
  stores: ["contacts"],
  run: async ({ query }: { query: string }): Promise<Contact[]> =>
    contacts.filter(({ name }) => has(name, query)),
});

/** The contacts with an address, which the person has put there. */
export const search_contacts_by_email = tool({
  reads: true,
  stores: ["contacts"],
  run: async ({ query }: { query: string }): Promise<Contact[]> =>
    contacts.filter(({ email }) => has(email, query)),
});

// ── the calendar ─────────────────────────────────────────────────────────────────────────────────────────

/** Today. */
export const get_current_day = tool({
  reads: true,
  stores: [],
  run: async (): Promise<string> => "2026-01-05",
});

/** Events that contain a text. */
export const search_calendar_events = tool({
  reads: true,
  source: "untrusted",
  stores: ["calendar"],
  labels: ["outside", "restricted"],
  readers: (row) => row.participants,
  run: async ({ query, date }: { query: string; date?: string }): Promise<CalendarEvent[]> =>
    events.filter((one) => has(one.title + one.description, query) && one.start_time.startsWith(date ?? "")),
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
  run: async ({ event_id }: { event_id: string }): Promise<string> => take(events, event_id).id,
});

/** Moves an event, and writes to those who take part. */
export const reschedule_calendar_event = tool({
  source: "untrusted",
  stores: ["calendar", "mail"],
  labels: ["outside", "restricted"],
  readers: (result) => result.participants,
  run: async ({
    event_id,
    new_start_time,
    new_end_time,
  }: {
    event_id: string;
    new_start_time: string;
    new_end_time?: string;
  }): Promise<CalendarEvent> =>
    Object.assign(find(events, event_id), {
      start_time: new_start_time,
      end_time: new_end_time ?? new_start_time,
    }),
});

/** Adds people to an event, and writes to them. */
export const add_calendar_event_participants = tool({
  source: "untrusted",
  stores: ["calendar", "mail"],
  labels: ["outside", "restricted"],
  readers: (result) => result.participants,
  run: async ({
    event_id,
    participants,
  }: {
    event_id: string;
    participants: string[];
  }): Promise<CalendarEvent> => {
    const event = find(events, event_id);
    event.participants.push(...participants);
    return event;
  },
});

// ── the drive ────────────────────────────────────────────────────────────────────────────────────────────

/** Adds to a file. */
export const append_to_file = tool({
  source: "untrusted",
  stores: ["drive"],
  labels: ["outside", "restricted"],
  readers: (result) => [result.owner, ...result.shared_with],
  run: async ({ file_id, content }: { file_id: string; content: string }): Promise<DriveFile> => {
    const file = find(drive, file_id);
    return Object.assign(file, { content: file.content + content });
  },
});

/** Files with a name. */
export const search_files_by_filename = tool({
  reads: true,
  source: "untrusted",
  stores: ["drive"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.owner, ...row.shared_with],
  run: async ({ filename }: { filename: string }): Promise<DriveFile[]> =>
    drive.filter((file) => has(file.filename, filename)),
});

/** Makes a file, which nobody else sees until it is shared. */
export const create_file = tool({
  stores: ["drive"],
  run: async ({ filename, content }: { filename: string; content: string }): Promise<DriveFile> => {
    const id = `${drive.length + 1}`;
    const file = { id, filename, content, owner: me, shared_with: [], size: content.length };
    drive.push(file);
    return file;
  },
});

/** Deletes a file. */
export const delete_file = tool({
  source: "untrusted",
  stores: ["drive"],
  labels: ["outside", "restricted"],
  readers: (result) => [result.owner, ...result.shared_with],
  run: async ({ file_id }: { file_id: string }): Promise<DriveFile> => take(drive, file_id),
});

/** The file with an id. */
export const get_file_by_id = tool({
  reads: true,
  source: "untrusted",
  stores: ["drive"],
  labels: ["outside", "restricted"],
  readers: (result) => [result.owner, ...result.shared_with],
  run: async ({ file_id }: { file_id: string }): Promise<DriveFile> => find(drive, file_id),
});

/** All files. */
export const list_files = tool({
  reads: true,
  source: "untrusted",
  stores: ["drive"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.owner, ...row.shared_with],
  run: async (): Promise<DriveFile[]> => drive,
});

/** Shares a file. */
export const share_file = tool({
  source: "untrusted",
  stores: ["drive"],
  labels: ["outside", "restricted"],
  readers: (result) => [result.owner, ...result.shared_with],
  run: async ({
    file_id,
    email,
  }: {
    file_id: string;
    email: string;
    permission: "r" | "rw";
  }): Promise<DriveFile> => {
    const file = find(drive, file_id);
    file.shared_with.push(email);
    return file;
  },
});

/** Files that contain a text. */
export const search_files = tool({
  reads: true,
  source: "untrusted",
  stores: ["drive"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.owner, ...row.shared_with],
  run: async ({ query }: { query: string }): Promise<DriveFile[]> =>
    drive.filter((file) => has(file.content, query)),
});
