/**
 * The kernel as one would write it on a napkin: whole copies of everything, small integers, no hashes. It shares no code
 * with the kernel, and says what must become of each command.
 */

export type Cell = number | boolean | string | readonly number[];

export interface ModelEffect {
  readonly key: string;
  readonly op: string;
  readonly value?: Cell;
}

export interface ModelAction {
  readonly id: string;
  readonly effects: readonly ModelEffect[];
  /** Whole units of `run`, which is within `day`. */
  readonly cost: number;
  readonly reads?: number;
}

export const setting = {
  limit: 12,
  dayLimit: 16,
  dayMs: 100,
  minCost: 1,
  maxSteps: 5,
  mailsMax: 3,
  nMin: 0,
  nMax: 10,
  windowMax: 3,
  windowMs: 20,
  haltCap: 2,
  initial: { n: 3, mails: 0, list: [1, 2], done: false, note: "x" } as Readonly<Record<string, Cell>>,
};

export const policy = {
  budgets: [
    { name: "run", limit: setting.limit, quantum: "0.01", within: "day", minCost: setting.minCost },
    { name: "day", limit: setting.dayLimit, quantum: "0.01", windowMs: setting.dayMs },
  ],
  rules: [
    { name: "mails", enforcement: "blocking", rule: "rateLimit", key: "mails", max: setting.mailsMax },
    { name: "n", enforcement: "blocking", rule: "range", key: "n", min: setting.nMin, max: setting.nMax },
    { name: "done", enforcement: "blocking", rule: "terminalFlag", key: "done" },
    {
      name: "window",
      enforcement: "blocking",
      rule: "timeWindow",
      max: setting.windowMax,
      windowMs: setting.windowMs,
    },
    { name: "watched", enforcement: "monitoring", rule: "ceiling", key: "n", max: 4 },
    { name: "kept", enforcement: "blocking", when: 'isSome(jsonField(after, "note"))' },
  ],
  maxSteps: setting.maxSteps,
  emergencies: [{ id: "halt", effects: [{ key: "halted", op: "set", value: true }], cap: setting.haltCap }],
};

interface Step {
  readonly version: number;
  readonly before: readonly (readonly [string, Cell | undefined])[];
  readonly cost: number;
  readonly day: number;
  status: "open" | "undone" | "final";
}

interface Held {
  readonly action: ModelAction;
  readonly key: string | undefined;
  readonly keys: readonly string[];
}

export const stepLimit = Math.min(setting.maxSteps, Math.floor(setting.limit / setting.minCost));

export class Model {
  state = new Map<string, Cell>(Object.entries(setting.initial));
  version = 0;
  time = 0;
  gross = 0;
  refunded = 0;
  reserved = 0;
  day = 0;
  daySpent = 0;
  steps = 0;
  times: number[] = [];
  halts = 0;
  readonly history: Step[] = [];
  readonly pending = new Map<string, Held>();
  readonly keys = new Map<string, { text: string; status: string }>();
  entries = 1;

  tick(time: number): void {
    this.time = Math.max(this.time, time);
    const day = Math.floor(this.time / setting.dayMs);
    if (day !== this.day) {
      this.day = day;
      this.daySpent = 0;
    }
  }

  /** Returns the state after an allowed action; undefined for a refused one. */
  judge(action: ModelAction): Map<string, Cell> | undefined {
    const after = this.apply(action);
    if (after === undefined) return undefined;
    if (action.reads !== undefined && action.reads !== this.version) return undefined;
    const bad = action.effects.some(
      ({ key, op, value }) =>
        key === "mails" && !(op === "increment" && typeof value === "number" && value > 0),
    );
    if (bad || action.effects.some(({ key }) => this.isHeld(key))) return undefined;
    if (action.cost < setting.minCost) return undefined;
    if (this.gross - this.refunded + this.reserved + action.cost > setting.limit) return undefined;
    if (this.daySpent + this.reserved + action.cost > setting.dayLimit) return undefined;
    if (this.steps >= stepLimit) return undefined;
    const recent = this.times.filter((time) => this.time - time < setting.windowMs);
    if (recent.length >= setting.windowMax || this.state.get("done") === true) return undefined;
    return this.holds(after) ? after : undefined;
  }

  holds(after: Map<string, Cell>): boolean {
    const [n, mails, done] = [after.get("n"), after.get("mails"), after.get("done")];
    const [oldMails, oldDone] = [this.state.get("mails"), this.state.get("done")];
    if (typeof n !== "number" || n < setting.nMin || n > setting.nMax) return false;
    if (typeof mails !== "number" || mails > setting.mailsMax || mails < Number(oldMails)) return false;
    return typeof done === "boolean" && !(oldDone === true && !done) && after.has("note");
  }

  apply(action: ModelAction): Map<string, Cell> | undefined {
    const after = new Map(this.state);
    for (const { key, op, value } of action.effects) {
      const old = after.get(key);
      if (op === "set") after.set(key, value!);
      else if (old === undefined) return undefined;
      else if (op === "delete") after.delete(key);
      else if (op === "append" || op === "remove") {
        if (!Array.isArray(old)) return undefined;
        const at = old.indexOf(value as number);
        if (op === "remove" && at < 0) return undefined;
        after.set(key, op === "append" ? [...old, value as number] : old.filter((_, i) => i !== at));
      } else {
        if (typeof old !== "number" || typeof value !== "number") return undefined;
        after.set(key, op === "increment" ? old + value : op === "decrement" ? old - value : old * value);
      }
    }
    return after;
  }

  execute(action: ModelAction): boolean {
    this.entries++;
    const after = this.judge(action);
    if (after === undefined) return false;
    this.countStep();
    this.spend(action.cost);
    this.commit(after, action, action.cost);
    return true;
  }

  halt(): boolean {
    this.entries++;
    if (this.halts >= setting.haltCap) return false;
    this.halts++;
    this.history.push({
      version: ++this.version,
      before: [["halted", this.state.get("halted")]],
      cost: 0,
      day: this.day,
      status: "final",
    });
    this.state.set("halted", true);
    return true;
  }

  reserve(receipt: string | undefined, action: ModelAction, key: string | undefined): boolean {
    this.entries++;
    const use = key === undefined ? undefined : this.keys.get(key);
    const text = JSON.stringify(action);
    if (use !== undefined && use.text === text && use.status === "settled") return true;
    if (use !== undefined && (use.text !== text || use.status === "pending")) return false;
    if (this.judge(action) === undefined) return false;
    this.countStep();
    this.reserved += action.cost;
    if (key !== undefined) this.keys.set(key, { text, status: "pending" });
    this.pending.set(receipt!, { action, key, keys: action.effects.map((effect) => effect.key) });
    return true;
  }

  settle(receipt: string, cost: number | undefined): boolean {
    this.entries++;
    const held = this.pending.get(receipt);
    if (held === undefined) return false;
    const actual = cost ?? held.action.cost;
    const after = this.apply(held.action);
    if (actual > held.action.cost || after === undefined || !this.holds(after)) return false;
    this.end(receipt, held, "settled");
    this.spend(actual);
    this.commit(after, held.action, actual);
    return true;
  }

  release(receipt: string): boolean {
    this.entries++;
    const held = this.pending.get(receipt);
    if (held === undefined) return false;
    this.end(receipt, held, "released");
    return true;
  }

  rollback(from: number | undefined, to: number | undefined): boolean {
    this.entries++;
    const find = (version: number | undefined) => this.history.find((step) => step.version === version);
    const [first, last] = [find(from), find(to)];
    if (first?.status !== "open" || last?.status !== "open" || last.version < first.version) return false;
    const range = this.history.filter(({ version }) => version >= first.version && version <= last.version);
    if (range.some(({ status }) => status === "final")) return false;
    const steps = range.filter(({ status }) => status === "open").reverse();
    const keys = new Set(steps.flatMap(({ before }) => before.map(([key]) => key)));
    const later = this.history.filter(({ version, status }) => version > last.version && status !== "undone");
    if (later.some(({ before }) => before.some(([key]) => keys.has(key)))) return false;
    if ([...keys].some((key) => this.isHeld(key))) return false;
    const after = new Map(this.state);
    for (const { before } of steps) {
      for (const [key, value] of before) value === undefined ? after.delete(key) : after.set(key, value);
    }
    if (!this.holds(after)) return false;
    for (const step of steps) {
      step.status = "undone";
      this.refunded += step.cost;
      if (step.day === this.day) this.daySpent -= step.cost;
    }
    this.state = after;
    this.version++;
    return true;
  }

  private isHeld(key: string): boolean {
    return [...this.pending.values()].some(({ keys }) => keys.includes(key));
  }

  private countStep(): void {
    this.steps++;
    this.times.push(this.time);
  }

  private spend(cost: number): void {
    this.gross += cost;
    this.daySpent += cost;
  }

  private commit(after: Map<string, Cell>, action: ModelAction, cost: number): void {
    const keys = [...new Set(action.effects.map(({ key }) => key))];
    const before = keys.map((key) => [key, this.state.get(key)] as const);
    this.history.push({ version: ++this.version, before, cost, day: this.day, status: "open" });
    this.state = after;
  }

  private end(receipt: string, held: Held, status: string): void {
    this.reserved -= held.action.cost;
    this.pending.delete(receipt);
    if (held.key !== undefined) this.keys.set(held.key, { text: JSON.stringify(held.action), status });
  }

  stateText(): string {
    const sorted = [...this.state].sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify(Object.fromEntries(sorted));
  }
}
