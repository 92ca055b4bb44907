/**
 * Finds the tools that the text of a program calls, including dead code: branches that no path reaches, code behind a
 * `return`, unused helpers. The compiled document omits those, and a report of the used tools must not. SOUNDNESS: a
 * tool that is passed as a value counts as called. Only a `const` alias of a tool does not by itself; the uses of the
 * alias count instead. Every mention of `console`, `Date`, `Math` and `setTimeout` counts too, and every `return` of
 * `run` with a value.
 */
import type { Expression, Node, VariableDeclarator } from "oxc-parser";
import { answerTool, clockTool, noteTool, pauseTool, randomTool, type Tool } from "../ir/index.ts";
import { Lowering } from "./lower/core.ts";
import { childNodes } from "./lower/iterate.ts";
import { timersPause } from "./lower/reading.ts";
import { boundNames } from "./lower/statement.ts";
import { runOf } from "./program.ts";
import { findExport } from "./read/exports.ts";
import { spotOf, type World } from "./read/modules.ts";
import { Problems, Refusal } from "./refusal.ts";
import type { Binding } from "./scope.ts";
import type { FunctionNode, Module } from "./syntax.ts";
import { keysOf, Names, other, plainParts, wordOf } from "./text-names.ts";
import type { FunctionVal, Val } from "./value.ts";

/** Full names. */
export function calledInText(world: World, program: Module): Set<string> {
  const calls = new Calls(world, program);
  calls.look(program.source.program, new Names(program, program.scope));
  calls.lookBehindModules();
  if (hasAnswer(runOf(program))) calls.found.add(answerTool.name);
  return calls.found;
}

/** The built-in tools, by the global name of JavaScript that may call them. */
const ownOf: ReadonlyMap<string, Tool> = new Map([
  ["console", noteTool],
  ["Date", clockTool],
  ["Math", randomTool],
  ["setTimeout", pauseTool],
]);

class Calls {
  readonly found = new Set<string>();
  readonly #low: Lowering;
  readonly #followed = new Set<FunctionNode>();
  readonly #open = new Set<Expression>();
  /** Modules that were handed on as values; what of them is called depends on which names are read anywhere. */
  readonly #handedOn = new Set<Module>();
  readonly #whole = new Set<Module>();
  readonly #read = new Set<string>();
  #readsAnything = false;

  constructor(world: World, program: Module) {
    // What constants have to say against themselves was said when they were compiled.
    this.#low = new Lowering(world.limits, new Problems(), program);
    this.#low.mode = { kind: "formula", view: "values" };
  }

  // ── the text ───────────────────────────────────────────────────────────────────────────────────────────

  look(node: Node, names: Names): void {
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return;
      case "Identifier":
      case "MemberExpression":
        this.#value(node, names);
        return;
      case "Literal":
        if (typeof node.value === "string") this.#read.add(node.value);
        return;
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        if (node.computed) this.look(node.key, names);
        if (node.value) this.look(node.value, names);
        return;
      case "LabeledStatement":
        this.look(node.body, names);
        return;
      case "BreakStatement":
      case "ContinueStatement":
        return;
      case "VariableDeclaration":
        for (const one of node.declarations) this.#declarator(one, node.kind === "const", names);
        return;
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "FunctionDeclaration":
        this.#function(node, names);
        return;
      case "CallExpression":
        for (const one of node.arguments) {
          const given = one.type === "SpreadElement" ? one.argument : one;
          const value = this.#resolve(given, names);
          if (value?.kind === "module") this.#whole.add(value.module);
        }
        this.#parts(node, names);
        return;
      case "SpreadElement": {
        const value = this.#resolve(node.argument, names);
        if (value?.kind === "module") this.#whole.add(value.module);
        this.#parts(node, names);
        return;
      }
      case "Program":
        this.#parts(node, names);
        return;
      case "BlockStatement":
        this.#block(node.body, node, names);
        return;
      case "SwitchStatement":
        this.#block(
          node.cases.flatMap((one) => one.consequent),
          node,
          names,
        );
        return;
      case "ForStatement":
        this.#block(node.init ? [node.init] : [], node, names);
        return;
      case "ForOfStatement":
      case "ForInStatement":
        this.#block([node.left], node, names);
        return;
      case "CatchClause": {
        const inside = names.inner();
        if (node.param) for (const name of boundNames(node.param)) inside.set(name, other);
        this.#parts(node, inside);
        return;
      }
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSTypeAssertion":
      case "TSInstantiationExpression":
      case "TSNonNullExpression":
        this.look(node.expression, names);
        return;
      default:
        // A type calls nothing.
        if (!node.type.startsWith("TS")) this.#parts(node, names);
    }
  }

  #parts(node: Node, names: Names): void {
    for (const part of childNodes(node)) this.look(part, names);
  }

  #block(declares: readonly Node[], node: Node, names: Names): void {
    const inside = names.inner();
    for (const one of declares) this.#declare(one, inside);
    this.#parts(node, inside);
  }

  #declare(node: Node, names: Names): void {
    if ((node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && node.id)
      names.set(node.id.name, other);
    if (node.type !== "VariableDeclaration") return;
    for (const { id, init } of node.declarations) {
      for (const name of boundNames(id)) names.set(name, other);
      if (node.kind !== "const" || !init) continue;
      if (id.type === "Identifier") names.set(id.name, { kind: "same", as: init, seen: names });
      if (id.type !== "ObjectPattern") continue;
      for (const { key, local } of plainParts(id))
        names.set(local, { kind: "part", of: init, name: key, seen: names });
    }
  }

  #declarator({ id, init }: VariableDeclarator, isConst: boolean, names: Names): void {
    const value = isConst && init ? this.#resolve(init, names) : undefined;
    if (value !== undefined && isAlias(value) && id.type === "Identifier") return;
    if (value?.kind === "module" && id.type === "ObjectPattern") {
      if (plainParts(id).length === id.properties.length) return;
      this.#whole.add(value.module);
    }
    for (const key of keysOf(id)) this.#read.add(key);
    this.look(id, names);
    if (init) this.look(init, names);
  }

  #function(node: FunctionNode, names: Names): void {
    const inside = names.inner();
    if (node.type === "FunctionExpression" && node.id) inside.set(node.id.name, other);
    for (const written of node.params) {
      const param = written.type === "TSParameterProperty" ? written.parameter : written;
      const pattern = param.type === "RestElement" ? param.argument : param;
      for (const name of boundNames(pattern)) inside.set(name, other);
      for (const key of keysOf(pattern)) this.#read.add(key);
      this.look(param, inside);
    }
    if (node.body) this.look(node.body, inside);
  }

  // ── values ─────────────────────────────────────────────────────────────────────────────────────────────

  #value(node: Node, names: Names): void {
    if (node.type === "MemberExpression") {
      if (node.computed) this.look(node.property, names);
      const word = wordOf(node);
      if (word === undefined) this.#readsAnything = true;
      else this.#read.add(word);
    }
    const value = this.#resolve(node, names);
    if (value !== undefined) this.#note(value);
    else if (node.type === "Identifier") {
      const own = names.has(node.name) ? undefined : ownOf.get(node.name);
      if (own !== undefined) this.found.add(own.name);
    } else if (node.type === "MemberExpression") {
      const of = this.#resolve(node.object, names);
      if (of?.kind === "module") this.#whole.add(of.module);
      else this.look(node.object, names);
    }
  }

  /** Resolves a name, or a member of a module; undefined if it cannot be resolved here. */
  #resolve(node: Node, names: Names): Val | undefined {
    switch (node.type) {
      case "ChainExpression":
      case "ParenthesizedExpression":
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSTypeAssertion":
      case "TSInstantiationExpression":
      case "TSNonNullExpression":
        return this.#resolve(node.expression, names);
      case "Identifier":
        return this.#named(node.name, names);
      case "MemberExpression": {
        const word = wordOf(node);
        const of = word === undefined ? undefined : this.#resolve(node.object, names);
        return of === undefined || word === undefined ? undefined : this.#member(of, word);
      }
      default:
        return undefined;
    }
  }

  #named(name: string, names: Names): Val | undefined {
    const meaning = names.get(name);
    if (meaning === undefined) return this.#outside(names.outside.get(name), names.module);
    if (meaning.kind === "other") return undefined;
    const from = meaning.kind === "same" ? meaning.as : meaning.of;
    if (this.#open.has(from)) return undefined;
    this.#open.add(from);
    const value = this.#resolve(from, meaning.seen);
    this.#open.delete(from);
    return value === undefined || meaning.kind === "same" ? value : this.#member(value, meaning.name);
  }

  #member(of: Val, name: string): Val | undefined {
    if (of.kind === "module") return this.#exported(of.module, name);
    if (of.kind !== "ref" || of.shape.kind !== "object") return undefined;
    const slot = of.shape.fields.get(name);
    return slot === undefined ? undefined : this.#low.constants.get(slot);
  }

  #exported(module: Module, name: string): Val | undefined {
    const get = findExport(module, name, new Set());
    return get && this.#attempt(module, () => get(this.#low, spotOf(module, nowhere)));
  }

  #outside(binding: Binding | undefined, module: Module): Val | undefined {
    switch (binding?.kind) {
      case "const":
        return binding.value;
      case "lazy":
        return this.#attempt(module, () => binding.get(this.#low, spotOf(module, nowhere)));
      case "let":
        return this.#low.constants.get(binding.slot);
      default:
        return undefined;
    }
  }

  /** SOUNDNESS: what cannot be computed may be anything of a module. */
  #attempt(module: Module, body: () => Val): Val | undefined {
    try {
      return body();
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      return module.trusted ? { kind: "module", module } : undefined;
    }
  }

  /** A value that is called or handed on. */
  #note(value: Val): void {
    switch (value.kind) {
      case "tool":
        this.found.add(value.tool.tool.name);
        return;
      case "module":
        this.#handedOn.add(value.module);
        return;
      case "function":
        this.#follow(value);
        return;
      case "builtin":
        if (value.name === timersPause) this.found.add(pauseTool.name);
        return;
      case "choice":
        this.#note(value.yes);
        this.#note(value.no);
        return;
      case "promise":
        this.#note(value.of());
        return;
      case "items":
        for (const item of value.items) this.#note(item);
        return;
      case "ref": {
        const slots = value.shape.kind === "object" ? value.shape.fields.values() : [value.shape.slot];
        for (const slot of slots) {
          const held = this.#low.constants.get(slot);
          if (held !== undefined) this.#note(held);
        }
        return;
      }
      default:
        return;
    }
  }

  /** The text of the program is looked at as a whole; that of tool modules only as far as the program uses it. */
  #follow({ node, module, scope }: FunctionVal): void {
    if (!module.trusted || this.#followed.has(node)) return;
    this.#followed.add(node);
    this.#function(node, new Names(module, scope));
  }

  lookBehindModules(): void {
    const done = new Set<string>();
    for (let before = -1; before !== done.size; ) {
      before = done.size;
      for (const module of [...this.#handedOn, ...this.#whole]) {
        const isWhole = this.#readsAnything || this.#whole.has(module);
        for (const name of exportsOf(module, new Set())) {
          if (!isWhole && !this.#read.has(name)) continue;
          const key = `${module.source.path} ${name}`;
          if (done.has(key)) continue;
          done.add(key);
          const value = this.#exported(module, name);
          if (value !== undefined) this.#note(value);
        }
      }
    }
  }
}

/** Returns whether one of its own `return`s gives something, also where no path leads. */
function hasAnswer({ body }: FunctionNode): boolean {
  if (!body) return false;
  if (body.type !== "BlockStatement") return true;
  const gives = (node: Node): boolean => {
    if (node.type === "ReturnStatement") return node.argument !== null && !isUndefined(node.argument);
    return !/Function|Class/.test(node.type) && childNodes(node).some(gives);
  };
  return gives(body);
}

function isUndefined(node: Node): boolean {
  return (
    (node.type === "Identifier" && node.name === "undefined") ||
    (node.type === "UnaryExpression" && node.operator === "void")
  );
}

const nowhere = { start: 0, end: 0 };

/** Returns true for values that an alias does not change. */
function isAlias({ kind }: Val): boolean {
  return kind === "tool" || kind === "module" || kind === "function";
}

function exportsOf(module: Module, seen: Set<Module>): string[] {
  if (seen.has(module)) return [];
  seen.add(module);
  return [...module.exports.keys(), ...module.stars.flatMap((star) => exportsOf(star, seen))];
}
