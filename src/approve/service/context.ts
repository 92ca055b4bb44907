/** Context shared by the routes of the service. */
import type { Context } from "hono";
import type { Credential } from "../requests/credentials.ts";
import type { Feed } from "./feed.ts";
import type { Metrics } from "./metrics.ts";
import type { Ports } from "./ports.ts";
import type { Proving } from "./proving.ts";
import type { Rate } from "./rate.ts";

export interface Shared {
  readonly ports: Ports;
  readonly feed: Feed;
  readonly proving: Proving;
  readonly metrics: Metrics;
  /** Requests of each credential. */
  readonly rate: Rate;
  /** Requests that each agent files: they are kept, also those that come to nothing. */
  readonly filings: Rate;
  /** Failed sign-ins of each address. */
  readonly failures: Rate;
  /** Aborted when the service stops: long polls return, and listeners are closed. */
  readonly stopping: AbortSignal;
}

export interface Who {
  readonly credential: Credential;
  /** The secret of the session, for those who came by cookie. */
  readonly session: string | null;
}

export interface Env {
  Bindings: {
    /** Node's request; absent without a socket. */
    readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
  };
  Variables: { who: Who };
}

export type Ask = Context<Env>;

export function addressOf(c: Ask): string {
  return c.env?.incoming?.socket.remoteAddress ?? "unknown";
}
