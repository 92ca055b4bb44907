/** Starts the approval service: its store, its keys, its first credentials, the processes that prove, and its socket. */

import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import {
  type AgentFace,
  Credentials,
  type Database,
  fingerprint,
  type Log,
  openStore,
  RequestStore,
  readWebhooks,
  receiptText,
  type Service,
  StoreUnavailable,
  signReceipt,
  startService,
  storeFile,
  type Webhook,
} from "../../approve/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { readSource, type Source } from "../files/source.ts";
import { systemCode, systemWords } from "../files/system-words.ts";
import { keysAt, readPrivateKey } from "../ledger/keys.ts";
import { addressOf, requireKernel, withLedger } from "../ledger/open.ts";
import type { SolverName } from "../prove/solver-pool.ts";
import { type FirstCredentials, firstCredentials } from "./first-credentials.ts";
import { readPages } from "./pages.ts";
import { PolicyFile } from "./policy-file.ts";
import { ProverPool } from "./prover-pool.ts";
import { readToolFiles } from "./tool-files.ts";

/** Times are in seconds. */
export interface ServiceSettings {
  readonly store: string;
  readonly host: string;
  readonly port: number;
  readonly origin?: readonly string[];
  readonly folder: string;
  readonly tools?: readonly string[];
  readonly policy?: string;
  /** The file that names webhooks. */
  readonly webhooks?: string;
  readonly key?: string;
  readonly expire: number;
  readonly receiptLifetime: number;
  readonly proveTimeout: number;
  readonly proveMemory: number;
  readonly workers?: number;
  readonly pending: number;
  readonly rate: number;
  readonly requestTimeout: number;
  readonly timeout: number;
  readonly solver: SolverName;
  /** The ledger and the kernel on which workers run requests. */
  readonly ledger?: string;
  readonly kernel?: string;
}

export interface ServiceHost {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  /** The script that starts a process of the pool. */
  readonly entry: string;
  /** The folder of the built page. */
  readonly pages: string;
  /** Makes what serves agents over MCP; absent if nothing does. */
  readonly agents?: (publicKey: string) => AgentService;
}

/** Serves agents over MCP, once it knows the address of the service. */
export interface AgentService extends AgentFace {
  readonly open: (address: string) => void;
  /** Ends everything but the runs that make calls, and waits for those. */
  readonly close: () => Promise<void>;
}

export interface RunningService {
  readonly address: string;
  /** The address that a person opens. */
  readonly page: string;
  /** The fingerprint of the key that signs receipts. */
  readonly key: string;
  /** Files with the first credentials, if this start made them. */
  readonly credentials: FirstCredentials["files"];
  readonly stop: () => Promise<void>;
}

/** LIMIT: for a proof in progress on an instance that reports nothing more. */
const leaseMs = 5_000;

/** Starts all parts, or none: a failure ends the parts that have started. */
export async function serveApprovals(
  settings: ServiceSettings,
  host: ServiceHost,
): Promise<Result<RunningService, Failure>> {
  const starting = new Starting(settings, host);
  try {
    const started = await starting.start();
    if (!started.ok) await starting.stop();
    return started;
  } catch (thrown) {
    await starting.stop();
    if (!(thrown instanceof StoreUnavailable)) throw thrown;
    return plainFailure("FC9006", thrown.message);
  }
}

class Starting {
  readonly #settings: ServiceSettings;
  readonly #host: ServiceHost;
  readonly #endings: (() => Promise<void>)[] = [];
  #page = "";

  constructor(settings: ServiceSettings, host: ServiceHost) {
    this.#settings = settings;
    this.#host = host;
  }

  /** Ends the parts, the last one first. */
  readonly stop = async (): Promise<void> => {
    for (const end of this.#endings.splice(0).reverse()) await end();
  };

  async start(): Promise<Result<RunningService, Failure>> {
    const { store: name, folder, tools, policy } = this.#settings;
    const { fs, log, clock, entry } = this.#host;
    const files = await readToolFiles(fs, folder, tools);
    if (!files.ok) return files;
    const served = await this.#servedKernel();
    if (!served.ok) return served;
    let inForce: Source | null | undefined;
    let pool: ProverPool | undefined;
    const changed = (policyNow: Source | null): void => {
      inForce = policyNow;
      pool?.renew({ ...setup, policy: policyNow });
    };
    const rules =
      policy === undefined
        ? ok(undefined)
        : await PolicyFile.open({ fs, path: policy, tools: files.value, log, changed });
    if (!rules.ok) return rules;
    this.#endings.push(async () => void (await rules.value?.file.close()));
    const database = await openStore(name);
    this.#endings.push(() => database.close());
    const privateKey = await this.#key();
    if (!privateKey.ok) return privateKey;
    const credentials = new Credentials(database);
    const first = await firstCredentials(fs, clock, credentials, storeFile(name) ?? "approvals");
    if (!first.ok) return first;
    const { proveTimeout, proveMemory, workers, solver, timeout } = this.#settings;
    const timeoutMs = Math.max(1, Math.round(timeout * 1000));
    // The policy may have changed since it was opened.
    const current = inForce === undefined ? (rules.value?.policy ?? null) : inForce;
    const setup = { tools: files.value, policy: current, solver, timeoutMs, memoryMb: proveMemory };
    const size = workers ?? Math.max(2, availableParallelism());
    const prover = new ProverPool({
      entry,
      size,
      timeoutMs: proveTimeout * 1000,
      memoryMb: proveMemory,
      setup,
      log,
    });
    pool = prover;
    this.#endings.push(() => prover.close());
    const failure = await prover.ready();
    if (failure !== undefined) return plainFailure("FC9001", failure);
    const keeper = rules.value?.file ?? null;
    const publicKey = createPublicKey(privateKey.value).export({ type: "spki", format: "pem" }).toString();
    const agents = this.#host.agents?.(publicKey);
    const webhooks = await this.#webhooks();
    if (!webhooks.ok) return webhooks;
    const service = await this.#service(
      database,
      credentials,
      prover,
      keeper,
      privateKey.value,
      agents,
      served.value,
      webhooks.value,
    );
    const address = await this.#listen(service);
    if (!address.ok) return address;
    this.#page = address.value;
    agents?.open(address.value);
    // Before the socket is closed: a run that makes calls tells the service how it ends.
    if (agents !== undefined) this.#endings.push(agents.close);
    return ok({
      address: address.value,
      // No server logs the fragment.
      page:
        first.value === undefined
          ? `${address.value}/`
          : `${address.value}/#sign-in=${first.value.invitation}`,
      key: fingerprint(publicKey) ?? "",
      credentials: first.value?.files ?? new Map(),
      stop: this.stop,
    });
  }

  /** Reads the file of webhooks; the secrets lie beside it. */
  async #webhooks(): Promise<Result<readonly Webhook[], Failure>> {
    const { webhooks: file } = this.#settings;
    if (file === undefined) return ok([]);
    const source = await readSource(this.#host.fs, file);
    if (!source.ok) return source;
    const read = readWebhooks(source.value.text, (name) =>
      readFileSync(resolve(dirname(source.value.file), name), "utf8"),
    );
    if ("webhooks" in read) return ok(read.webhooks);
    return plainFailure("FC9001", `\`${file}\` names no webhooks: ${read.problem}`);
  }

  /** Returns the hash of the first entry of the kernel that workers run on; undefined without a ledger. */
  async #servedKernel(): Promise<Result<string | undefined, Failure>> {
    const { ledger, kernel = "main" } = this.#settings;
    if (ledger === undefined) return ok(undefined);
    const address = addressOf(ledger);
    if (!address.ok) return address;
    return withLedger(
      this.#host.fs,
      address.value,
      async (opened) => {
        const absent = await requireKernel(opened, address.value, kernel);
        return absent ?? ok((await opened.read(kernel, 1, 1))[0]?.hash);
      },
      "read",
    );
  }

  /** Returns the named key, or the one beside the store, which it makes if there is none. */
  async #key(): Promise<Result<string, Failure>> {
    const { key, store } = this.#settings;
    const { fs } = this.#host;
    if (key !== undefined) return readPrivateKey(fs, key);
    const file = storeFile(store);
    if (file === undefined) {
      const help = "make one: `foreclaim keys make approve.key`, and give it with --key to every instance";
      return plainFailure("FC9010", "there is no key to sign receipts with", help);
    }
    const made = await keysAt(fs, `${file}.key`);
    return made.ok ? readPrivateKey(fs, made.value.privatePath) : made;
  }

  async #service(
    database: Database,
    credentials: Credentials,
    prover: ProverPool,
    policy: PolicyFile | null,
    privateKey: string,
    agents: AgentFace | undefined,
    workerKernel: string | undefined,
    webhooks: readonly Webhook[],
  ): Promise<Service> {
    const { host, origin = [], expire, receiptLifetime, pending, rate } = this.#settings;
    const { clock, log, pages } = this.#host;
    const service = await startService({
      store: new RequestStore(database),
      credentials,
      prover,
      policy,
      sign: (grant) => receiptText(signReceipt(grant, privateKey)),
      clock: clock.wallMs,
      log,
      pages: await readPages(pages),
      ...(agents && { agents }),
      webhooks,
      settings: {
        hosts: [host, ...origin.map((one) => new URL(one).hostname)],
        origins: origin.map((one) => new URL(one).origin),
        expireMs: expire * 1000,
        receiptMs: receiptLifetime * 1000,
        openPerAgent: pending,
        perSecond: rate,
        leaseMs,
        workerKernel,
        page: () => this.#page,
      },
    });
    this.#endings.push(() => service.stop());
    return service;
  }

  async #listen(service: Service): Promise<Result<string, Failure>> {
    const { host, port, requestTimeout } = this.#settings;
    const { listen } = await import("./listen.ts");
    try {
      const socket = await listen(service, host, port, requestTimeout * 1000);
      // The socket takes no new connection, and the stopping service answers the waiting ones.
      this.#endings.push(async () => {
        const closed = socket.close();
        await service.stop();
        await closed;
      });
      return ok(`http://${host.includes(":") ? `[${host}]` : host}:${socket.port}`);
    } catch (thrown) {
      const code = systemCode(thrown);
      const why = code === "EADDRINUSE" ? "another process listens there already" : systemWords(code);
      const help = "choose another port with --port";
      return plainFailure("FC9001", `cannot listen on \`${host}:${port}\`: ${why}`, help);
    }
  }
}
