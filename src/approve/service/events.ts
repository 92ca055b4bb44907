/** `GET /api/events`: what changes, as it changes. A bounded number of listeners, each a bounded number behind. */
import type { Change } from "../requests/store.ts";
import type { RequestEvent } from "../wire.ts";
import { onAny } from "./any-signal.ts";
import { seesAll } from "./authenticate.ts";
import { Refusal } from "./codes.ts";
import type { Ask, Shared, Who } from "./context.ts";
import { serviceLimits } from "./limits.ts";

/** Proxies end what is silent for long. */
const heartbeatMs = 15_000;
/** LIMIT: of changes that are read at once for one who was away. */
const missedAtOnce = 200;

export class Events {
  readonly #shared: Shared;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  async answer(c: Ask): Promise<Response> {
    const who = c.get("who");
    const { name } = who.credential;
    const here = this.#counts.get(name) ?? 0;
    if (here >= serviceLimits.listenersEach || this.#all >= serviceLimits.listeners)
      throw new Refusal("FC4110", "too many listeners are connected", "close some pages");
    const agent = seesAll(who) ? undefined : name;
    const since = /^[0-9]{1,15}$/.exec(c.req.header("last-event-id") ?? "")?.[0];
    const stream = this.#stream(
      who,
      agent,
      since === undefined ? undefined : Number(since),
      c.req.raw.signal,
    );
    return new Response(stream, {
      headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
    });
  }

  #stream(
    who: Who,
    agent: string | undefined,
    since: number | undefined,
    gone: AbortSignal,
  ): ReadableStream<Uint8Array> {
    const { feed, ports, stopping, metrics } = this.#shared;
    const { name } = who.credential;
    const encoder = new TextEncoder();
    let end = (): void => {};
    return new ReadableStream<Uint8Array>(
      {
        start: async (controller) => {
          this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
          this.#all++;
          metrics.count("foreclaim_listeners");
          let told = since ?? feed.seen;
          let isOpen = true;
          const say = (text: string): void => {
            // A client that does not read is disconnected, and reconnects with the last event that it has read.
            if (!isOpen) return;
            if ((controller.desiredSize ?? 0) <= 0) end();
            else controller.enqueue(encoder.encode(text));
          };
          const tell = (change: Change): void => {
            if (change.change <= told || (agent !== undefined && change.agent !== agent)) return;
            told = change.change;
            say(eventText(change));
          };
          const held: Change[] = [];
          let isLive = false;
          const leave = feed.listen((change) => (isLive ? tell(change) : void held.push(change)));
          const beat = setInterval(async () => {
            say(":\n\n");
            if (!(await this.#isStill(who))) end();
          }, heartbeatMs);
          let unbind = (): void => {};
          end = () => {
            if (!isOpen) return;
            isOpen = false;
            leave();
            clearInterval(beat);
            unbind();
            metrics.count("foreclaim_listeners", "", -1);
            this.#all--;
            const left = (this.#counts.get(name) ?? 1) - 1;
            if (left === 0) this.#counts.delete(name);
            else this.#counts.set(name, left);
            try {
              controller.close();
            } catch {
              // It was cancelled from the other side.
            }
          };
          unbind = onAny([stopping, gone], end);
          say(`retry: 1000\nid: ${told}\n: \n\n`);
          for (let at = since; at !== undefined && isOpen; ) {
            const missed = await ports.store.changesAfter(at, missedAtOnce, agent).catch(() => []);
            for (const change of missed) tell(change);
            at = missed.length < missedAtOnce ? undefined : missed.at(-1)?.change;
          }
          isLive = true;
          for (const change of held) tell(change);
        },
        cancel: () => end(),
      },
      new CountQueuingStrategy({ highWaterMark: serviceLimits.eventsBehind }),
    );
  }

  /** A credential that was revoked, or a session that has ended, hears no more. A store that is away says nothing. */
  async #isStill({ credential, session }: Who): Promise<boolean> {
    const { credentials, clock } = this.#shared.ports;
    try {
      if (session !== null) return (await credentials.session(session, clock())) !== undefined;
      return await credentials.isGood(credential.name);
    } catch {
      return true;
    }
  }
}

function eventText({ change, id, revision, status }: Change): string {
  const event: RequestEvent = { id, revision, status };
  return `id: ${change}\nevent: request\ndata: ${JSON.stringify(event)}\n\n`;
}
