/**
 * TypeScript to JavaScript by leaving the types out, so that tool modules run on every Node. Lines and, but for a few
 * places, columns stay what they were. What is more than types (enums, namespaces with code, parameter properties) is
 * refused, never guessed at.
 */
import { type EcmaScriptModule, parseSync, type StaticImport } from "oxc-parser";

export type Erased =
  | { readonly ok: true; readonly text: string; readonly imports: readonly ModuleImport[] }
  | { readonly ok: false; readonly message: string; readonly line: number };

/** Stands for the module of an `import()`, which may be any. */
export const DYNAMIC = "*";

/** One import; no names where it takes the whole module. */
export interface ModuleImport {
  readonly from: string;
  readonly names: readonly string[] | undefined;
}

export function eraseTypes(path: string, text: string): Erased {
  const { program, errors, module } = parseSync(path, text, { lang: "ts", sourceType: "module" });
  const [error] = errors;
  if (error !== undefined) return wrong(text, error.labels[0]?.start ?? 0, error.message);
  const eraser = new Eraser(text);
  eraser.visit(partOf(program));
  if (eraser.objection !== undefined) return wrong(text, eraser.objection.at, eraser.objection.message);
  return { ok: true, text: eraser.result(), imports: importsOf(module) };
}

function importsOf({ staticImports, staticExports, dynamicImports }: EcmaScriptModule): ModuleImport[] {
  const reexported = staticExports.flatMap(({ entries }) => entries.map((one) => one.moduleRequest?.value));
  const wholes = [...reexported, ...(dynamicImports.length > 0 ? [DYNAMIC] : [])];
  return [
    ...staticImports.map(importOf),
    ...wholes.flatMap((from) => (from === undefined ? [] : [{ from, names: undefined }])),
  ];
}

function importOf({ moduleRequest, entries }: StaticImport): ModuleImport {
  const values = entries.filter(({ isType }) => !isType).map(({ importName }) => importName);
  const isWhole = values.some(({ kind }) => kind !== "Name");
  return { from: moduleRequest.value, names: isWhole ? undefined : values.map(({ name }) => name ?? "") };
}

function wrong(text: string, at: number, message: string): Erased {
  return { ok: false, message, line: text.slice(0, at).split("\n").length };
}

/** A node of the syntax tree, as far as it matters here. */
interface Part {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  /** In place of blanks. */
  readonly text?: string;
}

/** Statements and members of classes that are nothing but types. */
const onlyTypes = new Set([
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSDeclareFunction",
  "TSIndexSignature",
  "TSAbstractMethodDefinition",
  "TSAbstractPropertyDefinition",
  "TSAbstractAccessorProperty",
]);

const refused: Readonly<Record<string, string>> = {
  TSEnumDeclaration: "an `enum` is more than a type; use a union of strings",
  TSModuleDeclaration: "a namespace is more than a type; use a module",
  TSParameterProperty: "a parameter property is more than a type; assign it in the constructor",
  TSImportEqualsDeclaration: "use `import … from`",
  TSExportAssignment: "use `export default`",
  TSNamespaceExportDeclaration: "use `export`",
  Decorator: "decorators are not part of JavaScript yet",
};

class Eraser {
  objection: { readonly at: number; readonly message: string } | undefined;
  readonly #text: string;
  readonly #edits: Edit[] = [];
  /** Names that the code uses, and imports that may turn out to be of types alone. */
  readonly #used = new Set<string>();
  readonly #imports: Part[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  visit(part: Part | undefined): undefined {
    if (part === undefined || this.objection !== undefined) return;
    const { type } = part;
    if (onlyTypes.has(type) || flag(part, "declare")) return this.#statement(part);
    const why = refused[type];
    if (why !== undefined) {
      this.objection = { at: part.start, message: why };
      return;
    }
    switch (type) {
      case "TSTypeAnnotation":
      case "TSTypeParameterDeclaration":
      case "TSTypeParameterInstantiation":
        return this.#blank(part.start, part.end);
      case "ImportDeclaration":
        if (word(part, "importKind") === "type") this.#statement(part);
        else this.#imports.push(part);
        return;
      case "ExportAllDeclaration":
        if (word(part, "exportKind") === "type") this.#statement(part);
        return;
      case "ExportNamedDeclaration":
      case "ExportDefaultDeclaration":
        return this.#exported(part);
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSInstantiationExpression":
        return this.#asserted(part);
      case "TSTypeAssertion": {
        const inner = field(part, "expression");
        this.#blank(part.start, inner?.start ?? part.end);
        return this.visit(inner);
      }
      case "ArrowFunctionExpression":
        return this.#arrow(part);
      case "ClassDeclaration":
      case "ClassExpression":
        this.#classHead(part);
        return this.#inside(part, ["implements"]);
      case "PropertyDefinition":
      case "AccessorProperty":
      case "MethodDefinition":
        return this.#member(part);
      case "Identifier":
        this.#used.add(word(part, "name") ?? "");
    }
    this.#marks(part);
    this.#inside(part);
  }

  result(): string {
    for (const one of this.#imports) this.#imported(one);
    const edits = [...this.#edits].sort((a, b) => a.start - b.start);
    let [text, at] = ["", 0];
    for (const { start, end, text: put } of edits) {
      if (start < at) continue; // the same place, reached in two ways
      const old = this.#text.slice(start, end);
      text += this.#text.slice(at, start) + (put ?? old.replace(/[^\r\n]/g, " "));
      at = end;
    }
    return text + this.#text.slice(at);
  }

  // ── statements ─────────────────────────────────────────────────────────────────────────────────────────

  /** A semicolon stays, so that what stands before and after it does not grow together. */
  #statement({ start, end }: Part): undefined {
    const blanks = this.#text.slice(start + 1, end).replace(/[^\r\n]/g, " ");
    this.#edits.push({ start, end, text: `;${blanks}` });
  }

  #exported(part: Part): undefined {
    const declaration = field(part, "declaration");
    const isType =
      declaration !== undefined && (onlyTypes.has(declaration.type) || flag(declaration, "declare"));
    if (word(part, "exportKind") === "type" || isType) return this.#statement(part);
    for (const one of fields(part, "specifiers")) {
      if (word(one, "exportKind") === "type") this.#leaveOut(one);
      else this.visit(field(one, "local"));
    }
    this.visit(declaration);
  }

  #imported(part: Part): undefined {
    const specifiers = fields(part, "specifiers");
    const isUsed = (one: Part) =>
      word(one, "importKind") !== "type" && this.#used.has(word(field(one, "local"), "name") ?? "");
    if (specifiers.length === 0) return; // for what it does
    if (!specifiers.some(isUsed)) return this.#statement(part);
    for (const one of specifiers) {
      if (isUsed(one)) continue;
      if (one.type === "ImportSpecifier") this.#leaveOut(one);
      // `import types, { value }`: the name that nobody uses does no harm if it is there.
    }
  }

  /** With the comma after it. */
  #leaveOut({ start, end }: Part): undefined {
    const comma = this.#find(end, ",");
    const brace = this.#find(end, "}");
    this.#blank(start, comma >= 0 && comma < brace ? comma + 1 : end);
  }

  // ── expressions ────────────────────────────────────────────────────────────────────────────────────────

  #asserted(part: Part): undefined {
    const inner = field(part, "expression");
    this.visit(inner);
    const [start, end] = [inner?.end ?? part.end, part.end];
    // With the type gone, a bracket on the next line would continue the expression.
    const isEnd = /^[ \t]*(\/\/[^\n]*)?\r?\n\s*[([`]/.test(this.#text.slice(end));
    const blanks = this.#text.slice(start, end).replace(/[^\r\n]/g, " ");
    this.#edits.push({ start, end, text: isEnd ? `;${blanks.slice(1)}` : blanks });
  }

  /** No line may end before the arrow, so lines that its type took come after it. */
  #arrow(part: Part): undefined {
    const [result, body] = [field(part, "returnType"), field(part, "body")];
    this.#marks(part);
    this.#inside(part, ["returnType"]);
    if (result === undefined || body === undefined) return;
    const arrow = this.#find(result.end, "=>") + 2;
    const lines = this.#text.slice(result.start, arrow).replace(/[^\n]/g, "");
    if (lines === "") this.#blank(result.start, result.end);
    else this.#edits.push({ start: result.start, end: arrow, text: `=>${lines}` });
  }

  // ── classes ────────────────────────────────────────────────────────────────────────────────────────────

  #classHead(part: Part): undefined {
    if (flag(part, "abstract")) this.#words(part.start, part.start + "abstract".length, /abstract/g);
    const last = fields(part, "implements").at(-1);
    if (last === undefined) return;
    const names = ["superTypeArguments", "superClass", "typeParameters", "id"];
    const from = Math.max(part.start, ...names.map((name) => field(part, name)?.end ?? 0));
    this.#blank(this.#find(from, "implements"), last.end);
  }

  #member(part: Part): undefined {
    const [key, value] = [field(part, "key"), field(part, "value")];
    if (value?.type === "TSEmptyBodyFunctionExpression") return this.#statement(part);
    if (key === undefined) return;
    this.#words(part.start, key.start, /\b(public|private|protected|readonly|override)\b/g);
    if (flag(part, "optional") || flag(part, "definite")) {
      const sign = this.#find(key.end, flag(part, "optional") ? "?" : "!");
      this.#blank(sign, sign + 1);
    }
    this.#inside(part);
  }

  #words(start: number, end: number, pattern: RegExp): undefined {
    for (const match of this.#text.slice(start, end).matchAll(pattern)) {
      this.#blank(start + match.index, start + match.index + match[0].length);
    }
  }

  // ── small marks ────────────────────────────────────────────────────────────────────────────────────────

  /** `?` after a parameter, `!` after a variable, and a parameter that is `this`. */
  #marks(part: Part): undefined {
    if (part.type === "VariableDeclarator" && flag(part, "definite")) {
      const id = field(part, "id");
      if (id !== undefined) this.#sign(id, "!");
    }
    const params = fields(part, "params");
    for (const param of params) if (flag(param, "optional")) this.#sign(param, "?");
    const [first, second] = params;
    if (first?.type === "Identifier" && word(first, "name") === "this") {
      this.#blank(first.start, second?.start ?? first.end);
    }
  }

  #sign(part: Part, sign: string): undefined {
    const annotation = field(part, "typeAnnotation");
    const name = word(part, "name")?.length ?? 0;
    const at =
      annotation === undefined
        ? this.#find(part.start + name, sign)
        : this.#text.lastIndexOf(sign, annotation.start);
    this.#blank(at, at + 1);
  }

  // ── common ─────────────────────────────────────────────────────────────────────────────────────────────

  #inside(part: Part, without: readonly string[] = []): undefined {
    for (const [name, value] of Object.entries(part)) {
      if (without.includes(name)) continue;
      if (Array.isArray(value)) for (const one of value) this.visit(asPart(one));
      else if (!(name === "key" && isPlainKey(part))) this.visit(asPart(value));
    }
  }

  #blank(start: number, end: number): undefined {
    if (start >= 0 && end > start) this.#edits.push({ start, end });
  }

  /** The next place of some characters that is not in a comment. */
  #find(from: number, what: string): number {
    const pattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
    for (let at = from; at < this.#text.length; at++) {
      pattern.lastIndex = at;
      const comment = pattern.exec(this.#text);
      if (comment !== null) at += comment[0].length - 1;
      else if (this.#text.startsWith(what, at)) return at;
    }
    return -1;
  }
}

/** The name of a property or member is no use of a variable, unless it stands for both. */
function isPlainKey(part: Part): boolean {
  return !flag(part, "computed") && !flag(part, "shorthand");
}

function partOf(node: unknown): Part {
  const part = asPart(node);
  if (part === undefined) throw new TypeError("not a syntax tree");
  return part;
}

function asPart(node: unknown): Part | undefined {
  return isPart(node) ? node : undefined;
}

function isPart(node: unknown): node is Part {
  return typeof node === "object" && node !== null && typeof Reflect.get(node, "type") === "string";
}

function field(part: Part, name: string): Part | undefined {
  return asPart(Reflect.get(part, name));
}

function fields(part: Part, name: string): readonly Part[] {
  const list: unknown = Reflect.get(part, name);
  return Array.isArray(list) ? list.filter(isPart) : [];
}

function flag(part: Part, name: string): boolean {
  return Reflect.get(part, name) === true;
}

function word(part: Part | undefined, name: string): string | undefined {
  const found: unknown = part && Reflect.get(part, name);
  return typeof found === "string" ? found : undefined;
}
