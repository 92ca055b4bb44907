/** The names that are visible at one place of a source; an inner one hides an outer one, as in JavaScript. */
import type { Lowering } from "./lower/core.ts";
import type { Spot } from "./refusal.ts";
import type { Ty } from "./ty.ts";
import type { Val } from "./value.ts";

/** Evaluates a module member where it is used. */
export type Getter = (low: Lowering, spot: Spot) => Val;

export type Binding =
  /** Computed when first asked for: the constants and declarations of a module. */
  | { readonly kind: "lazy"; readonly get: Getter; readonly imported?: true }
  | { readonly kind: "const"; readonly value: Val; readonly imported?: true }
  | { readonly kind: "let"; readonly slot: number; readonly type?: Ty; readonly isConstant?: true }
  /** Declared further down: using it now is an error. */
  | { readonly kind: "later" };

export class Scope {
  readonly parent: Scope | undefined;
  readonly names = new Map<string, Binding>();

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  get(name: string): Binding | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const binding = scope.names.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  set(name: string, binding: Binding): void {
    this.names.set(name, binding);
  }

  *visible(): Generator<string> {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent)
      yield* scope.names.keys();
  }
}
