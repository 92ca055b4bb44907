/**
 * The operators of which it is obvious which part of the result comes from which part of an operand.
 * Part of what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";
import type { Type } from "../type.ts";
import { constant, type How, type Node } from "./graph.ts";
import {
  asList,
  asOption,
  because,
  type ListShape,
  type Pipes,
  type Shape,
  whole,
  written,
} from "./shape.ts";

export interface Applied {
  readonly op: string;
  /** Without the functions. */
  readonly operands: readonly Shape[];
  readonly lambda: ((...params: readonly Shape[]) => Shape) | undefined;
  readonly type: Type;
  readonly pipes: Pipes;
  readonly trail: Trail;
}

/** Undefined for an operator that joins everything. */
export function closely(applied: Applied): Shape | undefined {
  const { op, operands, type, lambda } = applied;
  const [first, second, third] = operands;
  if (first === undefined) return undefined;
  switch (op) {
    case "if":
      return second && third && merged(applied, [second, third], [first]);
    case "some":
      return { kind: "option", present: constant, value: first };
    case "isSome":
      return whole(asOption(first).present);
    case "value":
      return merged(applied, [asOption(first).value], [whole(asOption(first).present)]);
    case "orElse":
      return second && merged(applied, [asOption(first).value, second], [whole(asOption(first).present)]);
    default:
      if (lambda !== undefined) return withFunction(applied, asList(first), lambda);
      return first.kind === "list" || type.kind === "list" ? ofLists(applied) : undefined;
  }
}

/** One of the values, or a value as a whole, as the others decide. */
function merged({ pipes, type, trail }: Applied, values: readonly Shape[], by: readonly Shape[]): Shape {
  const [only] = values;
  const decided = whole(pipes.joined(by, because("chosen", trail)));
  if (only !== undefined && values.length === 1 && decided.node === constant) return only;
  const result = pipes.fresh(type);
  for (const value of values) pipes.into(value, result, because("computed", trail));
  pipes.all(decided, result, because("chosen", trail));
  return result;
}

function ofLists(applied: Applied): Shape | undefined {
  const { op, operands, type, pipes, trail } = applied;
  const [first, second, third] = operands;
  if (first === undefined) return undefined;
  switch (op) {
    case "length":
      return whole(asList(first).structure);
    case "at": {
      const list = asList(first);
      if (type.kind !== "option" || second === undefined) return undefined;
      const value = pipes.fresh(type.value);
      pipes.into(list.element, value, because("computed", trail));
      pipes.all(second, value, because("chosen", trail));
      return { kind: "option", present: join(applied, [whole(list.structure), second]), value };
    }
    case "++": {
      if (type.kind !== "list") return undefined;
      const lists = operands.map(asList);
      const structures = lists.map(({ structure }) => whole(structure));
      // What comes before something decides its position.
      const before = join(applied, structures.slice(0, -1));
      const elements = lists.map(({ element }) => element);
      return listOf(applied, join(applied, structures), elements, [whole(before)]);
    }
    case "slice": {
      if (second === undefined || third === undefined) return undefined;
      const { structure, element } = asList(first);
      const length = join(applied, [whole(structure), second, third]);
      return listOf(applied, length, [element], [whole(structure), second]);
    }
    case "reverse": {
      const { structure, element } = asList(first);
      return listOf(applied, structure, [element], [whole(structure)]);
    }
    case "range":
      // The element at a position is the position.
      return { kind: "list", structure: join(applied, [first]), element: written };
    case "entries": {
      const { structure, element } = asList(first);
      const fields = [["index", { value: written }] as const, ["value", { value: element }] as const];
      return { kind: "list", structure, element: { kind: "record", fields: new Map(fields) } };
    }
    default:
      return undefined;
  }
}

function withFunction(
  applied: Applied,
  list: ListShape,
  lambda: (...params: readonly Shape[]) => Shape,
): Shape | undefined {
  const { op, operands, type, pipes, trail } = applied;
  const { structure, element } = list;
  switch (op) {
    case "map":
      return { kind: "list", structure, element: lambda(element) };
    case "flatMap": {
      const part = asList(lambda(element));
      const shifts = join(applied, [whole(structure), whole(part.structure)]);
      return listOf(applied, shifts, [part.element], [whole(shifts)]);
    }
    case "filter": {
      const chosen = lambda(element);
      return listOf(applied, join(applied, [whole(structure), chosen], "chosen"), [element], [chosen]);
    }
    case "every":
    case "any":
    case "findIndex":
      return whole(join(applied, [whole(structure), lambda(element)]));
    case "find": {
      if (type.kind !== "option") return undefined;
      const chosen = lambda(element);
      const value = pipes.fresh(type.value);
      pipes.into(element, value, because("computed", trail));
      pipes.all(chosen, value, because("chosen", trail));
      return { kind: "option", present: join(applied, [whole(structure), chosen], "chosen"), value };
    }
    case "fold": {
      const [, start] = operands;
      if (start === undefined) return undefined;
      const held = pipes.fresh(type);
      pipes.into(start, held, because("computed", trail));
      pipes.into(lambda(held, element), held, because("computed", trail));
      return merged(applied, [held], [whole(structure)]);
    }
    default:
      return undefined;
  }
}

function join({ pipes, trail }: Applied, parts: readonly Shape[], how: How = "computed"): Node {
  return pipes.joined(parts, because(how, trail));
}

/** A list of elements of others, at positions that depend on what shifts them. */
function listOf(
  { type, pipes, trail }: Applied,
  structure: Node,
  elements: readonly Shape[],
  shifts: readonly Shape[],
): Shape | undefined {
  if (type.kind !== "list") return undefined;
  const element = pipes.fresh(type.element);
  for (const one of elements) pipes.into(one, element, because("computed", trail));
  for (const one of shifts) pipes.all(one, element, because("chosen", trail));
  return { kind: "list", structure, element };
}
