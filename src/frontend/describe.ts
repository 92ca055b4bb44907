/** Declarations of tool modules as an author of programs needs to know them: types as TypeScript, and comments. */
import type { Module } from "./syntax.ts";
import { isOptional, type Ty, tyText } from "./ty.ts";
import type { Val } from "./value.ts";

export type Declaration = ToolDeclaration | FluentDeclaration | ContractDeclaration;

interface Declared {
  /** `bank.withdraw`. */
  readonly name: string;
  readonly file: string;
  readonly span: { readonly start: number; readonly end: number };
  /** The comment before it, without its stars. */
  readonly doc?: string;
}

export interface ToolDeclaration extends Declared {
  readonly kind: "tool";
  /** The fields of its one argument. */
  readonly params: readonly DeclaredParam[];
  readonly result: string;
}

export interface FluentDeclaration extends Declared {
  readonly kind: "fluent";
  readonly key: string;
  readonly value: string;
}

export interface ContractDeclaration extends Declared {
  readonly kind: "contract";
  readonly params: readonly DeclaredParam[];
}

export interface DeclaredParam {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
}

/** Undefined for what is none of these. `start` is where the statement begins. */
export function describe(module: Module, value: Val, start: number): Declaration | undefined {
  const doc = docBefore(module.source.text, start);
  const common = { file: module.source.path, ...(doc === undefined ? {} : { doc }) };
  switch (value.kind) {
    case "tool": {
      const { tool, params, result, spot } = value.tool;
      const fields = params.fields.map(({ name, type }) => paramOf(name, type, false));
      return {
        kind: "tool",
        name: tool.name,
        ...common,
        span: spot,
        params: fields,
        result: typeText(result),
      };
    }
    case "fluent": {
      const { fluent, key, value: held, spot } = value.fluent;
      return {
        kind: "fluent",
        name: fluent.name,
        ...common,
        span: spot,
        key: typeText(key),
        value: typeText(held),
      };
    }
    case "contract": {
      const { name, params, spot } = value.contract;
      const declared = params.map(({ name: param, type, optional }) => paramOf(param, type, optional));
      return { kind: "contract", name, ...common, span: spot, params: declared };
    }
    default:
      return undefined;
  }
}

/**
 * Returns the doc comments of contracts, by full name. Two contracts with one name have none, because one's comment
 * would be taken for the other's.
 */
export function contractDocs(
  entities: readonly { readonly module: Module; readonly value: Val; readonly start: number }[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>();
  for (const { module, value, start } of entities) {
    if (value.kind !== "contract") continue;
    const { name } = value.contract;
    found.set(name, found.has(name) ? undefined : docBefore(module.source.text, start));
  }
  return new Map([...found].flatMap(([name, doc]) => (doc === undefined ? [] : [[name, doc] as const])));
}

function paramOf(name: string, type: Ty, optional: boolean): DeclaredParam {
  if (isOptional(type)) return { name, type: typeText(type.value), optional: true };
  return { name, type: typeText(type), optional };
}

/** An integer is told from a number: a fraction is refused there. */
function typeText(type: Ty | undefined): string {
  return type === undefined ? "void" : tyText(type, "Int");
}

/** Returns the text of a comment that ends right before the statement. */
export function docBefore(text: string, start: number): string | undefined {
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith("*/")) return undefined;
  const open = before.lastIndexOf("/*");
  if (open < 0 || !before.startsWith("/**", open) || before.length < open + 5) return undefined;
  const lines = before
    .slice(open + 3, -2)
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd());
  const doc = lines.join("\n").trim();
  return doc === "" ? undefined : doc;
}
