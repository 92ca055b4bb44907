/**
 * Kernels of several principals on one failing ledger: each spends its share, does things in the world, and is alone behind a
 * door for a while; one is hostile. One seed gives one history.
 */
import { Kernel, LedgerBroken, type Outcome } from "../../src/kernel/index.ts";
import { InDoubt, LedgerUnavailable } from "../../src/ledger/port.ts";
import { type Bugs, Engine, SimulatedLedger } from "./engine.ts";
import { checkHistory, History } from "./history.ts";
import { type Process, World } from "./world.ts";

export interface Simulated {
  readonly problems: readonly string[];
  /** Number of injected faults of each kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly entries: number;
  readonly operations: number;
}

const leaseMs = 400;
/** Clocks differ by less than this, but for that of the hostile one. */
const mostSkewMs = 20;

const policy = {
  budgets: { usd: { limit: 60 } },
  emergencies: [{ id: "halt", cap: 1_000 }],
  leaseMs,
  maxJumpMs: 100_000,
  principals: [
    { name: "ops", operator: true },
    { name: "a", shares: { usd: 12 } },
    { name: "b", shares: { usd: 12 } },
    { name: "c", shares: { usd: 12 }, reservations: 20 },
    {
      name: "mallory",
      shares: { usd: 1 },
      reservations: 5,
      refusals: { max: 4, windowMs: 60_000 },
    },
  ],
};
const honest = ["a", "b", "c"] as const;

/** Returns true for what a client is told when the ledger fails, and not the kernel. */
function isFailure(error: unknown): boolean {
  return error instanceof InDoubt || error instanceof LedgerUnavailable || error instanceof LedgerBroken;
}

interface Shared {
  readonly world: World;
  readonly engine: Engine;
  readonly history: History;
  /** Those who take themselves to be behind the door. */
  readonly door: Set<Client>;
}

/** One life of a client. */
class Client {
  readonly #shared: Shared;
  readonly #name: string;
  readonly #ledger: SimulatedLedger;
  readonly #skewMs: number;
  #kernel: Kernel | undefined;
  /** A clock that lies, of one who does. */
  #lieMs: number | undefined;

  constructor(shared: Shared, name: string, process: Process) {
    this.#shared = shared;
    this.#name = name;
    this.#ledger = new SimulatedLedger(shared.engine, process);
    this.#skewMs = Math.floor(shared.world.random() * mostSkewMs);
    process.onDeath.push(() => shared.door.delete(this));
  }

  async open(): Promise<boolean> {
    const { world, engine } = this.#shared;
    for (let tries = 0; tries < 60; tries++) {
      try {
        const options = {
          ledger: this.#ledger,
          principal: this.#name,
          snapshotEvery: 1,
          clock: () => this.#lieMs ?? Math.floor(world.nowMs) + this.#skewMs,
        };
        const opened = await Kernel.open(engine.flushed > 0 ? options : { ...options, policy });
        if (!opened.ok) throw new Error(opened.problem.message);
        this.#kernel = opened.value;
        return true;
      } catch (error) {
        if (!isFailure(error)) throw error;
        await world.sleep(20);
      }
    }
    return false;
  }

  async close(): Promise<void> {
    await this.#kernel?.close();
  }

  /** Asks, again if nothing happened; undefined if it is in doubt, or if nobody answers. */
  async ask(ask: (kernel: Kernel) => Promise<Outcome>, mostTries = 20): Promise<Outcome | undefined> {
    const { world, history } = this.#shared;
    if (this.#kernel === undefined) return undefined;
    for (let tries = 0; tries < mostTries; tries++) {
      const began = history.begin();
      try {
        const outcome = await ask(this.#kernel);
        history.told(began, outcome);
        return outcome;
      } catch (error) {
        if (!isFailure(error)) throw error;
        if (error instanceof InDoubt) return undefined;
        await world.sleep(5);
      }
    }
    return undefined;
  }

  async look(): Promise<void> {
    const { history } = this.#shared;
    const began = history.begin();
    try {
      await this.#kernel?.refresh();
      if (this.#kernel !== undefined) history.saw(began, this.#kernel.status().seq);
    } catch (error) {
      if (!isFailure(error)) throw error;
    }
  }

  /** An effect in the world under a key: reserve, do, settle. Each part may be the last thing that a client does. */
  async perform(key: string): Promise<void> {
    const { world, history } = this.#shared;
    const held = await this.ask((kernel) => kernel.reserve({ id: "pay", cost: "0.5" }, key));
    if (held?.receipt === undefined || held.result !== undefined) return;
    const { receipt } = held;
    history.happened(key);
    await world.sleep(world.random() * 20);
    await this.ask((kernel) => kernel.settle(receipt));
  }

  /** Alone behind a door, for longer than a lease, which is renewed; who cannot renew it leaves in time. */
  async enter(): Promise<void> {
    const { world, door, engine } = this.#shared;
    const action = { id: "enter", effects: [{ key: "door", op: "set", value: this.#name }] };
    const ask = () => this.ask((kernel) => kernel.reserve(action, undefined, leaseMs));
    let askedMs = world.nowMs;
    let held = await ask();
    for (let tries = 0; tries < 4 && held?.verdict === "refused"; tries++) {
      await world.sleep(200);
      askedMs = world.nowMs;
      held = await ask();
    }
    if (held?.receipt === undefined) return;
    const { receipt } = held;
    const isOver = () => this.#isOver(askedMs);
    if (isOver()) return;
    door.add(this);
    if (door.size > 1) world.blame("two are behind the door");
    this.#leaveInTime(() => askedMs);
    for (let turns = 0; turns < 6 && door.has(this); turns++) {
      await world.sleep(100);
      if (engine.bugs.leaseNotRenewed) continue;
      const nowMs = world.nowMs;
      const renewed = await this.ask((kernel) => kernel.renew(receipt, leaseMs), 1);
      if (renewed?.verdict === "allowed") askedMs = nowMs;
      else if (renewed !== undefined) break;
    }
    door.delete(this);
    await this.ask((kernel) => kernel.settle(receipt, { drop: true }));
  }

  /** True if the lease may be over: one who was paused, or gets no answer, knows by the clock. */
  #isOver(askedMs: number): boolean {
    return this.#shared.world.nowMs >= askedMs + leaseMs - 2 * mostSkewMs;
  }

  #leaveInTime(askedMs: () => number): void {
    const { world, door, engine } = this.#shared;
    const look = (): void => {
      if (!door.has(this) || engine.bugs.leaseNotRenewed) return;
      if (this.#isOver(askedMs())) door.delete(this);
      else this.#leaveInTime(askedMs);
    };
    // A watchdog beside the process, which a pause does not stop.
    world.happens(look, askedMs() + leaseMs - 2 * mostSkewMs - world.nowMs);
  }

  /** An emergency action is allowed whatever state everything is in, if the ledger can be reached. */
  async halt(): Promise<void> {
    const { world } = this.#shared;
    const halted = await this.ask((kernel) => kernel.execute({ id: "halt" }));
    if (halted?.verdict === "refused") world.blame(`an emergency action of ${this.#name} was refused`);
  }

  /** Someone's own share is theirs, whatever the others do. */
  async work(i: number): Promise<void> {
    const { world } = this.#shared;
    const effects = [{ key: `${this.#name}${i}`, op: "set", value: i }];
    const worked = await this.ask((kernel) => kernel.execute({ id: "work", effects, cost: "0.25" }));
    const others = worked?.reasons.filter(({ code }) => code !== "stopped" && code !== "budget") ?? [];
    if (others.length > 0) world.blame(`${this.#name} was kept from working: ${others[0]?.message}`);
    if (worked?.receipt !== undefined && world.random() < 0.2) {
      const { receipt } = worked;
      await this.ask((kernel) => kernel.rollback(receipt));
    }
  }

  /** An operator stops the kernel, and resumes it. */
  async operate(): Promise<void> {
    const { world } = this.#shared;
    const stopped = await this.ask((kernel) => kernel.stop("a look"));
    if (stopped?.verdict === "refused") world.blame("`stop` was refused");
    await world.sleep(world.random() * 30);
    const resumed = await this.ask((kernel) => kernel.resume("go on"), 60);
    if (resumed?.verdict === "refused") world.blame("`resume` was refused");
  }

  /** Refuses, reserves, floods, and lies about the clock. */
  async harm(): Promise<void> {
    const { world } = this.#shared;
    const lies = [2 ** 53 - 1, Math.floor(world.nowMs) + 200_000, 0, -1, Number.NaN, 0.5];
    if (world.random() < 0.5) {
      this.#lieMs = world.pick(lies);
      world.count("clock lies");
    } else this.#lieMs = undefined;
    const asks = Array.from({ length: 8 }, (_, i) =>
      this.ask((kernel) =>
        i % 2 === 0
          ? kernel.reserve({ id: "junk", cost: "0.01" })
          : kernel.execute({ id: "no", cost: 1_000 }),
      ),
    );
    await Promise.all(asks);
    // Its cap is its own.
    if (world.random() < 0.1) await this.ask((kernel) => kernel.execute({ id: "halt" }));
  }

  async live(): Promise<void> {
    const { world } = this.#shared;
    if (!(await this.open())) return;
    for (let i = 0; i < 6; i++) await this.#step(i, world);
    await this.close();
  }

  async #step(i: number, world: World): Promise<void> {
    const chance = world.random();
    if (this.#name === "ops") {
      if (chance < 0.25) await this.operate();
      else await world.sleep(150);
    } else if (this.#name === "mallory") {
      await this.harm();
      await world.sleep(100);
    } else await this.#honestStep(i, chance);
  }

  async #honestStep(i: number, chance: number): Promise<void> {
    const { world } = this.#shared;
    // The same keys in every life: what was done before is not done again.
    if (chance < 0.3) return this.perform(`${this.#name} ${Math.floor(world.random() * 3)}`);
    if (chance < 0.5) return this.enter();
    if (chance < 0.56) return this.halt();
    if (chance < 0.66) return void (await this.ask((kernel) => kernel.execute({ id: "no", cost: 1_000 })));
    if (chance < 0.8) return this.look();
    return this.work(i);
  }
}

export async function simulateKernels(seed: number, bugs: Bugs = {}): Promise<Simulated> {
  const world = new World(seed);
  const engine = new Engine(world, bugs);
  const history = new History();
  const shared: Shared = { world, engine, history, door: new Set() };
  await world.run(() => everybody(shared));
  // Whatever is not flushed now never will be.
  const log = engine.log.slice(0, engine.flushed);
  if (log.length > 0) await checkHistory(world, history, log);
  const { problems, faults } = world;
  return { problems, faults, entries: log.length, operations: history.operations.length };
}

function everybody(shared: Shared): void {
  const { world, engine, door } = shared;
  const alive = new Set<Process>();
  const live = (name: string, lives: number): void => {
    const process = world.start(name, async (self) => {
      const client = new Client(shared, name, self);
      await client.live();
      alive.delete(self);
    });
    alive.add(process);
    process.onDeath.push(() => {
      alive.delete(process);
      if (lives > 0) world.happens(() => live(name, lives - 1), world.random() * 50);
    });
    if (lives > 0 && world.random() < 0.4)
      world.happens(() => world.kill(process, "process killed"), 50 + world.random() * 400);
  };
  live("ops", 2);
  for (const name of honest) live(name, 2);
  if (world.random() < 0.5) live("mallory", 1);

  const sometimes = (rate: number, spanMs: number, work: () => void) => {
    if (world.random() < rate) world.happens(work, 30 + world.random() * spanMs);
  };
  const one = () => (alive.size === 0 ? undefined : world.pick([...alive]));
  sometimes(0.3, 500, () => {
    world.count("power cut");
    engine.powerCut();
    for (const process of [...alive]) world.kill(process, "process lost its power");
    door.clear();
  });
  sometimes(0.3, 800, () => {
    world.count("server restarted");
    engine.restart();
  });
  sometimes(0.3, 800, () => {
    const process = one();
    if (process === undefined) return;
    world.count("network parted");
    engine.parted.add(process);
    world.happens(() => engine.parted.delete(process), 50 + world.random() * 600);
  });
  for (let i = 0; i < 2; i++)
    sometimes(0.3, 800, () => {
      const process = one();
      if (process !== undefined) world.freeze(process, 20 + world.random() * 900);
    });
  sometimes(0.2, 600, () => {
    world.count("disk full");
    engine.fullUntilMs = world.nowMs + 30 + world.random() * 150;
  });
}
