/** The approval service: requests in, proofs and decisions out. What listens on a socket is given by the caller. */
import { setMaxListeners } from "node:events";
import type { Shared } from "./context.ts";
import { Feed } from "./feed.ts";
import { serviceLimits } from "./limits.ts";
import { Metrics } from "./metrics.ts";
import type { Ports } from "./ports.ts";
import { Proving } from "./proving.ts";
import { Rate } from "./rate.ts";
import { Webhooks } from "./webhooks.ts";

/** Interval between sweeps for expired requests. */
const expireEveryMs = 1_000;

export interface Service {
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>;
  /** Takes no more proofs, answers those who wait, lets listeners go, and gives back what was begun. */
  readonly stop: () => Promise<void>;
}

export async function startService(ports: Ports): Promise<Service> {
  const { store, clock, log, settings, prover } = ports;
  const feed = new Feed(store, log);
  const proving = new Proving(ports, feed);
  const stopping = new AbortController();
  // Everyone who waits listens to it, and there may be many.
  setMaxListeners(0, stopping.signal);
  const shared: Shared = {
    ports,
    feed,
    proving,
    metrics: new Metrics(),
    rate: new Rate(4 * settings.perSecond, 4_000),
    filings: new Rate(10 * settings.perSecond, 60_000),
    failures: new Rate(serviceLimits.failedSignIns, serviceLimits.failedSignInsMs),
    stopping: stopping.signal,
  };
  // The HTTP framework is loaded by those who start a service, not by everyone who enters this room.
  const { appOf } = await import("./app.ts");
  const app = appOf(shared);
  await feed.start();
  proving.start();
  const webhooks = new Webhooks(ports);
  webhooks.start(feed);
  const expire = async (): Promise<void> => {
    try {
      if ((await store.expire(clock())) > 0) feed.look();
    } catch (error) {
      log("warning", "store", { why: error instanceof Error ? error.message : String(error) });
    }
  };
  let expiring = expire();
  const timer = setInterval(() => {
    expiring = expiring.then(expire);
  }, expireEveryMs);
  return {
    fetch: (request, env) => app.fetch(request, env),
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await expiring;
      await proving.stop();
      await webhooks.stop();
      await feed.stop();
      await prover.close();
    },
  };
}
