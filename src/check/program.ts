/**
 * What a program does, call by call, in program order: when each call is reached, with which arguments, what must hold
 * before it and what may be assumed after it. Loops over lists whose elements are known one by one are written out.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import { type Path, Trail } from "../ir/diagnostic.ts";
import type { CallCommand, Command, Expr, ForCommand, Tool } from "../ir/document.ts";
import { readType, recordOf } from "../ir/type.ts";
import { Expressions, type Look, type Names } from "./expression.ts";
import { numberOf } from "./list.ts";
import type { Term } from "./script.ts";
import { States, type Write } from "./state.ts";
import { asType, merge, type Plain, plain, termOf } from "./value.ts";

/** A call that the program may make. */
export interface Call {
  readonly tool: Tool;
  readonly args: Plain & { readonly kind: "record" };
  /** Whether it is in the trace for what a guarantee says: a failed call may or may not have had its effect. */
  readonly happened: Term;
  readonly failed: Term;
  readonly result: Plain | undefined;
}

/** Something that must be so, given the first so many assumptions. */
export interface Claim {
  readonly kind: "requires" | "require" | "max" | "cost";
  readonly path: Path;
  readonly goal: Term;
  readonly after: number;
}

/** A call whose `ensures` is assumed: there must be a result that meets it, or the call must never be reached. */
export interface Answer {
  readonly path: Path;
  readonly after: number;
  readonly reached: Term;
  readonly ensures: readonly Term[];
}

/** LIMIT: of calls, with loops written out. */
const mostCalls = 2_000;
/** LIMIT: of obligations, each of which has all assumptions before it. */
const mostClaims = 4_000;

const nowhere: Look = (expr) => {
  throw new TypeError(`\`${expr.kind}\` cannot stand in a program`);
};

export class Walk {
  readonly checked: Checked;
  readonly at: Expressions;
  readonly states: States;
  readonly calls: Call[] = [];
  readonly claims: Claim[] = [];
  readonly answers: Answer[] = [];
  /** All writes, and how many of them there are in each state: before the first call and after each. */
  readonly writes: Write[] = [];
  readonly moments: number[] = [0];
  readonly #names: Names = new Map();

  constructor(checked: Checked) {
    this.checked = checked;
    this.at = new Expressions(checked);
    this.states = new States(checked, this.at);
    for (const input of checked.document.program.inputs)
      this.#names.set(input.name, this.at.any(readType(input)));
    this.#body(checked.document.program.body, this.at.terms.true, Trail.root.at("program", "body"));
  }

  /** The names that guarantees see. */
  inputs(): Names {
    return new Map(this.checked.document.program.inputs.map(({ name }) => [name, this.#named(name)]));
  }

  #named(name: string): Plain {
    const value = this.#names.get(name);
    if (value === undefined) throw new TypeError(`the name \`${name}\` has no value`);
    return value;
  }

  #value(expr: Expr): Plain {
    return this.at.value(expr, this.#names, nowhere);
  }

  /** Afterwards it may be assumed, since the run stops where it does not hold. */
  #claim(kind: Claim["kind"], goal: Term, trail: Trail): void {
    if (this.claims.length >= mostClaims) this.at.refuse(`more than ${mostClaims} obligations`);
    this.claims.push({ kind, goal, after: this.at.assumptions.length, path: trail.path() });
    this.at.assume(goal);
  }

  #body(commands: readonly Command[], guard: Term, trail: Trail): void {
    commands.forEach((command, i) => this.#command(command, guard, trail.at(i)));
  }

  #command(command: Command, guard: Term, trail: Trail): void {
    const { terms } = this.at;
    this.at.place = trail;
    switch (command.kind) {
      case "let":
        this.#names.set(command.name, this.#value(command.value));
        return;
      case "require": {
        const reached = this.#reached(command.when, guard);
        this.#claim("require", terms.implies(reached, termOf(this.#value(command.condition))), trail);
        return;
      }
      case "call":
        this.#call(command, this.#reached(command.when, guard), trail);
        return;
      case "for":
        this.#loop(command, guard, trail);
    }
  }

  #reached(when: Expr | undefined, guard: Term): Term {
    return when === undefined ? guard : this.at.terms.and(guard, termOf(this.#value(when)));
  }

  // ── loops ──────────────────────────────────────────────────────────────────────────────────────────────

  #loop(command: ForCommand, guard: Term, trail: Trail): void {
    const { terms } = this.at;
    const list = this.#value(command.list);
    const items =
      list.kind === "list"
        ? list.items
        : this.at.refuse("a loop over a list whose length is not known before the run");
    if (command.max !== undefined) {
      const within = terms.atMost(numberOf(terms, items), terms.int(command.max));
      this.#claim("max", terms.implies(guard, within), trail);
    }
    this.#carry(command, "init", terms.true);
    items.forEach(({ present, value }, i) => {
      this.#names.set(command.var, value);
      if (command.index !== undefined)
        this.#names.set(command.index, plain(numberOf(terms, items.slice(0, i))));
      this.#body(command.body, terms.and(guard, present), trail.at("body"));
      this.at.place = trail;
      // An element that is not there is not visited, so what is carried stays as it was.
      this.#carry(command, "next", present);
    });
  }

  /** All at once: each expression sees the values from before. */
  #carry({ carry }: ForCommand, which: "init" | "next", present: Term): void {
    const { terms } = this.at;
    const values = carry.map((one) => asType(terms, this.#value(one[which]), one.type));
    carry.forEach(({ name }, i) => {
      const value = values[i];
      if (value === undefined) return;
      this.#names.set(name, which === "init" ? value : merge(terms, present, value, this.#named(name)));
    });
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────

  #call(command: CallCommand, guard: Term, trail: Trail): void {
    const { terms } = this.at;
    const tool = this.checked.tools.get(command.tool);
    if (tool === undefined) throw new TypeError(`there is no tool \`${command.tool}\``);
    if (this.calls.length >= mostCalls) this.at.refuse(`more than ${mostCalls} calls`);
    const args = this.#arguments(command, tool);
    const caught = command.catch !== undefined;
    const failed = caught ? terms.and(guard, terms.constant("Bool")) : terms.false;
    const took = caught ? terms.or(terms.not(failed), terms.constant("Bool")) : terms.true;
    const result = tool.result && this.at.any(tool.result);
    const before = this.#clauseNames(tool, args);
    const look = this.#now(this.writes.length);
    for (const condition of tool.requires)
      this.#claim("requires", terms.implies(guard, this.at.bool(condition, before, look)), trail);
    if (tool.cost !== undefined) {
      const cost = termOf(this.at.value(tool.cost, before, look));
      this.#claim("cost", terms.implies(guard, terms.atMost(terms.int(0), cost)), trail);
    }
    this.calls.push({ tool, args, happened: terms.and(guard, took), failed, result });
    const writes = this.#writes(tool, before, look, guard, failed);
    this.#ensures(tool, args, result, terms.and(guard, terms.not(failed)), trail);
    this.writes.push(...writes);
    this.moments.push(this.writes.length);
    if (command.catch !== undefined) this.#names.set(command.catch, plain(failed));
    if (command.bind === undefined || result === undefined) return;
    const maybe = command.when !== undefined || caught;
    const present = terms.and(guard, terms.not(failed));
    this.#names.set(command.bind, maybe ? { kind: "option", present, value: result } : result);
  }

  #arguments({ args }: CallCommand, { params }: Tool): Plain & { readonly kind: "record" } {
    const made = asType(this.at.terms, this.at.record(args, this.#names, nowhere), recordOf(params));
    if (made.kind !== "record") throw new TypeError("arguments are a record");
    return made;
  }

  #clauseNames({ params }: Tool, args: Plain): Names {
    return new Map(params.map(({ name, optional }) => [name, this.at.field(args, name, optional === true)]));
  }

  /** The state in which so many writes were made. */
  #now(length: number): Look {
    const writes = this.writes.slice(0, length);
    const look: Look = (expr, names) => {
      if (expr.kind !== "cell") throw new TypeError("a tool does not speak of the trace");
      return this.states.read(writes, expr.fluent, termOf(this.at.value(expr.key, names, look)));
    };
    return look;
  }

  /** In order; each reads the state before the call, and one that failed leaves any value at its key. */
  #writes(tool: Tool, names: Names, look: Look, guard: Term, failed: Term): Write[] {
    const { terms } = this.at;
    return tool.sets.map(({ fluent, key, value, when }) => {
      const happens = when === undefined ? guard : terms.and(guard, this.at.bool(when, names, look));
      const type = this.states.fluent(fluent);
      const at = termOf(asType(terms, this.at.value(key, names, look), type.key));
      const written = asType(terms, this.at.value(value, names, look), type.value);
      const left = failed.value === false ? written : merge(terms, failed, this.at.any(type.value), written);
      return { fluent, guard: happens, key: at, value: left };
    });
  }

  /** SOUNDNESS: only of a call that was reached and did not fail; its `requires` is an assumption of its own. */
  #ensures(tool: Tool, args: Plain, result: Plain | undefined, answered: Term, trail: Trail): void {
    const { terms } = this.at;
    const names = this.#clauseNames(tool, args);
    if (result !== undefined) names.set("result", result);
    const ensures = tool.ensures.map((condition) => this.at.bool(condition, names, nowhere));
    if (ensures.some(({ value }) => value !== true))
      this.answers.push({
        ensures,
        reached: answered,
        after: this.at.assumptions.length,
        path: trail.path(),
      });
    for (const condition of ensures) this.at.assume(terms.implies(answered, condition));
  }
}
