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
  const { op, operands, lambda } = applied;
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
      return ofMaps(applied) ?? (isListed(applied) ? ofLists(applied) : undefined);
  }
}

function isListed({ operands, type }: Applied): boolean {
  return operands[0]?.kind === "list" || type.kind === "list";
}

/** A map is the list of its entries; which entry is where depends on all keys. */
function ofMaps(applied: Applied): Shape | undefined {
  const { op, operands, type, pipes, trail } = applied;
  const [first, key, value] = operands;
  if (first === undefined || !op.startsWith("map") || op === "map") return undefined;
  const { structure, element } = asList(first);
  const [keys, held] = [part(element, "key"), part(element, "value")];
  const place = [whole(structure), keys];
  switch (op) {
    case "mapEntries":
    case "mapOf":
      return op === "mapEntries" ? first : ofEntries(applied, place, [held]);
    case "mapKeys":
      return { kind: "list", structure, element: keys };
    case "mapValues":
      return { kind: "list", structure, element: held };
    case "mapSize":
      return whole(structure);
    case "mapHas":
      return key && whole(join(applied, [...place, key]));
    case "mapDelete":
      return key && ofEntries(applied, [...place, key], [held]);
    case "mapSet":
      return key && value && ofEntries(applied, [...place, key], [held, value]);
    case "mapJoin": {
      if (key === undefined) return undefined;
      const other = asList(key);
      const otherKeys = part(other.element, "key");
      const otherValues = part(other.element, "value");
      return ofEntries(applied, [...place, whole(other.structure), otherKeys], [held, otherValues]);
    }
    case "mapGet": {
      if (type.kind !== "option" || key === undefined) return undefined;
      const found = pipes.fresh(type.value);
      pipes.into(held, found, because("computed", trail));
      for (const one of [...place, key]) pipes.all(one, found, because("chosen", trail));
      return { kind: "option", present: join(applied, [...place, key]), value: found };
    }
    default:
      return undefined;
  }
}

function part(entry: Shape, name: string): Shape {
  if (entry.kind !== "record") return entry;
  return entry.fields.get(name)?.value ?? written;
}

/** A map whose keys and their places depend on all of the first, and whose values are some of the second. */
function ofEntries(applied: Applied, by: readonly Shape[], values: readonly Shape[]): Shape | undefined {
  const { type, pipes, trail } = applied;
  if (type.kind !== "map") return undefined;
  const result = pipes.fresh(type);
  for (const one of by) pipes.all(one, result, because("chosen", trail));
  const held = part(asList(result).element, "value");
  for (const one of values) pipes.into(one, held, because("computed", trail));
  return result;
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
