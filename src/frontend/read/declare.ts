/** Declarations of tool modules: tools, fluents, contracts and coverage, from the objects that they are written as. */
import type { CallExpression, Expression, ObjectExpression, ObjectProperty, TSType } from "oxc-parser";
import { type Expr, isConstant, type Tool } from "../../ir/index.ts";
import { Lowering, type Mode } from "../lower/core.ts";
import { convert } from "../lower/data.ts";
import { expression } from "../lower/expression.ts";
import { refuse, type Spot } from "../refusal.ts";
import { bare, type FunctionNode, type Module } from "../syntax.ts";
import { bool, isOptional, type RecordTy, real, string, type Ty, toIr } from "../ty.ts";
import type { ContractParam, FluentInfo, FunctionVal, ToolInfo, Val } from "../value.ts";
import { Clauses } from "./clauses.ts";
import { spotOf, type World } from "./modules.ts";
import { readResult, readType } from "./types.ts";

export function declared(world: World, module: Module, word: string, name: string, node: Expression): Val {
  if (node.type !== "CallExpression") throw new TypeError("a declaration is a call");
  const full = fullName(module, name, spotOf(module, node));
  switch (word) {
    case "tool": {
      const tool = declareTool(world, module, full, node);
      world.tools.set(full, tool);
      return { kind: "tool", tool };
    }
    case "fluent":
      return { kind: "fluent", fluent: declareFluent(world, module, full, node) };
    case "contract":
      return declareContract(module, full, node);
    case "coverage":
      return { kind: "builtin", name: "a coverage policy" };
    default:
      return refuse(spotOf(module, node), "FC2201", `\`${word}\` cannot be declared in a tool module`);
  }
}

/** `bank.withdraw`; declarations are known by the name that they are exported under. */
function fullName(module: Module, name: string, spot: Spot): string {
  if (module.exports.has(name)) return `${module.name}.${name}`;
  for (const node of module.source.program.body) {
    if (node.type !== "ExportNamedDeclaration" || node.source) continue;
    for (const one of node.specifiers) {
      const local = one.local.type === "Literal" ? one.local.value : one.local.name;
      const outside = one.exported.type === "Literal" ? one.exported.value : one.exported.name;
      if (local === name && outside !== "default") return `${module.name}.${outside}`;
    }
  }
  return refuse(
    spot,
    "FC2202",
    `\`${name}\` is not exported, so no program can use it`,
    `write \`export const ${name} = …\``,
  );
}

export type Options = Map<string, ObjectProperty>;

/** The fields of the one object that a declaration is given. */
export function optionsOf(
  module: Module,
  node: CallExpression,
  word: string,
  allowed: readonly string[],
): Options {
  const [first] = node.arguments;
  const object = first !== undefined && first.type !== "SpreadElement" ? bare(first) : undefined;
  if (object?.type !== "ObjectExpression" || node.arguments.length !== 1)
    return refuse(
      spotOf(module, node),
      "FC2201",
      `\`${word}\` takes one object that is written out`,
      `write \`${word}({ … })\``,
    );
  return propertiesOf(module, object, word, allowed);
}

function propertiesOf(
  module: Module,
  object: ObjectExpression,
  word: string,
  allowed: readonly string[],
): Options {
  const found: Options = new Map();
  for (const property of object.properties) {
    const spot = spotOf(module, property);
    if (
      property.type === "SpreadElement" ||
      property.computed ||
      property.key.type !== "Identifier" ||
      property.kind !== "init"
    )
      return refuse(spot, "FC2201", `the fields of \`${word}\` must be written out`);
    const { name } = property.key;
    if (!allowed.includes(name))
      refuse(
        spotOf(module, property.key),
        "FC2011",
        `\`${word}\` has no option \`${name}\``,
        `it has ${allowed.map((one) => `\`${one}\``).join(", ")}`,
      );
    if (found.has(name)) refuse(spot, "FC2404", `\`${name}\` is given twice`);
    found.set(name, property);
  }
  return found;
}

const toolOptions = [
  "run",
  "undo",
  "requires",
  "ensures",
  "effects",
  "cost",
  "labels",
  "idempotent",
  "reads",
  "source",
  "stores",
  "endorses",
  "readers",
  "description",
];

function declareTool(world: World, module: Module, name: string, node: CallExpression): ToolInfo {
  const options = optionsOf(module, node, "tool", toolOptions);
  const run = options.get("run");
  const spot = spotOf(module, node);
  if (run === undefined)
    return refuse(
      spot,
      "FC2203",
      `the tool \`${name}\` has no \`run\``,
      "add `run: async ({ … }: { … }): Promise<…> => { … }`",
    );
  const code = functionOf(module, run.value);
  const params = paramsOf(module, code, name);
  const result = resultOf(module, code, name);
  const clauses = new Clauses(world, module, params, result);
  const flag = (word: string) => options.has(word) && clauses.constant(options.get(word)) === true;
  const requires = options.get("requires");
  const ensures = options.get("ensures");
  const cost = options.get("cost");
  const effects = options.get("effects");
  const source = options.get("source");
  if (source !== undefined && clauses.constant(source) !== "untrusted")
    refuse(spotOf(module, source), "FC2204", '`source` can only be `"untrusted"`');
  const undo = options.get("undo");
  if (undo !== undefined) functionOf(module, undo.value);
  const tool: Tool = {
    name,
    params: recordFields(params),
    ...(result === undefined ? {} : { result: toIr(result) }),
    labels: clauses.strings(options.get("labels"), "labels") ?? [],
    requires: [
      ...conjuncts(clauses.typesOfParams()),
      ...(requires === undefined ? [] : conjuncts(clauses.formula(requires, "state", [clauses.args]))),
    ],
    ensures: [
      ...conjuncts(clauses.typeOfResult(code)),
      ...(ensures === undefined ? [] : conjuncts(clauses.ensured(ensures))),
    ],
    sets: effects === undefined ? [] : clauses.updates(effects),
    ...(cost === undefined ? {} : { cost: clauses.number(cost) }),
    ...(flag("reads") ? { reads: true } : {}),
    ...(flag("idempotent") ? { idempotent: true } : {}),
    ...(source === undefined ? {} : { untrusted: true }),
    ...(undo === undefined ? {} : { undoable: true }),
    ...provenanceOf(clauses, options),
  };
  const info = { tool, params, result, spot };
  for (const fluent of clauses.fluents()) world.toolFluents(name).set(fluent.fluent.name, fluent);
  return info;
}

/** Compiles `stores`, `endorses` and `readers`. */
function provenanceOf(clauses: Clauses, options: Options): Pick<Tool, "stores" | "endorses" | "readers"> {
  const stores = clauses.strings(options.get("stores"), "stores");
  const endorses = options.get("endorses");
  const readers = options.get("readers");
  return {
    ...(stores === undefined ? {} : { stores }),
    ...(endorses === undefined ? {} : { endorses: clauses.sources(endorses) }),
    ...(readers === undefined ? {} : { readers: clauses.readers(readers) }),
  };
}

function recordFields(type: RecordTy): Tool["params"] {
  const made = toIr(type);
  return made.kind === "record" ? made.fields : [];
}

/** Each part of a conjunction on its own, so that a message names the one that fails. */
function conjuncts(expr: Expr): readonly Expr[] {
  if (expr.kind === "bool" && expr.value) return [];
  return expr.kind === "op" && expr.op === "and" ? expr.args : [expr];
}

export function functionOf(module: Module, node: Expression): FunctionNode {
  const inner = bare(node);
  if (inner.type === "ArrowFunctionExpression" || inner.type === "FunctionExpression") return inner;
  const binding = inner.type === "Identifier" ? module.scope.get(inner.name) : undefined;
  if (binding?.kind === "const" && binding.value.kind === "function") return binding.value.node;
  return refuse(
    spotOf(module, node),
    "FC2201",
    "a function must stand here",
    "write `async ({ … }: { … }) => { … }`",
  );
}

function paramsOf(module: Module, code: FunctionNode, name: string): RecordTy {
  const [param, second] = code.params;
  if (param === undefined) return { kind: "record", fields: [] };
  const spot = spotOf(module, param);
  if (second !== undefined && !isToolCall(module, second))
    refuse(spotOf(module, second), "FC2201", "a tool takes one object with its arguments");
  const annotation = annotationOf(param);
  if (annotation === undefined)
    return refuse(
      spot,
      "FC2102",
      `the argument of \`${name}\` needs a type`,
      "write `({ addr }: { addr: string })`",
    );
  const type = readType(module, annotation);
  if (type.kind !== "record")
    return refuse(
      spotOf(module, annotation),
      "FC2101",
      "a tool takes one object with its arguments",
      "write `{ name: type; … }`",
    );
  return type;
}

/** Recognizes the `ToolCall` parameter of `run`, which only its body uses. */
function isToolCall(module: Module, param: FunctionNode["params"][number]): boolean {
  const annotation = annotationOf(param);
  if (annotation === undefined) return true;
  if (annotation.type !== "TSTypeReference" || annotation.typeName.type !== "Identifier") return false;
  const entry = module.types.get(annotation.typeName.name);
  return entry?.kind === "package" && entry.name === "ToolCall";
}

function annotationOf(param: FunctionNode["params"][number]): TSType | undefined {
  const pattern = param.type === "AssignmentPattern" ? param.left : param;
  return "typeAnnotation" in pattern ? pattern.typeAnnotation?.typeAnnotation : undefined;
}

function resultOf(module: Module, code: FunctionNode, name: string): Ty | undefined {
  if (!code.returnType)
    return refuse(
      spotOf(module, { start: code.start, end: code.start + 1 }),
      "FC2102",
      `\`run\` of \`${name}\` needs a return type`,
      "write `: Promise<void>`, or the type of what it returns",
    );
  const type = readResult(module, code.returnType.typeAnnotation);
  if (type?.kind === "option" && type.value.kind === "option")
    return refuse(
      spotOf(module, code.returnType),
      "FC2101",
      "a result cannot be both `null` and `undefined`",
      "use one of them",
    );
  return type;
}

function declareFluent(world: World, module: Module, name: string, node: CallExpression): FluentInfo {
  const spot = spotOf(module, node);
  const [key, value] = node.typeArguments?.params ?? [];
  if (key === undefined || value === undefined)
    return refuse(
      spot,
      "FC2102",
      `the fluent \`${name}\` needs the types of its keys and values`,
      "write `fluent<string, boolean>({ initial: true })`",
    );
  const [keyType, valueType] = [readType(module, key), readType(module, value)];
  if (!["bool", "int", "real", "bigint", "string", "enum"].includes(keyType.kind))
    refuse(spotOf(module, key), "FC2101", "the key of a fluent is a string, a number or a boolean");
  const options = optionsOf(module, node, "fluent", ["initial", "description", "probe", "keys", "drift"]);
  checkProbe(world, module, options);
  const initial = options.get("initial");
  if (initial === undefined)
    return refuse(
      spot,
      "FC2201",
      `the fluent \`${name}\` needs an \`initial\` value`,
      "write `initial: …`, or `initial: unknown` with `unknown` imported from `foreclaim`",
    );
  const low = lowering(world, module, { kind: "formula", view: "values" });
  const start = expression(low, module.scope, initial.value);
  const base = { name, key: toIr(keyType), value: toIr(valueType) };
  if (start.kind === "builtin" && start.name === "foreclaim:unknown")
    return { fluent: base, key: keyType, value: valueType, spot };
  const { expr } = convert(low, start, valueType, initial.value, "the initial value");
  if (!isConstant(expr))
    refuse(spotOf(module, initial.value), "FC2204", "the initial value must be a constant");
  return { fluent: { ...base, initial: expr }, key: keyType, value: valueType, spot };
}

/** Probes run where the tools run, and are never compiled; here only their forms are checked. */
function checkProbe(world: World, module: Module, options: Options): void {
  const [probe, keys, drift] = [options.get("probe"), options.get("keys"), options.get("drift")];
  for (const one of [probe, keys]) if (one !== undefined) functionOf(module, one.value);
  const lonely = probe === undefined ? (keys ?? drift) : undefined;
  if (lonely !== undefined)
    refuse(
      spotOf(module, lonely),
      "FC2201",
      "`keys` and `drift` belong to a `probe`, and there is none",
      "add `probe: async (key) => …`",
    );
  if (drift === undefined) return;
  const word = expression(
    lowering(world, module, { kind: "formula", view: "values" }),
    module.scope,
    drift.value,
  );
  const rule = word.kind === "data" && word.expr.kind === "string" ? word.expr.value : undefined;
  if (rule !== "stop" && rule !== "take")
    refuse(spotOf(module, drift.value), "FC2204", '`drift` is `"stop"` or `"take"`');
}

function declareContract(module: Module, name: string, node: CallExpression): Val {
  const [first] = node.arguments;
  const spot = spotOf(module, node);
  if (first === undefined || first.type === "SpreadElement" || node.arguments.length !== 1)
    return refuse(spot, "FC2201", "`contract` takes one function", "write `contract((limit: number) => …)`");
  const code = functionOf(module, first);
  const params = code.params.map((param): ContractParam => {
    const pattern =
      param.type === "AssignmentPattern" ? param.left : param.type === "RestElement" ? param.argument : param;
    const annotation = annotationOf(param);
    const word = pattern.type === "Identifier" ? pattern.name : "argument";
    const implied = param.type === "AssignmentPattern" ? literalTy(param.right) : undefined;
    if (annotation === undefined && implied !== undefined)
      return { name: word, type: implied, optional: true };
    if (annotation === undefined)
      return refuse(
        spotOf(module, param),
        "FC2102",
        `the parameter \`${word}\` of \`${name}\` needs a type`,
        `write \`${word}: string\``,
      );
    const type = readType(module, annotation);
    const optional =
      param.type === "AssignmentPattern" ||
      (pattern.type === "Identifier" && "optional" in pattern && Boolean(pattern.optional)) ||
      isOptional(type);
    return { name: word, type, optional };
  });
  const isRest = code.params.at(-1)?.type === "RestElement";
  const formula: FunctionVal = {
    kind: "function",
    node: isRest ? withoutRest(code) : code,
    scope: module.scope,
    module,
    name,
  };
  return { kind: "contract", contract: { name, formula, params, spot, ...(isRest ? { isRest } : {}) } };
}

/** The function with a list in the place of its rest parameter: a contract has a fixed number of parameters. */
function withoutRest(code: FunctionNode): FunctionNode {
  const params = code.params.map((param) => (param.type === "RestElement" ? param.argument : param));
  return { ...code, params };
}

/** The type of a parameter whose default is a literal, as TypeScript infers it. */
function literalTy(node: Expression): Ty | undefined {
  if (node.type !== "Literal") return undefined;
  const types: Readonly<Record<string, Ty>> = { string, number: real, boolean: bool };
  return types[typeof node.value];
}

export function lowering(world: World, module: Module, mode: Mode): Lowering {
  const low = new Lowering(world.limits, world.problems, module);
  low.mode = mode;
  low.labelled = (label) => [...world.tools.values()].filter((one) => one.tool.labels.includes(label));
  return low;
}
