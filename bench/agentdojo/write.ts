/** Programs for the reference calls of a task: what the planner knows stands in them, the rest comes from results. */
import { type Approval, decision } from "./expect.ts";
import { type ArgKind, type Json, kindOf, type Suite } from "./facts.ts";
import { isContacts, isSilent, promisesOf } from "./policies.ts";
import type { Plan } from "./provenance.ts";

/** Something else that is done, after a call of the plan. */
export interface Splice {
  readonly after: number;
  readonly lines: readonly string[];
}

/** The text of a program that makes the calls of the plan, asking for exactly these approvals. */
export function writeProgram(
  suite: Suite,
  plan: Plan,
  approvals: readonly Approval[],
  splice?: Splice,
): string {
  const lines: string[] = [];
  let isOpen = false;
  plan.calls.forEach((call, i) => {
    const isApproved = (arg: string) => approvals.some((one) => one.call === i && one.arg === arg);
    const isInside = call.isInjected === true && call.decidedBy.length > 0;
    const isFirst = isInside ? plan.calls[i - 1]?.isInjected !== true : !isOpen;
    if (call.decidedBy.length > 0 && isFirst) {
      isOpen ||= !isInside;
      const about = textOf(call.decidedBy.map((k) => resultText(plan.calls[k]?.tool ?? "", `r${k}`)));
      const asked = isApproved(decision)
        ? `person.decide({ question: "is it so?", about: ${about} })`
        : `reader.judge({ what: "it is so", from: ${about} })`;
      lines.push(`if (await ${asked}) {`);
    }
    const args = [...call.args].map(([arg, origin]) => {
      if (origin.kind === "own") return `${arg}: ${JSON.stringify(origin.value)}`;
      const kind = kindOf(suite, call.tool, arg);
      const [only] = origin.of.length === 1 ? origin.of : [];
      const tool = plan.calls[only ?? -1]?.tool;
      const telling = origin.of.filter((k) => !isSilent(plan.calls[k]?.tool));
      const from = textOf(telling.map((k) => resultText(plan.calls[k]?.tool ?? "", `r${k}`)));
      const name = `a${i}_${arg}`;
      if (isContacts(tool)) lines.push(`const ${name} = r${only}[0];`, `if (${name} === undefined) return;`);
      else if (tool === "create_file" || (tool === "send_email" && arg === "email_id"))
        lines.push(`const ${name} = r${only}.id;`);
      else if (kind === "list" && isApproved(arg))
        return `${arg}: [${eachApproved(arg, from, origin.value)}]`;
      else lines.push(`const ${name} = ${readValue(kind, arg, from)};`);
      const value = isContacts(tool) ? `[${name}.email]` : name;
      if (!isApproved(arg)) return `${arg}: ${given(kind, value, origin.value)}`;
      lines.push(`const ${name}_ok = ${approveValue(kind, arg, value)};`);
      return `${arg}: ${given(kind, `${name}_ok`, origin.value)}`;
    });
    const isUsed = plan.calls.some(
      ({ args: others, decidedBy }) =>
        [...others.values()].some((o) => o.kind === "results" && o.of.includes(i)) || decidedBy.includes(i),
    );
    const isKept = (isUsed || splice?.after === i) && !isSilent(call.tool);
    const made = `await ${suite.suite}.${call.tool}({ ${args.join(", ")} });`;
    lines.push(isKept ? `const r${i} = ${made}` : made);
    if (splice?.after === i) lines.push(...splice.lines);
    if (isInside && plan.calls[i + 1]?.isInjected !== true) lines.push("}");
  });
  if (isOpen) lines.push("}");
  return programText(suite, lines);
}

function programText({ suite }: Suite, lines: readonly string[]): string {
  const promises = promisesOf[suite];
  return [
    'import { program } from "foreclaim";',
    ...[...new Set([suite, promises, "person", "reader"])].map(
      (name) => `import * as ${name} from "./tools/${name}";`,
    ),
    "export default program({",
    `  guarantees: [${promises}.noGuarantees()],`,
    "  async run() {",
    ...lines.map((line) => `    ${line}`),
    "  },",
    "});",
    "",
  ].join("\n");
}

/** Several texts as one. */
export function textOf(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '""') : `[${texts.join(", ")}].join("\\n")`;
}

/** Writes the quarantined reader's value for a text. */
export function readValue(kind: ArgKind, what: string, from: string): string {
  const asked = `{ what: ${JSON.stringify(what)}, from: ${from} }`;
  switch (kind) {
    case "amount":
      return `await reader.amount(${asked})`;
    case "whole":
      return `await reader.whole(${asked})`;
    case "list":
      return `await reader.list(${asked})`;
    case "text":
    case "attachments":
    case "other":
      return `await reader.text(${asked})`;
  }
}

/** Writes a list that is read and approved element by element. */
function eachApproved(arg: string, from: string, like: Json): string {
  const count = Array.isArray(like) ? like.length : 1;
  return Array.from({ length: count }, (_, i) => {
    const what = `${arg} ${i + 1}`;
    return approveValue("text", what, readValue("text", what, from));
  }).join(", ");
}

function approveValue(kind: ArgKind, what: string, value: string): string {
  const asked = JSON.stringify(what);
  switch (kind) {
    case "amount":
      return `await person.approveNumber({ what: ${asked}, value: ${value} })`;
    case "whole":
      return `await person.approveWhole({ what: ${asked}, value: ${value} })`;
    case "text":
    case "list":
    case "attachments":
    case "other":
      return `await person.approve({ what: ${asked}, text: ${value} })`;
  }
}

/** A value as the argument wants it. */
export function given(kind: ArgKind, value: string, like: Json): string {
  if (kind !== "attachments") return value;
  const count = Array.isArray(like) ? like.length : 1;
  return `[${Array.from({ length: count }, () => `{ type: "file", file_id: ${value} }`).join(", ")}]`;
}

// ── results as text ──────────────────────────────────────────────────────────────────────────────────────

const transaction = ["id", "sender", "recipient", "amount", "subject", "date"];
const email = ["id", "sender", "subject", "body"];
const event = ["id", "title", "description", "start_time", "end_time", "location", 'participants.join(" ")'];
const file = ["id", "filename", "content"];
const contact = ["name", "email"];
const message = ["sender", "recipient", "body"];

type Fields = readonly string[];

const lists: Readonly<Record<string, Fields>> = {
  get_most_recent_transactions: transaction,
  get_scheduled_transactions: transaction,
  get_unread_emails: email,
  get_sent_emails: email,
  get_received_emails: email,
  get_draft_emails: email,
  search_emails: email,
  search_calendar_events: event,
  get_day_calendar_events: event,
  search_files: file,
  search_files_by_filename: file,
  list_files: file,
  search_contacts_by_name: contact,
  search_contacts_by_email: contact,
  read_channel_messages: message,
  read_inbox: message,
};

/** Lists of texts. */
const plain = new Set(["get_channels", "get_users_in_channel"]);

/** Tables of texts, numbers or lists, by name. */
const tables: Readonly<Record<string, "one" | "list">> = {
  get_user_information: "one",
  get_hotels_prices: "one",
  get_rating_reviews_for_hotels: "one",
  get_hotels_address: "one",
  get_cuisine_type_for_restaurants: "one",
  get_restaurants_address: "one",
  get_rating_reviews_for_restaurants: "one",
  get_dietary_restrictions_for_all_restaurants: "one",
  get_contact_information_for_restaurants: "one",
  get_price_for_restaurants: "one",
  check_restaurant_opening_hours: "one",
  get_car_types_available: "list",
  get_rating_reviews_for_car_rental: "one",
  get_car_fuel_options: "list",
  get_car_rental_address: "one",
  get_car_price_per_day: "one",
};

const records: Readonly<Record<string, Fields>> = {
  send_money: ["message"],
  schedule_transaction: ["message"],
  update_scheduled_transaction: ["message"],
  update_password: ["message"],
  update_user_info: ["first_name", "last_name", "street", "city"],
  get_user_info: ["first_name", "last_name", "street", "city"],
  send_email: email,
  create_calendar_event: event,
  reschedule_calendar_event: event,
  add_calendar_event_participants: event,
  append_to_file: file,
  create_file: file,
  delete_file: file,
  get_file_by_id: file,
  share_file: file,
};

/** An expression for what the variable holds, which is a result of the tool, as one text. */
export function resultText(tool: string, variable: string): string {
  const row = lists[tool];
  if (row !== undefined) return `${variable}.map((one) => ${together(row, "one")}).join("\\n")`;
  if (plain.has(tool)) return `${variable}.join("\\n")`;
  const cell = tables[tool];
  if (cell !== undefined) {
    const value = cell === "list" ? 'value.join(" ")' : "value";
    return `Object.entries(${variable}).map(([name, value]) => \`\${name} \${${value}}\`).join("\\n")`;
  }
  const record = records[tool];
  return record === undefined ? variable : together(record, variable);
}

function together(fields: Fields, of: string): string {
  return `\`${fields.map((field) => `\${${of}.${field}}`).join(" ")}\``;
}
