/**
 * The answers to what formulas ask about flows, found in the flow graph of the document's program: "may carry data of".
 * They are part of what the Effect IR means, so the judge, the prover and the runner of a document ask here.
 * Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import { Trail } from "../diagnostic.ts";
import type { CellExpr, Document, Expr, Source, TraceExpr } from "../document.ts";
import type { Type } from "../type.ts";
import { variablesOf } from "../visit.ts";
import { type Scene, shapeOf } from "./expr.ts";
import { anything, type Edge, Graph, type Node, outgoing, pathTo, type Reached, reach } from "./graph.ts";
import { type CallFlow, flowOfProgram, type ProgramFlow } from "./program.ts";
import { type Binder, type FlowExpr, type Names, scopesIn } from "./scopes.ts";
import { asList, because, nodesOf, Pipes, type Shape, whole, written } from "./shape.ts";
import { type Origin, originsOf } from "./sources.ts";

/** A shortest way on which data gets from a source to where it was asked about; no edges where it starts there. */
export interface FlowPath {
  readonly start: Node;
  readonly edges: readonly Edge[];
}

/** Context of a flow query in a formula. */
export interface Asked {
  /** The formula that the question stands in, and its types. */
  readonly formula: Expr;
  readonly types: ReadonlyMap<Expr, Type>;
  /** The id of the call that the variable is bound to. */
  readonly call: (variable: string) => string;
}

/** The nodes of the program's graph that something depends on. */
export type Ends = ReadonlySet<Node>;

/** Origins whose data goes the same ways. */
interface Alike {
  readonly key: string;
  readonly origins: readonly Origin[];
}

const flows = new WeakMap<Document, Flow>();

/** Returns the data flow of the document's program; memoized. */
export function flowOf(checked: Checked): Flow {
  const known = flows.get(checked.document);
  if (known !== undefined) return known;
  const flow = new Flow(checked, flowOfProgram(checked));
  flows.set(checked.document, flow);
  return flow;
}

/** A call is not one of the program: where its values come from cannot be told. */
export class NotOfProgram extends Error {}

export class Flow {
  readonly program: ProgramFlow;
  readonly #checked: Checked;
  readonly #outgoing: ReturnType<typeof outgoing>;
  /** By the origins that go the same ways. */
  readonly #reached = new Map<string, Reached>();
  readonly #alike = new WeakMap<Source, readonly Alike[]>();
  /** Sources that the tools endorse. */
  readonly #endorsed: readonly ReadonlySet<Origin>[];

  constructor(checked: Checked, program: ProgramFlow) {
    this.#checked = checked;
    this.program = program;
    this.#outgoing = outgoing(program.graph.edges);
    this.#endorsed = [...new Set(program.graph.edges.flatMap(({ endorsed }) => endorsed ?? []))];
  }

  /** Returns a path by which data of the source may reach the value, if there is one. */
  flows(value: Expr, from: Source, question: FlowExpr, asked: Asked): FlowPath | undefined {
    return this.#into(this.ends(value, question, asked), from);
  }

  /** Returns a path by which data of the source may reach an argument of the call or its guard, if there is one. */
  influenced(id: string, from: Source): FlowPath | undefined {
    const { args, guard } = this.call(id);
    return this.into([...nodesOf(args), guard], from);
  }

  /** Returns a path by which data of the source may reach one of the parts, if there is one. */
  into(nodes: readonly Node[], from: Source): FlowPath | undefined {
    return this.#into(new Set(nodes), from);
  }

  call(id: string): CallFlow {
    const call = this.program.calls.get(id);
    if (call === undefined) throw new NotOfProgram(`\`${id}\` is no call of the program`);
    return call;
  }

  /**
   * Decides reachability from these nodes, which belong to the origins, to the others.
   * @param along the allowed edges
   * @param through edges of which it takes one
   */
  goes(
    starts: ReadonlyMap<Origin, readonly Node[]>,
    ends: Ends,
    along: (edge: Edge) => boolean = () => true,
    through?: (edge: Edge) => boolean,
  ): boolean {
    return [...starts].some(([origin, nodes]) => {
      const isOpen = (edge: Edge) => edge.endorsed?.has(origin) !== true && along(edge);
      let reached = reach(nodes, this.#outgoing, isOpen);
      if (through !== undefined) {
        const taken = this.program.graph.edges.filter(
          (edge) => through(edge) && reached.has(edge.from) && isOpen(edge),
        );
        reached = reach(
          taken.map(({ to }) => to),
          this.#outgoing,
          isOpen,
        );
        if (taken.length === 0) return false;
      }
      return [...ends].some((node) => node === anything || reached.has(node));
    });
  }

  // ── searching ──────────────────────────────────────────────────────────────────────────────────────────

  #into(ends: Ends, from: Source): FlowPath | undefined {
    for (const { key, origins } of this.#classesOf(from)) {
      const [all, direct] = [this.#from(key, origins), this.#from(`direct ${key}`, origins, isDirect)];
      const isIn = (reached: Reached) => (node: Node) => node === anything || reached.has(node);
      const end = [...ends].find(isIn(all));
      if (end === undefined) continue;
      // Where the data itself gets there, that tells more than what it decides.
      const shown = [...ends].find(isIn(direct));
      const edges = shown === undefined ? pathTo(end, all) : pathTo(shown, direct);
      return { start: edges[0]?.from ?? shown ?? end, edges };
    }
    return undefined;
  }

  /** Those that are endorsed by the same tools go the same ways, and are followed at once. */
  #classesOf(source: Source): readonly Alike[] {
    const before = this.#alike.get(source);
    if (before !== undefined) return before;
    const classes = new Map<string, Origin[]>();
    for (const origin of originsOf(this.#checked, source)) {
      const key = this.#endorsed.map((endorsed) => (endorsed.has(origin) ? "1" : "0")).join("");
      const known = classes.get(key);
      if (known === undefined) classes.set(key, [origin]);
      else known.push(origin);
    }
    const found = [...classes.values()].map((origins) => ({ key: origins.join("\n\n"), origins }));
    this.#alike.set(source, found);
    return found;
  }

  #from(key: string, origins: readonly Origin[], along: (edge: Edge) => boolean = () => true): Reached {
    const known = this.#reached.get(key);
    if (known !== undefined) return known;
    const starts = origins.flatMap((origin) => this.program.origins.nodes(origin));
    const [one = ""] = origins;
    const isOpen = (edge: Edge) => edge.endorsed?.has(one) !== true && along(edge);
    const found = reach(starts, this.#outgoing, isOpen);
    this.#reached.set(key, found);
    return found;
  }

  // ── values of formulas ─────────────────────────────────────────────────────────────────────────────────

  /** Returns the dependencies of the value, in a graph beside the program's own. */
  ends(value: Expr, question: FlowExpr, asked: Asked): Ends {
    const overlay = new Graph(this.program.graph.size);
    const names = scopesIn(asked.formula).get(question);
    if (names === undefined) throw new TypeError("a question stands outside of its formula");
    const scene: Scene = {
      pipes: new Pipes(overlay),
      types: asked.types,
      names: new Map(this.program.inputs),
      look: (expr, inner, trail) => this.#look(expr, inner, trail, asked),
    };
    this.#bind(value, names, scene, asked);
    return basesOf(nodesOf(shapeOf(value, scene, Trail.root)), overlay);
  }

  /** Binds the names that the expression reads, those of `let` with what they read in turn. */
  #bind(expr: Expr, names: Names, scene: Scene, asked: Asked): void {
    for (const name of variablesOf(expr)) {
      const binder = names.get(name);
      if (binder === undefined || scene.names.has(name)) continue;
      if (binder.kind === "let") this.#bind(binder.value, names, scene, asked);
      scene.names.set(name, this.#bound(name, binder, scene, asked));
    }
  }

  #bound(name: string, binder: Binder, scene: Scene, asked: Asked): Shape {
    switch (binder.kind) {
      case "call":
        return this.call(asked.call(name)).args;
      case "row":
        return this.#row(binder.tool, scene.pipes);
      case "cell":
        return binder.initial ? written : whole(this.#cells(binder.fluent));
      case "let":
        return shapeOf(binder.value, scene, Trail.root);
      case "anything":
        return whole(anything);
    }
  }

  /** Any row that the tool returned. */
  #row(tool: string, pipes: Pipes): Shape {
    const type = this.#checked.tools.get(tool)?.result;
    if (type?.kind !== "list") throw new TypeError(`\`${tool}\` has no rows`);
    const row = pipes.fresh(type.element);
    for (const call of this.program.calls.values())
      if (call.tool.name === tool) pipes.into(asList(call.result).element, row, because("computed", call.at));
    return row;
  }

  #cells(fluent: string): Node {
    const node = this.program.fluents.get(fluent);
    if (node === undefined) throw new TypeError(`there is no fluent \`${fluent}\``);
    return node;
  }

  #look(expr: CellExpr | TraceExpr, scene: Scene, trail: Trail, asked: Asked): Shape {
    if (expr.kind === "cell") {
      const key = shapeOf(expr.key, scene, trail);
      const cells = expr.at === "initial" ? written : whole(this.#cells(expr.fluent));
      return whole(scene.pipes.joined([key, cells], because("computed", trail)));
    }
    if (expr.kind !== "result") return whole(anything);
    const { failed, result } = this.call(asked.call(expr.call));
    return { kind: "option", present: failed, value: result };
  }
}

/** Returns true for explicit flows, and false for implicit ones (decided or chosen by the data). */
function isDirect({ how }: Edge): boolean {
  return how !== "chosen" && how !== "decides" && how !== "repeats" && how !== "failed";
}

/** Returns the program's nodes that some nodes of the overlay depend on. */
function basesOf(nodes: readonly Node[], overlay: Graph): Ends {
  const back = outgoing(overlay.edges.map((edge) => ({ ...edge, from: edge.to, to: edge.from })));
  return new Set([...reach(nodes, back).keys()].filter((node) => !overlay.has(node)));
}
