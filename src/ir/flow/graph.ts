/**
 * The flow graph of a program: nodes are parts of values, stores and decisions, an edge says that one may depend on
 * another, and why. A source reaches a part if and only if there is a path, and the shortest one is the evidence.
 * Part of what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";

export type Node = number;

/** Depends on nothing: what is written out in the program. */
export const constant: Node = 0;
/** Depends on everything: what is not looked at more closely. */
export const anything: Node = 1;

/** Why one part depends on another. */
export type How =
  /** It is worked out from it, or is part of it. */
  | "computed"
  /** It was chosen by it. */
  | "chosen"
  /** It is passed to a call. */
  | "passed"
  /** It decides whether a call is made. */
  | "decides"
  /** It decides how often a loop goes round. */
  | "repeats"
  /** It is an element that a loop goes through. */
  | "visited"
  /** A loop carries it to the next iteration, or out of it. */
  | "carried"
  /** A call with it gave an answer. */
  | "answered"
  /** A call was caught that failed with it. */
  | "failed"
  /** A tool keeps it in a store. */
  | "kept"
  /** It comes out of a store. */
  | "returned"
  /** A fluent is set from it. */
  | "set";

export interface Edge {
  readonly from: Node;
  readonly to: Node;
  readonly how: How;
  /** The command or expression that makes the one depend on the other. */
  readonly at: Trail;
  /** Sources whose data does not go this way. */
  readonly endorsed?: ReadonlySet<string>;
  /** The loop from one iteration of which it leads to a later one. */
  readonly turns?: string;
  /** The loop that it gives its elements, of a result that the loop goes through as it is. */
  readonly visits?: string;
}

export class Graph {
  readonly edges: Edge[] = [];
  readonly #first: Node;
  #size: number;

  /** @param first the number of the first node: those below it are another graph's */
  constructor(first: Node = anything + 1) {
    this.#first = first;
    this.#size = first;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns true if the node belongs to this graph and to none below it. */
  has(node: Node): boolean {
    return node >= this.#first;
  }

  node(): Node {
    return this.#size++;
  }

  edge(edge: Edge): void {
    if (edge.from !== constant && edge.from !== edge.to) this.edges.push(edge);
  }
}

/** Reached nodes, with the first edge that reached each. */
export type Reached = ReadonlyMap<Node, Edge | undefined>;

/** The edges of each node. */
export type Outgoing = ReadonlyMap<Node, readonly Edge[]>;

export function outgoing(edges: readonly Edge[]): Outgoing {
  const found = new Map<Node, Edge[]>();
  for (const edge of edges) {
    const known = found.get(edge.from);
    if (known === undefined) found.set(edge.from, [edge]);
    else known.push(edge);
  }
  return found;
}

/** Breadth first, so that the edges make up shortest paths. */
export function reach(
  starts: Iterable<Node>,
  edgesOf: Outgoing,
  isOpen: (edge: Edge) => boolean = () => true,
): Reached {
  const reached = new Map<Node, Edge | undefined>();
  const queue: Node[] = [];
  for (const start of starts) {
    if (start === constant || reached.has(start)) continue;
    reached.set(start, undefined);
    queue.push(start);
  }
  for (let i = 0; i < queue.length; i++) {
    for (const edge of edgesOf.get(queue[i] ?? constant) ?? []) {
      if (reached.has(edge.to) || !isOpen(edge)) continue;
      reached.set(edge.to, edge);
      queue.push(edge.to);
    }
  }
  return reached;
}

/** The edges from a start to the node. */
export function pathTo(node: Node, reached: Reached): Edge[] {
  const path: Edge[] = [];
  for (let edge = reached.get(node); edge !== undefined; edge = reached.get(edge.from)) path.push(edge);
  return path.reverse();
}
