/** A service for one question: a process of its own with a store that is gone afterwards. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as later } from "node:timers/promises";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { readSource } from "../files/source.ts";
import type { SigningKey } from "./receipt.ts";
import type { ServiceAddress } from "./service-client.ts";

interface OwnServiceOptions {
  /** The folder of the program. */
  readonly folder: string;
  readonly tools: readonly string[] | undefined;
  /** Signs the receipt. */
  readonly privateKey: string;
  /** The script that starts the command. */
  readonly entry: string;
}

/** LIMIT: until it listens, and until it has ended. */
const startMs = 30_000;
const endMs = 10_000;
/** The time that it stays after the run. */
const lingerMs = 1_500;

async function startOwnService(options: OwnServiceOptions): Promise<Result<Reached, Failure>> {
  const { folder, tools, privateKey, entry } = options;
  const store = await mkdtemp(join(tmpdir(), "foreclaim-approve-"));
  const key = join(store, "approve.key");
  await writeFile(key, privateKey, { mode: 0o600 });
  const args = ["serve", "--json", "--port", "0", "--store", join(store, "approvals.db"), "--key", key];
  const where = ["--folder", folder, ...(tools ?? []).flatMap((one) => ["--tools", one])];
  const child = spawn(process.execPath, [entry, ...args, ...where, "--temporary", store], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  let said = "";
  let isUp = false;
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-4_000);
  });
  const close = async (): Promise<void> => {
    // A page that is open hears how it ended.
    if (isUp) await later(lingerMs);
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), endMs);
    await ended;
    clearTimeout(timer);
    await rm(store, { recursive: true, force: true });
  };
  const slow = setTimeout(() => child.kill("SIGKILL"), startMs);
  const first = await Promise.race([firstLine(child.stdout), ended]);
  clearTimeout(slow);
  const up = typeof first === "string" ? upIn(first) : undefined;
  if (up === undefined) {
    child.kill("SIGKILL");
    await close();
    const why = messageIn(first) ?? (said.trim().split("\n").at(-1) || "no reason given");
    return plainFailure("FC9012", `the approval page cannot be served: ${why}`);
  }
  isUp = true;
  const credential = (await readFile(up.agent, "utf8")).trim();
  return ok({ url: up.address, page: up.page, credential, close });
}

export interface Reached extends ServiceAddress {
  /** The address that a person opens. */
  readonly page: string;
  readonly close: () => Promise<void>;
}

/** Reaches the service that was named, or starts one for this one question. */
export async function serviceFor(
  fs: FileSystem,
  given: {
    readonly file: string;
    readonly service?: string | undefined;
    readonly credential?: string | undefined;
    readonly tools?: readonly string[] | undefined;
    readonly entry: string;
  },
  { privateKey }: SigningKey,
): Promise<Result<Reached, Failure>> {
  const { file, service, credential, tools, entry } = given;
  if (service === undefined) return startOwnService({ folder: dirname(file), tools, privateKey, entry });
  if (credential === undefined) {
    const help = "give the file with --credential; `foreclaim serve credential make` makes one";
    return plainFailure("FC9001", "the service must know whose request it is", help);
  }
  const secret = await readSource(fs, credential, 4_096);
  if (!secret.ok) return secret;
  return ok({
    url: service,
    page: service,
    credential: secret.value.text.trim(),
    close: async () => {},
  });
}

/** Returns the address of a request on the page. */
export function pageOf(page: string, id: string): string {
  return page.includes("#") ? `${page}&request=${id}` : `${page.replace(/\/$/, "")}/#/requests/${id}`;
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: stream })) return line;
  return undefined;
}

function upIn(line: string): { address: string; page: string; agent: string } | undefined {
  const { address, page, credentials } = fieldsIn(line);
  const agent: unknown = Object(credentials).agent;
  return typeof address === "string" && typeof page === "string" && typeof agent === "string"
    ? { address, page, agent }
    : undefined;
}

function messageIn(line: unknown): string | undefined {
  const [first] = [fieldsIn(typeof line === "string" ? line : "").problems].flat();
  const message: unknown = Object(first).message;
  return typeof message === "string" ? message : undefined;
}

function fieldsIn(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}
