/**
 * The part of a program that a claim depends on. Everything else is cut: a command that is cut stands as a name for
 * `true`, so that every command keeps its path.
 *
 * SOUNDNESS: every run of the program that completes, projected onto the calls that are kept, is a run of the part, so what
 * holds of all runs of the part holds of all runs of the program. The argument:
 * 1. A kept command reads only names that kept commands leave, so it does the same in both.
 * 2. A cut call is none that the claim speaks of, and sets no cell that the claim or a clause of a kept call reads.
 * 3. A cut command can only end a run early: by a failure, or by what it requires. The part assumes nothing of it.
 * 4. A `while` is never cut: a run may stay in it, and then nothing behind it is reached.
 * 5. Of what runs at the same time all is kept or nothing: which calls may be under way together depends on all of them.
 * Part of what must be trusted.
 */
import {
  type CallCommand,
  type Carry,
  type Checked,
  type Command,
  check,
  clausesOf,
  commandsAt,
  commandsIn,
  type Document,
  type Expr,
  exprsIn,
  exprsOf,
  type Guarantee,
  isLoop,
  isParallel,
  namesBoundBy,
  namesLeftBy,
  namesReadBy,
  type Path,
  type Tool,
} from "../../ir/index.ts";
import { concernsOf } from "../goals/concerns.ts";
import { requiredFirst } from "../loops/stated-invariants.ts";

export interface Slice {
  readonly checked: Checked;
  /** The same for the same part of the same program. */
  readonly key: string;
}

/** Returns the part that decides a guarantee. */
export function sliceFor(checked: Checked, guarantee: Guarantee): Slice {
  const { formula } = guarantee;
  const concerns = formula === undefined ? () => true : concernsOf(checked, formula);
  const names = new Set(formula === undefined ? [] : namesIn(formula));
  const fluents = new Set(formula === undefined ? [] : fluentsIn([formula]));
  const isRoot = (command: Command) => command.kind === "call" && concerns(toolOf(checked, command.tool));
  return sliced(checked, [guarantee], names, fluents, isRoot);
}

/** Returns the part that decides what must hold at the command. */
export function sliceAt(checked: Checked, path: Path): Slice {
  const key = path.join(".");
  for (const [command, at] of commandsAt(checked.document.program.body, ["program", "body"]))
    if (at.join(".") === key) return sliced(checked, [], new Set(), new Set(), (one) => one === command);
  throw new TypeError(`there is no command at ${key}`);
}

function toolOf(checked: Checked, name: string): Tool {
  const tool = checked.tools.get(name);
  if (tool === undefined) throw new TypeError(`there is no tool \`${name}\``);
  return tool;
}

/** A command with the loops and the outermost parallel command around it. */
interface Placed {
  readonly command: Command;
  readonly around: readonly Command[];
}

function sliced(
  checked: Checked,
  guarantees: readonly Guarantee[],
  names: Set<string>,
  fluents: Set<string>,
  isRoot: (command: Command) => boolean,
): Slice {
  const { document } = checked;
  const placed: Placed[] = [];
  place(document.program.body, [], placed);
  const kept = new Set<Command>();
  const carried = new Set<Carry>();
  const read = (...exprs: readonly (Expr | undefined)[]): void => {
    for (const expr of exprs) if (expr !== undefined) for (const name of namesIn(expr)) names.add(name);
  };
  const keep = ({ command, around }: Placed): void => {
    if (kept.has(command)) return;
    kept.add(command);
    if (command.kind === "for") read(command.list);
    else if (command.kind === "while") read(command.condition);
    else read(...exprsOf(command));
    if (command.kind === "call") for (const fluent of readBy(checked, command)) fluents.add(fluent);
    for (const outer of around) keepAlone(outer);
    if (isParallel(command)) for (const inner of commandsIn([command])) keepAlone(inner);
  };
  const byCommand = new Map(placed.map((one) => [one.command, one]));
  const keepAlone = (command: Command): void => {
    const found = byCommand.get(command);
    if (found !== undefined) keep(found);
  };
  for (const one of placed) if (one.command.kind === "while" || isRoot(one.command)) keep(one);
  for (let before = -1, now = sizeOf(); before !== now; before = now, now = sizeOf()) {
    for (const one of placed) {
      const { command } = one;
      if (isNeeded(command)) keep(one);
      if (!isLoop(command)) continue;
      // Stated invariants are what the proof may need, whatever they speak of.
      if (kept.has(command)) for (const { required } of requiredFirst(command)) keepAlone(required);
      for (const carry of command.carry) {
        if (!names.has(carry.name) || carried.has(carry)) continue;
        carried.add(carry);
        read(carry.init, carry.next);
      }
    }
  }
  // A requirement about names that are known anyway may help the proof behind it.
  for (const one of placed) {
    const { command, around } = one;
    if (command.kind !== "require" || !around.every((outer) => kept.has(outer))) continue;
    if (exprsOf(command).every((expr) => namesIn(expr).every((name) => names.has(name)))) kept.add(command);
  }
  const key = placed.map(({ command }) => mark(command, kept, carried)).join(" ");
  if (!key.includes("-")) {
    const isSame = guarantees.length === document.guarantees.length;
    return { checked: isSame ? checked : again({ ...document, guarantees }), key };
  }
  const taken = new Set([...namesOf(document)]);
  let number = 0;
  const cut = (): Command => {
    let name = `cut${number++}`;
    while (taken.has(name)) name = `cut${number++}`;
    return { kind: "let", name, value: { kind: "bool", value: true } };
  };
  const body = document.program.body.map(part);
  return { checked: again({ ...document, program: { ...document.program, body }, guarantees }), key };

  function part(command: Command): Command {
    if (!kept.has(command)) return cut();
    switch (command.kind) {
      case "for":
      case "while":
        return {
          ...command,
          carry: command.carry.filter((carry) => carried.has(carry)),
          body: command.body.map(part),
        };
      case "parallel":
        return { ...command, branches: command.branches.map((branch) => branch.map(part)) };
      case "let":
      case "call":
      case "require":
        return command;
    }
  }

  function sizeOf(): number {
    return names.size + fluents.size + kept.size + carried.size;
  }

  function isNeeded(command: Command): boolean {
    if (
      command.kind === "call" &&
      toolOf(checked, command.tool).sets.some(({ fluent }) => fluents.has(fluent))
    )
      return true;
    const isOwn = command.kind !== "parallel" && namesLeftBy(command).some((name) => names.has(name));
    return isOwn || (isLoop(command) && boundIn(command).some((name) => names.has(name)));
  }
}

function place(body: readonly Command[], around: readonly Command[], found: Placed[]): void {
  for (const command of body) {
    found.push({ command, around });
    const inside = [...around, command];
    if (isLoop(command)) place(command.body, inside, found);
    else if (command.kind === "parallel") for (const branch of command.branches) place(branch, inside, found);
  }
}

function mark(command: Command, kept: ReadonlySet<Command>, carried: ReadonlySet<Carry>): string {
  if (!kept.has(command)) return "-";
  return isLoop(command) ? `+${command.carry.map((one) => (carried.has(one) ? "+" : "-")).join("")}` : "+";
}

/** Checks the document, which is checked but for what was cut. */
function again(document: Document): Checked {
  const checked = check(document);
  if (!checked.ok)
    throw new TypeError(`a part of a program is no program: ${JSON.stringify(checked.problems)}`);
  return checked.value;
}

function namesIn(...exprs: readonly Expr[]): string[] {
  return [...exprsIn(...exprs)].flatMap(namesReadBy);
}

/** The names that a loop binds for its body. */
function boundIn(command: Command): readonly string[] {
  if (!isLoop(command)) return [];
  const index = command.index === undefined ? [] : [command.index];
  return command.kind === "for" ? [command.var, ...index] : index;
}

function fluentsIn(exprs: readonly Expr[]): readonly string[] {
  return [...exprsIn(...exprs)].flatMap((expr) => (expr.kind === "cell" ? [expr.fluent] : []));
}

/** The fluents that the clauses of the call's tool read. */
function readBy(checked: Checked, { tool }: CallCommand): readonly string[] {
  return fluentsIn(clausesOf(toolOf(checked, tool)));
}

/** All names in a document, but for those in the clauses of its tools. */
function* namesOf({ program, guarantees }: Document): Generator<string> {
  for (const { name } of program.inputs) yield name;
  const commands = [...commandsIn(program.body)];
  for (const command of commands) {
    yield* namesLeftBy(command);
    yield* boundIn(command);
  }
  for (const expr of exprsIn(...commands.flatMap(exprsOf), ...guarantees.map(({ formula }) => formula))) {
    yield* namesReadBy(expr);
    yield* namesBoundBy(expr);
  }
}
