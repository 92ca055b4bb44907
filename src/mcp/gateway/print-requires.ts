/** The bounds of a shape as conditions of TypeScript, for `requires`. */
import { defaultLimits, readPattern } from "../../ir/index.ts";
import { isIdentifier } from "./names.ts";
import type { Bound, Shape, ShapeField } from "./shape.ts";
import { isNullable, withoutNull } from "./surface.ts";

export interface Conditions {
  readonly all: readonly string[];
  /** Bounds that no condition says, which the server alone verifies. */
  readonly ignored: readonly string[];
}

export function conditionsOf(shape: Shape, on: string): Conditions {
  const ignored: string[] = [];
  return { all: conditions(shape, on, 1, ignored), ignored };
}

function conditions(shape: Shape, on: string, depth: number, ignored: string[]): string[] {
  const own = (shape.bounds ?? []).flatMap((bound) => {
    const text = boundText(bound, on);
    if (text === undefined) ignored.push(`${bound.kind} of ${on}`);
    return text ?? [];
  });
  switch (shape.kind) {
    case "list": {
      const item = `x${depth}`;
      const inner = conditions(shape.item, item, depth + 1, ignored);
      return inner.length === 0 ? own : [...own, `${on}.every((${item}) => ${joined(inner)})`];
    }
    case "record":
      return shape.fields.flatMap((field) => fieldConditions(field, on, depth, ignored));
    case "union":
      if (isNullable(shape))
        return guarded(conditions(withoutNull(shape), on, depth, ignored), `${on} === null`);
      return [...own, ...notSaid(shape.members, on, depth, ignored)];
    case "map":
      return [...own, ...notSaid([shape.value], on, depth, ignored)];
    default:
      return own;
  }
}

/** Conditions that hold for some of the values alone are left to the server. */
function notSaid(shapes: readonly Shape[], on: string, depth: number, ignored: string[]): readonly string[] {
  const inner = shapes.flatMap((one) => conditions(one, "it", depth, ignored));
  if (inner.length > 0) ignored.push(`bounds of ${on}`);
  return [];
}

function fieldConditions(field: ShapeField, on: string, depth: number, ignored: string[]): string[] {
  const { name, shape, optional } = field;
  if (!isIdentifier(name)) {
    if (conditions(shape, "it", depth, ignored).length > 0) ignored.push(`bounds of ${JSON.stringify(name)}`);
    return [];
  }
  const at = `${on}.${name}`;
  const inner = conditions(shape, at, depth, ignored);
  return optional ? guarded(inner, `${at} === undefined`) : inner;
}

function guarded(all: readonly string[], otherwise: string): string[] {
  return all.length === 0 ? [] : [`(${otherwise} || ${all.length === 1 ? all[0] : `(${joined(all)})`})`];
}

export function joined(all: readonly string[]): string {
  return all.join(" && ");
}

function boundText(bound: Bound, on: string): string | undefined {
  switch (bound.kind) {
    case "least":
      return `${on} >= ${bound.number}`;
    case "most":
      return `${on} <= ${bound.number}`;
    case "above":
      return `${on} > ${bound.number}`;
    case "below":
      return `${on} < ${bound.number}`;
    case "multiple":
      return Number.isSafeInteger(bound.number) ? `${on} % ${bound.number} === 0` : undefined;
    case "shortest":
      return `${on}.length >= ${bound.length}`;
    case "longest":
      return `${on}.length <= ${bound.length}`;
    case "pattern":
      return patternText(bound.source, on);
    case "among":
      return `(${bound.values.map((one) => `${on} === ${one}`).join(" || ")})`;
  }
}

/** A pattern that a proof can take, as a literal; undefined for another one. */
function patternText(source: string, on: string): string | undefined {
  if (!readPattern(source, { most: defaultLimits.patternSize }).ok) return undefined;
  try {
    // The form that JavaScript itself writes: slashes and line ends are escaped.
    return `/${new RegExp(source).source}/.test(${on})`;
  } catch {
    return undefined;
  }
}
