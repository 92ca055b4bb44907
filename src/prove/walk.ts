/** Walks a program once and yields its facts, assumptions and obligations. Part of what must be trusted. */
import type { Checked } from "../ir/check/index.ts";
import { Trail } from "../ir/diagnostic.ts";
import type { CallCommand, Command, Expr, ForCommand, Tool } from "../ir/document.ts";
import { readType, type Type } from "../ir/type.ts";
import { compile, compileBool, compileRecord, readField, type Scene, termOf } from "./compile.ts";
import type { Terms } from "./factory.ts";
import { type Fact, NotFollowed, type Obligation, type Walk } from "./facts.ts";
import { merge } from "./shape.ts";
import { State, type SymbolicWrite } from "./state.ts";
import { escaped, fresh, type RecordSymbolic, type Symbolic, scalar } from "./symbolic.ts";
import type { Term } from "./term.ts";

/** LIMIT: loops over known lists are unrolled; this many calls are enough for any program a person approves. */
const maxFacts = 20_000;

/**
 * Throws `NotFollowed` for what it does not follow.
 * @param stop the position of the call after which the run stops, whether that call failed or not; -1 before the first
 */
export function walk(checked: Checked, terms: Terms, stop?: Term): Walker {
  const walker = new Walker(checked, terms, stop);
  walker.body(checked.document.program.body, terms.true, Trail.root.at("program", "body"));
  return walker;
}

/** The name of the unknown that an input is; the counterexample finds its value by it. */
export function inputName(name: string): string {
  return `input@${escaped(name)}`;
}

/** The name of the unknown that the result of a call is. */
export function resultName({ id, indices }: Pick<Fact, "id" | "indices">): string {
  return `result@${escaped(id)}@${indices.join("-")}`;
}

type Called = Pick<Fact, "id" | "indices" | "tool" | "args" | "guard" | "caught" | "path">;

export class Walker implements Walk {
  readonly facts: Fact[] = [];
  readonly obligations: Obligation[] = [];
  readonly assumptions: Term[] = [];
  readonly states: State[];
  readonly #checked: Checked;
  readonly #terms: Terms;
  readonly #stop: Term | undefined;
  readonly #scene: Scene;
  readonly #indices: number[] = [];
  /** Every guarantee asks for the same walks. */
  readonly #stopped = new Map<number, Walker>();
  #state: State;
  #count = 0;

  constructor(checked: Checked, terms: Terms, stop: Term | undefined) {
    this.#checked = checked;
    this.#terms = terms;
    this.#stop = stop;
    this.#scene = this.#newScene(() => {
      throw new TypeError("a program does not speak of state or trace");
    });
    const initial = new Map<string, Symbolic>();
    for (const fluent of checked.fluents.values()) {
      if (fluent.initial !== undefined) initial.set(fluent.name, compile(fluent.initial, this.#scene));
    }
    this.#state = new State(terms, checked, initial);
    this.states = [this.#state];
    for (const input of checked.document.program.inputs) {
      const type = readType(input);
      this.#scene.names.set(input.name, fresh(terms, inputName(input.name), type, this.#scene.constrain));
    }
  }

  /**
   * The walk of the same runs, stopped after that call, whether it failed or not; -1 before the first.
   * INVARIANT: what was found before the call does not depend on where the run stops.
   */
  until(position: number): Walker {
    const walker = this.#stopped.get(position) ?? this.#walkUntil(position);
    this.#stopped.set(position, walker);
    return walker;
  }

  #walkUntil(position: number): Walker {
    const walker = new Walker(this.#checked, this.#terms, this.#terms.int(position));
    const [last, state] = [this.facts[position], this.states[position]];
    if (last === undefined || state === undefined) return walker;
    for (let i = walker.assumptions.length; i < last.after; i++) {
      const assumption = this.assumptions[i];
      if (assumption !== undefined) walker.assumptions.push(assumption);
    }
    for (const fact of this.facts.slice(0, position)) walker.facts.push(fact);
    for (const before of this.states.slice(1, position + 1)) walker.states.push(before);
    walker.#state = state;
    walker.#count = this.#count;
    walker.#make(last);
    return walker;
  }

  /** The scene of the inputs, for the formulas of guarantees. */
  formulaScene(look: Scene["look"]): Scene {
    const scene = this.#newScene(look);
    for (const { name } of this.#checked.document.program.inputs) {
      const value = this.#scene.names.get(name);
      if (value !== undefined) scene.names.set(name, value);
    }
    return scene;
  }

  #newScene(look: Scene["look"]): Scene {
    return {
      terms: this.#terms,
      names: new Map(),
      types: this.#checked.types,
      constrain: (term) => this.#assume(term),
      count: () => this.#count++,
      look,
    };
  }

  #assume(term: Term): void {
    if (term !== this.#terms.true) this.assumptions.push(term);
  }

  body(commands: readonly Command[], guard: Term, trail: Trail): void {
    for (const [i, command] of commands.entries()) {
      // What comes after the last call makes no difference.
      if (this.#inTime() === this.#terms.false) return;
      this.#command(command, guard, trail.at(i));
    }
  }

  /** Whether the run goes on to the next call. */
  #inTime(): Term {
    if (this.#stop === undefined) return this.#terms.true;
    return this.#terms.apply("<=", this.#terms.int(this.facts.length), this.#stop);
  }

  #command(command: Command, guard: Term, trail: Trail): void {
    const terms = this.#terms;
    switch (command.kind) {
      case "let":
        this.#scene.names.set(command.name, compile(command.value, this.#scene));
        return;
      case "require": {
        const reached = this.#reached(command.when, terms.and(guard, this.#inTime()));
        const goal = terms.implies(reached, compileBool(command.condition, this.#scene));
        const { condition, why } = command;
        const after = this.assumptions.length;
        this.#oblige({ kind: "require", goal, after, condition, why, path: trail.path() });
        return;
      }
      case "for":
        this.#loop(command, guard, trail);
        return;
      case "call":
        this.#call(command, this.#reached(command.when, terms.and(guard, this.#inTime())), trail);
    }
  }

  #reached(when: Expr | undefined, guard: Term): Term {
    return when === undefined ? guard : this.#terms.and(guard, compileBool(when, this.#scene));
  }

  /** What must be shown; afterwards it may be assumed, since the run stops where it does not hold. */
  #oblige(obligation: Obligation): void {
    this.obligations.push(obligation);
    this.#assume(obligation.goal);
  }

  // ── loops ──────────────────────────────────────────────────────────────────────────────────────────────

  #loop(command: ForCommand, guard: Term, trail: Trail): void {
    const terms = this.#terms;
    const { names } = this.#scene;
    const list = compile(command.list, this.#scene);
    if (list.kind !== "list")
      throw new NotFollowed("a loop over a list that is not known before the run", trail.path());
    if (command.max !== undefined) this.#limitLength(list, command.max, guard, trail);
    const first = command.carry.map((carry) => compile(carry.init, this.#scene));
    command.carry.forEach((carry, i) => this.#set(carry.name, first[i]));
    let index: Term = terms.int(0);
    for (const [position, { present, value }] of list.items.entries()) {
      names.set(command.var, value);
      if (command.index !== undefined) names.set(command.index, scalar(index));
      this.#indices.push(position);
      this.body(command.body, terms.and(guard, present), trail.at("body"));
      this.#indices.pop();
      if (this.#inTime() === terms.false) return;
      const next = command.carry.map((carry) => compile(carry.next, this.#scene));
      command.carry.forEach((carry, i) => this.#carry(carry.name, present, next[i]));
      index = terms.apply("+", index, terms.ite(present, terms.int(1), terms.int(0)));
    }
  }

  /** An element that is not there is not visited, so what is carried stays as it was. */
  #carry(name: string, present: Term, next: Symbolic | undefined): void {
    const held = this.#scene.names.get(name);
    if (held !== undefined && next !== undefined) this.#set(name, merge(this.#terms, present, next, held));
  }

  #set(name: string, value: Symbolic | undefined): void {
    if (value !== undefined) this.#scene.names.set(name, value);
  }

  #limitLength(list: Symbolic & { kind: "list" }, max: number, guard: Term, trail: Trail): void {
    const terms = this.#terms;
    const length = terms.sum(
      list.items.map(({ present }) => terms.ite(present, terms.int(1), terms.int(0))),
      "Int",
    );
    const reached = terms.and(guard, this.#inTime());
    const goal = terms.implies(reached, terms.apply("<=", length, terms.int(max)));
    const after = this.assumptions.length;
    this.#oblige({ kind: "max", goal, after, condition: undefined, path: trail.path() });
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────

  #call(command: CallCommand, guard: Term, trail: Trail): void {
    const tool = this.#checked.tools.get(command.tool);
    if (tool === undefined) throw new TypeError(`there is no tool \`${command.tool}\``);
    if (this.facts.length >= maxFacts) throw new NotFollowed(`more than ${maxFacts} calls`, trail.path());
    const args = compileRecord(command.args, this.#scene);
    const { id } = command;
    const indices = [...this.#indices];
    const caught = command.catch !== undefined;
    this.#bind(command, this.#make({ id, indices, tool, args, guard, caught, path: trail.path() }));
  }

  #make(call: Called): Fact {
    const terms = this.#terms;
    const { id, indices, tool, args, guard, caught, path } = call;
    const name = resultName(call);
    const mayFail = caught ? guard : this.#isLast();
    const failed =
      mayFail === terms.false
        ? terms.false
        : terms.and(guard, mayFail, terms.constant(`failed@${name}`, "Bool"));
    const happened =
      failed === terms.false
        ? guard
        : terms.and(guard, terms.or(terms.not(failed), terms.constant(`took@${name}`, "Bool")));
    const result = tool.result && fresh(terms, name, tool.result, this.#scene.constrain);
    const ensures: Term[] = [];
    const after = this.assumptions.length;
    const position = this.facts.length;
    const found = { failed, happened, result, ensures, after };
    const fact: Fact = { position, id, indices, tool, args, guard, caught, path, ...found };
    const before = this.#toolScene(tool, args, undefined);
    const required = tool.requires.map((condition) => terms.implies(guard, compileBool(condition, before)));
    required.forEach((goal, i) => {
      const condition = tool.requires[i];
      this.#oblige({ kind: "requires", goal, after: this.assumptions.length, condition, fact, path });
    });
    this.#obligeCost(fact, before);
    this.facts.push(fact);
    this.#write(fact, before);
    this.#assumeEnsures(fact, ensures);
    return fact;
  }

  #obligeCost(fact: Fact, before: Scene): void {
    const terms = this.#terms;
    const { cost } = fact.tool;
    if (cost === undefined) return;
    const enough = terms.apply("<=", terms.int(0), termOf(compile(cost, before)));
    const goal = terms.implies(fact.guard, enough);
    const after = this.assumptions.length;
    this.#oblige({ kind: "cost", goal, after, condition: cost, fact, path: fact.path });
  }

  /** Whether the next call is the one after which the run stops: a failure that nothing catches stops it there. */
  #isLast(): Term {
    if (this.#stop === undefined) return this.#terms.false;
    return this.#terms.equal(this.#stop, this.#terms.int(this.facts.length));
  }

  /** SOUNDNESS: only of a call that was reached and did not fail; its `requires` is an assumption of its own. */
  #assumeEnsures({ tool, args, result, guard, failed }: Fact, ensures: Term[]): void {
    const terms = this.#terms;
    const answered = terms.and(guard, terms.not(failed));
    const after = this.#toolScene(tool, args, result);
    for (const condition of tool.ensures) {
      const term = compileBool(condition, after);
      ensures.push(term);
      this.#assume(terms.implies(answered, term));
    }
  }

  #bind(command: CallCommand, { guard, failed, result }: Fact): void {
    const terms = this.#terms;
    if (command.catch !== undefined) this.#scene.names.set(command.catch, scalar(failed));
    if (command.bind === undefined || result === undefined) return;
    const maybe = command.when !== undefined || command.catch !== undefined;
    const present = terms.and(guard, terms.not(failed));
    this.#scene.names.set(command.bind, maybe ? { kind: "option", present, value: result } : result);
  }

  /** The names that a tool's clauses see. */
  #toolScene(tool: Tool, args: RecordSymbolic, result: Symbolic | undefined): Scene {
    const state = this.#state;
    const scene = this.#newScene((expr, inner) => {
      if (expr.kind !== "cell") throw new TypeError("a tool does not speak of the trace");
      return state.read(expr.fluent, termOf(compile(expr.key, inner)));
    });
    for (const { name, optional } of tool.params) {
      scene.names.set(name, readField(this.#terms, args, name, optional === true));
    }
    if (result !== undefined) scene.names.set("result", result);
    return scene;
  }

  /** All of a call's writes read the state before it. One that failed leaves an unknown value at its keys. */
  #write({ tool, guard, failed, id, indices }: Fact, before: Scene): void {
    const terms = this.#terms;
    const writes = tool.sets.map(({ fluent, key, value, when }, i) => {
      const happens = when === undefined ? guard : terms.and(guard, compileBool(when, before));
      const type = this.#checked.fluents.get(fluent)?.value;
      if (type === undefined) throw new TypeError(`there is no fluent \`${fluent}\``);
      const written = compile(value, before);
      const lost = failed === terms.false ? written : this.#lost({ id, indices }, i, type);
      const held: SymbolicWrite = {
        guard: happens,
        key: termOf(compile(key, before)),
        value: merge(terms, failed, lost, written),
      };
      return [fluent, held] as const;
    });
    for (const [fluent, write] of writes) this.#state = this.#state.after(fluent, write);
    this.states.push(this.#state);
  }

  #lost(call: Pick<Fact, "id" | "indices">, i: number, type: Type): Symbolic {
    return fresh(this.#terms, `lost@${i}@${resultName(call)}`, type, this.#scene.constrain);
  }
}
