/** Names in the text of a program: what stands for what, and which fields are read, seen from the syntax alone. */
import type { Expression, MemberExpression, Node, ObjectPattern } from "oxc-parser";
import { childNodes } from "./lower/iterate.ts";
import type { Scope } from "./scope.ts";
import type { Module } from "./syntax.ts";

/** The meaning of a name in a function or a block. */
export type Meaning =
  /** A constant with this value. */
  | { readonly kind: "same"; readonly as: Expression; readonly seen: Names }
  /** A constant that holds a part of this value. */
  | { readonly kind: "part"; readonly of: Expression; readonly name: string; readonly seen: Names }
  | { readonly kind: "other" };

/** The names at a place: those of functions and blocks by their text, those of modules as they were compiled. */
export class Names {
  readonly module: Module;
  readonly outside: Scope;
  readonly #parent: Names | undefined;
  readonly #own = new Map<string, Meaning>();

  constructor(module: Module, outside: Scope, parent?: Names) {
    this.module = module;
    this.outside = outside;
    this.#parent = parent;
  }

  inner(): Names {
    return new Names(this.module, this.outside, this);
  }

  set(name: string, meaning: Meaning): void {
    this.#own.set(name, meaning);
  }

  /** Returns whether the text or the module gives the name a meaning, so that it is none of JavaScript's own. */
  has(name: string): boolean {
    return this.get(name) !== undefined || this.outside.get(name) !== undefined;
  }

  get(name: string): Meaning | undefined {
    return this.#own.get(name) ?? this.#parent?.get(name);
  }
}

export const other: Meaning = { kind: "other" };

/** `{ a, b: c }`: names that are read, and the constants that they become. */
export function plainParts(pattern: ObjectPattern): { readonly key: string; readonly local: string }[] {
  return pattern.properties.flatMap((one) => {
    if (one.type === "RestElement" || one.computed || one.value.type !== "Identifier") return [];
    const key = keyName(one.key);
    return key === undefined ? [] : [{ key, local: one.value.name }];
  });
}

/** Every field that a pattern reads. */
export function keysOf(node: Node): string[] {
  const own =
    node.type === "ObjectPattern"
      ? node.properties.flatMap((one) => (one.type === "RestElement" ? [] : (keyName(one.key) ?? [])))
      : [];
  return node.type.endsWith("Pattern") || node.type === "Property" || node.type === "RestElement"
    ? [...own, ...childNodes(node).flatMap(keysOf)]
    : own;
}

function keyName(node: Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

/** The field that is read, if that is written out. */
export function wordOf(node: MemberExpression): string | undefined {
  const { property } = node;
  if (!node.computed) return property.type === "Identifier" ? property.name : undefined;
  if (property.type === "Literal") return String(property.value);
  if (property.type === "TemplateLiteral" && property.expressions.length === 0)
    return property.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}
