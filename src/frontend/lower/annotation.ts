/** Annotations of variables: a hint where they can be read, and without any meaning where not. */
import type { BindingPattern, TSType } from "oxc-parser";
import { readType } from "../read/types.ts";
import { Refusal } from "../refusal.ts";
import type { Ty } from "../ty.ts";
import type { Lowering } from "./core.ts";

export function annotatedType(low: Lowering, pattern: BindingPattern): Ty | undefined {
  const annotation = "typeAnnotation" in pattern ? pattern.typeAnnotation : undefined;
  return annotation ? writtenType(low, annotation.typeAnnotation) : undefined;
}

export function writtenType(low: Lowering, node: TSType): Ty | undefined {
  try {
    const type = readType(low.module, node, false);
    return type.kind === "json" && type.of === undefined ? undefined : type;
  } catch (thrown) {
    if (thrown instanceof Refusal) return undefined;
    throw thrown;
  }
}
