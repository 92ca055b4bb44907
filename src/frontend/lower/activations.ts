/**
 * A function that calls itself, as one `while` of the IR: a list of activations is its stack, and every turn takes the topmost
 * one a step further. The commands of a function stand one after the other, so a step is what stands between two calls
 * of itself. A call puts an activation on the list; the end takes it off, and hands on what it gives.
 *
 * SOUNDNESS: a proof takes the list for any list, so whatever is proved of a turn holds of any activation.
 */
import {
  type Argument,
  append,
  bodiesOf,
  bool,
  type CallCommand,
  type Carry,
  type Checked,
  type Command,
  check,
  checkExpr,
  commandsIn,
  type Expr,
  exprsIn,
  exprsOf,
  type ForCommand,
  int,
  type LoopCommand,
  listOf,
  mapParts,
  namesBoundBy,
  namesLeftBy,
  optionOf,
  recordOf,
  string,
  type Type,
  variablesOf,
} from "../../ir/index.ts";
import {
  and,
  anyOf,
  choose,
  field,
  listExpr,
  no,
  none,
  num,
  op,
  recordExpr,
  some,
  variable,
} from "../build.ts";
import type { Lowering } from "./core.ts";

type At = { readonly start: number; readonly end: number };

/** LIMIT: steps of all activations together, after which the run is interrupted. */
const mostSteps = 100_000;

/** A function that calls itself, compiled once for any arguments. */
export interface Activation {
  /** Stands for the function in calls of itself. */
  readonly tool: string;
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly type: Type; readonly init: Expr }[];
  /** State that it changes outside itself: at the beginning, and at the end. */
  readonly carry: readonly Carry[];
  /** Flags of the exit that left it; false at the beginning. */
  readonly flags: ReadonlySet<string>;
  readonly body: readonly Command[];
  readonly result: { readonly expr: Expr; readonly type: Type } | undefined;
  /** Path condition of the outermost call. */
  readonly entry: Expr;
}

/** The field of what a call gives that holds its value. */
export const resultField = "value";

/** Returns the type of what a call of the function gives: its value, and what it has changed. */
export function outcomeType({
  carry,
  result,
}: Pick<Activation, "carry"> & { readonly result: Type | undefined }): Type {
  const fields = carry.map(({ name, type }) => ({ name, type }));
  return recordOf(result === undefined ? fields : [{ name: resultField, type: result }, ...fields]);
}

/** A step of an activation. */
interface Step {
  /** The call of itself that it goes on after. */
  readonly after?: CallCommand;
  readonly commands: Command[];
  readonly assigned: [name: string, value: Expr][];
  end: End;
}

type End =
  | { readonly kind: "next"; readonly to: number }
  | { readonly kind: "choose"; readonly condition: Expr; readonly yes: number; readonly no: number }
  | { readonly kind: "call"; readonly call: CallCommand; readonly to: number }
  | { readonly kind: "return" };

/** Writes the function as a loop over its activations, and the names of its outcome after it. */
export function asActivations(
  low: Lowering,
  activation: Activation,
  outcome: { readonly result: string },
  node: At,
): Command[] {
  const { name, carry, params, body, entry, flags } = activation;
  const steps = new Steps(low, activation, node);
  steps.add(body);
  steps.current.end = { kind: "return" };
  const types = new NameTypes(low, activation.tool, steps, outcomeOf(activation), node);
  const fresh = (hint: string) => low.names.fresh(`${name}_${hint}`);
  const [stack, given, top] = [fresh("stack"), fresh("given"), fresh("top")];
  const read = keptNames(steps.all, [...params.map((one) => one.name), ...carry.map((one) => one.name)]);
  const plain = new Map<string, Expr>();
  for (const one of read) {
    const only = onlyValue(types.of(one));
    if (only !== undefined) plain.set(one, only);
    else if (holdsNever(types.of(one)))
      low.refuse(
        node,
        "FC2307",
        `\`${name}\` calls itself while it holds an empty list whose elements have no type`,
        "declare what it holds, such as `const found: string[] = []`",
      );
  }
  const kept = new Set([...read].filter((one) => !plain.has(one)));
  const frame = recordOf([
    { name: "step", type: int },
    ...[...kept].map((one) => ({ name: one, type: optionOf(types.of(one)) })),
  ]);
  const place = fresh("step");
  const written = new Written(low, { steps: steps.all, kept, plain, top, given, place });
  const newFrame = (values: ReadonlyMap<string, Expr>): Expr =>
    recordExpr([
      { name: "step", value: num(0n) },
      ...[...kept].map((one): Argument => {
        const value = values.get(one);
        return { name: one, value: value === undefined ? none : some(value) };
      }),
    ]);
  const first = newFrame(
    new Map([...params, ...carry].map((one) => [one.name, flags.has(one.name) ? no : one.init])),
  );
  const size = op("length", variable(stack));
  const below = op("slice", variable(stack), num(0n), op("-", size, num(1n)));
  const commands: Command[] = [
    { kind: "let", name: top, value: op("value", op("at", variable(stack), op("-", size, num(1n)))) },
    { kind: "let", name: place, value: field(variable(top), "step") },
    ...written.commands,
  ];
  const last = steps.all.findIndex(({ end }) => end.kind === "return");
  const returns = written.isAt(last);
  const calls = steps.all.flatMap(({ end }, i) => (end.kind === "call" ? [{ call: end.call, i }] : []));
  const called = anyOf(
    calls.map(({ call, i }) => and(written.isAt(i), written.read(i, call.when ?? yesExpr))),
  );
  let made: Expr = newFrame(new Map());
  for (const { call, i } of calls) {
    const values = new Map(call.args.map((one) => [one.name, written.read(i, one.value)]));
    for (const flag of flags) values.set(flag, no);
    made = choose(written.isAt(i), newFrame(values), made);
  }
  const next = choose(
    returns,
    below,
    op("++", below, listExpr([written.frame]), choose(called, listExpr([made]), listExpr([]))),
  );
  const answer = recordExpr([
    ...(activation.result === undefined
      ? []
      : [{ name: resultField, value: written.read(last, activation.result.expr) }]),
    ...carry.map((one) => ({ name: one.name, value: written.read(last, one.next) })),
  ]);
  const loop: Command = {
    kind: "while",
    condition: and(entry, op(">", size, num(0n))),
    max: mostSteps,
    carry: [
      { name: stack, type: listOf(frame), init: listExpr([first]), next },
      {
        name: given,
        type: optionOf(outcomeOf(activation)),
        init: none,
        next: choose(returns, some(answer), none),
      },
    ],
    body: commands,
  };
  // Another function that calls itself may be around, and asks for the types of these names.
  for (const command of commandsIn([loop]))
    for (const one of namesLeftBy(command)) low.bound.set(one, command);
  const ended = op("value", variable(given));
  const after = carry.map(
    (one): Command => ({
      kind: "let",
      name: one.name,
      value: choose(op("isSome", variable(given)), field(ended, one.name), one.init),
    }),
  );
  const value: Command[] =
    activation.result === undefined
      ? []
      : [{ kind: "let", name: outcome.result, value: field(ended, resultField) }];
  return [loop, ...after, ...value];
}

const yesExpr: Expr = { kind: "bool", value: true };

function outcomeOf({ carry, result }: Activation): Type {
  return outcomeType({ carry, result: result?.type });
}

// ── steps ────────────────────────────────────────────────────────────────────────────────────────────────

/** Cuts commands where the function calls itself. A loop with such a call becomes steps that lead back to its head. */
class Steps {
  readonly all: Step[] = [];
  /** Types of the names that stand for loops. */
  readonly types = new Map<string, Type>();
  /** The lists that loops with a call go over. */
  readonly lists = new Map<string, Expr>();
  readonly #low: Lowering;
  readonly #tool: string;
  readonly #name: string;
  readonly #node: At;

  constructor(low: Lowering, { tool, name, carry, params }: Activation, node: At) {
    this.#low = low;
    this.#tool = tool;
    this.#name = name;
    this.#node = node;
    for (const one of [...carry, ...params]) this.types.set(one.name, one.type);
    this.#open();
  }

  get current(): Step {
    const step = this.all.at(-1);
    if (step === undefined) throw new TypeError("there is a first step");
    return step;
  }

  add(commands: readonly Command[]): void {
    for (const command of commands) {
      if (!this.#calls(command)) this.current.commands.push(command);
      else if (command.kind === "call") {
        this.current.end = { kind: "call", call: command, to: this.all.length };
        this.#open(command);
      } else if (command.kind === "for" && !command.parallel) this.#forLoop(command);
      else if (command.kind === "while")
        this.#loop(command, command.condition, [], [], () => this.add(command.body));
      else this.#refuse();
    }
  }

  #calls(command: Command): boolean {
    if (command.kind === "call") return command.tool === this.#tool;
    return bodiesOf(command).some((body) => body.some((one) => this.#calls(one)));
  }

  #forLoop(command: ForCommand): void {
    const low = this.#low;
    const [list, at] = [low.names.fresh("list"), low.names.fresh("at")];
    this.lists.set(list, command.list);
    this.types.set(at, int);
    const condition = op("<", variable(at), op("length", variable(list)));
    const init: [string, Expr][] = [
      [list, command.list],
      [at, num(0n)],
    ];
    this.#loop(command, condition, init, [[at, op("+", variable(at), num(1n))]], () => {
      const item: Command = {
        kind: "let",
        name: command.var,
        value: op("value", op("at", variable(list), variable(at))),
      };
      const index: Command[] =
        command.index === undefined ? [] : [{ kind: "let", name: command.index, value: variable(at) }];
      this.current.commands.push(item, ...index);
      this.add(command.body);
    });
  }

  #loop(
    { carry }: LoopCommand,
    condition: Expr,
    init: readonly [string, Expr][],
    next: readonly [string, Expr][],
    body: () => void,
  ): void {
    for (const one of carry) this.types.set(one.name, one.type);
    this.current.assigned.push(...init, ...carry.map((one): [string, Expr] => [one.name, one.init]));
    const head = this.all.length;
    this.current.end = { kind: "next", to: head };
    this.#open();
    const test = this.current;
    this.#open();
    body();
    this.current.assigned.push(...next, ...carry.map((one): [string, Expr] => [one.name, one.next]));
    this.current.end = { kind: "next", to: head };
    test.end = { kind: "choose", condition, yes: head + 1, no: this.all.length };
    this.#open();
  }

  #open(after?: CallCommand): void {
    const step = { commands: [], assigned: [], end: { kind: "return" as const } };
    this.all.push(after === undefined ? step : { ...step, after });
  }

  #refuse(): never {
    return this.#low.refuse(
      this.#node,
      "FC2307",
      `\`${this.#name}\` calls itself several times at the same time`,
      `await one call after the other: \`for (const x of xs) await ${this.#name}(x)\``,
    );
  }
}

/** Names that an activation keeps: what another step reads than the one that it is from. */
function keptNames(steps: readonly Step[], always: readonly string[]): Set<string> {
  const kept = new Set(always);
  const bound = new Map<string, Set<number>>();
  const bind = (name: string, i: number) => {
    const found = bound.get(name) ?? new Set();
    found.add(i);
    bound.set(name, found);
  };
  steps.forEach((step, i) => {
    for (const command of commandsIn(step.commands)) for (const name of boundBy(command)) bind(name, i);
    for (const [name] of step.assigned) kept.add(name);
    if (step.after?.bind !== undefined) bind(step.after.bind, i);
  });
  steps.forEach((step, i) => {
    for (const name of readBy(step)) {
      const from = bound.get(name);
      if (from !== undefined && !from.has(i)) kept.add(name);
    }
  });
  return kept;
}

function boundBy(command: Command): readonly string[] {
  if (command.kind !== "for") return namesLeftBy(command);
  return [command.var, ...(command.index === undefined ? [] : [command.index]), ...namesLeftBy(command)];
}

function readBy({ commands, assigned, end }: Step): Set<string> {
  const exprs = [...commandsIn(commands)].flatMap(exprsOf);
  append(
    exprs,
    assigned.map(([, value]) => value),
  );
  if (end.kind === "choose") exprs.push(end.condition);
  if (end.kind === "call") append(exprs, exprsOf(end.call));
  return new Set(exprs.flatMap((expr) => [...variablesOf(expr)]));
}

// ── writing ──────────────────────────────────────────────────────────────────────────────────────────────

interface Layout {
  readonly steps: readonly Step[];
  readonly kept: ReadonlySet<string>;
  /** Values of names whose type has one value. */
  readonly plain: ReadonlyMap<string, Expr>;
  /** The names of the topmost activation, of what a call gave, and of the step that it is at. */
  readonly top: string;
  readonly given: string;
  readonly place: string;
}

/** The steps as commands that each happen only where the topmost activation is at them. */
class Written {
  readonly commands: Command[] = [];
  /** The topmost activation after its step. */
  readonly frame: Expr;
  readonly #low: Lowering;
  readonly #layout: Layout;
  readonly #replaced: ReadonlyMap<string, Expr>[];

  constructor(low: Lowering, layout: Layout) {
    this.#low = low;
    this.#layout = layout;
    const { steps, kept, top, given } = layout;
    this.#replaced = steps.map((step) => this.#names(step));
    steps.forEach(({ after, commands }, i) => {
      if (after?.bind !== undefined) {
        const value = after.when === undefined ? op("value", variable(given)) : variable(given);
        this.commands.push({ kind: "let", name: after.bind, value });
      }
      for (const command of commands) this.commands.push(this.#command(command, i, true));
    });
    let step: Expr = num(0n);
    steps.forEach(({ end }, i) => {
      if (end.kind === "return") return;
      const to =
        end.kind === "choose"
          ? choose(this.read(i, end.condition), num(BigInt(end.yes)), num(BigInt(end.no)))
          : num(BigInt(end.to));
      step = choose(this.isAt(i), to, step);
    });
    const fields = [...kept].map((name): Argument => {
      let value: Expr = field(variable(top), name);
      steps.forEach((one, i) => {
        const set = this.#valueIn(one, i, name);
        if (set !== undefined) value = choose(this.isAt(i), some(set), value);
      });
      return { name, value };
    });
    this.frame = recordExpr([{ name: "step", value: step }, ...fields]);
  }

  isAt(step: number): Expr {
    return op("==", variable(this.#layout.place), num(BigInt(step)));
  }

  /** The expression as it is read in that step. */
  read(step: number, expr: Expr): Expr {
    return this.#replace(expr, this.#replaced[step] ?? new Map());
  }

  /** Returns the value that the step assigns to the name; undefined if it leaves it unchanged. */
  #valueIn({ after, commands, assigned }: Step, i: number, name: string): Expr | undefined {
    const set = assigned.find(([one]) => one === name);
    if (set !== undefined) return this.read(i, set[1]);
    const isBound = after?.bind === name || commands.some((command) => boundBy(command).includes(name));
    return isBound ? this.read(i, variable(name)) : undefined;
  }

  #names({ after, commands }: Step): ReadonlyMap<string, Expr> {
    const { kept, plain, top } = this.#layout;
    const found = new Map<string, Expr>(plain);
    for (const name of kept) found.set(name, op("value", field(variable(top), name)));
    if (after?.bind !== undefined) found.delete(after.bind);
    for (const command of commandsIn(commands)) for (const name of boundBy(command)) found.delete(name);
    for (const command of reachedBy(commands))
      if (command.kind === "call" && command.bind !== undefined && isSure(command))
        found.set(command.bind, op("value", variable(command.bind)));
    return found;
  }

  #replace(expr: Expr, names: ReadonlyMap<string, Expr>): Expr {
    if (expr.kind === "var") return names.get(expr.name) ?? expr;
    const own = namesBoundBy(expr).filter((name) => names.has(name));
    const inner = own.length === 0 ? names : new Map([...names].filter(([name]) => !own.includes(name)));
    // What a name is bound to is outside it.
    if (expr.kind === "let" && own.length > 0)
      return { ...expr, value: this.#replace(expr.value, names), body: this.#replace(expr.body, inner) };
    return mapParts(expr, (part) => this.#replace(part, inner));
  }

  #command(command: Command, i: number, isGuarded: boolean): Command {
    const made = this.#rewritten(command, i, isGuarded);
    const spot = this.#low.spots.get(command);
    if (spot !== undefined) this.#low.spots.set(made, spot);
    return made;
  }

  #rewritten(command: Command, i: number, isGuarded: boolean): Command {
    const read = (expr: Expr) => this.read(i, expr);
    const only = (when: Expr | undefined) =>
      isGuarded
        ? { when: and(this.isAt(i), read(when ?? yesExpr)) }
        : when === undefined
          ? {}
          : { when: read(when) };
    const carry = (all: readonly Carry[]): Carry[] =>
      all.map((one) => ({ ...one, init: read(one.init), next: read(one.next) }));
    switch (command.kind) {
      case "let":
        return { ...command, value: read(command.value) };
      case "call":
        return {
          ...command,
          args: command.args.map((one) => ({ ...one, value: read(one.value) })),
          ...only(command.when),
        };
      case "require":
        return { ...command, condition: read(command.condition), ...only(command.when) };
      case "for": {
        const list = read(command.list);
        return {
          ...command,
          list: isGuarded ? choose(this.isAt(i), list, listExpr([])) : list,
          carry: carry(command.carry),
          body: command.body.map((one) => this.#command(one, i, false)),
        };
      }
      case "while": {
        const condition = read(command.condition);
        return {
          ...command,
          condition: isGuarded ? and(this.isAt(i), condition) : condition,
          carry: carry(command.carry),
          body: command.body.map((one) => this.#command(one, i, false)),
        };
      }
      case "parallel":
        return {
          ...command,
          branches: command.branches.map((branch) => branch.map((one) => this.#command(one, i, isGuarded))),
        };
    }
  }
}

/** Commands that are not in a loop. */
function* reachedBy(commands: readonly Command[]): Generator<Command> {
  for (const command of commands) {
    yield command;
    if (command.kind === "parallel") for (const branch of command.branches) yield* reachedBy(branch);
  }
}

/** Returns whether its result is there wherever the command is reached. */
function isSure(command: CallCommand): boolean {
  return command.when === undefined && command.catch === undefined;
}

/** The value of a type that has no other: an empty list of nothing, or nothing. */
function onlyValue(type: Type): Expr | undefined {
  if (type.kind === "list" && type.element.kind === "never") return listExpr([]);
  return type.kind === "option" && type.value.kind === "never" ? none : undefined;
}

function holdsNever(type: Type): boolean {
  switch (type.kind) {
    case "never":
      return true;
    case "list":
      return holdsNever(type.element);
    case "option":
    case "map":
      return holdsNever(type.value);
    case "record":
      return type.fields.some((one) => holdsNever(one.type));
    default:
      return false;
  }
}

// ── types ────────────────────────────────────────────────────────────────────────────────────────────────

const empty: Checked | undefined = (() => {
  const checked = check({
    effectIr: 1,
    fluents: [],
    tools: [],
    program: { inputs: [], body: [] },
    guarantees: [],
  });
  return checked.ok ? checked.value : undefined;
})();

/** The types of names, found from the commands that bind them. */
class NameTypes {
  readonly #low: Lowering;
  readonly #tool: string;
  readonly #outcome: Type;
  readonly #node: At;
  readonly #steps: Steps;
  readonly #found = new Map<string, Type>();

  constructor(low: Lowering, tool: string, steps: Steps, outcome: Type, node: At) {
    this.#low = low;
    this.#node = node;
    this.#tool = tool;
    this.#steps = steps;
    this.#outcome = outcome;
  }

  of(name: string): Type {
    const type = this.#known(name);
    if (type === undefined) return this.#refuse();
    return type;
  }

  /** Undefined for a name that an expression binds itself. */
  #known(name: string): Type | undefined {
    const before = this.#found.get(name);
    if (before !== undefined) return before;
    const type = this.#find(name);
    if (type !== undefined) this.#found.set(name, type);
    return type;
  }

  #find(name: string): Type | undefined {
    const list = this.#steps.lists.get(name);
    if (list !== undefined) return this.#typeOf(list);
    const known = this.#steps.types.get(name);
    if (known !== undefined) return known;
    const command = this.#low.bound.get(name);
    if (command?.kind === "let") return this.#typeOf(command.value);
    if (command?.kind === "call") return this.#ofCall(command, name);
    if (command?.kind === "for" || command?.kind === "while")
      return command.carry.find((one) => one.name === name)?.type;
    return this.#low.nameTypes.get(name);
  }

  #refuse(): never {
    return this.#low.refuse(
      this.#node,
      "FC2307",
      "this function calls itself with a value whose type is unknown here",
      "declare the types of its parameters and variables, or keep what is left to do in a list",
    );
  }

  #ofCall(command: CallCommand, name: string): Type {
    if (name === command.catch) return bool;
    if (name === command.reason) return string;
    const result =
      command.tool === this.#tool
        ? this.#outcome
        : (this.#low.outcomes.get(command.tool) ?? this.#low.usedTools.get(command.tool)?.tool.result);
    if (result === undefined) throw new TypeError(`${command.tool} returns something`);
    return isSure(command) ? result : optionOf(result);
  }

  #typeOf(expr: Expr): Type {
    const names = new Map<string, Type>();
    const own = new Set([...exprsIn(expr)].flatMap(namesBoundBy));
    for (const name of variablesOf(expr)) {
      const known = own.has(name) ? undefined : this.#known(name);
      if (known !== undefined) names.set(name, known);
    }
    const checked = empty && checkExpr(empty, expr, "values", names);
    const type = checked?.ok ? checked.value.types.get(expr) : undefined;
    if (type === undefined) return this.#refuse();
    return type;
  }
}
