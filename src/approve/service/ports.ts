/** Ports of the service: everything outside of it. */
import type { Grant } from "../receipt.ts";
import type { Charge } from "../requests/charges.ts";
import type { Credentials } from "../requests/credentials.ts";
import type { Found, RequestRecord } from "../requests/record.ts";
import type { RequestStore } from "../requests/store.ts";
import type { PolicyView } from "../wire.ts";
import type { Webhook } from "./read-webhooks.ts";

export interface Ports {
  readonly store: RequestStore;
  readonly credentials: Credentials;
  readonly prover: Prover;
  /** Null if no rule ever decides. */
  readonly policy: PolicyKeeper | null;
  /** The text of the receipt, signed with the key of the service. */
  readonly sign: (grant: Grant) => string;
  /** Milliseconds, as `Date.now()`. */
  readonly clock: () => number;
  readonly log: Log;
  readonly pages: ReadonlyMap<string, Page>;
  /** Told of requests that wait and of decisions. */
  readonly webhooks?: readonly Webhook[];
  /** Serves agents over the Model Context Protocol at `/mcp`; absent if there is no such face. */
  readonly agents?: AgentFace;
  readonly settings: Settings;
}

/** A protocol of agents over HTTP. The service authenticates; what comes here is the request of an agent. */
export interface AgentFace {
  readonly fetch: (request: Request, from: AgentCaller) => Promise<Response>;
}

export interface AgentCaller {
  /** The name of the agent's credential. */
  readonly name: string;
  /** The credential itself, with which its requests are filed. */
  readonly secret: string;
}

export interface Settings {
  /** Names by which the service may be called besides numbers and `localhost`, without a port. */
  readonly hosts: readonly string[];
  /** Origins of the service's pages, if a proxy changes what the browser sees. */
  readonly origins: readonly string[];
  /** Until a request that nobody decides is over. */
  readonly expireMs: number;
  /** Validity of a receipt in milliseconds. */
  readonly receiptMs: number;
  /** Open requests of one agent. */
  readonly openPerAgent: number;
  /** Requests over HTTP, of one credential in a second. */
  readonly perSecond: number;
  /** Lease of a proof in milliseconds; other instances do not claim the request meanwhile. */
  readonly leaseMs: number;
  /** The address of the page, for links in messages; set once the service listens. */
  readonly page?: (() => string) | undefined;
  /** The kernel on which workers run approved requests, by the hash of its first entry; absent if none do. */
  readonly workerKernel?: string | undefined;
}

/** Compiles and proves what was filed, apart from the service: it may take long, or all memory there is. */
export interface Prover {
  /** Returns true if another proof can start. */
  readonly hasRoom: () => boolean;
  /** Told when there is room again. */
  readonly onRoom: (listener: () => void) => void;
  /** Never rejects on account of the program. Rejects if it was aborted, or with a `BeginAgain`. */
  readonly prove: (record: RequestRecord, signal: AbortSignal) => Promise<Proved>;
  readonly close: () => Promise<void>;
}

/** Thrown when a proof was aborted through no fault of the request; the request goes back to the queue. */
export class BeginAgain extends Error {
  override readonly name = "BeginAgain";
}

export interface Proved {
  readonly found: Found;
  readonly policy: PolicyOutcome;
}

/** The policy that is in force. */
export interface PolicyKeeper {
  readonly view: () => PolicyView;
  /** The number of people who must approve; that of the last readable policy while it cannot be read. */
  readonly reviewers: () => number;
  /** Adds a rule, as JSON. Gives why not. */
  readonly add: (rule: string) => Promise<string | undefined>;
}

/** The policy's decision on a proved program. */
export interface PolicyOutcome {
  readonly decision: "auto_approved" | "auto_rejected" | "ask";
  readonly rule: string | null;
  readonly reason: string | null;
  /** Charges of the approval against limits across requests. */
  readonly charges: readonly Charge[];
}

export const nobodyDecides: PolicyOutcome = { decision: "ask", rule: null, reason: null, charges: [] };

/** A file of the page. */
export interface Page {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if the file's name contains a hash of its content. */
  readonly isLasting: boolean;
}

/** Never a credential, never a body. */
export type Log = (
  level: "info" | "warning" | "error",
  event: string,
  fields?: Readonly<Record<string, string | number | null>>,
) => void;
