/**
 * A deterministic simulation: kernels of several principals on one log, an executor with effects in a world, and a scheduler that
 * decides by a seed what happens next, with failing, torn and lost commits, killed clients, power cuts, pauses and skewed clocks.
 * One seed gives one history, which is checked afterwards for all that a kernel guarantees.
 */
import {
  Kernel,
  type Log,
  type Outcome,
  type StoredEntry,
  type StoredSnapshot,
  verify,
} from "../../src/kernel/index.ts";
import { randomFrom } from "./random.ts";

/** Bugs that are put in by hand, to see that they are found. */
export interface Bugs {
  /** Commits are acknowledged before they are flushed. */
  readonly fsyncSkipped?: boolean;
  /** The executor does not renew its lease. */
  readonly leaseNotRenewed?: boolean;
  /** Someone who may write snapshots takes used keys out of them; without the digest of the state a kernel believes it. */
  readonly snapshotForged?: boolean;
}

export interface Simulated {
  readonly problems: readonly string[];
  /** Number of injected faults of each kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly entries: number;
}

const policy = {
  budgets: { usd: { limit: 60 } },
  emergencies: [{ id: "halt", cap: 50 }],
  leaseMs: 400,
  maxJumpMs: 1_000_000,
  principals: [
    { name: "ops", operator: true },
    { name: "a", shares: { usd: 20 } },
    { name: "b", shares: { usd: 20 } },
    { name: "c", shares: { usd: 30 }, reservations: 20 },
  ],
};
const names = ["a", "b", "c"] as const;

class Named extends Error {
  constructor(name: "InDoubt" | "LedgerUnavailable") {
    super(name);
    this.name = name;
  }
}

/** A client that was killed never goes on: what it waits for is not answered. */
class World {
  readonly random: () => number;
  readonly bugs: Bugs;
  readonly faults: Record<string, number> = {};
  readonly problems: string[] = [];
  now = 1_000;
  /** Entries that were appended, of which the first `flushed` survive a power cut. */
  log: StoredEntry[] = [];
  flushed = 0;
  snapshot: StoredSnapshot | undefined;
  /** Incremented by a power cut: what began before it is gone. */
  epoch = 0;
  #events: { readonly at: number; readonly fire: () => void }[] = [];

  constructor(seed: number, bugs: Bugs) {
    this.random = randomFrom(seed);
    this.bugs = bugs;
  }

  chance(rate: number, fault: string): boolean {
    if (this.random() >= rate) return false;
    this.faults[fault] = (this.faults[fault] ?? 0) + 1;
    return true;
  }

  /** Something that happens later, in an order that the seed decides. */
  later(fire: () => void, afterMs = this.random() * 10): void {
    this.#events.push({ at: this.now + afterMs, fire });
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.later(resolve, ms));
  }

  /** Runs until nothing is left to happen. */
  async run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (let steps = 0; this.#events.length > 0; steps++) {
      if (steps > 20_000) {
        this.problems.push("the simulation does not end");
        return;
      }
      let next = 0;
      for (let i = 1; i < this.#events.length; i++)
        if ((this.#events[i]?.at ?? 0) < (this.#events[next]?.at ?? 0)) next = i;
      const [event] = this.#events.splice(next, 1);
      if (event === undefined) return;
      this.now = Math.max(this.now, event.at);
      event.fire();
      // All that follows from it in this turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Loses all that is not flushed, and every client. */
  powerCut(): void {
    this.epoch++;
    this.log = this.log.slice(0, this.flushed);
    if ((this.snapshot?.seq ?? 0) > this.flushed) this.snapshot = undefined;
  }
}

/** The log as one client sees it, for as long as that lives. */
class Disk implements Log {
  readonly #world: World;
  readonly #epoch: number;
  isKilled = false;

  constructor(world: World) {
    this.#world = world;
    this.#epoch = world.epoch;
  }

  transact(
    _: string,
    since: number,
    decide: (after: readonly StoredEntry[]) => readonly StoredEntry[],
  ): Promise<void> {
    const world = this.#world;
    return new Promise((resolve, reject) => {
      world.later(() => {
        if (this.#isGone()) return;
        if (world.chance(0.03, "commit refused")) return reject(new Named("LedgerUnavailable"));
        let added: readonly StoredEntry[];
        try {
          added = decide(world.log.slice(since));
        } catch (error) {
          return reject(error);
        }
        const isLost = added.length > 0 && world.chance(0.03, "commit lost");
        if (!isLost) world.log.push(...added);
        if (isLost) return reject(new Named("InDoubt"));
        if (world.bugs.fsyncSkipped) return resolve();
        const length = world.log.length;
        world.later(() => {
          if (this.#isGone()) return;
          world.flushed = Math.max(world.flushed, length);
          if (added.length > 0 && world.chance(0.03, "answer lost")) return reject(new Named("InDoubt"));
          resolve();
        });
      });
    });
  }

  async read(_: string, from: number, limit: number): Promise<readonly StoredEntry[]> {
    if (this.#world.chance(0.005, "read refused")) throw new Named("LedgerUnavailable");
    // Only what is flushed.
    return this.#world.log.slice(0, this.#world.flushed).slice(from - 1, from - 1 + limit);
  }

  async saveSnapshot(_: string, snapshot: StoredSnapshot): Promise<void> {
    if (this.#world.chance(0.1, "snapshot refused")) throw new Named("LedgerUnavailable");
    if (!this.#isGone()) this.#world.snapshot = snapshot;
  }

  async loadSnapshot(): Promise<StoredSnapshot | undefined> {
    const found = this.#world.snapshot;
    if (found === undefined) return undefined;
    if (this.#world.chance(0.1, "snapshot torn"))
      return { ...found, bytes: found.bytes.slice(0, found.bytes.length >> 1) };
    if (this.#world.chance(0.2, "snapshot forged")) return forged(found);
    return found;
  }

  #isGone(): boolean {
    return this.isKilled || this.#world.epoch !== this.#epoch;
  }
}

/** All idempotency keys as if they were never used. The digest in front is made anew. */
function forged({ seq, bytes }: StoredSnapshot): StoredSnapshot {
  const body = new TextDecoder().decode(bytes).slice(65);
  const json = JSON.parse(body);
  json.keys = {};
  json.pending = {};
  const text = JSON.stringify(json);
  return { seq, bytes: new TextEncoder().encode(`${digest(text)}\n${text}`) };
}

let digest: (text: string) => string = () => "";
export async function prepareSimulation(): Promise<void> {
  const { createHash } = await import("node:crypto");
  digest = (text) => createHash("sha256").update(text).digest("hex");
}

/** An operation of a client, for the history. */
interface Operation {
  readonly began: number;
  readonly ended: number;
  readonly outcome: Outcome;
}

interface Shared {
  readonly world: World;
  readonly history: Operation[];
  /** Effects in the world by their key: each must happen once at most. */
  readonly effects: Map<string, number>;
  /** Receipts of those behind the door. */
  readonly doors: Map<string, Client>;
  order: number;
}

/** One life of a client; undefined once it is killed. */
class Client {
  readonly #shared: Shared;
  readonly #name: string;
  readonly disk: Disk;
  #kernel: Kernel | undefined;
  readonly #skew: number;

  constructor(shared: Shared, name: string) {
    this.#shared = shared;
    this.#name = name;
    this.disk = new Disk(shared.world);
    this.#skew = Math.floor(shared.world.random() * 20);
  }

  async open(): Promise<Kernel> {
    const { world } = this.#shared;
    for (let tries = 0; tries < 50; tries++) {
      try {
        const options = {
          ledger: this.disk,
          principal: this.#name,
          snapshotEvery: 1,
          clock: () => Math.floor(world.now) + this.#skew,
        };
        const isThere = world.flushed > 0;
        const opened = await Kernel.open(isThere ? options : { ...options, policy });
        if (!opened.ok) throw new Error(opened.problem.message);
        this.#kernel = opened.value;
        return opened.value;
      } catch (error) {
        if (!(error instanceof Named)) throw error;
        await world.pause(5);
      }
    }
    throw new Error("the ledger is never there");
  }

  async close(): Promise<void> {
    await this.#kernel?.close();
  }

  /** Asks, again if nothing happened; undefined if it is in doubt. */
  async ask(ask: (kernel: Kernel) => Promise<Outcome>): Promise<Outcome | undefined> {
    const { world, history } = this.#shared;
    const kernel = this.#kernel;
    if (kernel === undefined) return undefined;
    for (let tries = 0; tries < 20; tries++) {
      const began = ++this.#shared.order;
      try {
        const outcome = await ask(kernel);
        history.push({ began, ended: ++this.#shared.order, outcome });
        return outcome;
      } catch (error) {
        if (!(error instanceof Named)) {
          world.problems.push(`${this.#name}: ${error instanceof Error ? error.message : String(error)}`);
          return undefined;
        }
        if (error.name === "InDoubt") return undefined;
        await world.pause(5);
      }
    }
    return undefined;
  }

  /** An effect in the world under a key: reserve, do, settle. Each part may be the last thing that a client does. */
  async perform(key: string): Promise<void> {
    const { world, effects } = this.#shared;
    const held = await this.ask((kernel) => kernel.reserve({ id: "pay", cost: "0.5" }, key));
    if (held?.receipt === undefined || held.result !== undefined) return;
    const { receipt } = held;
    effects.set(key, (effects.get(key) ?? 0) + 1);
    await world.pause(world.random() * 20);
    await this.ask((kernel) => kernel.settle(receipt));
  }

  /** Alone behind a door, for longer than a lease, which is renewed. */
  async enter(): Promise<void> {
    const { world, doors } = this.#shared;
    const effects = [{ key: "door", op: "set", value: this.#name }];
    const enter = () => this.ask((kernel) => kernel.reserve({ id: "enter", effects }, undefined, 400));
    let held = await enter();
    for (let tries = 0; tries < 4 && held?.verdict === "refused"; tries++) {
      await world.pause(200);
      held = await enter();
    }
    if (held?.receipt === undefined) return;
    const { receipt } = held;
    doors.set(receipt, this);
    if (doors.size > 1) world.problems.push("two are behind the door");
    for (let turns = 0; turns < 10 && !this.disk.isKilled; turns++) {
      await world.pause(100);
      if (world.bugs.leaseNotRenewed) continue;
      const renewed = await this.ask((kernel) => kernel.renew(receipt, 400));
      if (renewed?.verdict !== "allowed") break;
    }
    doors.delete(receipt);
    await this.ask((kernel) => kernel.settle(receipt, { drop: true }));
  }
}

export async function simulate(seed: number, bugs: Bugs = {}): Promise<Simulated> {
  const world = new World(seed, bugs);
  const shared: Shared = { world, history: [], effects: new Map(), doors: new Map(), order: 0 };
  const started = lives(shared).catch((error: unknown) => {
    world.problems.push(`a client failed: ${error instanceof Error ? error.message : String(error)}`);
  });
  await world.run();
  void started;
  await check(shared);
  return { problems: world.problems, faults: world.faults, entries: world.log.length };
}

/** Several lives of several clients. */
async function lives(shared: Shared): Promise<void> {
  const { world } = shared;
  const first = new Client(shared, "ops");
  await first.open();
  const life = async (name: string, left: number): Promise<void> => {
    const client = new Client(shared, name);
    const { epoch } = world;
    const ended = new Promise<void>((resolve) => {
      if (left > 0 && world.random() < 0.5)
        world.later(
          () => {
            if (world.epoch !== epoch) return;
            world.chance(1, "client killed");
            client.disk.isKilled = true;
            // Who dies is gone; the lease keeps others out until it ends.
            for (const [receipt, one] of shared.doors) if (one === client) shared.doors.delete(receipt);
            resolve();
          },
          50 + world.random() * 400,
        );
    });
    const work = async () => {
      await client.open();
      for (let i = 0; i < 6; i++) await step(client, name, i, world);
      await client.close();
    };
    await Promise.race([work(), ended]);
    if (client.disk.isKilled && left > 0) await life(name, left - 1);
  };
  const failed = (error: unknown) => {
    world.problems.push(`a client failed: ${error instanceof Error ? error.message : String(error)}`);
  };
  const all = names.map((name) => life(name, 2).catch(failed));
  if (world.random() < 0.3)
    world.later(
      () => {
        world.chance(1, "power cut");
        world.powerCut();
        shared.doors.clear();
        for (const name of names) void life(name, 0).catch(failed);
      },
      100 + world.random() * 300,
    );
  await Promise.all(all);
}

async function step(client: Client, name: string, i: number, world: World): Promise<void> {
  const choice = world.random();
  // The same keys in every life: what was done before is not done again.
  if (choice < 0.35) await client.perform(`${name} ${Math.floor(world.random() * 3)}`);
  else if (choice < 0.55) await client.enter();
  else if (choice < 0.6) await client.ask((kernel) => kernel.execute({ id: "halt" }));
  else if (choice < 0.7) await client.ask((kernel) => kernel.execute({ id: "no", cost: 1_000 }));
  else
    await client.ask((kernel) =>
      kernel.execute({ id: "work", effects: [{ key: `${name}${i}`, op: "set", value: i }], cost: "1.5" }),
    );
}

// ── what must be true afterwards ─────────────────────────────────────────────────────────────────────────

async function check({ world, history, effects }: Shared): Promise<void> {
  const { log, problems } = world;
  const { flushed } = world;
  if (flushed === 0) return;
  const verified = await verify(log);
  if (!verified.ok) problems.push(`entry ${verified.problem?.seq}: ${verified.problem?.what}`);
  // Durable: what was acknowledged is there, as it was told.
  for (const { outcome } of history)
    if (outcome.folded === undefined && log[outcome.seq - 1]?.hash !== outcome.hash)
      problems.push(`entry ${outcome.seq} was acknowledged and is lost`);
  // Strictly serializable: the order of the log respects that one operation ended before another began.
  const kept = history.filter(({ outcome }) => outcome.folded === undefined);
  for (const a of kept)
    for (const b of kept)
      if (a.ended < b.began && a.outcome.seq >= b.outcome.seq)
        problems.push(`entry ${b.outcome.seq} began after ${a.outcome.seq} had ended`);
  for (const [key, count] of effects) if (count > 1) problems.push(`\`${key}\` happened ${count} times`);
  const opened = await Kernel.open({ ledger: new Plain(log), principal: "ops", clock: () => world.now });
  if (!opened.ok) {
    problems.push(opened.problem.message);
    return;
  }
  const { budgets, principals = {} } = opened.value.status();
  if (Number(budgets.usd?.left) < 0) problems.push("the budget is overspent");
  for (const [name, { shares }] of Object.entries(principals))
    if (Number(shares.usd?.left ?? 0) < 0) problems.push(`the share of ${name} is overspent`);
  // Whatever happened in the world was settled, or is in doubt and listed.
  const settled = new Set(log.flatMap((entry) => settledKeys(entry)));
  const listed = new Set(opened.value.inDoubt().map(({ key }) => key));
  for (const key of effects.keys())
    if (!settled.has(key) && !listed.has(key)) problems.push(`\`${key}\` happened, and nobody knows of it`);
}

/** Keys of reservations; each of them was settled, or is pending. */
function settledKeys({ bytes }: StoredEntry): string[] {
  const { kind, verdict, command } = JSON.parse(new TextDecoder().decode(bytes));
  return kind === "reserve" && verdict === "allowed" && command.key !== undefined ? [command.key] : [];
}

class Plain implements Log {
  readonly #log: readonly StoredEntry[];
  constructor(log: readonly StoredEntry[]) {
    this.#log = log;
  }
  async transact(): Promise<void> {}
  async read(_: string, from: number, limit: number): Promise<readonly StoredEntry[]> {
    return this.#log.slice(from - 1, from - 1 + limit);
  }
}
