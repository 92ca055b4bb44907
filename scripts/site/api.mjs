// The reference of all public exports: a page for each entry of the package, made from the declarations that it ships.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { ROOT } from "../tools.mjs";
import { escaped } from "./text.mjs";

/**
 * @typedef {import("../docs.mjs").Page} Page
 * @typedef {{ readonly name: string, readonly kind: string, readonly text: string, readonly doc: string }} Export
 * @typedef {{ readonly doc: string, readonly exports: ReadonlyMap<string, Export> }} Module
 */

/**
 * @param {string} dist
 * @param {(text: string, language: string) => string} highlight
 * @returns {Page[]}
 */
export function apiPages(dist, highlight) {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const reader = new Reader();
  const entries = Object.entries(exports).flatMap(([name, target]) =>
    typeof target === "object" ? [[name.replace(/^\./, "foreclaim"), join(dist, "..", target.types)]] : [],
  );
  return entries.map(([name = "", path = ""]) => {
    const types = path.replace(join(dist, "..", "dist"), dist);
    return entryPage(name, reader.module(types), highlight);
  });
}

const kinds = /** @type {const} */ ({
  function: "Functions",
  class: "Classes",
  const: "Values",
  namespace: "Namespaces",
  interface: "Interfaces",
  type: "Types",
});

/**
 * @param {string} name
 * @param {Module} module
 * @param {(text: string, language: string) => string} highlight
 * @returns {Page}
 */
function entryPage(name, { doc, exports }, highlight) {
  const path = `api/${name.replaceAll("/", "-")}.html`;
  const all = [...exports.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const sections = Object.entries(kinds).flatMap(([kind, title]) => {
    const here = all.filter((one) => one.kind === kind);
    return here.length === 0 ? [] : [{ title, id: kind, here }];
  });
  const headings = [
    { id: "top", depth: 1, title: name },
    ...sections.flatMap(({ id, title, here }) => [
      { id, depth: 2, title },
      ...here.map((one) => ({ id: idOf(one.name), depth: 3, title: one.name })),
    ]),
  ];
  const anchor = (/** @type {string} */ id, /** @type {string} */ title) =>
    ` <a class="anchor" href="#${id}" aria-label="Link to ${escaped(title)}">#</a>`;
  const html = [
    `<h1 id="top">${name}${anchor("top", name)}</h1>`,
    `<pre tabindex="0"><code>${highlight(`import { … } from "${name}";`, "ts")}</code></pre>`,
    docHtml(doc),
    ...sections.flatMap(({ id, title, here }) => [
      `<h2 id="${id}">${title}${anchor(id, title)}</h2>`,
      ...here.map(
        (one) => `<h3 id="${idOf(one.name)}"><code>${one.name}</code>${anchor(idOf(one.name), one.name)}</h3>
${docHtml(one.doc)}
<pre tabindex="0"><code>${linked(highlight(one.text, "ts"), exports, one.name)}</code></pre>`,
      ),
    ]),
  ].join("\n");
  return { path, title: name, html, headings };
}

/** @param {string} name */
function idOf(name) {
  return `export-${name}`;
}

/**
 * Names of other exports of the entry lead to them.
 *
 * @param {string} html
 * @param {ReadonlyMap<string, Export>} exports
 * @param {string} self
 */
function linked(html, exports, self) {
  return html.replace(/<span class="t-(?:comment|string)">[\s\S]*?<\/span>|<[^>]*>|\b[A-Z]\w+\b/g, (word) =>
    word !== self && exports.has(word) ? `<a class="type-link" href="#${idOf(word)}">${word}</a>` : word,
  );
}

/** @param {string} doc */
function docHtml(doc) {
  if (doc === "") return "";
  const parts = doc.split(/```\w*\n([\s\S]*?)```/);
  return parts
    .map((part, i) =>
      i % 2 === 1
        ? `<pre tabindex="0"><code>${escaped(part)}</code></pre>`
        : part
            .split(/\n\s*\n/)
            .filter((text) => text.trim() !== "")
            .map((text) => `<p>${inline(text.trim())}</p>`)
            .join("\n"),
    )
    .join("\n");
}

/** @param {string} text */
function inline(text) {
  return escaped(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}

/** Declarations in files, by what they export. */
class Reader {
  /** @type {Map<string, Module>} */
  #modules = new Map();

  /**
   * @param {string} path
   * @returns {Module}
   */
  module(path) {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    /** @type {Map<string, Export>} */
    const exports = new Map();
    const text = readFileSync(path, "utf8");
    const { program, comments, errors } = parseSync(path, text);
    if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
    const docs = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"));
    const docAt = (/** @type {number} */ start) => {
      const before = docs.filter(({ end }) => end <= start && text.slice(end, start).trim() === "").at(-1);
      return before === undefined ? "" : cleaned(before.value);
    };
    const [first] = docs;
    // The first comment speaks of the file, unless it stands at a declaration of the file itself.
    const isOfFile = first !== undefined && text.slice(0, first.start).trim() === "";
    const module = { doc: isOfFile ? cleaned(first.value) : "", exports };
    this.#modules.set(path, module);
    /** @type {Map<string, Export[]>} */
    const local = new Map();
    /** @type {Map<string, { from: string, name: string }>} */
    const imported = new Map();
    /**
     * @param {import("oxc-parser").Node} declaration
     * @param {number} start
     */
    const declare = (declaration, start) => {
      for (const { name, kind } of declared(declaration)) {
        const own = text
          .slice(declaration.start, declaration.end)
          .replace(/^declare /, "")
          .replaceAll("\t", "  ");
        const one = { name, kind, text: own.replace(/^(?=.)/, ""), doc: docAt(start) };
        local.set(name, [...(local.get(name) ?? []), one]);
      }
    };
    for (const node of program.body) {
      if (node.type === "ImportDeclaration")
        for (const specifier of node.specifiers)
          imported.set(specifier.local.name, {
            from: node.source.value,
            name:
              specifier.type === "ImportSpecifier" && "name" in specifier.imported
                ? specifier.imported.name
                : "*",
          });
      else if (node.type === "ExportNamedDeclaration" && node.declaration !== null)
        declare(node.declaration, node.start);
      else declare(node, node.start);
    }
    const add = (/** @type {string} */ name, /** @type {Export | undefined} */ one) => {
      if (one !== undefined) exports.set(name, { ...one, name });
    };
    for (const node of program.body) {
      if (node.type === "ExportAllDeclaration") {
        const target = this.#resolve(path, node.source.value);
        if (target === undefined) continue;
        const from = this.module(target);
        if (node.exported === null) for (const [name, one] of from.exports) add(name, one);
        else if ("name" in node.exported) add(node.exported.name, namespaceOf(node.exported.name, from));
      }
      if (node.type !== "ExportNamedDeclaration") continue;
      if (node.declaration !== null)
        for (const { name } of declared(node.declaration)) add(name, merged(local.get(name) ?? []));
      for (const specifier of node.specifiers) {
        if (!("name" in specifier.local) || !("name" in specifier.exported)) continue;
        const { name } = specifier.local;
        const as = specifier.exported.name;
        const through = imported.get(name);
        if (node.source !== null) add(as, this.#find(path, node.source.value, name));
        else if (local.has(name)) add(as, merged(local.get(name) ?? []));
        else if (through !== undefined) add(as, this.#find(path, through.from, through.name));
      }
    }
    return module;
  }

  /**
   * @param {string} from
   * @param {string} specifier
   * @param {string} name
   * @returns {Export | undefined}
   */
  #find(from, specifier, name) {
    const path = this.#resolve(from, specifier);
    if (path === undefined) return { name, kind: "type", text: `import("${specifier}").${name}`, doc: "" };
    if (name === "*") return namespaceOf(name, this.module(path));
    return this.module(path).exports.get(name);
  }

  /**
   * @param {string} from
   * @param {string} specifier
   */
  #resolve(from, specifier) {
    if (!specifier.startsWith(".")) return undefined;
    const path = join(from, "..", specifier.replace(/\.[jt]s$/, ".d.ts"));
    if (!existsSync(path)) throw new Error(`${from} names ${specifier}, which is not in the package`);
    return path;
  }
}

/**
 * @param {string} name
 * @param {Module} module
 * @returns {Export}
 */
function namespaceOf(name, { doc, exports }) {
  return {
    name,
    kind: "namespace",
    text: `namespace ${name} { ${[...exports.keys()].sort().join(", ")} }`,
    doc,
  };
}

/**
 * Overloads, and a type beside a value of the same name, are one export.
 *
 * @param {readonly Export[]} all
 * @returns {Export | undefined}
 */
function merged(all) {
  const [first, ...others] = all;
  if (first === undefined) return undefined;
  const doc = all.find((one) => one.doc !== "")?.doc ?? "";
  return { ...first, doc, text: [first, ...others].map(({ text }) => text).join("\n") };
}

/**
 * @param {import("oxc-parser").Node} node
 * @returns {readonly { readonly name: string, readonly kind: keyof typeof kinds }[]}
 */
function declared(node) {
  switch (node.type) {
    case "TSInterfaceDeclaration":
      return [{ name: node.id.name, kind: "interface" }];
    case "TSTypeAliasDeclaration":
      return [{ name: node.id.name, kind: "type" }];
    case "ClassDeclaration":
      return node.id === null ? [] : [{ name: node.id.name, kind: "class" }];
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      return node.id === null ? [] : [{ name: node.id.name, kind: "function" }];
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) =>
        id.type === "Identifier" ? [{ name: id.name, kind: "const" }] : [],
      );
    default:
      return [];
  }
}

/** @param {string} comment */
function cleaned(comment) {
  return comment
    .replace(/^\*/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}
