/**
 * The one way through the nodes of a document: every expression and command, the whole before its parts, in written
 * order. The switches are exhaustive, so a new kind of node does not compile until it says what its parts are.
 * Nothing recurses, so that depth costs no stack. Part of what must be trusted.
 */
import type { Path } from "./diagnostic.ts";
import type { Command, Document, Expr, LoopCommand, Relation, Selection, Source, Tool } from "./document.ts";

const nothing: readonly Expr[] = [];

/** Returns the expressions directly below an expression, in written order. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
    case "var":
    case "precedes":
    case "result":
    case "influenced":
      return nothing;
    case "op":
      return expr.args;
    case "list":
      return expr.items;
    case "lambda":
    case "always":
      return [expr.body];
    case "record":
      return expr.fields.map(({ value }) => value);
    case "field":
      return [expr.of];
    case "let":
      return [expr.value, expr.body];
    case "cell":
      return [expr.key];
    case "quantifier":
      return present(expr.over.where, expr.body);
    case "aggregate":
      return present(expr.over.where, expr.value, expr.otherwise);
    case "perKey":
      return present(expr.over.where, expr.key, expr.value, expr.body);
    case "distinct":
      return present(expr.over.where, expr.key);
    case "flows":
      return [expr.value];
    case "mayRead":
      return [expr.value, expr.reader];
    case "automaton":
      return expr.on.flatMap(({ over }) => over.where ?? []);
  }
}

/** Returns the selections that an expression makes itself. */
export function selectionsOf(expr: Expr): readonly Selection[] {
  if (expr.kind === "automaton") return expr.on.map(({ over }) => over);
  return "over" in expr ? [expr.over] : [];
}

/**
 * Ends a switch over kinds of nodes that returns nothing: with another kind it does not compile. A walk that passed by a
 * node in silence would prove something else than what runs.
 */
export function noOtherKind(node: never): never {
  throw new TypeError(`there is no such node: ${JSON.stringify(node)}`);
}

/** Yields the expression and everything below it. */
export function* exprsIn(...roots: readonly (Expr | undefined)[]): Generator<Expr> {
  const waiting: (Expr | undefined)[] = [...roots].reverse();
  while (waiting.length > 0) {
    const expr = waiting.pop();
    if (expr === undefined) continue;
    yield expr;
    const parts = partsOf(expr);
    for (let i = parts.length - 1; i >= 0; i--) waiting.push(parts[i]);
  }
}

/** Yields the same with where each stands. */
export function* exprsAt(root: Expr, at: Path): Generator<readonly [Expr, Path]> {
  const waiting: (readonly [Expr, Path])[] = [[root, at]];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    yield one;
    const [expr, path] = one;
    const places = placesOf(expr);
    const parts = partsOf(expr).map((part, i) => [part, [...path, ...(places[i] ?? [])]] as const);
    for (const part of parts.reverse()) waiting.push(part);
  }
}

/** Returns the places of the parts of an expression, in the order of `partsOf`. */
function placesOf(expr: Expr): readonly Path[] {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
    case "var":
    case "precedes":
    case "result":
    case "influenced":
      return [];
    case "op":
      return expr.args.map((_, i) => ["args", i]);
    case "list":
      return expr.items.map((_, i) => ["items", i]);
    case "lambda":
    case "always":
      return [["body"]];
    case "record":
      return expr.fields.map((_, i) => ["fields", i, "value"]);
    case "field":
      return [["of"]];
    case "let":
      return [["value"], ["body"]];
    case "cell":
      return [["key"]];
    case "quantifier":
      return [...placeOfWhere(expr.over), ["body"]];
    case "aggregate":
      return [
        ...placeOfWhere(expr.over),
        ...placeOf("value", expr.value),
        ...placeOf("otherwise", expr.otherwise),
      ];
    case "perKey":
      return [...placeOfWhere(expr.over), ["key"], ...placeOf("value", expr.value), ["body"]];
    case "distinct":
      return [...placeOfWhere(expr.over), ["key"]];
    case "flows":
      return [["value"]];
    case "mayRead":
      return [["value"], ["reader"]];
    case "automaton":
      return expr.on.flatMap(({ over }, i) => placeOfWhere(over).map((place) => ["on", i, ...place]));
  }
}

function placeOfWhere({ where }: Selection): readonly Path[] {
  return where === undefined ? [] : [["over", "where"]];
}

function placeOf(field: string, part: Expr | undefined): readonly Path[] {
  return part === undefined ? [] : [[field]];
}

/** Returns the bodies of a command: that of a loop, or the branches that run at the same time. */
export function bodiesOf(command: Command): readonly (readonly Command[])[] {
  switch (command.kind) {
    case "for":
    case "while":
      return [command.body];
    case "parallel":
      return command.branches;
    case "let":
    case "call":
    case "require":
      return [];
  }
}

/** Returns whether the command runs its body turn by turn. */
export function isLoop(command: Command): command is LoopCommand {
  return command.kind === "for" || command.kind === "while";
}

/** Returns whether parts of the command run at the same time: branches, or the iterations of a loop. */
export function isParallel(command: Command): boolean {
  return command.kind === "parallel" || (command.kind === "for" && command.parallel === true);
}

/** Returns the names that a command leaves to the commands after it. */
export function namesLeftBy(command: Command): readonly string[] {
  switch (command.kind) {
    case "let":
      return [command.name];
    case "call":
      return [command.bind, command.catch, command.reason].filter((name) => name !== undefined);
    case "for":
    case "while":
      return command.carry.map(({ name }) => name);
    case "parallel":
      return command.branches.flatMap((branch) => branch.flatMap(namesLeftBy));
    case "require":
      return [];
  }
}

/** Yields the commands and those in their loops and branches. */
export function* commandsIn(body: readonly Command[]): Generator<Command> {
  const waiting: Command[] = [...body].reverse();
  for (let command = waiting.pop(); command !== undefined; command = waiting.pop()) {
    yield command;
    for (const body of [...bodiesOf(command)].reverse())
      for (const one of [...body].reverse()) waiting.push(one);
  }
}

/** Yields the same with where each stands. */
export function* commandsAt(body: readonly Command[], at: Path): Generator<readonly [Command, Path]> {
  const waiting: (readonly [Command, Path])[] = [];
  const enter = (commands: readonly Command[], path: Path): void => {
    for (let i = commands.length - 1; i >= 0; i--) {
      const command = commands[i];
      if (command !== undefined) waiting.push([command, [...path, i]]);
    }
  };
  enter(body, at);
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    yield one;
    const [command, path] = one;
    if (isLoop(command)) enter(command.body, [...path, "body"]);
    else if (command.kind === "parallel")
      for (let i = command.branches.length - 1; i >= 0; i--)
        enter(command.branches[i] ?? [], [...path, "branches", i]);
  }
}

/** Returns the expressions of a command itself, without those of the commands in it. */
export function exprsOf(command: Command): readonly Expr[] {
  switch (command.kind) {
    case "let":
      return [command.value];
    case "call":
      return present(...command.args.map(({ value }) => value), command.when);
    case "for":
      return [command.list, ...command.carry.flatMap(({ init, next }) => [init, next])];
    case "while":
      return [command.condition, ...command.carry.flatMap(({ init, next }) => [init, next])];
    case "parallel":
      return nothing;
    case "require":
      return present(command.condition, command.when);
  }
}

/** Returns the expressions in the clauses of a tool. */
export function clausesOf({ requires, ensures, sets, cost, readers }: Tool): readonly Expr[] {
  const writes = sets.flatMap(({ key, value, when }) => present(key, value, when));
  return present(...requires, ...ensures, ...writes, cost, readers);
}

/** Returns what a program evaluates, command by command. */
export function programExprs({ program }: Document): readonly Expr[] {
  return [...commandsIn(program.body)].flatMap(exprsOf);
}

/** The tools, labels and fluents that expressions name. */
export interface References {
  readonly tools: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly fluents: ReadonlySet<string>;
}

/** Returns all names of tools, labels and fluents in expressions and below them. */
export function referencesIn(...roots: readonly (Expr | undefined)[]): References {
  const [tools, labels, fluents] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const note = (named: Relation | Source): void => {
    if ("tool" in named) tools.add(named.tool);
    if ("label" in named) labels.add(named.label);
    if ("fluent" in named) fluents.add(named.fluent);
  };
  for (const expr of exprsIn(...roots)) {
    for (const { in: relation } of selectionsOf(expr)) note(relation);
    if (expr.kind === "flows" || expr.kind === "influenced") note(expr.from);
    if (expr.kind === "cell") fluents.add(expr.fluent);
  }
  return { tools, labels, fluents };
}

/** Returns the names that an expression reads, its own bound ones among them. */
export function variablesOf(expr: Expr): Set<string> {
  const found = new Set<string>();
  for (const one of exprsIn(expr)) if (one.kind === "var") found.add(one.name);
  return found;
}

function present(...exprs: readonly (Expr | undefined)[]): readonly Expr[] {
  return exprs.filter((expr) => expr !== undefined);
}

/** Returns the expression with each of its direct parts replaced. */
export function mapParts(expr: Expr, map: (part: Expr) => Expr): Expr {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
    case "var":
    case "precedes":
    case "result":
    case "influenced":
      return expr;
    case "op":
      return { ...expr, args: expr.args.map(map) };
    case "list":
      return { ...expr, items: expr.items.map(map) };
    case "lambda":
    case "always":
      return { ...expr, body: map(expr.body) };
    case "record":
      return { ...expr, fields: expr.fields.map((field) => ({ ...field, value: map(field.value) })) };
    case "field":
      return { ...expr, of: map(expr.of) };
    case "let":
      return { ...expr, value: map(expr.value), body: map(expr.body) };
    case "cell":
      return { ...expr, key: map(expr.key) };
    case "quantifier":
      return { ...expr, over: mapWhere(expr.over, map), body: map(expr.body) };
    case "aggregate":
      return {
        ...expr,
        over: mapWhere(expr.over, map),
        ...(expr.value && { value: map(expr.value) }),
        ...(expr.otherwise && { otherwise: map(expr.otherwise) }),
      };
    case "perKey":
      return {
        ...expr,
        over: mapWhere(expr.over, map),
        key: map(expr.key),
        ...(expr.value && { value: map(expr.value) }),
        body: map(expr.body),
      };
    case "distinct":
      return { ...expr, over: mapWhere(expr.over, map), key: map(expr.key) };
    case "flows":
      return { ...expr, value: map(expr.value) };
    case "mayRead":
      return { ...expr, value: map(expr.value), reader: map(expr.reader) };
    case "automaton":
      return { ...expr, on: expr.on.map((one) => ({ ...one, over: mapWhere(one.over, map) })) };
  }
}

/** Returns the expression with each selection that it makes itself replaced. */
export function mapSelections(expr: Expr, map: (over: Selection) => Selection): Expr {
  if (expr.kind === "automaton") {
    return { ...expr, on: expr.on.map((one) => ({ ...one, over: map(one.over) })) };
  }
  return "over" in expr ? { ...expr, over: map(expr.over) } : expr;
}

function mapWhere(over: Selection, map: (part: Expr) => Expr): Selection {
  return over.where === undefined ? over : { ...over, where: map(over.where) };
}

/** Returns the names that the node itself reads: of values and of calls. */
export function namesReadBy(expr: Expr): readonly string[] {
  if (expr.kind === "var") return [expr.name];
  if (expr.kind === "precedes") return [expr.first, expr.second];
  return expr.kind === "result" || expr.kind === "influenced" ? [expr.call] : [];
}

/** Returns the names that the node binds for its parts. */
export function namesBoundBy(expr: Expr): readonly string[] {
  const rows = selectionsOf(expr).map((over) => over.var);
  if (expr.kind === "lambda") return expr.params.map(({ name }) => name);
  return expr.kind === "let" || expr.kind === "perKey" ? [...rows, expr.name] : rows;
}

/** Returns the node with other names in the places of those that it reads itself. */
export function mapNamesRead(expr: Expr, map: (name: string) => string): Expr {
  if (expr.kind === "var") return { ...expr, name: map(expr.name) };
  if (expr.kind === "precedes") return { ...expr, first: map(expr.first), second: map(expr.second) };
  return expr.kind === "result" || expr.kind === "influenced" ? { ...expr, call: map(expr.call) } : expr;
}
