/** The program: its one default export, its guarantees, its inputs and its `run`. */
import type { CallExpression, Expression, ObjectProperty } from "oxc-parser";
import { type Command, type Expr, type Field, type Guarantee, isConstant } from "../ir/index.ts";
import { variable, yes } from "./build.ts";
import { newObject } from "./lower/access.ts";
import { emitAnswer } from "./lower/answer.ts";
import { wrapped } from "./lower/callback.ts";
import { refined } from "./lower/cast.ts";
import { args } from "./lower/chain.ts";
import { byParameter, contractFormula } from "./lower/contract.ts";
import type { Lowering } from "./lower/core.ts";
import { convert, describe } from "./lower/data.ts";
import { expression, waitFor } from "./lower/expression.ts";
import { callFunction } from "./lower/function.ts";
import { throwUnless } from "./lower/json.ts";
import { checkPromise } from "./lower/provenance.ts";
import { CallsItself } from "./lower/recursion.ts";
import { atModuleLevel, packageWord } from "./read/constant.ts";
import { lowering, optionsOf } from "./read/declare.ts";
import { spotOf, type World } from "./read/modules.ts";
import { readType } from "./read/types.ts";
import { refuse, type Spot } from "./refusal.ts";
import { bare, type FunctionNode, type Module } from "./syntax.ts";
import { asOptional, isOptional, type RecordTy, toIr } from "./ty.ts";
import {
  type ContractInfo,
  data,
  type FluentInfo,
  type FunctionVal,
  isUndefined,
  type ToolInfo,
  type Val,
} from "./value.ts";

export interface CompiledProgram {
  readonly inputs: readonly Field[];
  readonly body: readonly Command[];
  readonly spots: ReadonlyMap<Command, Spot>;
  readonly guarantees: readonly { readonly guarantee: Guarantee; readonly spot: Spot }[];
  readonly tools: ReadonlyMap<string, ToolInfo>;
  readonly fluents: ReadonlyMap<string, FluentInfo>;
}

/** @param mayStateNothing whether coverage alone may say what is guaranteed, as of a plan */
export function compileBody(world: World, module: Module, mayStateNothing = false): CompiledProgram {
  const { call, options } = partsOf(module);
  world.problems.attempt(() => plainDescription(module, options.get("description")), undefined);
  everyConstant(world, module, call);
  const tools = new Map<string, ToolInfo>();
  const fluents = new Map<string, FluentInfo>();
  const keep = (low: Lowering) => {
    for (const [name, tool] of low.usedTools) tools.set(name, tool);
    for (const [name, fluent] of low.usedFluents) fluents.set(name, fluent);
  };
  const code = runOf(module);
  const inputs = world.problems.attempt(() => inputsOf(module, code), { kind: "record", fields: [] });
  const guarantees = world.problems.attempt(
    () => guaranteesOf(world, module, options.get("guarantees"), call, inputs, keep, mayStateNothing),
    [],
  );
  const { low, body } = compiledRun(world, module, code, inputs);
  keep(low);
  const fields = toIr(inputs);
  return {
    inputs: fields.kind === "record" ? fields.fields : [],
    body,
    spots: low.spots,
    guarantees,
    tools,
    fluents,
  };
}

function partsOf(module: Module): {
  readonly call: CallExpression;
  readonly options: ReturnType<typeof optionsOf>;
} {
  const call = defaultProgram(module);
  return { call, options: optionsOf(module, call, "program", ["guarantees", "run", "description"]) };
}

/** The function that is run. */
export function runOf(module: Module): FunctionNode {
  const { call, options } = partsOf(module);
  const run = options.get("run");
  const code = run === undefined ? undefined : bare(run.value);
  if (code === undefined)
    return refuse(spotOf(module, call), "FC2005", "the program has no `run`", "add `async run() { … }`");
  if (code.type !== "ArrowFunctionExpression" && code.type !== "FunctionExpression")
    return refuse(
      spotOf(module, code),
      "FC2005",
      "`run` must be a function that is written out",
      "write `async run() { … }`",
    );
  return code;
}

/** JavaScript would compute it, so it must be nothing that could do something. */
function plainDescription(module: Module, property: ObjectProperty | undefined): void {
  const node = property === undefined ? undefined : bare(property.value);
  if (node === undefined || (node.type === "Literal" && typeof node.value === "string")) return;
  refuse(spotOf(module, node), "FC2204", "`description` is a string that is written out");
}

/** A constant or a class that nobody uses is computed too when a module is loaded, so it is looked at like the others. */
function everyConstant(world: World, module: Module, program: CallExpression): void {
  const low = lowering(world, module, { kind: "formula", view: "values" });
  for (const node of module.source.program.body) {
    if (node.type === "ClassDeclaration" && node.id) {
      const binding = module.scope.get(node.id.name);
      if (binding?.kind === "lazy")
        world.problems.attempt(() => binding.get(low, spotOf(module, node)), undefined);
    }
    if (node.type !== "VariableDeclaration") continue;
    for (const one of node.declarations) {
      if (one.id.type !== "Identifier" || (one.init && bare(one.init) === program)) continue;
      const binding = module.scope.get(one.id.name);
      if (binding?.kind === "lazy")
        world.problems.attempt(() => binding.get(low, spotOf(module, one)), undefined);
    }
  }
}

/** The object of `export default program({ … })`. */
function defaultProgram(module: Module): CallExpression {
  const { program, path, text } = module.source;
  const found = program.body.filter((node) => node.type === "ExportDefaultDeclaration");
  const [one] = found;
  const whole: Spot = { file: path, start: 0, end: Math.min(1, text.length) };
  const help = "write `export default program({ guarantees: […], async run() { … } })`";
  if (one === undefined || found.length > 1)
    return refuse(whole, "FC2005", "a program has exactly one default export", help);
  // SAFETY: functions, classes and interfaces are no calls, and are refused below.
  let node = bare(one.declaration as Expression);
  if (node.type === "Identifier") {
    const { name } = node;
    for (const statement of program.body) {
      if (statement.type !== "VariableDeclaration" || statement.kind !== "const") continue;
      const init = statement.declarations.find(
        (each) => each.id.type === "Identifier" && each.id.name === name,
      )?.init;
      if (init) node = bare(init);
    }
  }
  if (node.type !== "CallExpression" || packageWord(module, node) !== "program")
    return refuse(spotOf(module, one), "FC2005", "the default export is not a program", help);
  return node;
}

function inputsOf(module: Module, code: FunctionNode): RecordTy {
  const [param, second] = code.params;
  if (param === undefined) return { kind: "record", fields: [] };
  if (second !== undefined)
    refuse(spotOf(module, second), "FC2005", "`run` takes one object with its inputs");
  const pattern = param.type === "AssignmentPattern" ? param.left : param;
  const annotation = "typeAnnotation" in pattern ? pattern.typeAnnotation : undefined;
  if (!annotation)
    return refuse(
      spotOf(module, param),
      "FC2102",
      "the inputs need a type",
      "write `run({ limit }: { limit: number })`",
    );
  const type = readType(module, annotation.typeAnnotation);
  if (type.kind !== "record")
    return refuse(
      spotOf(module, annotation),
      "FC2101",
      "the inputs are one object",
      "write `{ name: type; … }`",
    );
  return type;
}

/** Compiles `run`, again for every function that turns out to call itself. */
function compiledRun(
  world: World,
  module: Module,
  code: FunctionNode,
  inputs: RecordTy,
): { readonly low: Lowering; readonly body: readonly Command[] } {
  const recursive = new Set<FunctionNode>();
  const mark = world.problems.mark();
  for (;;) {
    const low = lowering(world, module, { kind: "program" });
    low.recursive = recursive;
    for (const { name } of inputs.fields) low.names.take(name);
    try {
      return { low, body: world.problems.attempt(() => runBody(low, module, code, inputs), []) };
    } catch (thrown) {
      // Each round knows one more, of as many functions as the sources have.
      if (!(thrown instanceof CallsItself) || recursive.has(thrown.code)) throw thrown;
      recursive.add(thrown.code);
      world.problems.forget(mark);
    }
  }
}

function runBody(low: Lowering, module: Module, code: FunctionNode, inputs: RecordTy): readonly Command[] {
  const given = newObject(
    low,
    inputs.fields.map(({ name, type }) => [name, data(variable(name), type)]),
  );
  const fn: FunctionVal = { kind: "function", node: code, scope: module.scope, module, name: "run" };
  for (const { name, type } of inputs.fields) {
    low.nameTypes.set(name, toIr(type));
    const fits = refined(low, variable(name), type, "all");
    throwUnless(low, fits, "TypeError", `the input ${name} is of another type`, code);
  }
  low.atOnce.add(code);
  low.answering = code;
  const done = callFunction(low, fn, code.params.length === 0 ? [] : [given], code);
  const answer = waitFor(low, done, code);
  emitAnswer(low, answer, code);
  // After another problem, the `await` of a call may not have been compiled.
  if (low.problems.all.length === 0) low.tasks.noneSince([]);
  return low.buffer;
}

// ── guarantees ───────────────────────────────────────────────────────────────────────────────────────────

function guaranteesOf(
  world: World,
  module: Module,
  property: ObjectProperty | undefined,
  call: CallExpression,
  inputs: RecordTy,
  keep: (low: Lowering) => void,
  mayStateNothing: boolean,
): CompiledProgram["guarantees"] {
  const help = "state at least one contract of a tool module, such as `guarantees: [bank.maxSpend(500)]`";
  if (property === undefined)
    return refuse(spotOf(module, call), "FC2212", "the program states no `guarantees`", help);
  const list = bare(property.value);
  if (list.type !== "ArrayExpression")
    return refuse(spotOf(module, list), "FC2212", "`guarantees` is a list that is written out", help);
  if (list.elements.length === 0 && !mayStateNothing)
    return refuse(spotOf(module, list), "FC2212", "the list of guarantees is empty", help);
  return list.elements.flatMap((element) =>
    world.problems.attempt(() => {
      if (element === null || element.type === "SpreadElement")
        return refuse(
          spotOf(module, element ?? list),
          "FC2211",
          "each guarantee is a call of a contract",
          help,
        );
      const low = lowering(world, module, { kind: "formula", view: "trace" });
      for (const { name } of inputs.fields) low.names.take(name);
      low.inputs = new Set(inputs.fields.map(({ name }) => name));
      const guarantee = stated(low, module, element);
      keep(low);
      return [{ guarantee, spot: spotOf(module, element) }];
    }, []),
  );
}

function stated(low: Lowering, module: Module, element: Expression): Guarantee {
  const node = bare(element);
  if (node.type !== "CallExpression")
    return refuse(
      spotOf(module, node),
      "FC2211",
      "a guarantee is a call of a contract",
      "write `module.contract(…)`, with its arguments",
    );
  const callee = atModuleLevel(low, module, node.callee, () => expression(low, module.scope, node.callee));
  if (callee.kind !== "contract")
    return refuse(
      spotOf(module, node),
      "FC2211",
      `${describe(callee)} is not a contract of a tool module`,
      "only contracts that tool modules export can be stated",
    );
  const given = args(low, module.scope, node.arguments, node);
  return statedAs(low, callee.contract, byParameter(low, callee.contract, given), node);
}

/** The guarantee of a contract with these arguments, which are those of the call, if it is one. */
export function statedAs(
  low: Lowering,
  contract: ContractInfo,
  given: readonly Val[],
  node: Expression,
): Guarantee {
  const written = node.type === "CallExpression" ? node.arguments : [];
  const values: Expr[] = [];
  given.forEach((arg, i) => {
    const param = contract.params[i];
    if (param === undefined) return;
    const at = written[i] ?? node;
    const absent = param.optional && isUndefined(arg);
    const type = absent ? asOptional(param.type) : param.type;
    const value = convert(low, arg, type, at, `the argument \`${param.name}\` of \`${contract.name}\``);
    if (!isConstant(value.expr))
      low.refuse(
        at,
        "FC2204",
        "the argument of a guarantee must be a constant",
        "write the value out, or name it with a `const` of this file",
      );
    values.push(value.expr);
  });
  const said = contractFormula(low, contract, given, node);
  if (said.kind !== "data") return low.refuse(node, "FC2211", "this contract says nothing");
  const formula = wrapped(low.buffer, said.expr);
  checkPromise(formula, contract.name, contract.spot);
  return { name: contract.name, args: values, formula };
}

/** The formula of a contract with its parameters left open, as names. */
export function openFormula(
  world: World,
  module: Module,
  contract: ContractInfo,
): { readonly formula: Expr; readonly low: Lowering } {
  const low = lowering(world, module, { kind: "formula", view: "trace" });
  const { params } = contract;
  const given = params.map(({ name, type, optional }) => {
    low.names.take(name);
    return data(variable(name), optional && !isOptional(type) ? asOptional(type) : type);
  });
  const said = contractFormula(low, contract, given, { ...contract.formula.node });
  return { formula: said.kind === "data" ? wrapped(low.buffer, said.expr) : yes, low };
}
