/**
 * Tells webhooks of requests that wait for people and of decisions. Nothing waits for a webhook: each has its own attempt,
 * with a time limit, beside the service. A message holds facts of the proof and a link, never inputs or the agent's words.
 */
import { createHmac } from "node:crypto";
import { Deliveries, type Delivery, type WebhookEvent } from "../requests/deliveries.ts";
import { type RequestRecord, summaryOf } from "../requests/record.ts";
import { onAny } from "./any-signal.ts";
import type { Feed } from "./feed.ts";
import { serviceLimits as limits } from "./limits.ts";
import type { Ports } from "./ports.ts";
import type { Webhook } from "./read-webhooks.ts";

/** The header with the time and the HMAC-SHA256 of `<time>.<body>`. */
export const signatureHeader = "x-foreclaim-signature";

export class Webhooks {
  readonly #ports: Ports;
  readonly #webhooks: readonly Webhook[];
  readonly #deliveries: Deliveries;
  readonly #stop = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isAsked = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#webhooks = ports.webhooks ?? [];
    this.#deliveries = new Deliveries(ports.store.database);
  }

  start(feed: Feed): void {
    if (this.#webhooks.length === 0) return;
    feed.listen(({ id, status }) => {
      if (status === "pending" || status === "decided") void this.#add(id, status);
    });
    this.#timer = setInterval(() => this.#look(), limits.webhookLookMs);
    void this.#addMissed();
  }

  /** An attempt that is cut off is made again after the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#looking;
    await Promise.all(this.#underWay.values());
  }

  async #addMissed(): Promise<void> {
    try {
      for (const { name, events } of this.#webhooks) {
        if (!events.includes("pending")) continue;
        for (const id of await this.#deliveries.untold(name)) await this.#add(id, "pending", [name]);
      }
    } catch (error) {
      this.#failed(error);
    }
    this.#look();
  }

  async #add(request: string, event: WebhookEvent, only?: readonly string[]): Promise<void> {
    const names = this.#webhooks.filter(({ events }) => events.includes(event)).map(({ name }) => name);
    try {
      await this.#deliveries.add(only ?? names, request, event, this.#ports.clock());
      this.#look();
    } catch (error) {
      this.#failed(error);
    }
  }

  #look(): void {
    this.#isAsked = true;
    this.#looking ??= this.#takeAll().finally(() => {
      this.#looking = undefined;
    });
  }

  /** One attempt of each webhook at a time: one that hangs keeps nobody waiting but itself. */
  async #takeAll(): Promise<void> {
    while (this.#isAsked && !this.#stop.signal.aborted) {
      this.#isAsked = false;
      try {
        for (;;) {
          const free = this.#webhooks.map(({ name }) => name).filter((name) => !this.#underWay.has(name));
          const lease = limits.webhookTimeoutMs * 2;
          const taken = await this.#deliveries.take(free, this.#ports.clock(), lease);
          if (taken === undefined || this.#stop.signal.aborted) break;
          const attempt = this.#attempt(taken).finally(() => {
            this.#underWay.delete(taken.webhook);
            this.#look();
          });
          this.#underWay.set(taken.webhook, attempt);
        }
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { webhook: name, request, event, attempts } = delivery;
    const { store, log, clock } = this.#ports;
    try {
      const webhook = this.#webhooks.find((one) => one.name === name);
      const record = await store.get(request);
      // Somebody was quicker than the message: there is nothing to decide any more.
      const isLate = event === "pending" && record?.status !== "pending";
      if (webhook === undefined || record === undefined || isLate) {
        await this.#deliveries.end(delivery, "done", clock());
        return;
      }
      const why = await send(webhook, record, event, this.#page(), clock(), this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      if (why === undefined) await this.#deliveries.end(delivery, "done", clock());
      else if (attempts >= limits.webhookAttempts) await this.#deliveries.end(delivery, "failed", clock());
      else await this.#deliveries.end(delivery, "open", clock() + backoffMs(attempts));
      log(why === undefined ? "info" : "warning", "webhook", {
        webhook: name,
        request,
        attempts,
        why: why ?? null,
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  #page(): string {
    const { origins, page } = this.#ports.settings;
    return origins[0] ?? page?.() ?? "";
  }

  #failed(error: unknown): void {
    this.#ports.log("warning", "webhook", { why: error instanceof Error ? error.message : String(error) });
  }
}

/** The time until the next attempt: doubled each time. */
export function backoffMs(attempts: number): number {
  return Math.min(limits.webhookBackoffMs * 2 ** (attempts - 1), limits.webhookBackoffMostMs);
}

/** Returns why it was not taken; undefined if it was. */
async function send(
  webhook: Webhook,
  record: RequestRecord,
  event: WebhookEvent,
  page: string,
  nowMs: number,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const body = JSON.stringify(
    webhook.format === "slack" ? slackOf(record, event, page) : messageOf(record, event, page),
  );
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), limits.webhookTimeoutMs);
  const leave = onAny([stopping], () => timeout.abort());
  try {
    const answer = await fetch(webhook.url, {
      method: "POST",
      // SOUNDNESS: a redirect could lead into the network of the service, so none is followed.
      redirect: "manual",
      signal: timeout.signal,
      headers: {
        "content-type": "application/json",
        "user-agent": "foreclaim",
        "x-foreclaim-delivery": `${webhook.name}/${record.id}/${event}`,
        ...(webhook.secret !== undefined && {
          [signatureHeader]: signatureOf(webhook.secret, body, Math.floor(nowMs / 1000)),
        }),
      },
      body,
    });
    // Whatever it says is not read.
    await answer.body?.cancel();
    return answer.ok ? undefined : `it answered with status ${answer.status}`;
  } catch {
    return timeout.signal.aborted ? "it did not answer in time" : "it cannot be reached";
  } finally {
    clearTimeout(timer);
    leave();
  }
}

/** The value of the signature header. */
export function signatureOf(secret: string, body: string, seconds: number): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}

function messageOf(record: RequestRecord, event: WebhookEvent, page: string) {
  const { id, status, agent, file, filedAt, expiresAt, decision, counts, risk } = summaryOf(record);
  const link = `${page}/#/requests/${id}`;
  const by = record.decided?.by ?? null;
  return {
    event,
    link,
    request: { id, status, agent, file, filedAt, expiresAt, decision, by, counts, risk: risk ?? null },
  };
}

const signs = { red: "\u{1F534}", amber: "\u{1F7E0}", green: "\u{1F7E2}" } as const;

/** As Slack's incoming webhooks take it, and others that do as they do. */
function slackOf(record: RequestRecord, event: WebhookEvent, page: string) {
  const { id, agent, file, decision, risk } = summaryOf(record);
  const said =
    event === "pending" ? "waits for a decision" : `is ${(decision ?? "decided").replaceAll("_", " ")}`;
  const headline = risk === undefined ? "" : `\n${signs[risk.level]} ${escaped(risk.headline)}`;
  const by = record.decided === null ? "" : ` by ${escaped(record.decided.by)}`;
  const text = `*${escaped(file)}* of ${escaped(agent)} ${said}${by}${headline}\n<${page}/#/requests/${id}|Open the request>`;
  return { text, blocks: [{ type: "section", text: { type: "mrkdwn", text } }] };
}

/** SOUNDNESS: nothing that an agent chose becomes a link, a mention, a line or another direction of the text. */
function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "?")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
