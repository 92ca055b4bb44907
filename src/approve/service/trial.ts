/**
 * A service in this process, for tests of clients: its store is a file that is gone afterwards, nothing is proved, and so
 * nothing is approved. Requests come to be `not_proved`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorBody, Role } from "../wire.ts";
import type { Settings } from "./ports.ts";

export interface TrialService {
  /** A new credential. */
  readonly credential: (name: string, role: Role) => Promise<string>;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Asks as the holder of a credential, or as nobody. */
  readonly ask: (
    credential: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TrialAnswer>;
  readonly close: () => Promise<void>;
}

export interface TrialAnswer {
  readonly ok: boolean;
  readonly status: number;
  /** The response body, if it is JSON. */
  readonly body: unknown;
  /** Why it was refused: one, or none. */
  readonly problems: readonly ErrorBody["error"][];
}

const usual: Settings = {
  hosts: [],
  origins: [],
  expireMs: 60_000,
  receiptMs: 60_000,
  openPerAgent: 100,
  perSecond: 1_000,
  leaseMs: 5_000,
};

/** `settings`: what is to be otherwise than in a service that is started without options. */
export async function trialService(settings: Partial<Settings> = {}): Promise<TrialService> {
  // Loaded on demand: tests of rules need none of it.
  const [{ Credentials }, { openStore }, { RequestStore }, { unprovedResult }, { startService }] =
    await Promise.all([
      import("../requests/credentials.ts"),
      import("../requests/open.ts"),
      import("../requests/store.ts"),
      import("./unproved-result.ts"),
      import("./service.ts"),
    ]);
  const folder = await mkdtemp(join(tmpdir(), "foreclaim-trial-"));
  const database = await openStore(join(folder, "approvals.db"));
  const credentials = new Credentials(database);
  const service = await startService({
    store: new RequestStore(database),
    credentials,
    prover: {
      hasRoom: () => true,
      onRoom: () => {},
      prove: async () => unprovedResult("a service on trial proves nothing"),
      close: async () => {},
    },
    policy: null,
    sign: () => {
      throw new TypeError("a service on trial approves nothing");
    },
    clock: Date.now,
    log: () => {},
    pages: new Map(),
    settings: { ...usual, ...settings },
  });
  return {
    credential: async (name, role) => {
      const secret = await credentials.make(name, role, Date.now());
      if (secret === undefined) throw new TypeError(`there is a credential \`${name}\` already`);
      return secret;
    },
    fetch: (request) => service.fetch(request),
    ask: async (credential, method, path, body, headers) => {
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: {
          host: "localhost",
          ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      return answerOf(await service.fetch(request));
    },
    close: async () => {
      await service.stop();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answerOf(answer: Response): Promise<TrialAnswer> {
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  const problems = answer.ok ? [] : [errorIn(body)];
  return { ok: answer.ok, status: answer.status, body, problems };
}

function errorIn(body: unknown): ErrorBody["error"] {
  // SAFETY: every refusal has this form.
  return (body as ErrorBody).error;
}
