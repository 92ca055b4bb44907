/**
 * From a program to its flow graph. Commands are walked once, in order; what an iteration leaves to the next one is an
 * edge back, so that a loop is a cycle.
 * A run that stops is no flow: what comes after is then not there at all.
 * Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import { Trail } from "../diagnostic.ts";
import type {
  CallCommand,
  Command,
  ForCommand,
  LoopCommand,
  ParallelCommand,
  Tool,
  WhileCommand,
} from "../document.ts";
import { readType, recordOf } from "../type.ts";
import { noOtherKind } from "../visit.ts";
import { fieldsOf, readField, type Scene, shapeOf } from "./expr.ts";
import { constant, Graph, type Node } from "./graph.ts";
import {
  asList,
  because,
  type FieldShape,
  Pipes,
  type RecordShape,
  type Shape,
  whole,
  written,
} from "./shape.ts";
import { type Origin, Origins, originsOf } from "./sources.ts";
import { Stores } from "./stores.ts";

/** Flow facts of one call of the program. */
export interface CallFlow {
  readonly id: string;
  readonly tool: Tool;
  readonly args: RecordShape;
  /** Control dependencies: its guard, and the iteration counts of the enclosing loops. */
  readonly guard: Node;
  /** The failure of the call, if it is caught. */
  readonly failed: Node;
  /** The reason of the failure, if the program reads it. */
  readonly reason: Node;
  readonly result: Shape;
  /** The loops around it, outermost first. */
  readonly loops: readonly string[];
  readonly at: Trail;
}

export interface ProgramFlow {
  readonly graph: Graph;
  readonly origins: Origins;
  readonly inputs: ReadonlyMap<string, Shape>;
  /** By id. */
  readonly calls: ReadonlyMap<string, CallFlow>;
  /** Dependencies of the cells of a fluent, with their keys. */
  readonly fluents: ReadonlyMap<string, Node>;
}

export function flowOfProgram(checked: Checked): ProgramFlow {
  const walker = new Walker(checked);
  const { inputs, body } = checked.document.program;
  for (const input of inputs) walker.input(input.name, readType(input));
  walker.body(body, Trail.root.at("program", "body"));
  return walker;
}

class Walker implements ProgramFlow {
  readonly graph = new Graph();
  readonly origins = new Origins();
  readonly inputs = new Map<string, Shape>();
  readonly calls = new Map<string, CallFlow>();
  readonly fluents = new Map<string, Node>();
  readonly #checked: Checked;
  readonly #pipes = new Pipes(this.graph);
  readonly #stores: Stores;
  readonly #endorsed = new Map<string, ReadonlySet<Origin>>();
  /** The elements of results, to tell a loop that goes through a result as it is. */
  readonly #rows = new Set<Shape>();
  readonly #scene: Scene;
  /** Iteration counts of the current loops, and their names. */
  #rounds: Node = constant;
  #loops: readonly string[] = [];

  constructor(checked: Checked) {
    this.#checked = checked;
    this.#stores = new Stores(this.graph, checked.document.tools);
    const { types } = checked;
    const look = () => {
      throw new TypeError("a program does not speak of state or trace");
    };
    this.#scene = { pipes: this.#pipes, types, names: new Map(), look };
    for (const name of checked.fluents.keys()) this.fluents.set(name, this.graph.node());
  }

  input(name: string, type: Parameters<Pipes["fresh"]>[0]): void {
    const shape = this.#pipes.fresh(type);
    this.inputs.set(name, shape);
    this.origins.input(name, shape);
    this.#scene.names.set(name, shape);
  }

  body(commands: readonly Command[], trail: Trail): void {
    commands.forEach((command, i) => {
      this.#command(command, trail.at(i));
    });
  }

  #command(command: Command, trail: Trail): void {
    switch (command.kind) {
      case "let":
        this.#scene.names.set(command.name, shapeOf(command.value, this.#scene, trail.at("value")));
        return;
      case "require":
        // A run that does not have what it requires stops.
        return;
      case "call":
        this.#call(command, trail);
        return;
      case "for":
        this.#loop(command, trail);
        return;
      case "while":
        this.#while(command, trail);
        return;
      case "parallel":
        this.#parallel(command, trail);
        return;
      default:
        noOtherKind(command);
    }
  }

  // ── calls ────────────────────────────────────────────────────────────────────────────────────────────────

  #call(command: CallCommand, trail: Trail): void {
    const tool = this.#checked.tools.get(command.tool);
    if (tool === undefined) throw new TypeError(`there is no tool \`${command.tool}\``);
    const pipes = this.#pipes;
    const when = command.when === undefined ? written : shapeOf(command.when, this.#scene, trail.at("when"));
    const guard = pipes.joined([when, whole(this.#rounds)], because("decides", trail));
    const args = this.#arguments(command, tool, trail);
    const failed = command.catch === undefined ? constant : this.graph.node();
    const result = tool.result === undefined ? written : pipes.fresh(tool.result);
    if (tool.result !== undefined) this.origins.result(tool.name, result, tool.result);
    if (result.kind === "list") this.#rows.add(result.element);
    if (failed !== constant) this.origins.failure(tool.name, failed);
    const reason = command.reason === undefined ? constant : this.graph.node();
    if (reason !== constant) this.origins.reason(tool.name, reason);
    const call = { id: command.id, tool, args, guard, failed, reason, result, loops: this.#loops, at: trail };
    this.calls.set(command.id, call);
    const answers = [result, whole(failed), ...(reason === constant ? [] : [whole(reason)])];
    for (const answer of answers) this.#answer(call, answer);
    if (!tool.reads) this.#keep(call);
    this.#set(call);
    this.#bind(command, call, when);
  }

  #arguments({ args }: CallCommand, tool: Tool, trail: Trail): RecordShape {
    const given: Shape = { kind: "record", fields: fieldsOf(args, this.#scene, trail.at("args")) };
    const fields = new Map<string, FieldShape>();
    for (const { name, type, optional } of tool.params) {
      const value = this.#pipes.fresh(type);
      fields.set(name, optional ? { present: this.graph.node(), value } : { value });
    }
    const passed: RecordShape = { kind: "record", fields };
    args.forEach(({ name }, i) => {
      const field = given.fields.get(name);
      const reason = because("passed", trail.at("args", i));
      if (field === undefined) return;
      this.#pipes.into({ kind: "record", fields: new Map([[name, field]]) }, passed, reason);
    });
    return passed;
  }

  /**
   * Connects the result of a tool to its arguments, its guard and its stores. SOUNDNESS: only the result is endorsed.
   * A failure also reveals the arguments.
   */
  #answer({ tool, args, guard, failed, reason: why, at }: CallFlow, answer: Shape): void {
    const isResult = answer.kind !== "whole" || (answer.node !== failed && answer.node !== why);
    const reason = because(isResult ? "answered" : "failed", at);
    const endorsed = this.#endorsedBy(tool);
    this.#pipes.all(args, answer, isResult && endorsed.size > 0 ? { ...reason, endorsed } : reason);
    this.#pipes.all(whole(guard), answer, reason);
    for (const kept of this.#stores.read(tool)) this.#pipes.all(whole(kept), answer, because("returned", at));
  }

  #endorsedBy(tool: Tool): ReadonlySet<Origin> {
    const known = this.#endorsed.get(tool.name);
    if (known !== undefined) return known;
    const found = new Set((tool.endorses ?? []).flatMap((source) => originsOf(this.#checked, source)));
    this.#endorsed.set(tool.name, found);
    return found;
  }

  /** SOUNDNESS: a tool that failed may have kept what it was given or not, so that too can be told from its stores. */
  #keep({ tool, args, guard, failed, at }: CallFlow): void {
    const kept = this.#pipes.joined([args, whole(guard), whole(failed)], because("kept", at));
    if (kept !== constant) this.#stores.write(tool, kept, at);
  }

  /** Connects a fluent to the key, the value and the condition of its update, and to the effect of the call. */
  #set({ tool, args, guard, failed, at }: CallFlow): void {
    if (tool.sets.length === 0) return;
    const names = new Map<string, Shape>();
    for (const { name } of tool.params) names.set(name, readField(args, name, recordOf(tool.params)));
    const scene: Scene = {
      ...this.#scene,
      names,
      look: (expr, inner, trail) => {
        if (expr.kind !== "cell") throw new TypeError(`\`${expr.kind}\` cannot stand in a tool`);
        const key = shapeOf(expr.key, inner, trail.at("key"));
        return whole(this.#pipes.joined([key, this.#cells(expr.fluent)], because("computed", trail)));
      },
    };
    for (const { fluent, key, value, when } of tool.sets) {
      const parts = [key, value, ...(when === undefined ? [] : [when])].map((part) =>
        shapeOf(part, scene, at),
      );
      for (const part of [...parts, whole(guard), whole(failed)])
        this.#pipes.all(part, this.#cells(fluent), because("set", at));
    }
  }

  #cells(fluent: string): Shape {
    const node = this.fluents.get(fluent);
    if (node === undefined) throw new TypeError(`there is no fluent \`${fluent}\``);
    return whole(node);
  }

  #bind(command: CallCommand, { result, failed, reason, at }: CallFlow, guard: Shape): void {
    const { names } = this.#scene;
    const { bind, catch: caught, when } = command;
    if (command.reason !== undefined) {
      const text = this.#pipes.joined([guard, whole(failed), whole(reason)], because("failed", at));
      names.set(command.reason, whole(text));
    }
    if (caught !== undefined) {
      const flag = this.#pipes.joined([guard, whole(failed)], because("failed", at));
      names.set(caught, whole(flag));
    }
    if (bind === undefined) return;
    if (when === undefined && caught === undefined) names.set(bind, result);
    else {
      const present = this.#pipes.joined([guard, whole(failed)], because("answered", at));
      names.set(bind, { kind: "option", present, value: result });
    }
  }

  // ── loops ────────────────────────────────────────────────────────────────────────────────────────────────

  #loop(command: ForCommand, trail: Trail): void {
    const name = trail.path().join(".");
    const list = asList(shapeOf(command.list, this.#scene, trail.at("list")));
    const carried = this.#carried(command, trail);
    const rounds = this.#pipes.joined(
      [whole(list.structure), whole(this.#rounds)],
      because("repeats", trail),
    );
    this.#turns(command, name, carried, rounds, trail, () =>
      this.#scene.names.set(command.var, this.#element(command, list.element, name, trail)),
    );
    this.#after(command, carried, whole(list.structure), trail);
  }

  /** SOUNDNESS: that there is a turn was decided before it, and before each turn that came before it. */
  #while(command: WhileCommand, trail: Trail): void {
    const name = trail.path().join(".");
    const pipes = this.#pipes;
    const carried = this.#carried(command, trail);
    command.carry.forEach((carry, i) => {
      this.#scene.names.set(carry.name, carried[i] ?? written);
    });
    const condition = shapeOf(command.condition, this.#scene, trail.at("condition"));
    const goesOn = whole(this.graph.node());
    const reason = because("repeats", trail);
    pipes.all(condition, goesOn, reason);
    pipes.all(condition, goesOn, { ...reason, turns: name });
    pipes.all(whole(this.#rounds), goesOn, reason);
    this.#turns(command, name, carried, goesOn.node, trail, () => {});
    this.#after(command, carried, goesOn, trail);
  }

  /** Returns the loop-carried shapes of any iteration, from those of the first. */
  #carried({ carry }: LoopCommand, trail: Trail): readonly Shape[] {
    return carry.map(({ type, init }, i) => {
      const held = this.#pipes.fresh(type);
      const at = trail.at("carry", i, "init");
      this.#pipes.into(shapeOf(init, this.#scene, at), held, because("carried", at));
      return held;
    });
  }

  #turns(
    command: LoopCommand,
    name: string,
    carried: readonly Shape[],
    goesRound: Node,
    trail: Trail,
    bind: () => void,
  ): void {
    const [pipes, scene] = [this.#pipes, this.#scene];
    const [rounds, loops] = [this.#rounds, this.#loops];
    this.#rounds = goesRound;
    this.#loops = [...loops, name];
    command.carry.forEach((carry, i) => {
      scene.names.set(carry.name, carried[i] ?? written);
    });
    bind();
    // In an iteration of that number it is the number.
    if (command.index !== undefined) scene.names.set(command.index, written);
    const entered = this.#stores.enter(trail);
    this.body(command.body, trail.at("body"));
    this.#stores.goRound(entered, name, trail);
    command.carry.forEach(({ next }, i) => {
      const at = trail.at("carry", i, "next");
      const held = carried[i] ?? written;
      pipes.into(shapeOf(next, scene, at), held, { ...because("carried", at), turns: name });
    });
    [this.#rounds, this.#loops] = [rounds, loops];
  }

  /** Makes the final loop-carried values depend on the number of iterations; within a given iteration they do not. */
  #after({ carry }: LoopCommand, carried: readonly Shape[], often: Shape, trail: Trail): void {
    carry.forEach(({ name, type }, i) => {
      const after = this.#pipes.fresh(type);
      this.#pipes.into(carried[i] ?? written, after, because("carried", trail));
      this.#pipes.all(often, after, because("repeats", trail));
      this.#scene.names.set(name, after);
    });
  }

  /** SOUNDNESS: a branch reads no name of another, so only tools can pass something between them, either way. */
  #parallel({ branches }: ParallelCommand, trail: Trail): void {
    const entered = this.#stores.enter(trail);
    branches.forEach((branch, i) => {
      this.body(branch, trail.at("branches", i));
    });
    this.#stores.mix(entered, trail);
  }

  #element(command: ForCommand, element: Shape, loop: string, trail: Trail): Shape {
    const type = this.#checked.types.get(command.list);
    if (type?.kind !== "list") return element;
    const visited = this.#pipes.fresh(type.element);
    const reason = because("visited", trail);
    this.#pipes.into(element, visited, this.#rows.has(element) ? { ...reason, visits: loop } : reason);
    return visited;
  }
}
