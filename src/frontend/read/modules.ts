/**
 * Modules: loading them through the host, resolving imports, and what is trusted. A module is trusted because of
 * where it lies, below a tools folder, and never because of what it says.
 */

import { posix } from "node:path";
import type {
  ExportNamedDeclaration,
  ImportDeclaration,
  ModuleExportName,
  Node,
  TSEnumDeclaration,
} from "oxc-parser";
import type { FrontLimits } from "../codes.ts";
import { classOf } from "../lower/class.ts";
import { enumObject } from "../lower/enum-object.ts";
import { timersPause } from "../lower/reading.ts";
import { type Problems, Refusal, refuse, type Spot } from "../refusal.ts";
import { type Binding, type Getter, Scope } from "../scope.ts";
import { type Module, parse, type TypeEntry } from "../syntax.ts";
import type { FluentInfo, ToolInfo, Val } from "../value.ts";
import { classGetter, constantGetter } from "./constant.ts";
import { findExport } from "./exports.ts";
import { packageNames } from "./package-names.ts";

export interface Host {
  readonly readFile: (path: string) => string | undefined;
  /** Folders whose modules are trusted; without them, every `tools` beside the program or above it. */
  readonly tools?: readonly string[];
  /** Every module below those folders: a coverage policy may stand in one that the program does not import. */
  readonly toolModules?: () => readonly string[];
}

export class World {
  readonly problems: Problems;
  readonly limits: FrontLimits;
  readonly modules = new Map<string, Module>();
  /** Every tool that was declared, by its full name. */
  readonly tools = new Map<string, ToolInfo>();
  /** The module constants whose values are being computed, the innermost last. */
  readonly computing: { readonly module: Module; readonly start: number }[] = [];
  /** The fluents that each tool reads or sets. */
  readonly #toolFluents = new Map<string, Map<string, FluentInfo>>();
  readonly host: Host;
  /** Folders whose modules are trusted. */
  readonly roots: readonly string[];
  readonly #names = new Map<string, string>();

  constructor(host: Host, limits: FrontLimits, problems: Problems, roots: readonly string[]) {
    this.host = host;
    this.limits = limits;
    this.problems = problems;
    this.roots = roots;
  }

  toolFluents(tool: string): Map<string, FluentInfo> {
    let found = this.#toolFluents.get(tool);
    if (found === undefined) {
      found = new Map();
      this.#toolFluents.set(tool, found);
    }
    return found;
  }

  readFile(path: string): string | undefined {
    return this.host.readFile(path);
  }

  /** The tools folder that a path lies below. */
  rootOf(path: string): string | undefined {
    return this.roots.find((root) => path.startsWith(`${root}/`));
  }

  /** Loads a module; undefined if it cannot be read or parsed, which was then reported. */
  load(path: string, trusted: boolean, spot: Spot): Module | undefined {
    const before = this.modules.get(path);
    if (before !== undefined) return before;
    if (this.modules.size >= this.limits.modules)
      refuse(spot, "FC2504", `there are more than ${this.limits.modules} modules`);
    const text = this.readFile(path);
    if (text === undefined) return refuse(spot, "FC2002", `there is no file \`${path}\``);
    const source = parse(path, text, this.limits, this.problems);
    if (source === undefined) return undefined;
    const name = this.#moduleName(path);
    const module: Module = {
      source,
      name,
      trusted,
      scope: new Scope(),
      exports: new Map(),
      types: new Map(),
      stars: [],
    };
    if (trusted) {
      const other = this.#names.get(name);
      if (other !== undefined)
        refuse(
          spot,
          "FC2008",
          `\`${path}\` and \`${other}\` are both the module \`${name}\``,
          "rename one of them",
        );
      this.#names.set(name, path);
    }
    this.modules.set(path, module);
    for (const node of source.program.body) this.problems.attempt(() => this.#enter(module, node), undefined);
    return module;
  }

  /** `bank` for `tools/bank.ts`, `google.mail` for `tools/google/mail.ts`. */
  #moduleName(path: string): string {
    const root = this.rootOf(path);
    const inside = root === undefined ? posix.basename(path) : path.slice(root.length + 1);
    return inside
      .replace(/\.[mc]?[jt]s$/, "")
      .replace(/\/index$/, "")
      .replaceAll("/", ".");
  }

  #enter(module: Module, node: Node): void {
    switch (node.type) {
      case "ImportDeclaration":
        this.#import(module, node);
        return;
      case "ExportNamedDeclaration":
        this.#export(module, node);
        return;
      case "ExportAllDeclaration": {
        const spot = spotOf(module, node);
        const from = this.#resolve(module, node.source.value, spot);
        if (from === undefined) return;
        if (node.exported)
          module.exports.set(nameText(node.exported), () => ({ kind: "module", module: from }));
        else module.stars.push(from);
        return;
      }
      case "ExportDefaultDeclaration":
        return;
      default:
        declareIn(this, module, node);
        return;
    }
  }

  #import(module: Module, node: ImportDeclaration): void {
    const from = node.source.value;
    const spot = spotOf(module, node.source);
    if (from === "foreclaim") {
      importPackage(module, node);
      return;
    }
    if (!module.trusted && isTimers(from)) {
      importTimers(module, node);
      return;
    }
    // What could not be imported has names all the same; using them says nothing new.
    for (const specifier of node.specifiers)
      if (!isTypeOnly(node, specifier))
        claim(module, specifier.local.name, spotOf(module, specifier), { kind: "lazy", get: reported });
    if (!module.trusted && (node.attributes.length > 0 || node.phase !== null))
      refuse(
        spot,
        "FC2006",
        "this form of import is not part of the language",
        "import without `with`, `defer` or `source`",
      );
    const loaded = this.#resolve(module, from, spot);
    for (const specifier of node.specifiers) {
      const local = specifier.local.name;
      const at = spotOf(module, specifier);
      const bind = (binding: Binding) => {
        if (!isTypeOnly(node, specifier)) module.scope.set(local, binding);
      };
      if (loaded === undefined) {
        module.types.set(local, { kind: "foreign", from });
        bind({ kind: "lazy", get: foreign(local, from) });
      } else if (specifier.type === "ImportNamespaceSpecifier") {
        module.types.set(local, { kind: "imported", module: loaded, name: "*" });
        bind({ kind: "const", value: { kind: "module", module: loaded }, imported: true });
      } else {
        const name = specifier.type === "ImportSpecifier" ? nameText(specifier.imported) : "default";
        module.types.set(local, { kind: "imported", module: loaded, name });
        bind({ kind: "lazy", get: importedGetter(loaded, name, at), imported: true });
        if (!module.trusted && findExport(loaded, name, new Set()) === undefined && !loaded.types.has(name))
          refuse(
            at,
            "FC2004",
            `\`${loaded.name}\` does not export \`${name}\``,
            `it exports ${[...loaded.exports.keys()].map((one) => `\`${one}\``).join(", ")}`,
          );
      }
    }
  }

  /** The module that a specifier names; undefined for what only run bodies of tools can use. */
  #resolve(module: Module, specifier: string, spot: Spot): Module | undefined {
    const path = specifier.startsWith(".")
      ? this.#find(posix.join(posix.dirname(module.source.path), specifier))
      : undefined;
    if (module.trusted) {
      if (path === undefined || this.rootOf(path) === undefined) return undefined;
      return this.load(path, true, spot);
    }
    if (!specifier.startsWith("."))
      return refuse(
        spot,
        "FC2003",
        `a program cannot import \`${specifier}\``,
        "a program imports `foreclaim` and tool modules, nothing else",
      );
    if (path === undefined)
      return refuse(
        spot,
        "FC2002",
        `there is no module \`${specifier}\``,
        "check the path; modules are looked for with `.ts` and as `index.ts`",
      );
    if (this.rootOf(path) === undefined)
      return refuse(
        spot,
        "FC2003",
        `\`${specifier}\` is not below a tools folder, so it is not trusted`,
        "import from a tools folder, or move the code into this file",
      );
    return this.load(path, true, spot) ?? refuseQuietly(spot, specifier);
  }

  #find(path: string): string | undefined {
    const plain = path.replace(/\.[mc]?js$/, "");
    const candidates = [path, `${path}.ts`, `${plain}.ts`, `${path}.mts`, `${path}/index.ts`];
    return candidates.find(
      (one) => /\.[mc]?ts$/.test(one) && !one.endsWith(".d.ts") && this.readFile(one) !== undefined,
    );
  }

  #export(module: Module, node: ExportNamedDeclaration): void {
    if (node.declaration) {
      declareIn(this, module, node.declaration);
      for (const name of declaredNames(node.declaration)) module.exports.set(name, localGetter(module, name));
      return;
    }
    const from = node.source
      ? this.#resolve(module, node.source.value, spotOf(module, node.source))
      : undefined;
    for (const specifier of node.specifiers) {
      const [local, outside] = [nameText(specifier.local), nameText(specifier.exported)];
      if (from !== undefined) {
        module.exports.set(outside, importedGetter(from, local, spotOf(module, specifier)));
        module.types.set(outside, { kind: "imported", module: from, name: local });
      } else if (!node.source) {
        module.exports.set(outside, localGetter(module, local));
      }
    }
  }
}

/** A name of a module stands for one thing. */
function claim(module: Module, name: string, spot: Spot, binding: Binding): void {
  if (module.scope.names.has(name))
    refuse(spot, "FC2404", `\`${name}\` is declared twice`, "choose another name");
  module.scope.set(name, binding);
}

/** Recognizes the module of timers. */
function isTimers(from: string): boolean {
  return from === "node:timers/promises" || from === "timers/promises";
}

/** Only pauses are known of the module. */
function importTimers(module: Module, node: ImportDeclaration): void {
  for (const specifier of node.specifiers) {
    const at = spotOf(module, specifier);
    const name = specifier.type === "ImportSpecifier" ? nameText(specifier.imported) : undefined;
    if (name !== "setTimeout")
      refuse(
        at,
        "FC2003",
        `a program imports only \`setTimeout\` from \`${node.source.value}\``,
        'write `import { setTimeout } from "node:timers/promises"`',
      );
    claim(module, specifier.local.name, at, { kind: "const", value: { kind: "builtin", name: timersPause } });
  }
}

function isTypeOnly(node: ImportDeclaration, specifier: ImportDeclaration["specifiers"][number]): boolean {
  if (node.importKind === "type") return true;
  return specifier.type === "ImportSpecifier" && specifier.importKind === "type";
}

export function spotOf(module: Module, node: { readonly start: number; readonly end: number }): Spot {
  return { file: module.source.path, start: node.start, end: node.end };
}

/** Its own problems were reported; here there is only nothing to compile. */
function refuseQuietly(spot: Spot, specifier: string): never {
  return refuse(spot, "FC2002", `\`${specifier}\` could not be read`, "fix the problems in it first");
}

function nameText(name: ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

function importPackage(module: Module, node: ImportDeclaration): void {
  for (const specifier of node.specifiers) {
    const spot = spotOf(module, specifier);
    if (specifier.type !== "ImportSpecifier")
      refuse(
        spot,
        "FC2006",
        "import the names that are needed from `foreclaim`",
        'write `import { tool, contract } from "foreclaim"`',
      );
    const name = nameText(specifier.imported);
    module.types.set(specifier.local.name, { kind: "package", name });
    if (isTypeOnly(node, specifier)) continue;
    if (packageNames.has(name)) {
      claim(module, specifier.local.name, spot, {
        kind: "const",
        value: { kind: "builtin", name: `foreclaim:${name}` },
        imported: true,
      });
    } else if (!/^[A-Z]/.test(name)) {
      refuse(
        spot,
        "FC2004",
        `\`foreclaim\` does not export \`${name}\``,
        `it exports ${[...packageNames].map((one) => `\`${one}\``).join(", ")}`,
      );
    }
  }
}

const reported: Getter = () => {
  throw new Refusal(undefined);
};

function foreign(local: string, from: string): Getter {
  return (_low, spot) =>
    refuse(
      spot,
      "FC2010",
      `\`${local}\` comes from \`${from}\`, which only \`run\` and \`undo\` may use`,
      "write what is needed here as a constant or a helper of a tool module",
    );
}

function importedGetter(from: Module, name: string, at: Spot): Getter {
  return (low, spot) => {
    const found = findExport(from, name, new Set());
    if (found === undefined) return refuse(at, "FC2004", `\`${from.name}\` does not export \`${name}\``);
    return found(low, spot);
  };
}

function localGetter(module: Module, name: string): Getter {
  return (low, spot): Val => {
    const binding = module.scope.get(name);
    if (binding?.kind === "lazy") return binding.get(low, spot);
    if (binding?.kind === "const") return binding.value;
    return refuse(spot, "FC2401", `there is no \`${name}\` in \`${module.name}\``);
  };
}

function declaredNames(node: Node): string[] {
  if (node.type === "VariableDeclaration")
    return node.declarations.flatMap((one) => (one.id.type === "Identifier" ? [one.id.name] : []));
  if ((node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && node.id)
    return [node.id.name];
  if (node.type === "TSEnumDeclaration") return [node.id.name];
  return [];
}

function declareIn(world: World, module: Module, node: Node): void {
  switch (node.type) {
    case "VariableDeclaration":
      for (const one of node.declarations) {
        if (one.id.type !== "Identifier") {
          if (!module.trusted)
            refuse(
              spotOf(module, one),
              "FC2006",
              "a constant of a program has one name",
              "write one `const` for each",
            );
          continue;
        }
        claim(module, one.id.name, spotOf(module, one.id), {
          kind: "lazy",
          get: constantGetter(world, module, node.kind, one.id.name, one),
        });
      }
      return;
    case "FunctionDeclaration":
      if (node.id) {
        const value: Val = { kind: "function", node, scope: module.scope, module, name: node.id.name };
        claim(module, node.id.name, spotOf(module, node.id), { kind: "const", value });
      }
      return;
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration": {
      const entry: TypeEntry = { kind: "declared", node, module };
      module.types.set(node.id.name, entry);
      return;
    }
    case "ClassDeclaration":
      if (!module.trusted && node.id) {
        const at = (one: { readonly start: number; readonly end: number }) => spotOf(module, one);
        const { name } = node.id;
        const isNew = !module.scope.names.has(name);
        // One that is refused is known by its name, so that uses of it say nothing new.
        if (isNew) module.scope.set(name, { kind: "lazy", get: reported });
        const value = classOf(
          { refuse: (one, code, message, help) => refuse(at(one), code, message, help) },
          node,
          module.scope,
          module,
        );
        if (isNew) module.scope.names.delete(name);
        claim(module, name, at(node.id), { kind: "lazy", get: classGetter(world, module, value) });
      }
      return;
    case "TSEnumDeclaration":
      declareEnum(module, node);
      return;
    case "TSModuleDeclaration":
      // Not part of the language, which is said where the whole syntax of a program is looked at.
      if (!module.trusted && node.id?.type === "Identifier")
        module.scope.set(node.id.name, { kind: "lazy", get: reported });
      return;
    default:
      // What a trusted module does when it is loaded is its own business; a program has no such business.
      if (!module.trusted && node.type !== "EmptyStatement")
        refuse(
          spotOf(module, node),
          "FC2007",
          "a program does nothing at its top level",
          "move this into `run`, or remove it",
        );
  }
}

/** An `enum` is a type, and an object with its members. */
function declareEnum(module: Module, node: TSEnumDeclaration): void {
  module.types.set(node.id.name, { kind: "declared", node, module });
  claim(module, node.id.name, spotOf(module, node.id), {
    kind: "lazy",
    get: (low) => enumObject(low, node),
  });
}
