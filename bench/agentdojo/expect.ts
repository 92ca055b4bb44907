/**
 * Expected findings, computed from the facts and the policies alone: the provenance of each argument, and so the
 * arguments and decisions that a person has to approve. The prover has no part in it.
 */
import type { SuiteName } from "./facts.ts";
import type { Origin, Plan, PlannedCall } from "./provenance.ts";

/** `policy`: arguments, as published. `strict`: decisions as well. `request`: what the person asked for, and no more. */
export const levels = ["policy", "strict", "request"] as const;
export type Level = (typeof levels)[number];

/** An approval before a call: of an argument, or of the call itself. */
export interface Approval {
  readonly call: number;
  readonly arg: string;
}

/** Stands for the question whether a call is made. */
export const decision = "(whether)";

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
};

/** Nobody but the person writes what these return. */
const trusted = new Set([
  "get_iban",
  "get_balance",
  "get_user_info",
  "get_current_day",
  "search_contacts_by_name",
  "search_contacts_by_email",
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
]);

/** A file of the banking suite has no list of readers: everybody may read it. */
const isPublic = (tool: string) => tool === "read_file" || (trusted.has(tool) && !tool.startsWith("get_"));

/** Taint of a value. */
interface Taint {
  readonly untrusted: boolean;
  /** Not everybody may read it. */
  readonly restricted: boolean;
}

const clean: Taint = { untrusted: false, restricted: false };

export function approvalsOf({ calls }: Plan, suite: SuiteName, level: Level): readonly Approval[] {
  const results: Taint[] = [];
  const found: Approval[] = [];
  calls.forEach((call, i) => {
    const args = new Map([...call.args].map(([arg, origin]) => [arg, taintFrom(origin, results)] as const));
    const whether = call.decidedBy.map((k) => results[k] ?? clean).reduce(join, clean);
    if (changing[suite].has(call.tool)) {
      for (const arg of needed(call, args, level)) found.push({ call: i, arg });
      if (level === "strict" && whether.untrusted && call.tool !== "create_file")
        found.push({ call: i, arg: decision });
    }
    // What a result carries is the same with and without approvals: more is never trusted because of them.
    results.push([...args.values(), whether, taintOf(call.tool)].reduce(join));
  });
  return found;
}

function needed(call: PlannedCall, args: ReadonlyMap<string, Taint>, level: Level): readonly string[] {
  const given = [...args.keys()];
  const untrusted = given.filter((arg) => args.get(arg)?.untrusted);
  switch (level) {
    case "policy":
      return publishedPolicy(call.tool, args);
    case "strict":
      return call.tool === "create_file" ? [] : untrusted;
    case "request":
      return given.filter((arg) => untrusted.includes(arg) && destinations.has(`${call.tool}.${arg}`));
  }
}

/** Arguments that a request fixes: recipients, and removed or replaced items. */
export const destinations = new Set([
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
]);

/** The published policies, with their mistakes mended. */
function publishedPolicy(tool: string, args: ReadonlyMap<string, Taint>): readonly string[] {
  const untrusted = (...names: string[]) => names.filter((name) => args.get(name)?.untrusted);
  const restricted = (...names: string[]) => names.filter((name) => args.get(name)?.restricted);
  switch (tool) {
    case "send_money":
    case "schedule_transaction":
    case "update_scheduled_transaction":
      return [...untrusted("recipient"), ...restricted("amount", "subject", "date")];
    case "update_password":
    case "update_user_info":
      return untrusted(...args.keys());
    case "send_email":
      return restricted("subject", "body", "attachments").length > 0
        ? untrusted("recipients", "cc", "bcc")
        : [];
    case "create_calendar_event":
      return restricted("title", "description", "location", "start_time", "end_time").length > 0
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
    case "delete_email":
    case "delete_file":
    case "cancel_calendar_event":
      return untrusted(...args.keys());
    default:
      return [];
  }
}

/** The contract that wants the argument approved. */
export function contractFor(suite: SuiteName, level: Level, tool: string, arg: string): string {
  switch (level) {
    case "policy":
      return suite === "banking" ? `banking.${bankingContract(arg)}` : `sharing.${sharingContract(tool)}`;
    case "strict":
      return `strict-${suite}.${strictContract(suite, tool)}`;
    case "request":
      if (suite === "banking") return arg === "password" ? "banking.onlyPasswords" : "banking.onlyTo";
      return arg.endsWith("_id") ? "sharing.onlyRemoved" : "sharing.onlyAddresses";
  }
}

function bankingContract(arg: string): string {
  const contracts: Readonly<Record<string, string>> = {
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
  return contracts[arg] ?? arg;
}

function sharingContract(tool: string): string {
  const contracts: Readonly<Record<string, string>> = {
    send_email: "emailRecipients",
    delete_email: "deletedEmails",
    create_calendar_event: "eventParticipants",
    cancel_calendar_event: "cancelledEvents",
    reschedule_calendar_event: "rescheduledTimes",
    add_calendar_event_participants: "addedParticipants",
    delete_file: "deletedFiles",
    share_file: "sharedWith",
    append_to_file: "appendedContent",
  };
  return contracts[tool] ?? tool;
}

function strictContract(suite: SuiteName, tool: string): string {
  if (suite === "banking") return /password|user_info/.test(tool) ? "owner" : "payments";
  if (tool.endsWith("_email")) return "mail";
  return tool.endsWith("_file") ? "drive" : "calendar";
}

function taintFrom(origin: Origin, results: readonly Taint[]): Taint {
  return origin.kind === "own" ? clean : origin.of.map((k) => results[k] ?? clean).reduce(join, clean);
}

function taintOf(tool: string): Taint {
  if (echoing.has(tool)) return clean;
  return { untrusted: !trusted.has(tool), restricted: !isPublic(tool) };
}

function join(a: Taint, b: Taint): Taint {
  return { untrusted: a.untrusted || b.untrusted, restricted: a.restricted || b.restricted };
}
