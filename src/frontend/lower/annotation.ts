/** Annotations of variables: a hint where they can be read, and without any meaning where not. */
import type { BindingPattern, TSType } from "oxc-parser";
import { readType } from "../read/types.ts";
import { Refusal } from "../refusal.ts";
import { mapTy, never, type Ty } from "../ty.ts";
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
    if (thrown instanceof Refusal) return isRecordByText(low, node) ? mapTy(never) : undefined;
    throw thrown;
  }
}

/** `Record<string, …>` of values whose type cannot be read, or `Record<K, …>` of a type parameter: the keys are only known in the run. */
function isRecordByText(low: Lowering, node: TSType): boolean {
  if (node.type === "TSTypeLiteral")
    return node.members.length === 1 && node.members[0]?.type === "TSIndexSignature";
  if (node.type !== "TSTypeReference" || node.typeName.type !== "Identifier") return false;
  const [keys] = node.typeArguments?.params ?? [];
  if (node.typeName.name !== "Record" || keys === undefined) return false;
  return keys.type === "TSStringKeyword" || isTypeParameter(low, keys);
}

/** Returns true if it is a type parameter of a function that is being compiled. */
function isTypeParameter(low: Lowering, node: TSType): boolean {
  if (node.type !== "TSTypeReference" || node.typeName.type !== "Identifier") return false;
  const { name } = node.typeName;
  return low.stack.some((frame) => frame.node.typeParameters?.params.some((one) => one.name.name === name));
}
