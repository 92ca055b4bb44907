/**
 * The checker of documents. Everything downstream takes a `Checked` document, which only `check` can make, so nothing
 * unchecked is evaluated, proved or run. Part of what must be trusted.
 */
import { builtinTools, isDeclaredAsBuiltin, isReserved } from "../builtin.ts";
import { type Diagnostic, failed, ok, type Result, Trail } from "../diagnostic.ts";
import type {
  CallCommand,
  Command,
  Document,
  Expr,
  Fluent,
  ForCommand,
  Guarantee,
  LoopCommand,
  ParallelCommand,
  Tool,
  WhileCommand,
} from "../document.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { printTool, printType } from "../text/printer.ts";
import { bool, int, optionOf, readType, real, string, type Type } from "../type.ts";
import { noOtherKind } from "../visit.ts";
import { Context, type View } from "./context.ts";
import { checkArguments, expect, infer, type Place } from "./expr.ts";
import { checkPolarity } from "./polarity.ts";
import { checkEndorses, checkReaders, checkStores } from "./provenance.ts";
import { Scope } from "./scope.ts";
import { checkFields, checkType } from "./types.ts";

/** A well-formed document with what the check found out about it. */
export class Checked {
  readonly document: Document;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly fluents: ReadonlyMap<string, Fluent>;
  readonly labels: ReadonlyMap<string, readonly Tool[]>;
  /** The type of every expression. */
  readonly types: ReadonlyMap<Expr, Type>;

  /** Only `check` has a context to make one from. */
  constructor(document: Document, context: Context) {
    if (context.problems.length > 0) throw new TypeError("a document with problems is not a checked one");
    this.document = document;
    this.tools = context.tools;
    this.fluents = context.fluents;
    this.labels = context.labels;
    this.types = context.types;
  }
}

export function check(document: Document, limits: Limits = defaultLimits): Result<Checked> {
  const context = new Context(limits);
  const root = Trail.root;
  if (document.effectIr !== 1) {
    context.problem(
      "FC1006",
      root.at("effectIr"),
      `version ${String(document.effectIr)} is not known`,
      "write version 1",
    );
    return failed(context.problems);
  }
  declare(context, document);
  document.fluents.forEach((fluent, i) => checkFluent(context, fluent, root.at("fluents", i)));
  document.tools.forEach((tool, i) => checkTool(context, tool, root.at("tools", i)));
  const scope = new Scope();
  const inputs = root.at("program", "inputs");
  checkFields(context, document.program.inputs, inputs, true);
  document.program.inputs.forEach((input, i) => {
    context.inputs.add(input.name);
    if (scope.get(input.name) === undefined)
      context.declare(scope, input.name, { type: readType(input) }, inputs.at(i, "name"));
  });
  document.guarantees.forEach((one, i) =>
    checkGuarantee(place(context, scope, "trace"), one, root.at("guarantees", i)),
  );
  scope.inside(() => checkBody(new Body(context, scope), document.program.body, root.at("program", "body")));
  return context.problems.length === 0
    ? ok(new Checked(document, context))
    : failed(byPlace(context.problems));
}

/**
 * The type of a lone expression over the inputs of a checked document, for evaluation from outside.
 * @param names what it may name besides
 */
export function checkExpr(
  checked: Checked,
  expr: Expr,
  view: View,
  names: ReadonlyMap<string, Type> = new Map(),
): Result<Checked> {
  const context = new Context(defaultLimits);
  const scope = new Scope();
  // The clauses of tools are evaluated along with the expression, so their types are needed too.
  for (const [one, type] of checked.types) context.types.set(one, type);
  for (const [name, tool] of checked.tools) context.tools.set(name, tool);
  for (const [name, fluent] of checked.fluents) context.fluents.set(name, fluent);
  for (const [name, tools] of checked.labels) context.labels.set(name, [...tools]);
  for (const input of checked.document.program.inputs) {
    context.inputs.add(input.name);
    scope.declare(input.name, { type: readType(input) });
  }
  for (const [name, type] of names) scope.declare(name, { type });
  infer(place(context, scope, view), expr, Trail.root);
  return context.problems.length === 0
    ? ok(new Checked(checked.document, context))
    : failed(context.problems);
}

function place(context: Context, scope: Scope, view: View): Place {
  return { context, scope, view };
}

// ── declarations ─────────────────────────────────────────────────────────────────────────────────────────

function declare(context: Context, document: Document): void {
  document.fluents.forEach((fluent, i) => {
    const at = Trail.root.at("fluents", i, "name");
    context.dottedName(fluent.name, at);
    if (context.fluents.has(fluent.name))
      context.problem("FC1207", at, `the fluent \`${fluent.name}\` is declared twice`);
    else context.fluents.set(fluent.name, fluent);
  });
  document.tools.forEach((tool, i) => {
    const at = Trail.root.at("tools", i);
    context.dottedName(tool.name, at.at("name"));
    if (context.tools.has(tool.name))
      context.problem("FC1206", at.at("name"), `the tool \`${tool.name}\` is declared twice`);
    else context.tools.set(tool.name, tool);
    const isOwn = isDeclaredAsBuiltin(tool);
    if (isReserved(tool.name) && !isOwn) reserved(context, tool.name, at.at("name"));
    const own = new Set<string>();
    tool.labels.forEach((label, j) => {
      if (isReserved(label) && !isOwn) reserved(context, label, at.at("labels", j));
      if (own.has(label))
        context.problem("FC1220", at.at("labels", j), `the label \`${label}\` is given twice`);
      else if (context.labels.get(label)?.push(tool) === undefined) context.labels.set(label, [tool]);
      own.add(label);
    });
  });
}

function reserved(context: Context, name: string, trail: Trail): void {
  const own = builtinTools.get(name);
  const help =
    own === undefined ? "use another name" : `declare it as \`${printTool(own)}\`, or use another name`;
  context.problem("FC1225", trail, `\`${name}\` is a name that Foreclaim reserves`, help);
}

function checkFluent(context: Context, fluent: Fluent, trail: Trail): void {
  const scalars = ["bool", "int", "real", "string", "enum"];
  checkType(context, fluent.key, trail.at("key"), false);
  checkType(context, fluent.value, trail.at("value"), false);
  if (!scalars.includes(fluent.key.kind)) {
    context.problem(
      "FC1306",
      trail.at("key"),
      `\`${printType(fluent.key)}\` cannot be the key of a fluent`,
      `use one of ${scalars.join(", ")}`,
    );
  }
  if (fluent.initial === undefined) return;
  checkConstant(context, fluent.initial, trail.at("initial"));
  expect(
    place(context, new Scope(), "values"),
    fluent.initial,
    fluent.value,
    trail.at("initial"),
    "the initial value",
  );
}

function checkTool(context: Context, tool: Tool, trail: Trail): void {
  checkFields(context, tool.params, trail.at("params"), true);
  if (tool.result !== undefined) checkType(context, tool.result, trail.at("result"), true);
  const scope = new Scope();
  for (const param of tool.params) scope.declare(param.name, { type: readType(param) });
  const state = place(context, scope, "state");
  const values = place(context, scope, "values");
  tool.requires.forEach((one, i) => expect(state, one, bool, trail.at("requires", i), "what is required"));
  tool.sets.forEach((update, i) => {
    const at = trail.at("sets", i);
    const fluent = context.fluent(update.fluent, at.at("fluent"));
    if (fluent === undefined) return;
    expect(state, update.key, fluent.key, at.at("key"), `the key of \`${fluent.name}\``);
    expect(state, update.value, fluent.value, at.at("value"), `the value of \`${fluent.name}\``);
    if (update.when !== undefined) expect(state, update.when, bool, at.at("when"), "the condition");
  });
  if (tool.cost !== undefined) expect(values, tool.cost, real, trail.at("cost"), "the cost");
  checkStores(context, tool, trail.at("stores"));
  checkEndorses(context, tool, trail.at("endorses"));
  checkToolReaders(context, tool, trail.at("readers"));
  if (tool.ensures.length === 0) return;
  if (tool.result !== undefined) context.declare(scope, "result", { type: tool.result }, trail.at("ensures"));
  tool.ensures.forEach((one, i) => expect(values, one, bool, trail.at("ensures", i), "what is ensured"));
}

/** Checks the readers of a tool; each element of a list has readers of its own. */
function checkToolReaders(context: Context, { name, params, result, readers }: Tool, trail: Trail): void {
  if (readers === undefined) return;
  if (result === undefined) {
    context.problem("FC1307", trail, `\`${name}\` returns nothing, so there is nothing to read`);
    return;
  }
  const scope = new Scope();
  for (const param of params) scope.declare(param.name, { type: readType(param) });
  const isList = result.kind === "list";
  const held = { type: isList ? result.element : result };
  context.declare(scope, isList ? "row" : "result", held, trail);
  checkReaders(place(context, scope, "values"), readers, trail);
}

function checkGuarantee(place: Place, guarantee: Guarantee, trail: Trail): void {
  const { context } = place;
  context.dottedName(guarantee.name, trail.at("name"));
  guarantee.args.forEach((arg, i) => {
    checkConstant(context, arg, trail.at("args", i));
    infer({ ...place, view: "values" }, arg, trail.at("args", i));
  });
  if (guarantee.formula === undefined) return;
  const at = trail.at("formula");
  // What has no type, or is too deep to be looked at, is refused already.
  if (expect(place, guarantee.formula, bool, at, "a guarantee"))
    checkPolarity(context, guarantee.formula, at);
}

/** A constant is written out: literals, and lists, records and options of constants. */
function checkConstant(context: Context, expr: Expr, trail: Trail): void {
  context.node(trail, () => {
    switch (expr.kind) {
      case "bool":
      case "number":
      case "string":
      case "none":
        return;
      case "list":
        return expr.items.forEach((item, i) => checkConstant(context, item, trail.at("items", i)));
      case "record":
        return expr.fields.forEach((field, i) =>
          checkConstant(context, field.value, trail.at("fields", i, "value")),
        );
      case "op":
        if (expr.op === "some")
          return expr.args.forEach((arg, i) => checkConstant(context, arg, trail.at("args", i)));
    }
    context.problem("FC1305", trail, "only a constant is allowed here", "write the value as a literal");
  });
}

// ── commands ─────────────────────────────────────────────────────────────────────────────────────────────

/** Context of the commands of one program. */
class Body implements Place {
  readonly view = "values";
  readonly context: Context;
  readonly scope: Scope;
  readonly ids = new Set<string>();
  constructor(context: Context, scope: Scope) {
    this.context = context;
    this.scope = scope;
  }
}

function checkBody(body: Body, commands: readonly Command[], trail: Trail): void {
  commands.forEach((command, i) => {
    const at = trail.at(i);
    body.context.node(at, () => checkCommand(body, command, at));
  });
}

function checkCommand(body: Body, command: Command, trail: Trail): void {
  const { context, scope } = body;
  switch (command.kind) {
    case "let": {
      const type = infer(body, command.value, trail.at("value"));
      // A name without a type would only lead to further problems of the same cause, so it is declared all the same.
      context.declare(scope, command.name, { type: type ?? failedType }, trail.at("name"));
      return;
    }
    case "call":
      checkCall(body, command, trail);
      return;
    case "for":
      checkLoop(body, command, trail);
      return;
    case "while":
      checkWhile(body, command, trail);
      return;
    case "parallel":
      checkParallel(body, command, trail);
      return;
    case "require":
      expect(body, command.condition, bool, trail.at("condition"), "what is required");
      if (command.when !== undefined) expect(body, command.when, bool, trail.at("when"), "the guard");
      return;
    default:
      noOtherKind(command);
  }
}

/** Fits everywhere, so that one mistake is reported once. The document is refused anyway. */
const failedType: Type = { kind: "never" };

function checkCall(body: Body, command: CallCommand, trail: Trail): void {
  const { context, scope, ids } = body;
  context.name(command.id, trail.at("id"));
  if (ids.has(command.id)) {
    context.problem(
      "FC1208",
      trail.at("id"),
      `the call id \`${command.id}\` is used twice`,
      "give each call its own id, or none to number them",
    );
  }
  ids.add(command.id);
  const tool = context.tool(command.tool, trail.at("tool"));
  if (tool !== undefined)
    checkArguments(body, command.args, tool.params, trail.at("args"), trail, "argument");
  else command.args.forEach((arg, i) => infer(body, arg.value, trail.at("args", i, "value")));
  if (command.when !== undefined) expect(body, command.when, bool, trail.at("when"), "the guard");
  if (command.bind !== undefined) {
    if (tool !== undefined && tool.result === undefined) {
      context.problem(
        "FC1307",
        trail.at("bind"),
        `\`${tool.name}\` returns nothing, so there is nothing to name`,
        "write the call without `let`",
      );
    }
    const result = tool?.result ?? failedType;
    const maybe = command.when !== undefined || command.catch !== undefined;
    context.declare(scope, command.bind, { type: maybe ? optionOf(result) : result }, trail.at("bind"));
  }
  if (command.catch !== undefined) context.declare(scope, command.catch, { type: bool }, trail.at("catch"));
  if (command.reason === undefined) return;
  if (command.catch === undefined)
    context.problem(
      "FC1307",
      trail.at("reason"),
      "without `catch` a failure stops the run, so there is no reason to name",
      "add `catch`, or remove `reason`",
    );
  context.declare(scope, command.reason, { type: string }, trail.at("reason"));
}

function checkLoop(body: Body, command: ForCommand, trail: Trail): void {
  const { context, scope } = body;
  const listType = infer(body, command.list, trail.at("list"));
  if (listType !== undefined && listType.kind !== "list" && listType.kind !== "never") {
    context.problem(
      "FC1301",
      trail.at("list"),
      `a loop goes over a list, and this is \`${printType(listType)}\``,
    );
  }
  checkMax(context, command, trail);
  checkCarried(body, command, trail);
  scope.inside(() => {
    const element = listType?.kind === "list" ? listType.element : failedType;
    context.declare(scope, command.var, { type: element }, trail.at("var"));
    if (command.index !== undefined) context.declare(scope, command.index, { type: int }, trail.at("index"));
    const carried = command.parallel ? command.carry.map(({ name }) => name) : [];
    scope.without(carried, "carry", () => checkBody(body, command.body, trail.at("body")));
    checkNext(body, command, trail);
  });
}

/** The condition reads what is carried, and neither the number of the turn nor what a turn names. */
function checkWhile(body: Body, command: WhileCommand, trail: Trail): void {
  const { context, scope } = body;
  checkMax(context, command, trail);
  checkCarried(body, command, trail);
  expect(body, command.condition, bool, trail.at("condition"), "the condition of the loop");
  scope.inside(() => {
    if (command.index !== undefined) context.declare(scope, command.index, { type: int }, trail.at("index"));
    checkBody(body, command.body, trail.at("body"));
    checkNext(body, command, trail);
  });
}

function checkMax(context: Context, { max }: LoopCommand, trail: Trail): void {
  if (max === undefined) return;
  if (Number.isSafeInteger(max) && max >= 0 && max <= context.limits.listLength) return;
  const message = `\`max\` must be an integer from 0 to ${context.limits.listLength}`;
  context.problem("FC1409", trail.at("max"), message);
}

function checkCarried(body: Body, { carry: all }: LoopCommand, trail: Trail): void {
  const { context, scope } = body;
  all.forEach((carry, i) => {
    const at = trail.at("carry", i);
    checkType(context, carry.type, at.at("type"), false);
    expect(body, carry.init, carry.type, at.at("init"), `the first value of \`${carry.name}\``);
  });
  all.forEach((carry, i) =>
    context.declare(scope, carry.name, { type: carry.type }, trail.at("carry", i, "name")),
  );
}

function checkNext(body: Body, { carry: all }: LoopCommand, trail: Trail): void {
  all.forEach((carry, i) => {
    const at = trail.at("carry", i, "next");
    expect(body, carry.next, carry.type, at, `the next value of \`${carry.name}\``);
  });
}

function checkParallel(body: Body, { branches }: ParallelCommand, trail: Trail): void {
  const { context, scope } = body;
  if (branches.length < 2) {
    const found = branches.length === 0 ? "no branch" : "one branch";
    const help = "write at least two, or the commands without `parallel`";
    context.problem("FC1224", trail, `\`parallel\` has ${found}`, help);
  }
  scope.apart(branches.map((branch, i) => () => checkBody(body, branch, trail.at("branches", i))));
}

/** In the order of the document, so that the first problem reported is the first one in the text. */
function byPlace(problems: readonly Diagnostic[]): Diagnostic[] {
  const order = ["effectIr", "modules", "fluents", "tools", "program", "guarantees"];
  const rank = (problem: Diagnostic) => order.indexOf(String(problem.path[0]));
  return [...problems].sort((a, b) => rank(a) - rank(b));
}
