/**
 * A look at the whole syntax of a program before it is compiled: what is outside the language is reported wherever
 * it stands, also where no path leads.
 */

import type { Node } from "oxc-parser";
import { append } from "../ir/index.ts";
import type { FrontCode } from "./codes.ts";
import { wrongInClass } from "./lower/class.ts";
import { isErrorClass } from "./lower/error-class.ts";
import { childNodes } from "./lower/iterate.ts";
import type { Problems } from "./refusal.ts";
import { insteadOf, type Module } from "./syntax.ts";

type Objection = readonly [code: FrontCode, message: string, help: string];

const plain = "use plain objects, arrays and functions";

const objections: Readonly<Record<string, Objection>> = {
  ClassExpression: ["FC2304", "a class is declared with its name", "write `class Name { … }`"],
  Super: ["FC2304", "`super` is not part of the language", plain],
  WithStatement: ["FC2301", "`with` is not part of the language", plain],
  DebuggerStatement: ["FC2301", "`debugger` is not part of the language", "remove it"],
  TaggedTemplateExpression: ["FC2301", "tagged templates are not part of the language", "call a function"],
  ImportExpression: ["FC2003", "`import(…)` is not part of the language", "import at the top of the file"],
  MetaProperty: [
    "FC2301",
    "`import.meta` and `new.target` are not part of the language",
    "take it as an input of `run`",
  ],
  TSModuleDeclaration: ["FC2301", "namespaces are not part of the language", plain],
  TSImportEqualsDeclaration: [
    "FC2006",
    "`import … = require(…)` is not part of the language",
    'write `import * as x from "./tools/x"`',
  ],
  TSExportAssignment: [
    "FC2006",
    "`export =` is not part of the language",
    "write `export default program({ … })`",
  ],
  Decorator: ["FC2304", "decorators are not part of the language", plain],
  JSXElement: ["FC2301", "JSX is not part of the language", plain],
};

export function checkSubset(module: Module, problems: Problems): void {
  const report = (node: Node, [code, message, help]: Objection) =>
    problems.add({
      code,
      message,
      help,
      file: module.source.path,
      span: { start: node.start, end: node.end },
    });
  const inErrorClass = new Set<Node>();
  const pending: Node[] = [module.source.program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    // The constructor of a class of errors was looked at with its class.
    const known = node.type === "CallExpression" && inErrorClass.has(node) ? node.arguments : undefined;
    const objection = objectionTo(node);
    if (objection !== undefined) {
      report(node, objection);
      continue;
    }
    const wrong = node.type === "ClassDeclaration" ? wrongInClass(node) : undefined;
    if (wrong !== undefined) report(wrong.at, ["FC2304", wrong.message, wrong.help]);
    if (node.type === "ClassDeclaration" && isErrorClass(node) && wrong === undefined)
      addSupers(node, inErrorClass);
    append(pending, (known ?? childNodes(node)).toReversed());
  }
  onlyDefaultExport(module, report);
}

export function objectionTo(node: Node): Objection | undefined {
  switch (node.type) {
    case "VariableDeclaration":
      if (node.kind === "var")
        return ["FC2302", "`var` is not part of the language", "use `const`, or `let` if it changes"];
      if (node.kind !== "const" && node.kind !== "let")
        return ["FC2301", `\`${node.kind}\` is not part of the language`, "use `const`"];
      return undefined;
    case "BinaryExpression":
      if (node.operator === "instanceof" && node.right.type === "Identifier") return undefined;
      if (["&", "|", "^", "<<", ">>", ">>>", "instanceof"].includes(node.operator))
        return ["FC2317", `\`${node.operator}\` is not part of the language`, insteadOf(node.operator)];
      return undefined;
    case "UnaryExpression":
      return node.operator === "~"
        ? ["FC2317", "`~` is not part of the language", "use arithmetic"]
        : undefined;
    case "Property":
      return node.kind === "get" || node.kind === "set"
        ? ["FC2320", "getters and setters are not part of the language", "use a plain field or a function"]
        : undefined;
    default:
      return Object.hasOwn(objections, node.type) ? objections[node.type] : undefined;
  }
}

function addSupers(node: Node, found: Set<Node>): void {
  if (node.type === "CallExpression" && node.callee.type === "Super") found.add(node);
  for (const child of childNodes(node)) addSupers(child, found);
}

/** A program gives the world one thing. */
function onlyDefaultExport(module: Module, report: (node: Node, objection: Objection) => void): void {
  for (const node of module.source.program.body) {
    const named =
      node.type === "ExportNamedDeclaration" &&
      node.exportKind !== "type" &&
      node.declaration?.type !== "TSEnumDeclaration" &&
      node.declaration?.type !== "TSInterfaceDeclaration" &&
      node.declaration?.type !== "TSTypeAliasDeclaration";
    if (named || node.type === "ExportAllDeclaration")
      report(node, [
        "FC2006",
        "a program exports only itself",
        "remove `export`, and keep `export default program({ … })`",
      ]);
  }
}
