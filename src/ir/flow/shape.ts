/**
 * Values as the flow graph sees them: which node stands for which part. Fields of records are apart, and so are a list's
 * elements and its structure (how many there are), an option's value and whether it is there.
 * An element means the one at a position: what shifts positions is in it. A value that is not there says nothing.
 * Part of what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";
import type { Type } from "../type.ts";
import { constant, type Edge, type Graph, type How, type Node } from "./graph.ts";

export type Shape = WholeShape | OptionShape | ListShape | RecordShape;

/** One node for all of it. */
export interface WholeShape {
  readonly kind: "whole";
  readonly node: Node;
}
export interface OptionShape {
  readonly kind: "option";
  readonly present: Node;
  readonly value: Shape;
}
export interface ListShape {
  readonly kind: "list";
  readonly structure: Node;
  readonly element: Shape;
}
export interface RecordShape {
  readonly kind: "record";
  readonly fields: ReadonlyMap<string, FieldShape>;
}
export interface FieldShape {
  /** Presence of an optional field. */
  readonly present?: Node;
  readonly value: Shape;
}

export const whole = (node: Node): WholeShape => ({ kind: "whole", node });
export const written: Shape = whole(constant);

/** LIMIT: a wider type is one node, so that the graph grows with the program and not with its square. */
const mostParts = 64;

const sizes = new WeakMap<Type, number>();

function sizeOf(type: Type): number {
  const known = sizes.get(type);
  if (known !== undefined) return known;
  const size = measure(type);
  sizes.set(type, size);
  return size;
}

function measure(type: Type): number {
  switch (type.kind) {
    case "option":
      return 1 + sizeOf(type.value);
    case "list":
      return 1 + sizeOf(type.element);
    case "map":
      return 2 + sizeOf(type.value);
    case "record":
      return type.fields.reduce((sum, field) => sum + (field.optional ? 1 : 0) + sizeOf(field.type), 0);
    default:
      return 1;
  }
}

/** A value of the type that depends on nothing yet. */
export function freshShape(graph: Graph, type: Type): Shape {
  if (type.kind === "never") return written;
  if (sizeOf(type) > mostParts) return whole(graph.node());
  switch (type.kind) {
    case "option":
      return { kind: "option", present: graph.node(), value: freshShape(graph, type.value) };
    case "list":
      return { kind: "list", structure: graph.node(), element: freshShape(graph, type.element) };
    case "map": {
      const [key, value] = [whole(graph.node()), freshShape(graph, type.value)];
      return { kind: "list", structure: graph.node(), element: entryShape(key, value) };
    }
    case "record": {
      const fields = type.fields.map(({ name, type: inner, optional }) => {
        const value = freshShape(graph, inner);
        return [name, optional ? { present: graph.node(), value } : { value }] as const;
      });
      return { kind: "record", fields: new Map(fields) };
    }
    default:
      return whole(graph.node());
  }
}

/** An entry of a map. A map is a list of its entries here too. */
export function entryShape(key: Shape, value: Shape): RecordShape {
  return {
    kind: "record",
    fields: new Map([
      ["key", { value: key }],
      ["value", { value }],
    ]),
  };
}

/** Every node of it. */
export function nodesOf(shape: Shape): Node[] {
  switch (shape.kind) {
    case "whole":
      return shape.node === constant ? [] : [shape.node];
    case "option":
      return [shape.present, ...nodesOf(shape.value)];
    case "list":
      return [shape.structure, ...nodesOf(shape.element)];
    case "record":
      return [...shape.fields.values()].flatMap(({ present, value }) =>
        present === undefined ? nodesOf(value) : [present, ...nodesOf(value)],
      );
  }
}

/** Views a shape as an option, a list or a record: a shape of one node stands for all of its parts. */
export function asOption(shape: Shape): OptionShape {
  if (shape.kind === "option") return shape;
  const node = onlyNode(shape);
  return { kind: "option", present: node, value: whole(node) };
}

export function asList(shape: Shape): ListShape {
  if (shape.kind === "list") return shape;
  const node = onlyNode(shape);
  return { kind: "list", structure: node, element: whole(node) };
}

function onlyNode(shape: Shape): Node {
  if (shape.kind === "whole") return shape.node;
  throw new TypeError(`a ${shape.kind} stands where another value was checked to be`);
}

/** Why and where something depends on something. */
export type Reason = Omit<Edge, "from" | "to">;

export function because(how: How, at: Trail): Reason {
  return { how, at };
}

/** Adds edges between shapes. */
export class Pipes {
  readonly graph: Graph;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  fresh(type: Type): Shape {
    return freshShape(this.graph, type);
  }

  /** Each part of the one goes into the same part of the other. */
  into(from: Shape, to: Shape, reason: Reason): void {
    if (from.kind === "option" && to.kind === "option") {
      this.#edge(from.present, to.present, reason);
      this.into(from.value, to.value, reason);
    } else if (from.kind === "list" && to.kind === "list") {
      this.#edge(from.structure, to.structure, reason);
      this.into(from.element, to.element, reason);
    } else if (from.kind === "record" && to.kind === "record") this.#fields(from, to, reason);
    else this.all(from, to, reason);
  }

  #fields(from: RecordShape, to: RecordShape, reason: Reason): void {
    for (const [name, field] of from.fields) {
      const target = to.fields.get(name);
      const present = field.present === undefined ? written : whole(field.present);
      if (target === undefined) {
        // No value has a field that its type does not have; if one did, nothing would be lost.
        this.all(field.value, to, reason);
        this.all(present, to, reason);
        continue;
      }
      this.into(field.value, target.value, reason);
      this.all(present, target.present === undefined ? target.value : whole(target.present), reason);
    }
  }

  /** Everything of the one goes into everything of the other. */
  all(from: Shape, to: Shape, reason: Reason): void {
    const [starts, ends] = [nodesOf(from), nodesOf(to)];
    if (starts.length > 2 && ends.length > 2) {
      const middle = this.graph.node();
      for (const start of starts) this.#edge(start, middle, reason);
      for (const end of ends) this.#edge(middle, end, reason);
    } else for (const start of starts) for (const end of ends) this.#edge(start, end, reason);
  }

  /** One node for all of it. */
  joined(from: readonly Shape[], reason: Reason): Node {
    const nodes = new Set(from.flatMap(nodesOf));
    nodes.delete(constant);
    const [only] = nodes;
    if (only === undefined) return constant;
    if (nodes.size === 1) return only;
    const node = this.graph.node();
    for (const start of nodes) this.#edge(start, node, reason);
    return node;
  }

  #edge(from: Node, to: Node, reason: Reason): void {
    // What is written out stays what it is.
    if (to !== constant) this.graph.edge({ from, to, ...reason });
  }
}
