/**
 * Dependencies of expressions, part by part. SOUNDNESS: an operator without a rule joins all of its operands into all
 * of its result. Part of what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";
import type { Argument, CellExpr, Expr, LambdaExpr, OpExpr, TraceExpr } from "../document.ts";
import { fieldOf, type Type } from "../type.ts";
import { closely } from "./operators.ts";
import { because, type FieldShape, type Pipes, type Shape, whole, written } from "./shape.ts";

export interface Scene {
  readonly pipes: Pipes;
  readonly types: ReadonlyMap<Expr, Type>;
  /** INVARIANT: no name hides another, so one flat map serves all scopes. */
  readonly names: Map<string, Shape>;
  /** Returns the dependencies of an expression over state or trace. */
  readonly look: (expr: CellExpr | TraceExpr, scene: Scene, trail: Trail) => Shape;
}

export function shapeOf(expr: Expr, scene: Scene, trail: Trail): Shape {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
      return written;
    case "var": {
      const shape = scene.names.get(expr.name);
      if (shape === undefined) throw new TypeError(`the name \`${expr.name}\` has no value`);
      return shape;
    }
    case "op":
      return operation(expr, scene, trail);
    case "lambda":
      throw new TypeError("a function is not a value");
    case "list":
      return listShape(expr.items, typeOf(expr, scene), scene, trail);
    case "record":
      return { kind: "record", fields: fieldsOf(expr.fields, scene, trail.at("fields")) };
    case "field":
      return readField(shapeOf(expr.of, scene, trail.at("of")), expr.name, typeOf(expr.of, scene));
    case "let":
      scene.names.set(expr.name, shapeOf(expr.value, scene, trail.at("value")));
      return shapeOf(expr.body, scene, trail.at("body"));
    default:
      return scene.look(expr, scene, trail);
  }
}

/** The arguments of a call, or the fields of a record. */
export function fieldsOf(
  args: readonly Argument[],
  scene: Scene,
  trail: Trail,
): ReadonlyMap<string, FieldShape> {
  return new Map(
    args.map(({ name, value, optional }, i) => {
      const shape = shapeOf(value, scene, trail.at(i, "value"));
      if (!optional) return [name, { value: shape }];
      if (shape.kind === "option") return [name, { present: shape.present, value: shape.value }];
      return [name, { present: scene.pipes.joined([shape], because("computed", trail)), value: shape }];
    }),
  );
}

/** Reads a field; an optional one gives an option. */
export function readField(of: Shape, name: string, type: Type): Shape {
  if (of.kind === "whole") return of;
  if (of.kind !== "record") throw new TypeError("only a record has fields");
  const field = of.fields.get(name);
  // It is never there.
  if (field === undefined) return written;
  const { present, value } = field;
  const optional = type.kind === "record" && fieldOf(type, name)?.optional === true;
  if (optional) return { kind: "option", present: present ?? 0, value };
  if (present !== undefined) throw new TypeError(`\`${name}\` may be absent`);
  return value;
}

export function typeOf(expr: Expr, { types }: Scene): Type {
  const type = types.get(expr);
  if (type === undefined) throw new TypeError("an expression was not checked");
  return type;
}

function listShape(items: readonly Expr[], type: Type, scene: Scene, trail: Trail): Shape {
  const { pipes } = scene;
  const element: Shape = type.kind === "list" ? pipes.fresh(type.element) : whole(pipes.graph.node());
  items.forEach((item, i) => {
    const at = trail.at("items", i);
    pipes.into(shapeOf(item, scene, at), element, because("computed", at));
  });
  return { kind: "list", structure: 0, element };
}

// ── operators ────────────────────────────────────────────────────────────────────────────────────────────

function operation(expr: OpExpr, scene: Scene, trail: Trail): Shape {
  const { pipes } = scene;
  const operands: Shape[] = [];
  const lambdas: ((...params: readonly Shape[]) => Shape)[] = [];
  expr.args.forEach((arg, i) => {
    const at = trail.at("args", i);
    if (arg.kind === "lambda") lambdas.push((...params) => applied(arg, params, scene, at));
    else operands.push(shapeOf(arg, scene, at));
  });
  const type = typeOf(expr, scene);
  const found = closely({ op: expr.op, operands, lambda: lambdas[0], type, pipes, trail });
  if (found !== undefined) return found;
  const inside = whole(pipes.joined(operands, because("computed", trail)));
  const bodies = lambdas.map((lambda) => lambda(inside, inside));
  const result = pipes.fresh(type);
  for (const part of [...operands, ...bodies]) pipes.all(part, result, because("computed", trail));
  return result;
}

/** The body, with the parameters bound: what it reads besides them is in it. */
function applied(lambda: LambdaExpr, params: readonly Shape[], scene: Scene, trail: Trail): Shape {
  lambda.params.forEach(({ name }, i) => {
    scene.names.set(name, params[i] ?? written);
  });
  return shapeOf(lambda.body, scene, trail.at("body"));
}
