/** Webhooks of the service, from a file of the operator. Strict, as a policy is. */
import { readFileSync } from "node:fs";
import { isJsonArray, isJsonObject, type Json, readJson } from "../../ir/index.ts";
import { type WebhookEvent, webhookEvents } from "../requests/deliveries.ts";
import { serviceLimits as limits } from "./limits.ts";

export interface Webhook {
  readonly name: string;
  readonly url: string;
  readonly format: "json" | "slack";
  readonly events: readonly WebhookEvent[];
  /** Signs the messages; absent for none. */
  readonly secret?: string;
}

const fields = ["name", "url", "format", "events", "secretFile"];

/** @param readSecret reads a file with a secret, relative to that of the webhooks */
export function readWebhooks(
  text: string,
  readSecret: (file: string) => string = (file) => readFileSync(file, "utf8"),
): { readonly webhooks: readonly Webhook[] } | { readonly problem: string } {
  const read = readJson(text);
  if (!read.ok) return { problem: `it is not JSON: ${read.problems[0]?.message ?? ""}` };
  const { value } = read.value;
  const all = isJsonObject(value) && Object.keys(value).length === 1 ? value.webhooks : undefined;
  if (all === undefined || !isJsonArray(all)) return { problem: "it is an object with `webhooks`, a list" };
  if (all.length > limits.webhooks) return { problem: `there are at most ${limits.webhooks} webhooks` };
  const webhooks: Webhook[] = [];
  for (const one of all) {
    const found = webhookIn(one, readSecret);
    if (typeof found === "string") return { problem: found };
    if (webhooks.some(({ name }) => name === found.name))
      return { problem: `two webhooks are called \`${found.name}\`` };
    webhooks.push(found);
  }
  return { webhooks };
}

function webhookIn(json: Json, readSecret: (file: string) => string): Webhook | string {
  if (!isJsonObject(json)) return "a webhook is an object";
  const unknown = Object.keys(json).find((name) => !fields.includes(name));
  if (unknown !== undefined) return `a webhook has no field \`${unknown.slice(0, 60)}\``;
  const { name, url, format = "json", events = ["pending"], secretFile } = json;
  if (typeof name !== "string" || !/^[A-Za-z0-9._-]{1,64}$/.test(name))
    return "`name` of a webhook has up to 64 letters, digits, `.`, `_` and `-`";
  if (typeof url !== "string" || !isAddress(url))
    return `\`url\` of \`${name}\` is an \`https\` address, or \`http\` on this machine`;
  if (format !== "json" && format !== "slack") return `\`format\` of \`${name}\` is \`json\` or \`slack\``;
  const known = isJsonArray(events)
    ? events.map((one) => webhookEvents.find((event) => event === one))
    : [undefined];
  const told = known.filter((one) => one !== undefined);
  if (told.length === 0 || told.length < known.length)
    return `\`events\` of \`${name}\` is a list of ${webhookEvents.join(", ")}`;
  if (secretFile === undefined) return { name, url, format, events: told };
  if (typeof secretFile !== "string") return `\`secretFile\` of \`${name}\` is the name of a file`;
  try {
    const secret = readSecret(secretFile).trim();
    if (secret.length < 16 || secret.length > 1_000)
      return `the secret of \`${name}\` has 16 to 1000 characters`;
    return { name, url, format, events: told, secret };
  } catch {
    return `\`secretFile\` of \`${name}\` cannot be read`;
  }
}

/** An address without a password in it; without TLS only on this machine. */
function isAddress(text: string): boolean {
  if (text.length > 2_000 || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  if (protocol === "https:") return true;
  return protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
