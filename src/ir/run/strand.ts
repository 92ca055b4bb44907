/**
 * Executes commands one after the other: those of the program, or of one branch that runs beside others. A strand has
 * names of its own on top of those that were there when it began. Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import type { Trail } from "../diagnostic.ts";
import type {
  CallCommand,
  Command,
  Expr,
  ForCommand,
  LoopCommand,
  ParallelCommand,
  RequireCommand,
  WhileCommand,
} from "../document.ts";
import { type Environment, evaluateExactly, evaluateRecord, type Known } from "../eval/evaluate.ts";
import { LimitReached, type Meter } from "../eval/meter.ts";
import { isPartly } from "../eval/partly.ts";
import type { Outcome } from "../eval/trace.ts";
import { defaultTurns } from "../limits.ts";
import { printExpr } from "../text/printer.ts";
import { isList, isRecord, none, some, type Value } from "../value.ts";
import type { Calls } from "./calls.ts";
import { FinalStop, Stop } from "./stop.ts";
import type { Wait } from "./turns.ts";

/** Shared by all strands of a run. */
export interface Shared {
  readonly checked: Checked;
  readonly calls: Calls;
  readonly meter: Meter;
}

/** The environment in which a strand begins. */
interface Beginning {
  readonly environment: Environment;
  /** The positions of the loops that are under way, outermost first. */
  readonly indices: readonly number[];
  readonly at: Trail;
  /** The strand that waits for it, and its place among those that it waits for. */
  readonly beside?: { readonly outer: Strand; readonly group: Group; readonly place: number };
}

/** Branches of one command: the places of those that have neither made a call nor ended, in written order. */
type Group = Set<number>;

export class Strand {
  readonly #shared: Shared;
  readonly #environment: Environment;
  readonly #beside: Beginning["beside"];
  #indices: readonly number[];
  /** The command that is being executed, to say where a limit was reached. */
  #at: Trail;
  #hasCalled = false;

  constructor(shared: Shared, { environment, indices, at, beside }: Beginning) {
    this.#shared = shared;
    this.#environment = environment;
    this.#indices = indices;
    this.#at = at;
    this.#beside = beside;
  }

  set(name: string, value: Known): void {
    this.#environment.names.set(name, value);
  }

  /** Gives what was thrown in it as what stops the branch or the run; undefined for a fault of ours. */
  stopFrom(thrown: unknown): Stop | undefined {
    if (thrown instanceof Stop) return thrown;
    return thrown instanceof LimitReached ? new FinalStop(thrown.code, this.#at, thrown.message) : undefined;
  }

  // ── beside others ──────────────────────────────────────────────────────────────────────────────────────

  /** Returns whether other strands may run at the same time. */
  get isBeside(): boolean {
    return this.#beside !== undefined;
  }

  /** Returns whether it may make a call: its first one comes after the first ones of the branches before it. */
  get mayCall(): boolean {
    if (this.#beside === undefined || this.#hasCalled) return true;
    const { outer, group, place } = this.#beside;
    const [first] = group;
    return first === place && outer.mayCall;
  }

  noteCall(): void {
    if (this.#hasCalled) return;
    this.#hasCalled = true;
    this.#beside?.group.delete(this.#beside.place);
    this.#beside?.outer.noteCall();
  }

  /** Names that it binds are seen by those who ask for it. */
  #inner(group: Group, place: number): Strand {
    const { types, meter, look, names } = this.#environment;
    const environment = { types, meter, look, names: new InnerNames(names) };
    group.add(place);
    const beside = { outer: this, group, place };
    return new Strand(this.#shared, { environment, indices: this.#indices, at: this.#at, beside });
  }

  /** Leaves the names that it has bound to the strand that waits for it. */
  #leaveNames(): void {
    for (const [name, value] of this.#environment.names) this.#beside?.outer.set(name, value);
  }

  /**
   * Runs so many strands at the same time and waits for all of them, whatever stops one. Afterward, the first of them
   * in written order that was stopped stops this one. Each runs until it waits before the next one begins.
   */
  #together(count: number, run: (inner: Strand, place: number) => Wait): Wait {
    const { calls } = this.#shared;
    const { turns } = calls;
    const group: Group = new Set();
    const stops = new Stops(calls);
    let next = 0;
    let working = 0;
    const one = (): Wait => {
      const place = next++;
      const inner = this.#inner(group, place);
      const end = () => group.delete(place);
      const stop = (thrown: unknown) => {
        stops.add(place, inner.stopFrom(thrown), thrown);
        end();
      };
      try {
        const waiting = run(inner, place);
        if (waiting !== undefined) return waiting.then(end, stop).then(() => {});
        end();
      } catch (thrown) {
        stop(thrown);
      }
      return undefined;
    };
    const others = async (first: Promise<void>): Promise<void> => {
      await first;
      while (next < count && !calls.isOver) await one();
      // The last one leaves its turn to the strand that waits.
      if (--working > 0) turns.rest();
    };
    const finish = () => {
      stops.throwFirst();
      calls.checkOver();
    };
    const all: Promise<void>[] = [];
    while (next < count && working < turns.branches && !calls.isOver) {
      turns.wake();
      const waiting = one();
      if (waiting === undefined) turns.rest();
      else {
        working++;
        all.push(others(waiting));
      }
    }
    if (working > 0) {
      turns.rest();
      return Promise.all(all).then(finish);
    }
    finish();
    return undefined;
  }

  #parallel({ branches }: ParallelCommand, trail: Trail): Wait {
    const inners: Strand[] = [];
    const waiting = this.#together(branches.length, (inner, place) => {
      inners[place] = inner;
      return inner.body(branches[place] ?? [], trail.at("branches", place));
    });
    const leave = () => {
      for (const inner of inners) inner.#leaveNames();
    };
    if (waiting !== undefined) return waiting.then(leave);
    leave();
    return undefined;
  }

  #iterations(command: ForCommand, items: readonly Value[], trail: Trail): Wait {
    const inners: Strand[] = [];
    const body = trail.at("body");
    const waiting = this.#together(items.length, (inner, place) => {
      const item = items[place];
      if (item === undefined) throw new TypeError("an element went missing");
      inner.#enter(command, this.#indices, item, place);
      if (command.carry.length > 0) inners[place] = inner;
      return inner.body(command.body, body);
    });
    const carry = () => {
      this.#at = trail;
      for (const inner of inners) {
        const values = command.carry.map(({ name, next }) => [name, inner.#value(next)] as const);
        for (const [name, value] of values) this.set(name, value);
      }
    };
    if (waiting !== undefined) return waiting.then(carry);
    carry();
    return undefined;
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────────────

  /** Goes on at once for as long as there is nothing to wait for: so do runs from a record from end to end. */
  body(commands: readonly Command[], trail: Trail): Wait {
    for (const [i, command] of commands.entries()) {
      const waiting = this.#next(command, trail.at(i));
      if (waiting !== undefined) return this.#bodyAfter(waiting, commands, i + 1, trail);
    }
    return undefined;
  }

  async #bodyAfter(
    first: Promise<void>,
    commands: readonly Command[],
    from: number,
    trail: Trail,
  ): Promise<void> {
    await first;
    for (let i = from; i < commands.length; i++) {
      const command = commands[i];
      const waiting = command && this.#next(command, trail.at(i));
      if (waiting !== undefined) await waiting;
    }
  }

  #next(command: Command, at: Trail): Wait {
    this.#at = at;
    this.#shared.meter.charge(1);
    return this.#command(command, at);
  }

  #command(command: Command, trail: Trail): Wait {
    switch (command.kind) {
      case "let":
        this.set(command.name, this.#value(command.value));
        return undefined;
      case "require":
        this.#require(command, trail);
        return undefined;
      case "for":
        return this.#loop(command, trail);
      case "while":
        return this.#turns(command, trail);
      case "parallel":
        return this.#parallel(command, trail);
      case "call":
        return this.#call(command, trail);
    }
  }

  #value(expr: Expr): Value {
    return evaluateExactly(expr, this.#environment);
  }

  #require(command: RequireCommand, trail: Trail): void {
    if (command.when !== undefined && this.#value(command.when) !== true) return;
    if (this.#value(command.condition) === true) return;
    throw new Stop(
      "FC1503",
      trail,
      `the program requires \`${printExpr(command.condition)}\`: ${command.why}`,
    );
  }

  #loop(command: ForCommand, trail: Trail): Wait {
    const items = this.#value(command.list);
    if (!isList(items)) throw new TypeError("a loop goes over a list");
    if (command.max !== undefined && items.length > command.max) {
      throw new Stop(
        "FC1511",
        trail,
        `the list has ${items.length} elements and the loop takes at most ${command.max}`,
      );
    }
    this.#assign(command.carry.map(({ name, init }) => [name, init]));
    if (command.parallel) return this.#iterations(command, items, trail);
    const outside = this.#indices;
    for (const [position, item] of items.entries()) {
      this.#enter(command, outside, item, position);
      const waiting = this.body(command.body, trail.at("body"));
      if (waiting !== undefined) return this.#loopAfter(waiting, command, items, position, outside, trail);
      this.#leave(command, trail);
    }
    this.#indices = outside;
    return undefined;
  }

  /** The rest of a loop one of whose iterations has to be waited for. */
  async #loopAfter(
    first: Promise<void>,
    command: ForCommand,
    items: readonly Value[],
    position: number,
    outside: readonly number[],
    trail: Trail,
  ): Promise<void> {
    await first;
    this.#leave(command, trail);
    for (const [i, item] of items.entries()) {
      if (i <= position) continue;
      this.#enter(command, outside, item, i);
      const waiting = this.body(command.body, trail.at("body"));
      if (waiting !== undefined) await waiting;
      this.#leave(command, trail);
    }
    this.#indices = outside;
  }

  /** Begins an iteration. */
  #enter(command: ForCommand, outside: readonly number[], item: Value, position: number): void {
    this.set(command.var, item);
    this.#count(command, outside, position);
  }

  #turns(command: WhileCommand, trail: Trail): Wait {
    this.#assign(command.carry.map(({ name, init }) => [name, init]));
    const outside = this.#indices;
    for (let turn = 0; this.#goesOn(command, turn, trail); turn++) {
      this.#count(command, outside, turn);
      const waiting = this.body(command.body, trail.at("body"));
      if (waiting !== undefined) return this.#turnsAfter(waiting, command, turn + 1, outside, trail);
      this.#leave(command, trail);
    }
    this.#indices = outside;
    return undefined;
  }

  /** The rest of a loop one of whose turns has to be waited for. */
  async #turnsAfter(
    first: Promise<void>,
    command: WhileCommand,
    next: number,
    outside: readonly number[],
    trail: Trail,
  ): Promise<void> {
    await first;
    this.#leave(command, trail);
    for (let turn = next; this.#goesOn(command, turn, trail); turn++) {
      this.#count(command, outside, turn);
      const waiting = this.body(command.body, trail.at("body"));
      if (waiting !== undefined) await waiting;
      this.#leave(command, trail);
    }
    this.#indices = outside;
  }

  /** Returns whether there is another turn. A run that would make too many is interrupted, wherever it may be caught. */
  #goesOn({ condition, max = defaultTurns }: WhileCommand, turn: number, trail: Trail): boolean {
    this.#shared.meter.charge(1);
    if (this.#value(condition) !== true) return false;
    if (turn < max) return true;
    const help = "check that the loop ends; `max` of the loop allows more iterations";
    throw new FinalStop("FC1526", trail, `the loop has made ${max} iterations and does not end`, help);
  }

  #count({ index }: LoopCommand, outside: readonly number[], position: number): void {
    this.#shared.meter.charge(1);
    if (index !== undefined) this.set(index, BigInt(position));
    this.#indices = [...outside, position];
  }

  /** Ends an iteration. */
  #leave({ carry }: LoopCommand, trail: Trail): void {
    this.#at = trail;
    this.#assign(carry.map(({ name, next }) => [name, next]));
  }

  /** All at once: each expression sees the values from before. */
  #assign(assignments: readonly (readonly [string, Expr])[]): void {
    const values = assignments.map(([name, expr]) => [name, this.#value(expr)] as const);
    for (const [name, value] of values) this.set(name, value);
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────

  #call(command: CallCommand, trail: Trail): Wait {
    const reached = command.when === undefined || this.#value(command.when) === true;
    const outcome = reached ? this.#make(command, trail) : undefined;
    if (outcome instanceof Promise) return outcome.then((known) => this.#bind(command, known, trail));
    this.#bind(command, outcome, trail);
    return undefined;
  }

  #bind(command: CallCommand, outcome: Outcome | undefined, trail: Trail): void {
    if (outcome?.kind === "failed" && command.catch === undefined) {
      throw new Stop("FC1504", trail, `\`${command.tool}\` failed: ${outcome.reason}`);
    }
    if (outcome?.kind === "broken") {
      const Ending = outcome.code.startsWith("FC14") ? FinalStop : Stop;
      throw new Ending(outcome.code, trail, `\`${command.tool}\` ${outcome.reason}`, outcome.help);
    }
    if (command.catch !== undefined) this.set(command.catch, outcome?.kind === "failed");
    if (command.reason !== undefined)
      this.set(command.reason, outcome?.kind === "failed" ? outcome.reason : "");
    if (command.bind === undefined) return;
    const result = outcome?.kind === "returned" ? outcome.result : undefined;
    const maybe = command.when !== undefined || command.catch !== undefined;
    if (maybe) this.set(command.bind, result === undefined ? none : some(result));
    else if (result !== undefined) this.set(command.bind, result);
  }

  #make(command: CallCommand, trail: Trail): Promise<Outcome> | Outcome {
    const tool = this.#shared.checked.tools.get(command.tool);
    const args = evaluateRecord(command.args, this.#environment);
    if (tool === undefined || isPartly(args) || !isRecord(args))
      throw new TypeError("a call was not checked");
    const indices = Object.freeze([...this.#indices]);
    return this.#shared.calls.make({ id: command.id, indices, tool, args, trail, strand: this });
  }
}

/** Names on top of others, which are read and never written. */
class InnerNames extends Map<string, Known> {
  readonly #outer: ReadonlyMap<string, Known>;

  constructor(outer: ReadonlyMap<string, Known>) {
    super();
    this.#outer = outer;
  }

  override get(name: string): Known | undefined {
    const own = super.get(name);
    return own === undefined ? this.#outer.get(name) : own;
  }
}

/** Collects the problems that stopped the strands of one command. */
class Stops {
  readonly #calls: Calls;
  #first: { readonly place: number; readonly stop: Stop } | undefined;
  #final: { readonly thrown: unknown } | undefined;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** @param stop undefined for a fault of ours, which ends the run as well */
  add(place: number, stop: Stop | undefined, thrown: unknown): void {
    if (stop === undefined || stop instanceof FinalStop) {
      this.#final ??= { thrown: stop ?? thrown };
      this.#calls.endWith(this.#final.thrown);
    } else if (this.#first === undefined || place < this.#first.place) this.#first = { place, stop };
  }

  throwFirst(): void {
    if (this.#final !== undefined) throw this.#final.thrown;
    if (this.#first !== undefined) throw this.#first.stop;
  }
}
