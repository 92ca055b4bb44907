/** `serve`: the approval service. */

import { createPublicKey } from "node:crypto";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  type Failure,
  keysAt,
  PolicyFile,
  ProverPool,
  plainFailure,
  readPrivateKey,
  readToolFiles,
  type SolverName,
  type Source,
  shown,
  systemCode,
  systemWords,
} from "../../../app/index.ts";
import {
  Credentials,
  type Database,
  fingerprint,
  openStore,
  RequestStore,
  receiptText,
  type Service,
  StoreUnavailable,
  signReceipt,
  startService,
  storeFile,
} from "../../../approve/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { firstCredentials } from "./first-credentials.ts";
import { listen } from "./listen.ts";
import { logTo } from "./log.ts";
import { readPages } from "./pages.ts";

export interface ServeOptions {
  readonly store: string;
  readonly host: string;
  readonly port: number;
  readonly origin?: readonly string[];
  readonly folder: string;
  readonly tools?: readonly string[];
  readonly policy?: string;
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
  readonly log: "text" | "json";
  readonly json?: boolean;
  /** A folder that is removed at the end, which is when the input ends: whoever started it is done, or gone. */
  readonly temporary?: string;
}

/** How long a request that is proved stays with an instance that says nothing more. */
const leaseMs = 5_000;

export async function serve(host: Host, options: ServeOptions): Promise<ExitCode> {
  const done = await new ServeCommand(host, options).attempt();
  return done.ok ? done.value : reportFailure(host, done, options.json === true);
}

class ServeCommand {
  readonly #host: Host;
  readonly #options: ServeOptions;
  readonly #endings: (() => Promise<void>)[] = [];

  constructor(host: Host, options: ServeOptions) {
    this.#host = host;
    this.#options = options;
  }

  async attempt(): Promise<Result<ExitCode, Failure>> {
    const { temporary } = this.#options;
    const interrupted = new Promise<void>((resolve) => {
      this.#host.onInterrupt?.(resolve);
      if (temporary !== undefined) void this.#host.readStdin(1).then(() => resolve());
    });
    if (temporary !== undefined) this.#endings.push(() => rm(temporary, { recursive: true, force: true }));
    try {
      const up = await this.#start();
      if (!up.ok) return up;
      await interrupted;
      up.value("info", "stopping");
      return ok(fine);
    } catch (thrown) {
      if (!(thrown instanceof StoreUnavailable)) throw thrown;
      return plainFailure("FC9006", thrown.message);
    } finally {
      // The last that was begun is ended first.
      for (const end of this.#endings.reverse()) await end();
    }
  }

  async #start() {
    const { store: name, folder, tools, policy, log: form } = this.#options;
    const host = this.#host;
    const log = logTo(host, form);
    const files = await readToolFiles(host, folder, tools);
    if (!files.ok) return files;
    let inForce: Source | null | undefined;
    let pool: ProverPool | undefined;
    const changed = (policyNow: Source | null): void => {
      inForce = policyNow;
      pool?.renew({ ...setup, policy: policyNow });
    };
    const rules =
      policy === undefined
        ? ok(undefined)
        : await PolicyFile.open({ fs: host, path: policy, tools: files.value, log, changed });
    if (!rules.ok) return rules;
    this.#endings.push(async () => void (await rules.value?.file.close()));
    const database = await openStore(name);
    this.#endings.push(() => database.close());
    const privateKey = await this.#key();
    if (!privateKey.ok) return privateKey;
    const credentials = new Credentials(database);
    const first = await firstCredentials(host, credentials, storeFile(name) ?? "approvals");
    if (!first.ok) return first;
    const { proveTimeout, proveMemory, workers, solver, timeout } = this.#options;
    const timeoutMs = Math.max(1, Math.round(timeout * 1000));
    // It may have been changed since it was opened.
    const current = inForce === undefined ? (rules.value?.policy ?? null) : inForce;
    const setup = { tools: files.value, policy: current, solver, timeoutMs, memoryMb: proveMemory };
    const size = workers ?? Math.max(2, availableParallelism());
    const prover = new ProverPool({
      // Beside this file once the command is built.
      entry: join(import.meta.dirname, "main.js"),
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
    const service = await this.#service(database, credentials, prover, keeper, privateKey.value, log);
    const address = await this.#listen(service);
    if (!address.ok) return address;
    await this.#tell(address.value, privateKey.value, first.value);
    return ok(log);
  }

  /** The key that was named, or the one beside the store, made if there is none. */
  async #key(): Promise<Result<string, Failure>> {
    const { key, store } = this.#options;
    if (key !== undefined) return readPrivateKey(this.#host, key);
    const file = storeFile(store);
    if (file === undefined) {
      const help = "make one: `foreclaim keys make approve.key`, and give it with --key to every instance";
      return plainFailure("FC9010", "there is no key to sign receipts with", help);
    }
    const made = await keysAt(this.#host, `${file}.key`);
    return made.ok ? readPrivateKey(this.#host, made.value.privatePath) : made;
  }

  async #service(
    database: Database,
    credentials: Credentials,
    prover: ProverPool,
    policy: PolicyFile | null,
    privateKey: string,
    log: ReturnType<typeof logTo>,
  ): Promise<Service> {
    const { host, origin = [], expire, receiptLifetime, pending, rate } = this.#options;
    const names = [host, ...origin.map((one) => new URL(one).hostname)];
    const service = await startService({
      store: new RequestStore(database),
      credentials,
      prover,
      policy,
      sign: (grant) => receiptText(signReceipt(grant, privateKey)),
      clock: this.#host.wallMs,
      log,
      pages: await readPages(),
      settings: {
        hosts: names,
        origins: origin.map((one) => new URL(one).origin),
        expireMs: expire * 1000,
        receiptMs: receiptLifetime * 1000,
        openPerAgent: pending,
        perSecond: rate,
        leaseMs,
      },
    });
    this.#endings.push(() => service.stop());
    return service;
  }

  async #listen(service: Service): Promise<Result<string, Failure>> {
    const { host, port, requestTimeout } = this.#options;
    try {
      const socket = await listen(service, host, port, requestTimeout * 1000);
      // Nobody new is let in, and those who wait are answered by the service as it stops.
      this.#endings.push(async () => {
        const closed = socket.close();
        await service.stop();
        await closed;
      });
      const name = host.includes(":") ? `[${host}]` : host;
      return ok(`http://${name}:${socket.port}`);
    } catch (thrown) {
      const code = systemCode(thrown);
      const why = code === "EADDRINUSE" ? "something else listens there already" : systemWords(code);
      const help = "choose another port with --port";
      return plainFailure("FC9001", `cannot listen on \`${host}:${port}\`: ${why}`, help);
    }
  }

  async #tell(
    address: string,
    privateKey: string,
    first: { readonly files: ReadonlyMap<string, string>; readonly invitation: string } | undefined,
  ): Promise<void> {
    const { stdout } = this.#host;
    const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
    const key = fingerprint(publicKey) ?? "";
    // In the fragment it reaches no log of any server.
    const page = first === undefined ? `${address}/` : `${address}/#sign-in=${first.invitation}`;
    const files = [...(first?.files ?? [])];
    if (this.#options.json) {
      await writeJsonLine(stdout, { ok: true, address, page, key, credentials: Object.fromEntries(files) });
      return;
    }
    const lines = [
      `listening on ${address}, signing with ${key}`,
      ...files.map(([role, path]) => `  the ${role}'s credential is in ${visibleText(shown(path))}`),
      first === undefined ? `open ${page}` : `open ${page}  (good once, for ten minutes)`,
    ];
    await stdout.write(`${lines.join("\n")}\n`);
  }
}
