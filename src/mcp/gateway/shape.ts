/** Shapes: the data that a JSON Schema allows, as far as a tool module can speak of it. */

export type Shape = (
  | { readonly kind: "string" }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "number" }
  | { readonly kind: "integer" }
  | { readonly kind: "boolean" }
  | { readonly kind: "null" }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "record"; readonly fields: readonly ShapeField[] }
  | { readonly kind: "map"; readonly value: Shape }
  | { readonly kind: "union"; readonly members: readonly Shape[] }
  | { readonly kind: "json"; readonly why: JsonReason }
) & { readonly bounds?: readonly Bound[] };

export interface ShapeField {
  readonly name: string;
  readonly shape: Shape;
  readonly optional: boolean;
  readonly description: string;
}

/** The reason why a place holds any JSON value. */
export type JsonReason =
  /** The schema itself allows everything. */
  | "anything"
  /** The value of an object of which the schema names no fields. */
  | "values"
  /** A type that contains itself. */
  | "cycle"
  | "union"
  | "map"
  /** The schema says something that no shape says. */
  | "schema";

/** A condition on a value, beside its kind. */
export type Bound =
  | { readonly kind: "least" | "most" | "above" | "below" | "multiple"; readonly number: number }
  | { readonly kind: "shortest" | "longest"; readonly length: number }
  | { readonly kind: "pattern"; readonly source: string }
  | { readonly kind: "among"; readonly values: readonly (number | boolean)[] };

export function json(why: JsonReason): Shape {
  return { kind: "json", why };
}

/** Joins shapes of which one holds. Members that another one contains are dropped, wider ones stay. */
export function unionOf(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((one) => (one.kind === "union" ? one.members : [one]));
  const open = flat.find((one) => one.kind === "json");
  if (open !== undefined) return open;
  const kinds = new Set(flat.map((one) => one.kind));
  const members: Shape[] = [];
  const texts = new Set<string>();
  for (const one of flat) {
    if (one.kind === "enum") {
      if (!kinds.has("string")) for (const value of one.values) texts.add(value);
    } else if (!(one.kind === "integer" && kinds.has("number"))) merge(members, one);
  }
  if (texts.size > 0) members.push({ kind: "enum", values: [...texts] });
  const [first, ...others] = members;
  if (first === undefined) return json("schema");
  return others.length === 0 ? first : { kind: "union", members };
}

/** Two scalars of one kind with different bounds are that kind without bounds. */
function merge(members: Shape[], one: Shape): void {
  const same = members.findIndex((other) => isSame(other, one));
  if (same >= 0) return;
  const isScalar = one.kind !== "list" && one.kind !== "record" && one.kind !== "map";
  const alike = isScalar ? members.findIndex((other) => other.kind === one.kind) : -1;
  if (alike < 0) members.push(one);
  else members[alike] = withBounds(one, []);
}

function isSame(a: Shape, b: Shape): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Joins shapes that both hold. */
export function intersectionOf(a: Shape, b: Shape): Shape {
  if (a.kind === "json" && a.why !== "cycle")
    return withBounds(b, [...(b.bounds ?? []), ...(a.bounds ?? [])]);
  if (b.kind === "json" && b.why !== "cycle")
    return withBounds(a, [...(a.bounds ?? []), ...(b.bounds ?? [])]);
  const bounds = [...(a.bounds ?? []), ...(b.bounds ?? [])];
  if (a.kind === "record" && b.kind === "record")
    return { kind: "record", fields: joined(a.fields, b.fields) };
  if (a.kind === "record" && b.kind === "map") return a;
  if (a.kind === "map" && b.kind === "record") return b;
  if (a.kind === "enum" && b.kind === "enum") {
    const values = a.values.filter((one) => b.values.includes(one));
    return values.length === 0 ? json("schema") : { kind: "enum", values };
  }
  if (a.kind === "enum" && b.kind === "string") return a;
  if (a.kind === "string" && b.kind === "enum") return b;
  if (a.kind === "integer" && b.kind === "number") return withBounds(a, bounds);
  if (a.kind === "number" && b.kind === "integer") return withBounds(b, bounds);
  if (a.kind === "list" && b.kind === "list")
    return { kind: "list", item: intersectionOf(a.item, b.item), bounds };
  if (a.kind === b.kind && a.kind !== "union" && a.kind !== "map") return withBounds(a, bounds);
  return isSame(a, b) ? a : json("schema");
}

function joined(a: readonly ShapeField[], b: readonly ShapeField[]): readonly ShapeField[] {
  const fields = new Map(a.map((one) => [one.name, one]));
  for (const one of b) {
    const other = fields.get(one.name);
    fields.set(
      one.name,
      other === undefined
        ? one
        : {
            name: one.name,
            shape: intersectionOf(other.shape, one.shape),
            optional: other.optional && one.optional,
            description: other.description || one.description,
          },
    );
  }
  return [...fields.values()];
}

export function withBounds(shape: Shape, bounds: readonly Bound[]): Shape {
  const { bounds: _, ...rest } = shape;
  return bounds.length === 0 ? rest : { ...rest, bounds };
}
