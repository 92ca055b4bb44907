/** Declarations of tool modules, put together from their compiled form and their sources; the same for JSON and text. */
import path from "node:path";
import type { CoverageContract, CoveragePolicy, Declaration } from "../../frontend/index.ts";
import { type Expr, printExpr, printName, printSource, type Tool } from "../../ir/index.ts";
import { posix, shown } from "../files/paths.ts";
import type { VisibleFolder } from "./visible-tools.ts";

export interface CatalogueModule {
  /** As a person would name it from here. */
  readonly file: string;
  /** The import of a program here. */
  readonly importLine: string;
  readonly entries: readonly Entry[];
  readonly policies: readonly Policy[];
}

export interface Entry {
  readonly kind: "tool" | "fluent" | "contract";
  readonly name: string;
  /** `bank.withdraw({ account: string; amount: number }): Promise<void>`. */
  readonly signature: string;
  readonly doc?: string;
  /** Further clauses: a word, and the text after it. */
  readonly clauses: readonly Clause[];
  readonly labels: readonly string[];
  readonly flags: readonly Flag[];
}

export type Flag = "reads" | "idempotent" | "undoable" | "untrusted";

export interface Clause {
  readonly word: string;
  readonly text: string;
}

export interface Policy {
  readonly name: string;
  readonly label?: string;
  readonly whenUsed: readonly string[];
  readonly required: readonly string[];
  readonly recommended: readonly string[];
}

/** `from`: the folder of the programs. */
export function catalogueOf({ folder, compiled }: VisibleFolder, from: string): CatalogueModule[] {
  const tools = new Map(compiled.tools.map((tool) => [tool.name, tool]));
  const fluents = new Map(compiled.fluents.map((fluent) => [fluent.name, fluent]));
  const formulas = new Map(compiled.contracts.map(({ name, formula }) => [name, formula]));
  const files = [...compiled.sources.keys()].filter((file) => file.startsWith(`${folder}/`)).sort();
  return files.map((file) => {
    const name = moduleName(folder, file);
    const entries = compiled.declarations
      .filter((declaration) => declaration.file === file)
      .map((declaration) => {
        const initial = fluents.get(declaration.name)?.initial;
        return entryOf(declaration, tools.get(declaration.name), formulas.get(declaration.name), initial);
      });
    const policies = compiled.coverage.filter((policy) => moduleOf(policy.name) === name).map(policyOf);
    return { file: shown(file), importLine: importLine(name, posix(from), file), entries, policies };
  });
}

function moduleOf(fullName: string): string {
  return fullName.slice(0, fullName.lastIndexOf("."));
}

/** As the front end names modules. */
function moduleName(folder: string, file: string): string {
  return file
    .slice(folder.length + 1)
    .replace(/\.[mc]?ts$/, "")
    .replace(/\/index$/, "")
    .replaceAll("/", ".");
}

function importLine(name: string, from: string, file: string): string {
  const near = path.posix
    .relative(from, file)
    .replace(/\.[mc]?ts$/, "")
    .replace(/\/index$/, "");
  const local = (name.split(".").at(-1) ?? "").replace(/[^A-Za-z0-9_$]/g, "_");
  return `import * as ${local} from ${JSON.stringify(near.startsWith(".") ? near : `./${near}`)};`;
}

function entryOf(
  declaration: Declaration,
  tool: Tool | undefined,
  formula: Expr | undefined,
  initial: Expr | undefined,
): Entry {
  const { kind, name, doc } = declaration;
  const common = {
    kind,
    name,
    ...(doc === undefined ? {} : { doc }),
    labels: tool?.labels ?? [],
    flags: flags.filter((flag) => tool?.[flag] === true),
  };
  const shownName = printName(name);
  switch (declaration.kind) {
    case "tool": {
      const args = fieldsText(declaration.params, "; ");
      const given = declaration.params.length === 0 ? "" : `{ ${args} }`;
      const signature = `${shownName}(${given}): Promise<${declaration.result}>`;
      return { ...common, signature, clauses: tool === undefined ? [] : toolClauses(tool) };
    }
    case "fluent": {
      const first = initial === undefined ? "unknown" : printExpr(initial);
      const signature = `${shownName}[${declaration.key}]: ${declaration.value}`;
      return { ...common, signature, clauses: [{ word: "initial", text: first }] };
    }
    case "contract": {
      const signature = `${shownName}(${fieldsText(declaration.params, ", ")})`;
      const means = formula === undefined ? [] : [{ word: "means", text: printExpr(formula) }];
      return { ...common, signature, clauses: means };
    }
  }
}

function fieldsText(params: (Declaration & { kind: "tool" })["params"], separator: string): string {
  return params.map(({ name, type, optional }) => `${name}${optional ? "?" : ""}: ${type}`).join(separator);
}

function toolClauses(tool: Tool): Clause[] {
  return [
    ...tool.requires.map((expr) => ({ word: "requires", text: printExpr(expr) })),
    ...tool.ensures.map((expr) => ({ word: "ensures", text: printExpr(expr) })),
    ...tool.sets.map(({ fluent, key, value, when }) => ({
      word: "sets",
      text: `${printName(fluent)}[${printExpr(key)}] = ${printExpr(value)}${when === undefined ? "" : ` when ${printExpr(when)}`}`,
    })),
    ...(tool.cost === undefined ? [] : [{ word: "cost", text: printExpr(tool.cost) }]),
    ...(tool.stores === undefined ? [] : [{ word: "stores", text: listText(tool.stores) }]),
    ...(tool.endorses === undefined
      ? []
      : [{ word: "endorses", text: listText(tool.endorses.map(printSource)) }]),
    ...(tool.readers === undefined ? [] : [{ word: "readers", text: printExpr(tool.readers) }]),
  ];
}

function listText(words: readonly string[]): string {
  return words.length === 0 ? "none" : words.join(", ");
}

const flags: readonly Flag[] = ["reads", "idempotent", "undoable", "untrusted"];

function policyOf({ name, label, whenUsed, required, recommended }: CoveragePolicy): Policy {
  const texts = (contracts: readonly CoverageContract[]) =>
    contracts.map(({ contract, args }) =>
      args === undefined ? printName(contract) : `${printName(contract)}(${args.map(printExpr).join(", ")})`,
    );
  return {
    name,
    ...(label === undefined ? {} : { label }),
    whenUsed,
    required: texts(required),
    recommended: texts(recommended),
  };
}
