/** Matching operands against an operator's signatures. Part of what must be trusted. */
import type { Signature, TypePattern } from "../operators/index.ts";
import { printType } from "../text/printer.ts";
import {
  fieldOf,
  isSubtype,
  join,
  listOf,
  mapOf,
  never,
  optionOf,
  type RecordType,
  recordOf,
  type Type,
} from "../type.ts";

/** Bindings of type variables; those in `fixed` are explicit and cannot widen. */
export interface Bindings {
  readonly types: Map<string, Type>;
  readonly fixed: Set<string>;
}

/** The first signature that takes these operands; functions are undefined here and are checked afterwards. */
export function matchSignature(
  signatures: readonly Signature[],
  operands: readonly (Type | undefined)[],
): { readonly signature: Signature; readonly bindings: Bindings } | undefined {
  for (const signature of signatures) {
    const bindings: Bindings = { types: new Map(), fixed: new Set() };
    if (!takes(signature, operands.length)) continue;
    const fits = operands.every((type, i) => {
      const pattern = paramAt(signature, i);
      if (pattern === undefined) return false;
      if (type === undefined || pattern.kind === "function")
        return type === undefined && pattern.kind === "function";
      return matches(pattern, type, bindings);
    });
    if (fits) return { signature, bindings };
  }
  return undefined;
}

export function takes(signature: Signature, count: number): boolean {
  return signature.variadic ? count >= signature.params.length : count === signature.params.length;
}

export function paramAt(signature: Signature, i: number): TypePattern | undefined {
  return signature.params[i] ?? (signature.variadic ? signature.params.at(-1) : undefined);
}

/** Matches a type against a pattern, and widens variables if needed. */
export function matches(pattern: TypePattern, type: Type, bindings: Bindings): boolean {
  switch (pattern.kind) {
    case "variable": {
      const known = bindings.types.get(pattern.name);
      if (known !== undefined && bindings.fixed.has(pattern.name)) return isSubtype(type, known);
      const widened = known === undefined ? type : join(known, type);
      if (widened === undefined) return false;
      bindings.types.set(pattern.name, widened);
      return true;
    }
    case "listOf":
      if (type.kind === "never") return matches(pattern.element, never, bindings);
      return type.kind === "list" && matches(pattern.element, type.element, bindings);
    case "optionOf":
      if (type.kind === "never") return matches(pattern.value, never, bindings);
      return type.kind === "option" && matches(pattern.value, type.value, bindings);
    case "mapOf":
      if (type.kind === "never") return matches(pattern.value, never, bindings);
      return type.kind === "map" && matches(pattern.value, type.value, bindings);
    case "recordOf":
      if (type.kind === "never") return pattern.fields.every(([, field]) => matches(field, never, bindings));
      return type.kind === "record" && matchesRecord(pattern.fields, type, bindings);
    case "function":
      return false;
    default:
      return isSubtype(type, pattern);
  }
}

/** Returns true if the record has exactly these fields. */
function matchesRecord(
  fields: readonly (readonly [string, TypePattern])[],
  type: RecordType,
  bindings: Bindings,
): boolean {
  return (
    type.fields.length === fields.length &&
    fields.every(([name, pattern]) => {
      const field = fieldOf(type, name);
      return field !== undefined && !field.optional && matches(pattern, field.type, bindings);
    })
  );
}

/** The pattern with its variables replaced; a variable that nothing was matched with has no values. */
export function instantiate(pattern: TypePattern, bindings: Bindings): Type {
  switch (pattern.kind) {
    case "variable":
      return bindings.types.get(pattern.name) ?? never;
    case "listOf":
      return listOf(instantiate(pattern.element, bindings));
    case "optionOf":
      return optionOf(instantiate(pattern.value, bindings));
    case "mapOf":
      return mapOf(instantiate(pattern.value, bindings));
    case "recordOf":
      return recordOf(pattern.fields.map(([name, field]) => ({ name, type: instantiate(field, bindings) })));
    case "function":
      return never;
    default:
      return pattern;
  }
}

/** `(list<T>, T) -> bool`, for messages and documentation. */
export function signatureText(signature: Signature): string {
  const params = signature.params.map(patternText).join(", ");
  return `(${params}${signature.variadic ? ", …" : ""}) -> ${patternText(signature.result)}`;
}

function patternText(pattern: TypePattern): string {
  switch (pattern.kind) {
    case "variable":
      return pattern.name;
    case "listOf":
      return `list<${patternText(pattern.element)}>`;
    case "optionOf":
      return `option<${patternText(pattern.value)}>`;
    case "mapOf":
      return `map<${patternText(pattern.value)}>`;
    case "recordOf":
      return `record{${pattern.fields.map(([name, field]) => `${name}: ${patternText(field)}`).join(", ")}}`;
    case "function":
      return `(${pattern.params.map(patternText).join(", ")}) => ${patternText(pattern.result)}`;
    default:
      return printType(pattern);
  }
}
