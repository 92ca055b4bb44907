/** Ways through documents. */
import type { Document } from "../../src/ir/document.ts";
import { type Shape, type Sort, structs, unions } from "../../src/ir/json/shape.ts";

export type NodePath = readonly (string | number)[];

export interface Place {
  readonly node: object;
  readonly path: NodePath;
  readonly sort: Sort;
}

/** Every node with its place and its sort, from the root down. */
export function placesIn(document: Document): Place[] {
  const places: Place[] = [];
  collect("document", document, [], places);
  return places;
}

/** The node of that sort and everything below it. */
export function placesOf(sort: Sort, node: object): Place[] {
  const places: Place[] = [];
  collect(sort, node, [], places);
  return places;
}

/** The expressions below this one, without itself. */
export function partsOf(expr: object): Place[] {
  const places: Place[] = [];
  collect("expr", expr, [], places);
  return places.slice(1).filter(({ sort }) => sort === "expr");
}

function collect(sort: Sort, node: object, path: NodePath, places: Place[]): void {
  places.push({ node, path, sort });
  const fields = node as Readonly<Record<string, unknown>>;
  for (const [name, slot] of Object.entries(shapeOf(sort, fields.kind))) {
    const value = fields[name];
    if (value === undefined) continue;
    if (slot.kind === "node") collect(slot.sort, value as object, [...path, name], places);
    if (slot.kind === "nodeLists")
      (value as object[][]).forEach((list, i) => {
        list.forEach((item, j) => collect(slot.sort, item, [...path, name, i, j], places));
      });
    if (slot.kind !== "nodes" && slot.kind !== "keptNodes") continue;
    (value as object[]).forEach((item, i) => collect(slot.sort, item, [...path, name, i], places));
  }
}

function shapeOf(sort: Sort, kind: unknown): Shape {
  if (sort in structs) return structs[sort as keyof typeof structs];
  const kinds: Readonly<Record<string, Shape>> = unions[sort as keyof typeof unions];
  return kinds[String(kind)] ?? {};
}

/** Visits every part of a document that is an object, with its path. */
export function visitNodes(
  node: unknown,
  visit: (node: object, path: readonly (string | number)[]) => void,
  path: readonly (string | number)[] = [],
): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) visit(node, path);
  for (const [key, part] of Object.entries(node)) {
    visitNodes(part, visit, [...path, Array.isArray(node) ? Number(key) : key]);
  }
}

/** A copy in which the part at the path is another. */
export function replaced<T>(node: T, path: readonly (string | number)[], part: unknown): T {
  const [step, ...rest] = path;
  if (step === undefined) return part as T;
  const copy = (Array.isArray(node) ? [...node] : { ...node }) as Record<string | number, unknown>;
  copy[step] = replaced(copy[step], rest, part);
  return copy as T;
}

export function partAt(node: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], node);
}
